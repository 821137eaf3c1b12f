# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit in Blender: panels, operators and a command on top of `core`.

Nothing of Blender is imported before `register`, so that the packages without it are at hand everywhere.
"""


def register() -> None:
    """Add everything to Blender, or, if one step fails, nothing."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Take everything out of Blender again; a second time does nothing."""
    from . import registration

    registration.unregister()
