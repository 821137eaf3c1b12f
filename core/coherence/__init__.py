# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts that keep an identity from one check to the next (Lee 2018, section 13.5)."""

from .memory import ContactCache
from .results import ContactState, PersistentContacts, RemovalReason

__all__ = ["ContactCache", "ContactState", "PersistentContacts", "RemovalReason"]
