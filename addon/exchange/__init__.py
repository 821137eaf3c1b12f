# SPDX-License-Identifier: GPL-3.0-or-later
"""Code shared by importers and exporters of glTF, USD and URDF: shapes of nodes, and issues of a file."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import issues as issues
    from . import node_places as node_places
    from . import node_shapes as node_shapes
    from . import sentences as sentences

__getattr__ = modules_of(__name__)
