# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep concave shapes of the plane are in each other."""
