# SPDX-License-Identifier: GPL-3.0-or-later
"""Move objects out of what they penetrate."""

import bpy
from bpy.props import EnumProperty

from ... import culling, fixes
from ...i18n import CONTEXT
from ...i18n.lookup import label_, tip_
from ...model.errors import UserError
from ...scene.objects.some_selected import some_selected
from ...scene.open_file import objects_by_uid
from ...session.collision_results import last
from ..texts.fixes import told
from .check_collisions import check_again
from .modal_steps import RunInSteps, Steps

# Fewer objects than these are moved at once.
SHORT = 8

OBJECTS = (
    ("ACTIVE", "Active Object", "Move the active object out of everything it penetrates"),
    ("A", "First Object", "Move the first object of the active result out of everything it penetrates"),
    ("B", "Second Object", "Move the second object of the active result out of everything it penetrates"),
    ("SELECTED", "Selected Objects", "Move all selected objects until they penetrate nothing"),
)
SHARES = (
    ("TURN", "One by One", "Move the smaller object first"),
    ("HALVES", "Both", "Move both selected objects, each by half of the distance"),
)


class MovesObjects(RunInSteps):
    """What operators that move objects have in common. Not registered itself."""

    _count: int

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an object to move, in object mode."""
        missing = moving_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def is_short(self) -> bool:
        """Whether there are few objects."""
        return self._count < SHORT

    def share(self, progress: "culling.check.Progress") -> float:
        """How many of the objects are done."""
        return progress.done / progress.total

    def status(self, progress: "culling.check.Progress") -> str:
        """Say how many are done."""
        return label_("Moving objects: {count} of {total}", count=progress.done, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "fixes.outcome.Outcome") -> set[str]:
        """Say what was moved and what was not, and check again."""
        answer = told(self, context, found)
        if found.moved:
            check_again(context, found.moved)
        return answer


class COLLISION_KIT_OT_separate(MovesObjects):
    """Mends a penetration by moving one object, or all that are selected."""

    bl_idname = "collision_kit.separate"
    bl_label = "Push Apart"
    bl_description = (
        "Move an object out of everything it penetrates, by the shortest way. Locked, animated, "
        "constrained and linked objects stay put"
    )
    bl_options = {"REGISTER", "UNDO"}

    objects: EnumProperty(
        name="Move",
        description="Which objects are moved",
        translation_context=CONTEXT,
        items=OBJECTS,
        default="ACTIVE",
    )
    share_by: EnumProperty(
        name="Distribution",
        description="Which of two overlapping selected objects is moved",
        translation_context=CONTEXT,
        items=SHARES,
        default="TURN",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A chosen pair will do as well: its buttons move its objects."""
        return (context.mode == "OBJECT" and last.pair(last.chosen) is not None) or super().poll(context)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Move what is wanted, in steps."""
        chosen = self._chosen(context)
        self._count = len(chosen)
        return self._run(context, chosen)

    def _chosen(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        active, selected = context.view_layer.objects.active, list(context.selected_objects)
        if self.objects in {"A", "B"}:
            return _of_chosen_pair(self.objects)
        if self.objects == "SELECTED":
            if selected:
                return selected
            if last.pair(last.chosen) is not None:
                return _of_chosen_pair("AB")
        return [active] if active is not None else selected

    def _run(self, context: bpy.types.Context, chosen: list[bpy.types.Object]) -> Steps:
        if not chosen:
            raise UserError("Select the objects to move")
        uids = [ob.session_uid for ob in chosen]
        return (yield from fixes.moving.separate_steps(context, uids, together=self.share_by == "HALVES"))


def _of_chosen_pair(which: str) -> list[bpy.types.Object]:
    """The objects of the chosen pair, A, B or AB; of an instance, the object that makes it appear."""
    pair = last.pair(last.chosen)
    if pair is None:
        return []
    bodies = last.bodies_of(pair)
    return list(objects_by_uid([bodies["AB".index(one)].key.selected_uid for one in which]).values())


def moving_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator that moves objects, as a tooltip; empty if nothing is."""
    if context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    if context.view_layer.objects.active is None and not some_selected(context):
        return tip_("Select the objects to move")
    return ""
