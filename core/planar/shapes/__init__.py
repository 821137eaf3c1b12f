# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the plane, and blocks of them in the layout of the kernels."""
