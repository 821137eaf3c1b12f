# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of pairs of a report with their evidence, rendered without a window or graphics driver."""

from .heat_maps import heat_pictures
from .pairs import pair_pictures, pair_viewpoints
from .render import draw_picture, write_picture

__all__ = ["draw_picture", "heat_pictures", "pair_pictures", "pair_viewpoints", "write_picture"]
