# SPDX-License-Identifier: GPL-3.0-or-later
"""The collision check: from the bodies of a scope to a report."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import basis as basis
    from . import blocks as blocks
    from . import check as check
    from . import obstacle as obstacle
    from . import pair_evidence as pair_evidence
    from . import pairing as pairing
    from . import presets as presets
    from . import tested_again as tested_again

__getattr__ = modules_of(__name__)
