# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds in one index space, and contact margins."""
