# SPDX-License-Identifier: GPL-3.0-or-later
"""Continuous collision detection: shapes in motion, and when they first and last touch."""
