# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for the import of colliders that apply to any engine, in one file for each subject.

A rule is plain data and a function from a `Scene` to the places where the rule is violated. `catalog` lists all rules,
and `rule.questions` returns the steps that evaluate them. Rules of single engines, which depend on names, are in
`addon.engines.rules`.
"""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import bodies as bodies
    from . import catalog as catalog
    from . import limits as limits
    from . import measures as measures
    from . import meshes as meshes
    from . import pairs as pairs
    from . import rule as rule
    from . import shapes as shapes
    from . import subject as subject
    from . import transforms as transforms

__getattr__ = modules_of(__name__)
