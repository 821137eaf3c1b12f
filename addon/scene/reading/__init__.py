# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of objects and instances, read from the evaluated scene."""
