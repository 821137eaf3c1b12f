# SPDX-License-Identifier: GPL-3.0-or-later
"""Persistent contacts: contacts that keep an identity between updates (Lee 2018, section 13.5)."""

from .contact_cache import ContactCache, ContactState, PersistentContacts, RemovalReason

__all__ = ["ContactCache", "ContactState", "PersistentContacts", "RemovalReason"]
