# SPDX-License-Identifier: GPL-3.0-or-later
"""Collider objects: finding, making and repairing them."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import collider_scene as collider_scene
    from . import convex_pieces as convex_pieces
    from . import copied_settings as copied_settings
    from . import display as display
    from . import fingerprint as fingerprint
    from . import instanced_collections as instanced_collections
    from . import nearby as nearby
    from . import objects as objects
    from . import repair as repair
    from . import repair_mesh as repair_mesh
    from . import repair_transform as repair_transform
    from . import sources as sources

__getattr__ = modules_of(__name__)
