# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras, and what they see."""
