# SPDX-License-Identifier: GPL-3.0-or-later
"""The evidence for the chosen pair."""

import bpy

from .... import core
from ....core.constants import Verdict
from ... import debug_draw, fixes
from ...i18n.lookup import enumerated, label_, translated
from ...i18n.units import area_text, direction_text, spoken_text, volume_text
from ...i18n.wrapping import unbroken
from ...model.report import Body, PairResult, Report
from ...model.topics import Topic
from ...session.collision_results import last_check
from ...viewport import spoken
from ..result_list import rows as results_rows
from ..verdicts import VERDICTS
from .icons import ACCEPTED, NEW
from .layout import fact, has_room, is_narrow, opened, paragraph
from .name_row import draw_name
from .tab import CollisionTab

# Number of comments of a topic that are shown, the last ones.
MOST_COMMENTS = 5


class COLLISION_KIT_PT_pair(CollisionTab, bpy.types.Panel):
    """Relation of the two bodies, and the shapes that were tested."""

    bl_label = "Active Pair"
    bl_parent_id = "COLLISION_KIT_PT_results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if a pair is chosen."""
        return last_check.pair(last_check.chosen) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the evidence."""
        report, pair = last_check.report, last_check.pair(last_check.chosen)
        if report is None or pair is None:
            return
        body_a, body_b = last_check.bodies_of(pair)
        self._draw_marks(context, report)
        gone = [body for body in (body_a, body_b) if last_check.body_is_gone(body)]
        if gone:
            for body in gone:
                draw_name(self.layout, context, last_check.body_name(body), results_rows.view.short_names)
                paragraph(self.layout, context, label_("Deleted since this check"), "GHOST_DISABLED")
            return
        stale = last_check.pair_is_stale(pair) and not last_check.followed
        self._draw_verdict(context, pair, stale=stale)
        if stale:
            paragraph(self.layout, context, label_("Not drawn: the objects have changed since this check. Check again"))
            self.layout.operator("collision_kit.check_collisions", icon="FILE_REFRESH")
        else:
            self._draw_advice(context, report, pair)
        self._draw_details(context, report, pair)

    def _draw_marks(self, context: bpy.types.Context, report: Report) -> None:
        """Draw whether it is accepted or ignored, and why; which test found it; and whether it is new."""
        marks = results_rows.marks()
        if last_check.chosen in marks.accepted:
            accepted = marks.accepted[last_check.chosen]
            text = label_("Accepted: {reason}", reason=accepted) if accepted else label_("Accepted")
            paragraph(self.layout, context, text, ACCEPTED)
        reason = marks.reason(last_check.chosen)
        if reason is not None:
            text = label_("Ignored: {reason}", reason=reason) if reason else label_("Ignored by a rule")
            paragraph(self.layout, context, text, ACCEPTED)
        if last_check.chosen in marks.deeper:
            depth = spoken_text(marks.deeper[last_check.chosen], context.scene.unit_settings)
            paragraph(self.layout, context, label_("Deeper than accepted: {depth}", depth=depth), "ERROR")
        test = report.test_of(report.pairs[last_check.chosen])
        if test is not None:
            paragraph(self.layout, context, label_("Test: {name}", name=test.name), "PRESET")
        if last_check.chosen in (marks.new or ()):
            paragraph(self.layout, context, label_("New: no fault in the previous check"), NEW)
        elif last_check.chosen in (marks.worse or ()):
            paragraph(self.layout, context, label_("Deeper than in the previous check"), NEW)
        if last_check.chosen in marks.topics:
            self._draw_topic(self.layout, context, marks.topics[last_check.chosen])

    def _draw_topic(self, layout: bpy.types.UILayout, context: bpy.types.Context, topic: Topic | None) -> None:
        """Draw its status with a button that changes it, its assignee, and the last comments."""
        column = layout.column(align=True)
        status = topic.status if topic is not None else ""
        row, said = column.row(align=True), status or label_("No status")
        text = said if is_narrow(context) else label_("Status: {status}", status=said)
        row.label(text=text, icon="BOOKMARKS", translate=False)
        row.operator("collision_kit.edit_pair_status", text="", icon="GREASEPENCIL")
        if topic is None:
            return
        if topic.assigned_to:
            paragraph(column, context, label_("Assigned to {name}", name=topic.assigned_to), "BLANK1")
        for comment in topic.comments[-MOST_COMMENTS:]:
            said = " ".join(comment.text.split())
            text = label_("{name}: {text}", name=comment.author, text=said) if comment.author else said
            paragraph(column, context, text, "BLANK1")

    def _draw_body(
        self, layout: bpy.types.UILayout, context: bpy.types.Context, report: Report, body: Body, shape_index: int
    ) -> None:
        """Draw an object, and the shape that was tested."""
        column = layout.column(align=True)
        draw_name(column, context, last_check.body_name(body), results_rows.view.short_names)
        shape = report.shapes[shape_index]
        read_as, reason = translated(shape.kind), translated(shape.reason)
        if reason != read_as:
            read_as = label_("{text} ({reason})", text=read_as, reason=reason)
        if shape.object != body.name:
            read_as = label_("{name}: {text}", name=shape.object, text=read_as)
        paragraph(column, context, read_as, "BLANK1")
        counts = _counts(context, shape_index)
        if counts:
            paragraph(column, context, counts, "BLANK1")
        if shape.margin > 0.0:
            fact(column, "Margin", spoken_text(shape.margin, context.scene.unit_settings))

    def _draw_verdict(self, context: bpy.types.Context, pair: PairResult, *, stale: bool) -> None:
        """Draw how the two were to each other in the check; calmly if it is out of date."""
        text = VERDICTS[pair.verdict]
        column = self.layout.column(align=True)
        name, said = label_(text.name), ""
        if pair.verdict != Verdict.TOUCHING:
            said = translated(spoken.said(pair, context.scene.unit_settings))
        beside = has_room(context, name, said)
        row = column.row() if beside else column.column(align=True)
        row.alert, row.active = text.alert and not stale, not stale
        row.label(text=name, icon="TIME" if stale else text.icon, translate=False)
        if beside and said:
            row.label(text=said, translate=False)
        elif said:
            paragraph(row, context, said, "BLANK1")

    def _draw_advice(self, context: bpy.types.Context, report: Report, pair: PairResult) -> None:
        """Draw what separates the two, or why nothing has to."""
        text = VERDICTS[pair.verdict]
        if not pair.complete:
            paragraph(self.layout, context, label_("Measuring the separating translation and the contacts"), "SORTTIME")
            return
        if pair.verdict == Verdict.TOUCHING:
            paragraph(self.layout, context, label_("No fault: nothing to fix"))
        elif pair.verdict == Verdict.DUPLICATE:
            advice = label_("Both have the same geometry in the same place. Delete one of them, or move it away")
            paragraph(self.layout, context, advice)
        elif pair.verdict == Verdict.COPLANAR:
            paragraph(
                self.layout, context, label_("They flicker. Nudge one of the objects, so that its face is in front")
            )
        elif text.alert and not fixes.shortest_ways.moves_as_one(pair):
            self._draw_separation(context, pair)
        elif pair.verdict == Verdict.WITHIN_CLEARANCE and not fixes.shortest_ways.moves_as_one(pair):
            self._draw_clearance(context, report.clearance_of(pair), pair)

    def _draw_separation(self, context: bpy.types.Context, pair: PairResult) -> None:
        """Draw how far an object has to move out of the other, and whether the two may be a fit that is intended."""
        way = fixes.shortest_ways.ways(context, pair)[0]
        # They are in each other on several sides, such as a shaft in a bore.
        held = pair.held and pair.verdict == Verdict.PENETRATING
        parts = self._parts_of(context, way)
        if held and spoken.may_be_a_fit(pair):
            text = label_("Perhaps a press fit. If it is intended, accept the pair")
            paragraph(self.layout, context, text, ACCEPTED)
            advice = label_(
                'To take it out: move "{name}" by at least {length} along {direction}'
                if way.at_least
                else 'To take it out: move "{name}" by {length} along {direction}',
                **parts,
            )
        elif held:
            advice = label_(
                'No short move separates them. The shortest one: move "{name}" by at least {length} along {direction}'
                if way.at_least
                else 'No short move separates them. The shortest one: move "{name}" by {length} along {direction}',
                **parts,
            )
        else:
            advice = label_(
                'To separate: move "{name}" by at least {length} along {direction}'
                if way.at_least
                else 'To separate: move "{name}" by {length} along {direction}',
                **parts,
            )
        paragraph(self.layout, context, advice)
        self._draw_obstacle(context, way)

    def _draw_obstacle(self, context: bpy.types.Context, way: "fixes.shortest_ways.ShortestWay") -> None:
        """Draw what is in the way of the shortest move, if it is known."""
        if way.obstacle is None:
            return
        name = last_check.body_name(way.obstacle)
        if way.at_least:
            text = label_('"{name}" is in the way', name=name)
        elif way.under:
            text = label_('A shorter move leads under "{name}"', name=name)
        else:
            text = label_('"{name}" is in the way of a shorter move', name=name)
        paragraph(self.layout, context, text)

    def _parts_of(self, context: bpy.types.Context, way: "fixes.shortest_ways.ShortestWay") -> dict[str, str]:
        """Return the parts of a sentence about a way."""
        return {
            "name": last_check.body_name(way.body),
            "length": spoken_text(way.length, context.scene.unit_settings),
            "direction": unbroken(direction_text(way.direction)),
        }

    def _draw_clearance(self, context: bpy.types.Context, clearance: float, pair: PairResult) -> None:
        """Draw how far an object has to move away."""
        way = fixes.shortest_ways.ways_apart(context, pair)[0]
        advice = label_(
            'To keep {clearance}: move "{name}" by at least {length} along {direction}'
            if way.at_least
            else 'To keep {clearance}: move "{name}" by {length} along {direction}',
            clearance=spoken_text(clearance, context.scene.unit_settings),
            **self._parts_of(context, way),
        )
        paragraph(self.layout, context, advice)

    def _draw_details(self, context: bpy.types.Context, report: Report, pair: PairResult) -> None:
        """Draw closed sections with less common data: the tested shapes, axis, contacts and surface, and the status."""
        layout = opened(self.layout, "collision_kit_pair_details", label_("Details"))
        if layout is None:
            return
        for body, row in zip(last_check.bodies_of(pair), (pair.shape_a, pair.shape_b), strict=True):
            self._draw_body(layout, context, report, body, row)
        if pair.complete:
            column = layout.column(align=True)
            if spoken.goes_through(pair):
                fact(column, "Depth", spoken_text(pair.depth, context.scene.unit_settings))
            fact(column, "Axis", direction_text(pair.normal))
            if len(pair.contact_points):
                fact(column, "Contacts", str(len(pair.contact_points)))
                surface = report.surface_of(pair)
                fact(column, "Friction", f"{surface.friction:.3g}")
                fact(column, "Bounciness", f"{surface.restitution:.3g}")
        if last_check.chosen not in results_rows.marks().topics:
            self._draw_topic(layout, context, None)


def _counts(context: bpy.types.Context, row: int) -> str:
    """Return the numbers of vertices and faces of an outline, hull or mesh. Empty for other shapes.

    A hull is placed without scaling, so the volume of its geometry is its volume.
    """
    units = context.scene.unit_settings
    if isinstance(last_check.world, core.planar.world.PlacedWorld):
        corners, pieces, area = debug_draw.planar.outline_counts(last_check.world, row)
        text = label_(
            "{corners} corners, {pieces} convex pieces, {area}",
            corners=f"{corners:,}",
            pieces=f"{pieces:,}",
            area=area_text(area, units),
        )
        return text if pieces > 1 else ""
    shape = debug_draw.shapes.shape_at(last_check.world, row) if isinstance(last_check.world, core.World) else None
    facts: list[str] = []
    if isinstance(shape, core.Meshes):
        mesh = shape.geometry[shape.index[0]]
        facts = [
            label_("{count} vertices", count=f"{len(mesh.points):,}"),
            label_("{count} triangles", count=f"{len(mesh.triangles):,}"),
        ]
    elif isinstance(shape, core.Hulls):
        hull = shape.geometry[shape.index[0]]
        facts = [
            label_("{count} vertices", count=f"{len(hull.vertices):,}"),
            label_("{count} edges", count=f"{len(hull.edges):,}"),
            label_("{count} faces", count=f"{len(hull.faces):,}"),
            volume_text(hull.volume, units),
        ]
    return enumerated(map(unbroken, facts)) if facts else ""
