# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays and points against shapes."""
