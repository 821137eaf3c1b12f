# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit in Blender: panels, operators and a command on top of `core`.

Nothing of Blender is imported before `register`, so that packages without Blender can be used anywhere.
"""


def register() -> None:
    """Register everything in Blender or, if one step fails, nothing."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Unregister everything. Does nothing the second time."""
    from . import registration

    registration.unregister()
