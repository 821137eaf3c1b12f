# SPDX-License-Identifier: GPL-3.0-or-later
"""Make and change colliders, and find their owners."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import choosing as choosing
    from . import comparing as comparing
    from . import converting as converting
    from . import decomposition as decomposition
    from . import fit as fit
    from . import fit_copies as fit_copies
    from . import fit_record as fit_record
    from . import kdop as kdop
    from . import looseness as looseness
    from . import making as making
    from . import meshes as meshes
    from . import naming as naming
    from . import new_collisions as new_collisions
    from . import outline_pieces as outline_pieces
    from . import scene_making as scene_making
    from . import settling as settling

__getattr__ = modules_of(__name__)
