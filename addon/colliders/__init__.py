# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders made, changed, and known to be whose."""
