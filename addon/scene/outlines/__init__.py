# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of objects in a plane."""
