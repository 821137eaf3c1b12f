# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of all operators: poll messages, errors as messages, and redrawing of views."""

from typing import Any, Literal

import bpy
from bpy.props import StringProperty

from ...i18n.lookup import error_text, tip_
from ...model.errors import UserError
from ...scene import events
from ...scene.events import Place


class Operator(bpy.types.Operator):
    """Base of all operators. Not registered itself.

    Attributes
    ----------
    manual : str
        Page of the manual, a file in `docs`, that *Online Manual* opens.
    """

    manual = ""

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Return what is missing to run, as a translated tooltip. Empty if nothing is."""
        return ""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether nothing is missing. The tooltip of a disabled button says what is."""
        text = cls.missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def run(self, context: bpy.types.Context) -> set[str]:
        """Run the operator. A `UserError` becomes a message, and the operator is canceled."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run, and redraw views and panels, because they also show data that Blender does not track."""
        try:
            return self.run(context)
        except UserError as error:
            return self.refuse(error_text(error))
        finally:
            events.redraw()

    def refuse(self, text: str, kind: Literal["ERROR", "WARNING", "INFO"] = "ERROR") -> set[str]:
        """Report why nothing was done, and return that the operator is canceled."""
        self.report({kind}, text)
        return {"CANCELLED"}


def missing_here(context: bpy.types.Context, place: Place | None, none: str) -> str:
    """Return why there are no results of this scene to work with, as a tooltip; empty if there are.

    Parameters
    ----------
    context : bpy.types.Context
    place : Place, optional
        Where the results are from; None: there are none at all.
    none : str
        The translated tooltip for that.
    """
    if place is None:
        return none
    return "" if events.place(context) == place else tip_("The results belong to another scene or view layer")


def linked_scene(context: bpy.types.Context) -> str:
    """Return a message if the scene is linked, so that its settings cannot be changed. Otherwise empty."""
    return tip_("The scene is linked") if context.scene.library is not None else ""


def file_path(description: str) -> Any:
    """Return the property `filepath`, which the file browser sets."""
    return StringProperty(name="File Path", description=description, subtype="FILE_PATH", options={"SKIP_SAVE"})


def file_filter(*patterns: str) -> Any:
    """Return the property `filter_glob`, which the file browser reads."""
    return StringProperty(
        name="File Filter",
        description="File types that the file browser shows",
        default=";".join(patterns),
        options={"HIDDEN"},
    )
