# SPDX-License-Identifier: GPL-3.0-or-later
"""How game engines recognize colliders: names, shapes and rules."""
