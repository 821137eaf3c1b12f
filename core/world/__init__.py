# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds with common row indices, and contact margins."""
