# SPDX-License-Identifier: GPL-3.0-or-later
"""What game engines take for colliders: their names, their shapes and their rules."""
