# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the evaluated scene as seen in a plane: Blender objects in; planar shapes, their bodies and what was left out.

Who is tested and what belongs together is as in space (`reading`), and so is what an object stands for.
"""

from collections.abc import Iterable

import bpy
import numpy as np

from ...core.planar import Circles, Polygons, Rectangles, Regions
from ...core.planar.inflated import inflated
from ...core.planar.regions import Body as Batch
from ...core.planar.world import PlacedWorld, Plane
from .bodies import family
from .drawn import Drawn, DrawnReader
from .gathering import Gathering
from .items import Item, scene_items, walk
from .meshes import GEOMETRY_TYPES
from .outlines import Outlined, OutlineMaker
from .placements import take_apart
from .plane_shapes import Area, Circle, PlaneShape, Polygon, Rectangle
from .read_shapes import PlanarShapes, Row

# In the order of the rows, and as the report names them.
KINDS: dict[type, str] = {Circle: "circle", Rectangle: "rectangle", Polygon: "polygon", Area: "region"}


def read_outlines(context: bpy.types.Context, objects: Iterable[bpy.types.Object], plane: Plane) -> PlanarShapes:
    """Read the outlines of objects, as the current view layer shows them in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    objects : iterable of bpy.types.Object
        The scope, as `read_scene` takes it.
    plane : Plane

    Returns
    -------
    PlanarShapes
        What cannot be represented faithfully is in its findings; no object of whatever kind raises.
    """
    depsgraph = context.evaluated_depsgraph_get()
    items, matrices = scene_items(context, depsgraph)
    gathering = Gathering(items, family(items), {ob.session_uid for ob in objects})
    drawn = _drawn(depsgraph, items, gathering.choices)
    placements = take_apart(matrices)
    for shared in (True, False):
        maker = OutlineMaker(placements, plane, shared=shared)
        outcomes = {
            row: maker.make(choice, items[row].object, drawn.get(row), row) for row, choice in gathering.choices.items()
        }
        made = [(row, shape, outcome) for row, outcome in outcomes.items() for shape in outcome.shapes]
        made.sort(key=lambda entry: list(KINDS).index(type(entry[1])))
        try:
            batches = batches_of([shape for _, shape, _ in made])
            break
        except ValueError:
            if not shared:
                raise
    for row, outcome in outcomes.items():
        gathering.settle(row, outcome)
    margin = np.array([getattr(shape, "margin", 0.0) for _, shape, _ in made], dtype=np.float64)
    front = np.array([outcome.front for _, _, outcome in made], dtype=np.float64)
    return PlanarShapes.of(
        PlacedWorld(inflated(batches, margin), plane, front),
        [Row(row, KINDS[type(shape)], outcome.reason) for row, shape, outcome in made],
        gathering,
    )


def outline_of(context: bpy.types.Context, ob: bpy.types.Object, plane: Plane) -> Outlined | None:
    """The outline of one object alone, without margin, whatever stands for it; None if it cannot be seen."""
    depsgraph = context.evaluated_depsgraph_get()
    items, matrices = scene_items(context, depsgraph)
    row = next((r for r, item in enumerate(items) if item.object == ob and not item.key.instancer_uid), None)
    if row is None or items[row].hidden:
        return None
    gathering = Gathering(items, family(items), {ob.session_uid})
    choice = gathering.choices.get(row)
    if choice is None:
        return None
    drawn = _drawn(depsgraph, items, {row: choice})
    return OutlineMaker(take_apart(matrices), plane, margins=False).make(choice, ob, drawn.get(row), row)


def _drawn(depsgraph: bpy.types.Depsgraph, items: list[Item], rows: Iterable[int]) -> dict[int, Drawn]:
    """What is drawn of these items, which are found by walking the depsgraph's instances anew."""
    wanted = {items[row].position: row for row in rows}
    reader = DrawnReader()
    return {
        wanted[position]: reader.read(instance.object, items[wanted[position]].object)
        for position, instance in walk(depsgraph)
        if position in wanted and instance.object.type in GEOMETRY_TYPES
    }


def batches_of(shapes: list[PlaneShape]) -> list[Batch]:
    """One batch of each kind that there is; the shapes are in the order of their kinds."""
    batches: list[Batch] = []
    if circles := [s for s in shapes if isinstance(s, Circle)]:
        batches.append(Circles([s.center for s in circles], [s.radius for s in circles]))
    if rectangles := [s for s in shapes if isinstance(s, Rectangle)]:
        center, half = ([getattr(s, name) for s in rectangles] for name in ("center", "half"))
        batches.append(Rectangles(center, half, [s.angle for s in rectangles]))
    if polygons := [s for s in shapes if isinstance(s, Polygon)]:
        batches.append(Polygons([s.corners for s in polygons], [s.place for s in polygons]))
    if areas := [s for s in shapes if isinstance(s, Area)]:
        batches.append(Regions([(s.outline, s.holes) for s in areas], [s.place for s in areas]))
    return batches
