# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the evaluated scene in a plane: planar shapes, their bodies, and the skipped objects.

Tested objects, bodies and shapes are chosen as in 3D (`reading`).
"""

from collections.abc import Callable, Generator, Iterable, Sequence, Set

import bpy
import numpy as np

from ....core.planar import Circles, Polygons, Rectangles, Regions
from ....core.planar.shapes.regions import Body as Batch
from ....core.planar.world import PlacedWorld, Plane, World
from ...model.report import ObjectKey
from ...model.steps import after, exhausted
from ..meshes.display_geometry import DisplayGeometry, DrawnReader
from ..meshes.types import GEOMETRY_TYPES
from ..objects.transforms import take_apart
from ..reading.body_tree import body_tree
from ..reading.items import Item, scene_items
from ..reading.items_in_scope import ItemsInScope
from ..reading.scene_shapes import PlanarShapes, ShapeRow
from ..reading.scene_snapshot import SceneChanged, instances_of
from ..reading.skipped_scripts import skipped_scripts
from .outline_maker import Outlined, OutlineMaker
from .plane_shapes import Circle, PlaneArea, PlaneShape, Polygon, Rectangle

# In the order of the rows, with the names of reports.
KINDS: dict[type, str] = {Circle: "circle", Rectangle: "rectangle", Polygon: "polygon", PlaneArea: "region"}


def read_outlines(context: bpy.types.Context, objects: Iterable[bpy.types.Object], plane: Plane) -> PlanarShapes:
    """Read the outlines of objects as the current view layer shows them in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    objects : iterable of bpy.types.Object
        The scope, as in `read_scene`.
    plane : Plane

    Returns
    -------
    PlanarShapes
        Its issues name the objects that cannot be represented exactly. No object causes an exception.
    """
    return exhausted(reading_outlines(context, {ob.session_uid for ob in objects}, plane, np.inf))


def reading_outlines(
    context: bpy.types.Context, scope: Set[int], plane: Plane, seconds: float, *, include_operands: bool = True
) -> Generator[None, None, PlanarShapes]:
    """Run `read_outlines` for objects given by `session_uid`, in steps of about `seconds` each.

    No reference to Blender data is kept between steps. The scene must not change in between.

    Raises
    ------
    SceneChanged
        If it has changed.
    """
    items, matrices, operands = scene_items(context, context.evaluated_depsgraph_get())
    yield
    left_out = {} if include_operands else operands
    in_scope = ItemsInScope(items, body_tree(items), set(scope), left_out, issues=skipped_scripts(context))
    yield
    drawn: dict[int, DisplayGeometry] = {}
    wanted, reader = {items[row].position: row for row in in_scope.choices}, DrawnReader()
    while wanted:
        _draw_some(context.evaluated_depsgraph_get(), reader, items, wanted, drawn, after(seconds))
        yield
    placements = take_apart(matrices)
    for shared in (True, False):
        maker, late = OutlineMaker(placements, plane, shared=shared), after(seconds)
        results: dict[int, Outlined] = {}
        for row, choice in in_scope.choices.items():
            results[row] = maker.make(choice, items[row].facts, drawn.get(row), row)
            if late():
                yield
                late = after(seconds)
        made = [(row, shape, result) for row, result in results.items() for shape in result.shapes]
        made.sort(key=lambda entry: list(KINDS).index(type(entry[1])))
        yield
        try:
            batches = batches_of([shape for _, shape, _ in made])
            break
        except ValueError:
            if not shared:
                raise
    yield
    for row, result in results.items():
        in_scope.settle(row, result)
    margin = np.array([getattr(shape, "margin", 0.0) for _, shape, _ in made], dtype=np.float64)
    front = np.array([result.front for _, _, result in made], dtype=np.float64)
    return PlanarShapes.of(
        PlacedWorld(World(batches, margin), plane, front),
        [ShapeRow(row, KINDS[type(shape)], result.reason) for row, shape, result in made],
        in_scope,
    )


def outline_of(context: bpy.types.Context, ob: bpy.types.Object, plane: Plane) -> Outlined | None:
    """The outline of a single object, without margin and even if it has colliders. None if it is not visible."""
    depsgraph = context.evaluated_depsgraph_get()
    items, matrices, _ = scene_items(context, depsgraph)
    row = next((r for r, item in enumerate(items) if item.key == ObjectKey(ob.session_uid)), None)
    if row is None or items[row].hidden:
        return None
    drawn: dict[int, DisplayGeometry] = {}
    _draw_some(depsgraph, DrawnReader(), items, {items[row].position: row}, drawn, after(np.inf))
    maker = OutlineMaker(take_apart(matrices), plane, margins=False)
    return maker.make(items[row].facts.choice, items[row].facts, drawn.get(row), row)


def _draw_some(
    depsgraph: bpy.types.Depsgraph,
    reader: DrawnReader,
    items: Sequence[Item],
    wanted: dict[int, int],
    drawn: dict[int, DisplayGeometry],
    late: Callable[[], bool],
) -> None:
    """Read the display geometry of items by position, at least one, until the time is up. Removes them from `wanted`.

    The depsgraph's instances are iterated again, because those of earlier iterations are no longer valid.
    """
    reader.begin()
    for position, instance in instances_of(depsgraph):
        row = wanted.pop(position, None)
        if row is None:
            continue
        evaluated = instance.object
        original = evaluated.original
        if original.session_uid != items[row].facts.uid:
            raise SceneChanged
        if evaluated.type in GEOMETRY_TYPES:
            drawn[row] = reader.read(evaluated, original)
            if late():
                return
    if wanted:
        raise SceneChanged


def batches_of(shapes: list[PlaneShape]) -> list[Batch]:
    """One batch for each kind. The shapes are sorted by kind."""
    batches: list[Batch] = []
    if circles := [s for s in shapes if isinstance(s, Circle)]:
        batches.append(Circles([s.center for s in circles], [s.radius for s in circles]))
    if rectangles := [s for s in shapes if isinstance(s, Rectangle)]:
        center, half = ([getattr(s, name) for s in rectangles] for name in ("center", "half"))
        batches.append(Rectangles(center, half, [s.angle for s in rectangles]))
    if polygons := [s for s in shapes if isinstance(s, Polygon)]:
        batches.append(Polygons([s.corners for s in polygons], [s.place for s in polygons]))
    if areas := [s for s in shapes if isinstance(s, PlaneArea)]:
        batches.append(Regions([(s.outline, s.holes) for s in areas], [s.place for s in areas]))
    return batches
