# SPDX-License-Identifier: GPL-3.0-or-later
"""The only package that reads and changes the data of the open file."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import accepted_pairs as accepted_pairs
    from . import animation as animation
    from . import arguments as arguments
    from . import cameras as cameras
    from . import colliders as colliders
    from . import events as events
    from . import exporting as exporting
    from . import files as files
    from . import gltf as gltf
    from . import meshes as meshes
    from . import objects as objects
    from . import open_file as open_file
    from . import outlines as outlines
    from . import overrides as overrides
    from . import reading as reading
    from . import scope as scope
    from . import settings as settings

__getattr__ = modules_of(__name__)
