# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixes of overlaps: push objects apart, drop and snap them, and select intersecting faces."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from .... import core
from ....core.constants import Verdict
from ... import collisions, culling, fixes, scene
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, sentences, tip_
from ...model.errors import UserError
from ...model.floating import Floating, FloatingRequest
from ...model.floating_search import FloatingEvidence
from ...model.report import PairResult, body_uids
from ...scene import reading
from ...scene.objects.selection import is_mesh_editable, some_selected
from ...scene.open_file import objects_by_uid
from ...scene.settings import check_settings
from ...session import dependencies, floating_results
from ...session.collision_results import last_check
from ...system.late import np
from ..texts.fixes import told
from .base import Operator
from .check import check_again, floating_missing, show_floating
from .modal_steps import RunInSteps, Steps
from .results import chosen_missing

# Fewer objects than this are moved without a modal operator.
SHORT = 8

OBJECTS = (
    ("ACTIVE", "Active Object", "Move the active object out of everything it penetrates"),
    ("A", "First Object", "Move the first object of the active result out of everything it penetrates"),
    ("B", "Second Object", "Move the second object of the active result out of everything it penetrates"),
    ("PAIR", "Both Objects", "Move both objects of the active result until they penetrate nothing"),
    ("SELECTED", "Selected Objects", "Move all selected objects until they penetrate nothing"),
)
SNAPPED = (
    ("ACTIVE", "Active Object", "Move the active object or, if it is neither of the two, the one that comes first"),
    ("A", "First Object", "Move the first object of the active result until it touches the second"),
    ("B", "Second Object", "Move the second object of the active result until it touches the first"),
)
MOVED_AWAY = (
    ("ACTIVE", "Active Object", "Move the active object or, if it is neither of the two, the one that comes first"),
    ("A", "First Object", "Move the first object of the active result away from the second"),
    ("B", "Second Object", "Move the second object of the active result away from the first"),
)
SHARES = (
    ("TURN", "One by One", "Move the smaller object first"),
    ("HALVES", "Both", "Move both objects, each by half of the distance"),
)


class MovesObjects(RunInSteps):
    """A base class of operators that move objects. Not registered itself."""

    _count: int

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an object to move, in Object Mode."""
        return moving_missing(context)

    def is_short(self) -> bool:
        """Return whether there are few objects."""
        return self._count < SHORT

    def share(self, progress: "culling.check.Progress") -> float:
        """Return the finished fraction of the objects."""
        return progress.done / progress.total

    def status(self, progress: "culling.check.Progress") -> str:
        """Return how many objects are done."""
        return label_("Moving objects: {count} of {total}", count=progress.done, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "fixes.fix_result.FixResult") -> set[str]:
        """Report what was moved and what was not, and check again."""
        answer = told(self, context, found)
        if found.moved:
            check_again(context, found.moved)
        return answer


class COLLISION_KIT_OT_push_apart(MovesObjects):
    """Resolves a penetration by moving one object, or all selected objects."""

    bl_idname = "collision_kit.push_apart"
    manual = "fixes"
    bl_label = "Push Apart"
    bl_description = (
        "Move an object as little as possible, until it penetrates nothing. Locked, animated, constrained and "
        "linked objects stay put"
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
    def missing(cls, context: bpy.types.Context) -> str:
        """An active pair is enough as well, because its buttons move its objects."""
        of_pair = context.mode == "OBJECT" and last_check.pair(last_check.chosen) is not None
        return "" if of_pair else super().missing(context)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Move the requested objects, in steps."""
        chosen = self._chosen(context)
        self._count = len(chosen)
        return self._run(context, chosen)

    def _chosen(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        active, selected = context.view_layer.objects.active, list(context.selected_objects)
        if self.objects in {"A", "B", "PAIR"}:
            return _of_chosen_pair("AB" if self.objects == "PAIR" else self.objects)
        if self.objects == "SELECTED":
            if selected:
                return selected
            if last_check.pair(last_check.chosen) is not None:
                return _of_chosen_pair("AB")
        return [active] if active is not None else selected

    def _run(self, context: bpy.types.Context, chosen: list[bpy.types.Object]) -> Steps:
        if not chosen:
            raise UserError("Select the objects to move")
        uids, pair = [ob.session_uid for ob in chosen], last_check.pair(last_check.chosen)
        # What the button says.
        if self.objects in {"A", "B", "PAIR"} and pair is not None and fixes.shortest_ways.moves_as_one(pair):
            raise UserError("Both are parts of one object, which moves as a whole")
        of_pair = self.objects in {"A", "B"} and pair is not None and not last_check.pair_is_stale(pair)
        known = fixes.shortest_ways.vector_of(pair, self.objects) if of_pair and pair is not None else None
        together = self.share_by == "HALVES"
        return (yield from fixes.moving.push_apart_steps(context, uids, together=together, known=known))


def _of_chosen_pair(which: str) -> list[bpy.types.Object]:
    """Return the objects of the chosen pair, A, B or AB. For an instance, its instancer."""
    pair = last_check.pair(last_check.chosen)
    if pair is None:
        return []
    bodies = last_check.bodies_of(pair)
    return list(objects_by_uid([bodies["AB".index(one)].key.selected_uid for one in which]).values())


def moving_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator that moves objects, as a tooltip. Empty if nothing is."""
    if context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    if context.view_layer.objects.active is None and not some_selected(context):
        return tip_("Select the objects to move")
    return ""


DIRECTIONS = (
    ("DOWN", "Down", "Along the world's −Z axis"),
    ("GRAVITY", "Gravity", "Along the scene's gravity"),
    ("VIEW", "View", "Along the view direction of the 3D viewport"),
    ("X", "Local X", "Along each object's local X axis"),
    ("Y", "Local Y", "Along each object's local Y axis"),
    ("Z", "Local Z", "Along each object's local Z axis"),
    ("NEGATIVE_X", "Local −X", "Against each object's local X axis"),
    ("NEGATIVE_Y", "Local −Y", "Against each object's local Y axis"),
    ("NEGATIVE_Z", "Local −Z", "Against each object's local Z axis"),
)


class COLLISION_KIT_OT_drop_to_surface(MovesObjects):
    """Drops objects to the surface below."""

    bl_idname = "collision_kit.drop_to_surface"
    manual = "fixes"
    bl_label = "Drop to Surface"
    bl_description = (
        "Drop each selected object along a direction until it touches something. Objects that "
        "already overlap or would hit nothing stay put"
    )
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(
        name="Direction",
        description="Direction in which the objects are moved",
        translation_context=CONTEXT,
        items=DIRECTIONS,
        default="DOWN",
    )
    floating: IntProperty(
        name="Floating Object",
        description="Index of the listed floating object to drop, from zero; -1 for the selected objects, -2 for all",
        default=-1,
        min=-2,
        options={"SKIP_SAVE"},
    )
    push_apart_first: BoolProperty(
        name="Push Apart First",
        description="Push overlapping objects apart before they are dropped. Otherwise they stay put",
        default=False,
    )

    def begin(self, context: bpy.types.Context) -> Steps:
        """Move the selected objects or, if there are none, the active one; or floating objects."""
        chosen, active = list(context.selected_objects), context.view_layer.objects.active
        as_found: dict[str, Any] = {}
        if self.floating != -1:
            rows, evidence = self._floating(context)
            chosen = list(objects_by_uid(frozenset[int]().union(*(row.uids for row in rows))).values())
            # Each row is named after its lowest object.
            chosen.sort(key=lambda ob: ob.name not in {row.object for row in rows})
            together = tuple(row.uids for row in rows) if self.direction in scene.objects.transforms.OF_ALL else ()
            as_found = {"together": together, "leave": evidence.contained}
        elif not chosen and active is not None:
            chosen = [active]
        self._count = len(chosen)
        return self._run(context, chosen, as_found)

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Floating objects are enough as well."""
        return super().missing(context) if floating_missing(context) or context.mode != "OBJECT" else ""

    def _floating(self, context: bpy.types.Context) -> tuple[tuple[Floating, ...], FloatingEvidence]:
        """Return a row of the list of floating objects, or all rows, and the evidence of the search."""
        kept = floating_results.found_here(context)
        rows = kept.found if kept is not None else ()
        rows = rows if self.floating < 0 else rows[self.floating : self.floating + 1]
        if kept is None or not rows:
            raise UserError("No floating objects: run Find Floating first")
        return rows, kept.evidence

    def finish(self, context: bpy.types.Context, found: "fixes.fix_result.FixResult") -> set[str]:
        """Report what was moved and what was not, check again, and search for floating objects again."""
        answer = super().finish(context, found)
        kept = floating_results.found_here(context)
        if found.moved and kept is not None and isinstance(kept.asked, FloatingRequest):
            search = fixes.floating.find_floating(context, kept.asked)
            if self.floating == -1:
                floating_results.keep(context, kept.asked, search, kept.chosen)
            else:
                show_floating(context, kept.asked, search, max(self.floating, 0))
        return answer

    def _run(self, context: bpy.types.Context, chosen: list[bpy.types.Object], as_found: dict[str, Any]) -> Steps:
        directions = {ob.session_uid: scene.objects.transforms.direction(context, ob, self.direction) for ob in chosen}
        steps = fixes.moving.drop_to_surface_steps
        return (yield from steps(context, directions, push_apart_first=self.push_apart_first, **as_found))


class COLLISION_KIT_OT_snap_to_contact(Operator):
    """Closes the gap of a pair."""

    bl_idname = "collision_kit.snap_to_contact"
    manual = "fixes"
    bl_label = "Snap to Contact"
    bl_description = (
        "Move one object of the active pair by the shortest translation until it touches the other. The active object "
        "is preferred"
    )
    bl_options = {"REGISTER", "UNDO"}

    objects: EnumProperty(
        name="Move",
        description="Which object is moved",
        translation_context=CONTEXT,
        items=SNAPPED,
        default="ACTIVE",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a chosen pair that is apart, in Object Mode."""
        return _gap_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Measure the current gap of the pair, and close it."""
        return _moved_by(self, context, lambda _pair, mover, other: fixes.moving.snap(context, mover, other))


class COLLISION_KIT_OT_move_away(Operator):
    """Widens the gap of a pair to its clearance."""

    bl_idname = "collision_kit.move_away"
    manual = "fixes"
    bl_label = "Move Away"
    bl_description = (
        "Move one object of the active pair away from the other, until the gap between them is the clearance. The "
        "active object is preferred"
    )
    bl_options = {"REGISTER", "UNDO"}

    objects: EnumProperty(
        name="Move",
        description="Which object is moved",
        translation_context=CONTEXT,
        items=MOVED_AWAY,
        default="ACTIVE",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a chosen pair within its clearance, in Object Mode."""
        missing, pair = _gap_missing(context), last_check.pair(last_check.chosen)
        if not missing and pair is not None and pair.verdict != Verdict.WITHIN_CLEARANCE:
            missing = tip_("The active pair is not closer than its clearance")
        return missing

    def run(self, context: bpy.types.Context) -> set[str]:
        """Measure the current gap of the pair, and widen it."""
        report = last_check.report
        assert report is not None  # ensured by `poll`
        return _moved_by(
            self,
            context,
            lambda pair, mover, other: fixes.moving.move_away(context, mover, other, report.clearance_of(pair)),
        )


Fix = Callable[[PairResult, bpy.types.Object, set[int]], "fixes.fix_result.FixResult"]


def _moved_by(
    operator: COLLISION_KIT_OT_snap_to_contact | COLLISION_KIT_OT_move_away, context: bpy.types.Context, fix: Fix
) -> set[str]:
    """Carry out a fix that moves one object of the chosen pair, given the objects of the other, and check again."""
    dependencies.review(context)
    pair = last_check.pair(last_check.chosen)
    assert pair is not None  # ensured by `poll`; outdated results are kept
    bodies = last_check.bodies_of(pair)
    for body in bodies:
        if last_check.body_is_gone(body):
            return operator.refuse(report_('"{name}" was deleted since this check', name=body.name), "WARNING")
    uids = [body_uids(body) for body in bodies]
    which = operator.objects if operator.objects != "ACTIVE" else fixes.shortest_ways.ways(context, pair)[0].which
    second = which == "B"
    key = bodies[second].key
    mover = objects_by_uid([key.selected_uid])[key.selected_uid]
    result = fix(pair, mover, uids[not second])
    answer = told(operator, context, result)
    if result.moved:
        check_again(context, result.moved)
    return answer


# Minimum length of a nudge in meters, and in multiples of the touching tolerance of the pair.
NUDGE, NUDGED = 1e-3, 4.0


class COLLISION_KIT_OT_nudge(Operator):
    """Moves one object of a coplanar pair slightly in front of the other."""

    bl_idname = "collision_kit.nudge"
    manual = "fixes"
    bl_label = "Nudge"
    bl_description = (
        "Move the smaller object of the active pair out of the plane in which faces of both lie, by a millimeter, so "
        "that they no longer flicker"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a chosen coplanar pair, in Object Mode."""
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        pair, missing = last_check.pair(last_check.chosen), chosen_missing(context)
        if not missing and pair is not None and pair.verdict != Verdict.COPLANAR:
            missing = tip_("The active pair is not coplanar")
        return missing

    def run(self, context: bpy.types.Context) -> set[str]:
        """Move the object along the normal of the faces."""
        collisions.tested_again.read_again(context)
        report, pair, world = last_check.report, last_check.pair(last_check.chosen), last_check.world
        assert report is not None and pair is not None
        if not isinstance(world, core.World) or last_check.pair_is_stale(pair):
            return self.refuse(report_("The objects have changed since this check"), "WARNING")
        faces = world.coplanar_faces([[pair.shape_a, pair.shape_b]], tolerance=pair.touching)
        if not len(faces):
            return self.refuse(report_("The objects have changed since this check"), "WARNING")
        mover, _ = fixes.first_to_move.first_to_move(report, world, pair)
        length = max(NUDGE / report.units.scale_length, NUDGED * pair.touching)
        ob = objects_by_uid([mover.selected_uid])[mover.selected_uid]
        result = fixes.moving.nudge(context, ob, length * faces.normal[int(faces.area.argmax())])
        answer = told(self, context, result)
        if result.moved:
            check_again(context, result.moved)
        return answer


def _gap_missing(context: bpy.types.Context) -> str:
    if context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    settings, pair = last_check.settings, last_check.pair(last_check.chosen)
    missing = chosen_missing(context)
    if not missing and settings is not None and settings.plane is not None:
        missing = tip_("The results are planar: check in 3D first")
    if not missing and pair is not None and pair.distance <= 0.0:
        missing = tip_("The active pair touches or penetrates: no gap to close")
    return missing


class COLLISION_KIT_OT_select_intersecting_faces(Operator):
    """Shows the colliding faces of a mesh."""

    bl_idname = "collision_kit.select_intersecting_faces"
    manual = "fixes"
    bl_label = "Select Intersecting Faces"
    bl_description = (
        "Select faces of the active mesh that intersect the other selected objects or, if none are "
        "selected, the scope of the check"
    )
    bl_options = {"REGISTER", "UNDO"}

    inside: BoolProperty(
        name="Include Inside",
        description="Also select faces that are fully inside another closed mesh",
        default=False,
    )
    touching: BoolProperty(
        name="Include Touching",
        description="Also select faces that only touch other surfaces",
        default=False,
    )
    extend: BoolProperty(
        name="Extend", translation_context=CONTEXT, description="Extend the existing selection", default=False
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an active mesh, in a mode in which its faces can be selected."""
        return _faces_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Find the faces, select them in Edit Mode, and report their number."""
        ob = context.view_layer.objects.active
        assert ob is not None  # ensured by `poll`
        others = [other for other in context.view_layer.objects.selected if other != ob]
        found = fixes.mesh_crossings.crossing_faces_of(context, ob, others or None, check_settings(context))
        if found is None:
            return self.refuse(report_('"{name}" has no faces', name=ob.name), "WARNING")
        wanted = np.concatenate(
            [found.crossing, found.touching if self.touching else (), found.inside if self.inside else ()]
        ).astype(np.int64)
        if not len(wanted) and context.mode == "OBJECT":
            self._summarize(ob.name, found)
            return {"CANCELLED"}
        if context.mode == "OBJECT":
            scene.objects.selection.edit_alone(context, ob)
        bpy.ops.mesh.select_mode(type="FACE")
        reading.crossing_faces.select_faces(ob, wanted, extend=self.extend)
        self._summarize(ob.name, found)
        return {"FINISHED"}

    def _summarize(self, name: str, found: "fixes.crossing_faces.IntersectingFaces") -> None:
        crossing = len(found.crossing)
        if crossing:
            texts = [report_('{count} faces of "{name}" intersect other surfaces', count=crossing, name=name)]
        else:
            texts = [report_('No face of "{name}" intersects another surface', name=name)]
        if len(found.touching):
            texts.append(report_("{count} faces only touch", count=len(found.touching)))
        if len(found.inside):
            texts.append(report_("{count} faces are inside other objects", count=len(found.inside)))
        self.report({"WARNING" if crossing or len(found.inside) else "INFO"}, sentences(texts))


def _faces_missing(context: bpy.types.Context) -> str:
    ob = context.view_layer.objects.active
    if context.mode not in {"OBJECT", "EDIT_MESH"}:
        return tip_("Not in Object Mode or mesh Edit Mode")
    if ob is None or ob.type != "MESH":
        return tip_("The active object is not a mesh")
    if not is_mesh_editable(ob):
        return tip_("The active mesh is linked: it cannot be edited")
    if not ob.visible_get():
        return tip_("The active object is hidden")
    return ""


CLASSES = (
    COLLISION_KIT_OT_push_apart,
    COLLISION_KIT_OT_drop_to_surface,
    COLLISION_KIT_OT_snap_to_contact,
    COLLISION_KIT_OT_move_away,
    COLLISION_KIT_OT_nudge,
    COLLISION_KIT_OT_select_intersecting_faces,
)
