# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders as engines take them: what is wrong with them, and what can be repaired."""
