# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as arrays, and as they are edited and displayed."""
