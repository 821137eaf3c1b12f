# SPDX-License-Identifier: GPL-3.0-or-later
"""The icons of what is known of a pair besides its verdict."""

from typing import Any

# The stubs have a type of its own for icons, which has no name.
ACCEPTED: Any = "CHECKMARK"
NEW: Any = "SOLO_ON"
GONE: Any = "GHOST_DISABLED"
