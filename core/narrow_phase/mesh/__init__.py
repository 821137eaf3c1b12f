# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs with triangle meshes: traversal of trees, containment, penetration and contact regions."""
