# SPDX-License-Identifier: GPL-3.0-or-later
"""Conventions by which game engines recognize colliders: names, shapes and rules."""
