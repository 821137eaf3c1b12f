# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw overlays in the viewport: the palette defines their look, gpu draws them, the handler determines when."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import axis_explorer as axis_explorer
    from . import camera_view as camera_view
    from . import collider_preview as collider_preview
    from . import convex_pieces as convex_pieces
    from . import coverage_map as coverage_map
    from . import curve_preview as curve_preview
    from . import floating as floating
    from . import framing as framing
    from . import gpu as gpu
    from . import handler as handler
    from . import heat_colors as heat_colors
    from . import labels as labels
    from . import legend as legend
    from . import motion_contact as motion_contact
    from . import obstacle as obstacle
    from . import pair as pair
    from . import pair_primitives as pair_primitives
    from . import palette as palette
    from . import stage as stage
    from . import thinning as thinning
    from . import verdict_colors as verdict_colors

__getattr__ = modules_of(__name__)
