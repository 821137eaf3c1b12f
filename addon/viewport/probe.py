# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of a probe: the floors, the starts, all listed issues, and the chosen one with its poses."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import bpy

from .. import debug_draw, viewport
from ..debug_draw.roles import Role
from ..i18n.units import limited_walk_message, spoken_text
from ..model.message import Message
from ..model.probe_report import KIND_NAMES, ProbeIssue, ProbeReport, ProbeRequest
from ..scene import accepted_walk_issues
from ..scene.settings import walk_issues
from ..session import stored_walks
from ..session.probe_results import ProbeResult, latest
from ..system.late import np
from . import stage

# Floors and starts of a report, as long as the report exists.
_floors: "WeakKeyDictionary[ProbeReport, debug_draw.primitives.Primitives]" = WeakKeyDictionary()

_ROLES = {"stuck": Role.TRAP, "unreachable": Role.UNREACHED}


@dataclass(eq=False)
class ProbeDrawing(stage.Drawing):
    """Overlay of a probe."""

    probe: ProbeResult

    def holds(self) -> bool:
        """Return whether the level is unchanged."""
        return self.probe is latest.result and self.probe.change is None


def is_drawn() -> bool:
    """Return whether a probe is drawn."""
    return stage.current(ProbeDrawing) is not None


def draw() -> None:
    """Draw the last probe instead of the current overlay. Nothing if it is out of date."""
    found = latest.result
    if found is None or found.change is not None:
        undraw()
        return
    context = bpy.context
    view = walk_issues(context.window_manager)
    accepted = accepted_walk_issues.reasons(context.scene)
    parts = [_floor(found.report)]
    for row, one in enumerate(found.report.found):
        if row == found.chosen:
            parts.append(_issue(found.report, one, context.scene.unit_settings))
        elif getattr(view, one.kind) and (view.accepted or one.id not in accepted):
            role = Role.CLEAR if one.id in accepted else Role.FOUND
            parts.append(debug_draw.primitives.as_points(np.array([one.point]), role))
    drawn = viewport.legend.with_legend(debug_draw.primitives.concatenate(parts), viewport.legend.WALK)
    stage.show(ProbeDrawing(drawn, found.place.scene_uid, found))


def undraw() -> None:
    """Stop drawing it."""
    stage.clear(ProbeDrawing)


def _floor(report: ProbeReport) -> "debug_draw.primitives.Primitives":
    """Return the floors and the starts, computed once."""
    if report not in _floors:
        grounds = [(report.reached, Role.REACHED)]
        grounds += [(one.ground, _ROLES[one.kind]) for one in report.found if one.ground is not None]
        parts = [
            debug_draw.walking.floor_primitives(one.places, one.normal, one.spacing, one.gravity, role)
            for one, role in grounds
        ]
        request = report.request
        for foot in report.starts:
            parts.append(
                debug_draw.walking.pose_primitives(
                    foot, request.radius, request.height, report.reached.gravity, Role.START
                )
            )
        _floors[report] = debug_draw.primitives.concatenate(parts)
    return _floors[report]


def _issue(report: ProbeReport, one: ProbeIssue, units: bpy.types.UnitSettings) -> "debug_draw.primitives.Primitives":
    """Return the chosen issue: the character before and after it, the path, the deciding point, and its kind."""
    request, gravity = report.request, report.reached.gravity
    before, after, contact = (np.array(each) for each in (one.before, one.after, one.contact))
    pose = debug_draw.walking.pose_primitives
    parts = [
        debug_draw.walking.way_primitives(report.way(one)),
        pose(before, request.radius, request.height, gravity, Role.POSE_BEFORE),
        pose(after, request.radius, request.height, gravity, Role.POSE_AFTER),
        debug_draw.primitives.as_points(contact[None], Role.CONTACT),
        # Above the character, where it covers neither it nor the floor on which it stands.
        debug_draw.primitives.as_label(
            after - max(request.height, 2.0 * request.radius) * gravity,
            Role.FOUND,
            _label(request, one, units),
        ),
    ]
    return debug_draw.primitives.concatenate(parts)


def _label(request: ProbeRequest, one: ProbeIssue, units: bpy.types.UnitSettings) -> Message:
    """Return the kind of an issue, with its measures and the limit. Some sentences already say the kind."""
    said = limited_walk_message(one, request, units, spoken_text)
    if one.kind in {"stuck", "unreachable"}:
        return said
    return Message("{name}: {text}", name=Message(KIND_NAMES[one.kind]), text=said)


latest.on_new.subscribe(stage.refresh)
stored_walks.on_restored.subscribe(draw)
