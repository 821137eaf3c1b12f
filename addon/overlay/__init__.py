# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn in the viewport, made here and drawn by `drawing`."""
