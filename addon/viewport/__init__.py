# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws overlays in the viewport: the palette says how they look, gpu draws them, the handler says when."""
