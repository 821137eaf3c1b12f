# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of the shapes of objects and instances from the evaluated scene."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import batches as batches
    from . import bodies as bodies
    from . import crossing_faces as crossing_faces
    from . import gathering as gathering
    from . import geometry_cache as geometry_cache
    from . import incremental as incremental
    from . import items as items
    from . import known_issues as known_issues
    from . import placing as placing
    from . import read_scene as read_scene
    from . import scene_shapes as scene_shapes
    from . import sight as sight
    from . import skipped_scripts as skipped_scripts
    from . import surfaces as surfaces

__getattr__ = modules_of(__name__)
