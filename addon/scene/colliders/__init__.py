# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are colliders: found, made, repaired."""
