# SPDX-License-Identifier: GPL-3.0-or-later
"""Penetration depth and interference of concave shapes of the plane."""
