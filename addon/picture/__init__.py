# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of pairs of a report, with their evidence: drawn headless, with a graphics driver or without."""

from .pairs import pair_pictures
from .render import draw_picture, write_picture

__all__ = ["draw_picture", "pair_pictures", "write_picture"]
