# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of a comparison of colliders with render meshes: heat maps, their scale, and the worst places."""

from dataclasses import dataclass

import bpy

from .. import debug_draw
from ..i18n.units import length_text, measured_text, spoken_units
from ..model.coverage_report import CoverageReport, CoveredObject
from ..model.message import Message
from ..model.report import Units
from ..scene import events
from ..scene.settings import compared_list
from ..session.coverage_results import CoverageResult, latest
from ..system.late import np
from . import stage

# Default range: this many times the larger threshold. Larger distances have the same color, so that one bad place does
# not hide all others.
MULTIPLE = 4.0
# Minimum distance of ticks, as a fraction of the scale. Nearer ticks would overlap.
APART = 0.22
# Fraction of the range. Coordinates of meshes are in single precision.
ROUNDING = 1e-3
# For objects with more triangles, only the worst places are drawn.
MOST_TRIANGLES = 3_000_000


@dataclass(eq=False)
class MapDrawing(stage.Drawing):
    """Overlay of a comparison."""

    found: CoverageResult

    def holds(self) -> bool:
        """Return whether the objects are unchanged."""
        return self.found is latest.result and self.found.change is None

    def happened(self, change: events.SceneChange) -> bool:
        """Return whether none of the objects has changed."""
        return self.found.uids.isdisjoint(change.uids)


def is_drawn() -> bool:
    """Return whether a comparison is drawn."""
    return stage.current(MapDrawing) is not None


def draw(context: bpy.types.Context) -> None:
    """Draw the last comparison instead of the current overlay. Nothing if it is out of date."""
    found = latest.result
    if found is None or found.change is not None or not found.report.objects:
        undraw()
    else:
        stage.show(MapDrawing(_primitives(context, found), found.place.scene_uid, found))


def draw_again(context: bpy.types.Context) -> None:
    """Draw it with the current settings, if it is drawn."""
    if is_drawn():
        draw(context)


def undraw() -> None:
    """Stop drawing it."""
    stage.clear(MapDrawing)


def end_of_scale(report: CoverageReport, range_: float = 0.0) -> float:
    """Return the distance at the end of the scale: the user's range or, if that is 0, the default."""
    limit = max((one for one in report.thresholds if one is not None), default=0.0)
    if range_ > 0.0:
        return range_
    shown = min(_worst(report), MULTIPLE * limit) if limit > 0.0 else _worst(report)
    return shown or limit or 1.0


def _worst(report: CoverageReport) -> float:
    return max((max(one.outside, one.inside) for one in report.objects), default=0.0)


def _primitives(context: bpy.types.Context, found: CoverageResult) -> "debug_draw.primitives.Primitives":
    shown = compared_list(context.window_manager)
    units, surfaces = context.scene.unit_settings, shown.surfaces
    end = end_of_scale(found.report, shown.range)
    scale = scale_of(found.report, end, units, surfaces)
    drawn = debug_draw.heat_map.heat_primitives(_maps(found, surfaces), end, scale)
    places = [
        places_of(one, surfaces, units, chosen=row == found.chosen) for row, one in enumerate(found.report.objects)
    ]
    return debug_draw.primitives.concatenate([drawn, *(part for each in places for part in each)])


def maps_of(
    outside: "debug_draw.heat_map.HeatMap", inside: "debug_draw.heat_map.HeatMap", surfaces: str, worst: float
) -> "list[debug_draw.heat_map.HeatMap]":
    """Return the maps of an object to be drawn.

    For both together: the render mesh, and the part of the colliders not on it.
    """
    if surfaces == "BOTH":
        return [inside, outside.raised(ROUNDING * worst)]
    return [outside if surfaces == "OUTSIDE" else inside]


def _maps(found: CoverageResult, surfaces: str) -> "list[debug_draw.heat_map.HeatMap]":
    maps, room, worst = list[debug_draw.heat_map.HeatMap](), MOST_TRIANGLES, _worst(found.report)
    for outside, inside in zip(found.outside, found.inside, strict=True):
        each = maps_of(outside, inside, surfaces, worst)
        room -= sum(len(one.corners) for one in each)
        if room >= 0:
            maps += each
    return maps


def scale_of(
    report: CoverageReport, greatest: float, units: bpy.types.UnitSettings | Units, surfaces: str
) -> "debug_draw.primitives.Scale":
    """Return the scale that ends at a distance, with ticks at the thresholds if there is room."""
    title = {
        "OUTSIDE": Message("Colliders: distance outside the render mesh"),
        "INSIDE": Message("Render mesh: distance outside the colliders"),
        "BOTH": Message("Distance between render mesh and colliders"),
    }[surfaces]
    unit = spoken_units(greatest, units)
    end = length_text(greatest, unit, 3)
    ticks: list[tuple[float, str]] = [
        (0.0, length_text(0.0, unit)),
        (1.0, f"≥ {end}" if _worst(report) > (1.0 + ROUNDING) * greatest else end),
    ]
    for limit in dict.fromkeys(report.thresholds):
        grade = (limit or 0.0) / greatest
        if limit is not None and all(abs(grade - other) >= APART for other, _ in ticks) and 0.0 < grade < 1.0:
            ticks.insert(-1, (grade, length_text(limit, unit, 3)))
    return debug_draw.primitives.Scale(title, tuple(ticks))


def places_of(
    one: CoveredObject, surfaces: str, units: bpy.types.UnitSettings | Units, *, chosen: bool
) -> "list[debug_draw.primitives.Primitives]":
    """Return the worst places of an object outside the limits. For the chosen one, all, with their distances."""
    role, parts = debug_draw.roles.Role.WORST_PLACE, list[debug_draw.primitives.Primitives]()
    outside, inside = measured_text(one.outside, units, 3), measured_text(one.inside, units, 3)
    sides = [
        ("OUTSIDE", one.outside_point, one.sticks_out, Message("Collider protrudes by {length}", length=outside)),
        ("INSIDE", one.inside_point, one.misses, Message("Render mesh not covered by {length}", length=inside)),
    ]
    if one.one_gap:
        # Said once, at the collider if that is drawn.
        farthest = measured_text(max(one.outside, one.inside), units, 3)
        label = Message("Collider {length} off the render mesh", length=farthest)
        sides = [(side, point, bool(one.failing), label) for side, point, _, _ in sides]
        sides = sides[:1] if surfaces != "INSIDE" else sides[1:]
    for side, point, wrong, label in sides:
        if point is not None and (wrong or chosen) and surfaces in (side, "BOTH"):
            at = np.array(point)
            parts.append(debug_draw.primitives.as_points(at[None], role))
            if chosen:
                parts.append(debug_draw.primitives.as_label(at, role, label))
    return parts


latest.on_new.subscribe(stage.refresh)
