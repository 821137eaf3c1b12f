# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of the shapes of objects and instances from the evaluated scene.

`VisibleInstance` and `ObjectFacts` → `SceneSnapshot` → `Item` → `BodyTree` → `ItemsInScope` → `Geometry` →
`ShapeResult` → `ShapeRow` → `SceneShapes`. docs/architecture.md says what each is made
from, under "One check from the click to the list".
"""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import batches as batches
    from . import body_tree as body_tree
    from . import crossing_faces as crossing_faces
    from . import geometry_cache as geometry_cache
    from . import incremental as incremental
    from . import items as items
    from . import items_in_scope as items_in_scope
    from . import known_issues as known_issues
    from . import placing as placing
    from . import read_scene as read_scene
    from . import scene_shapes as scene_shapes
    from . import scene_snapshot as scene_snapshot
    from . import skipped_scripts as skipped_scripts
    from . import surfaces as surfaces

__getattr__ = modules_of(__name__)
