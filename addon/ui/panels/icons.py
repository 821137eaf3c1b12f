# SPDX-License-Identifier: GPL-3.0-or-later
"""Icons for marks of a pair in addition to its verdict."""

from typing import Any

# The stubs have a separate type for icons, which has no name.
ACCEPTED: Any = "CHECKMARK"
NEW: Any = "SOLO_ON"
GONE: Any = "GHOST_DISABLED"
