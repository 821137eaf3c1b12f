# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene over time: its frames, its poses, its timeline markers."""
