# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode: results that follow changes of the scene."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import beginning as beginning
    from . import candidates as candidates
    from . import changes as changes
    from . import incremental_check as incremental_check
    from . import live_mode as live_mode
    from . import unchanged as unchanged

__getattr__ = modules_of(__name__)
