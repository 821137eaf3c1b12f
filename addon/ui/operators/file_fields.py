# SPDX-License-Identifier: GPL-3.0-or-later
"""The properties that an operator gets from Blender's file browser."""

from typing import Any

from bpy.props import StringProperty


def file_path(description: str) -> Any:
    """The property `filepath`."""
    return StringProperty(name="File Path", description=description, subtype="FILE_PATH", options={"SKIP_SAVE"})


def file_filter(*patterns: str) -> Any:
    """The property `filter_glob`."""
    return StringProperty(
        name="File Filter",
        description="File types that the file browser shows",
        default=";".join(patterns),
        options={"HIDDEN"},
    )
