# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures show the pair, its overlay and its caption, and leave nothing behind; judged by their pixels."""

import dataclasses
import struct
import zlib
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.picture import closeup
from collision_kit.addon.picture import render as picture
from collision_kit.addon.picture.caption import CAPTION, CAPTION_HEIGHT
from collision_kit.addon.picture.overlay import COLOR_A
from collision_kit.addon.picture.subject import PAINT_A, PAINT_B, PAINT_BODY
from collision_kit.addon.viewport.palette import BRIGHT, CALM, COLOR_B, FAULT, NEAR
from collision_kit.core import Verdict
from tests.helpers.blender import graphics
from tests.helpers.offline import slow, slow_rows

SIZE = (640, 400)
FOOT = round(CAPTION_HEIGHT * SIZE[0] / 1280)

CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box(name: str, place, half=(0.5, 0.5, 0.5), turn: float = 0.0) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([[c * h for c, h in zip(corner, half, strict=True)] for corner in CORNERS], [], QUADS)
    ob = bpy.data.objects.new(name, mesh)
    ob.location = place
    ob.rotation_euler.z = turn
    bpy.context.scene.collection.objects.link(ob)
    return ob


def deep_pair() -> None:
    """Two crates, 0.2 deep in each other, on a floor, with neighbors."""
    box("Crate", (0, 0, 0.6))
    box("Barrel", (0.8, 0.1, 0.6))
    box("Floor", (0, 0, -0.1), (8, 8, 0.1))
    box("Far", (0, 4, 0.6), turn=0.4)
    box("Near", (-3, -3, 0.6), turn=0.4)


def pixels(path: Path) -> np.ndarray:
    """The image of an 8-bit RGB PNG, (H, W, 3) from 0 to 1."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 2)
    at, packed = 8, b""
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        body = data[at + 4 : at + 8 + size]
        assert zlib.crc32(body) == struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0]
        packed += body[4:] if body[:4] == b"IDAT" else b""
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    assert (rows[:, 0] == 0).all()
    return rows[:, 1:].reshape(height, width, 3) / 255.0


def draw(path: Path, size=SIZE, **options) -> np.ndarray:
    """Check the scene and draw its worst pair."""
    bpy.context.view_layer.update()
    report, shapes = check(bpy.context, "VISIBLE", **options)
    picture.write_picture(bpy.context, report, shapes, path, size)
    image = pixels(path)
    assert image.shape == (size[1], size[0], 3)
    return image


def like(image: np.ndarray, color, tolerance: float = 0.06) -> np.ndarray:
    """Pixels of about this color, (H, W)."""
    return np.abs(image - np.array(color)).max(axis=-1) < tolerance


def shade(image: np.ndarray, color, tolerance: float = 0.10) -> np.ndarray:
    """Pixels of this color's hue in whatever light, not too pale, (H, W)."""
    light = image**2.2
    pure = np.array(color) ** 2.2
    near = light / light.sum(axis=-1, keepdims=True).clip(1e-3) - pure / pure.sum()
    return np.abs(near).max(axis=-1) < tolerance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "picture.png"


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """The image of the deep pair."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    deep_pair()
    return draw(tmp_path_factory.mktemp("picture") / "usual.png")


@pytest.mark.usefixtures("scene")
class TestPicture:
    def test_both_bodies_their_overlap_and_the_overlay_are_seen(self, usual):
        view = usual[:-FOOT]
        assert shade(view, PAINT_A).mean() > 0.04
        assert shade(view, PAINT_B).mean() > 0.04
        assert like(view, FAULT, 0.03).sum() > 30  # the stretch of depth
        assert shade(view, FAULT, 0.2).mean() > 0.004  # and the glow of the overlap
        for color in (COLOR_A, COLOR_B):
            assert like(view, color, 0.03).sum() > 8  # the witnesses

    def test_the_overlap_glows_where_it_is(self, usual):
        rows, columns = np.nonzero(shade(usual[:-FOOT], FAULT, 0.2))
        orange = np.nonzero(shade(usual[:-FOOT], PAINT_A))[1].mean()
        blue = np.nonzero(shade(usual[:-FOOT], PAINT_B))[1].mean()
        assert min(orange, blue) < columns.mean() < max(orange, blue)
        assert rows.std() < 0.3 * SIZE[1]

    def test_the_caption_names_the_pair_in_their_colors(self, usual):
        caption = usual[-FOOT:]
        assert like(caption, CAPTION).mean() > 0.5
        assert (caption.min(axis=-1) > 0.7).sum() > 50  # white letters
        assert shade(caption, FAULT).sum() > 60
        for paint in (PAINT_A, PAINT_B):
            assert like(caption, paint, 0.03).sum() > 40

    def test_neighbors_are_gray(self, usual):
        spread = np.ptp(usual[:-FOOT], axis=-1)
        assert ((spread < 0.06) & (usual[:-FOOT].max(axis=-1) < 0.75)).mean() > 0.02

    @pytest.mark.parametrize("depth", [0.004, 0.2])
    def test_only_small_depths_get_a_closeup(self, path, depth):
        box("Crate", (0, 0, 0.5))
        box("Barrel", (1.0 - depth, 0.1, 0.5))
        image = draw(path)
        corner = image[: round(0.3 * SIZE[1]), round(0.7 * SIZE[0]) :]
        framed = like(corner, (1, 1, 1), 0.02)
        assert (framed.sum(axis=0).max() > 0.8 * len(corner)) == (depth < 0.1)
        # There the depth is seen at last, as a stretch of some length.
        stretch = np.flatnonzero(like(corner, FAULT, 0.03).any(axis=0))
        assert (len(stretch) > 0.03 * SIZE[0]) == (depth < 0.1)

    def test_an_object_in_the_way_turns_to_glass(self, usual, path):
        deep_pair()
        box("Roof", (0.5, 0, 2.4), (3, 3, 0.1))
        for place, half in (((0.5, 2, 1.2), (1.8, 0.1, 1)), ((2.5, 0, 1.2), (0.1, 1.8, 1))):
            box("Wall", place, half)
            box("Wall", (1 - place[0], -place[1], place[2]), half)
        caged = draw(path)
        # Every view from above is blocked: this is seen through the walls or not at all.
        for paint in (PAINT_A, PAINT_B):
            assert shade(caged[:-FOOT], paint, 0.2).sum() > 0.4 * shade(usual[:-FOOT], paint).sum()

    def test_a_contained_body_is_seen_through_its_container(self, path):
        box("Safe", (0, 0, 1), (1, 1, 1))
        box("Coin", (0, 0, 1), (0.3, 0.3, 0.3))
        image = draw(path)
        assert shade(image[:-FOOT], FAULT, 0.2).mean() > 0.01

    def test_a_gap_is_shown_in_a_color_of_its_own(self, path):
        box("Crate", (0, 0, 0.5))
        box("Barrel", (1.4, 0.1, 0.5))
        image = draw(path, clearance=1.0)
        assert like(image[:-FOOT], NEAR, 0.03).sum() > 20
        assert shade(image[-FOOT:], NEAR).sum() > 60
        assert not any(like(image, color, 0.03).any() for color in (FAULT, CALM))

    def test_what_touches_is_no_fault(self, path):
        box("Crate", (0, 0, 0.5))
        box("Barrel", (1.0, 0, 0.5))
        image = draw(path)
        assert not like(image, FAULT, 0.03).any()
        assert shade(image[-FOOT:], CALM).sum() > 60
        assert like(image[:-FOOT], BRIGHT, 0.1).sum() > 20  # the contacts

    def test_without_a_pair_the_whole_scene_is_shown(self, path):
        box("Crate", (0, 0, 0.5))
        box("Barrel", (2, 1, 0.5))
        image = draw(path)
        assert shade(image[:-FOOT], PAINT_BODY).mean() > 0.05
        assert not shade(image[:-FOOT], PAINT_A).any()
        assert shade(image[-FOOT:], CALM).sum() > 60

    def test_empties_and_half_spaces_show_their_collision_shape(self, path):
        ball, ground = (bpy.data.objects.new(name, None) for name in ("Ball", "Ground"))
        ball.empty_display_type, ball.location = "SPHERE", (0, 0, 0.7)
        ball.collision_kit.shape = "SPHERE"
        ground.collision_kit.shape = "HALF_SPACE"
        for ob in (ball, ground):
            bpy.context.scene.collection.objects.link(ob)
        image = draw(path)
        assert shade(image[:-FOOT], PAINT_A).mean() > 0.05
        assert shade(image[:-FOOT], PAINT_B).mean() > 0.05

    def test_a_collider_is_drawn_as_lines_over_what_it_stands_for(self, path):
        box("Crate", (0, 0, 0.5))
        box("UBX_Crate", (0, 0, 0.5), (1.0, 1.0, 1.0))
        box("Barrel", (1.3, 0.2, 0.5))
        with_collider = draw(path)
        assert (
            like(with_collider[:-FOOT], (1.0, 0.80, 0.48), 0.12).sum()
            + like(with_collider[:-FOOT], (0.66, 0.84, 1.0), 0.12).sum()
            > 100
        )
        bpy.data.objects["Crate"].hide_render = True
        hidden = draw(path)
        assert np.abs(hidden - with_collider).mean() < 0.01

    @pytest.mark.parametrize(
        ("scale", "offset"),
        [(1e-3, 0.0), *slow_rows((1.0, 20000.0), (300.0, 0.0))],
    )
    def test_scenes_small_large_and_far_away_look_alike(self, usual, path, scale, offset):
        deep_pair()
        for ob in bpy.context.scene.objects:
            ob.location = [scale * x + offset for x in ob.location]
            ob.scale = [scale] * 3
        image = draw(path)
        for paint in (PAINT_A, PAINT_B):
            seen, before = shade(image[:-FOOT], paint).mean(), shade(usual[:-FOOT], paint).mean()
            assert seen == pytest.approx(before, rel=0.1)

    def test_nothing_in_the_file_changes(self, path):
        deep_pair()
        bpy.context.scene.camera = None
        bpy.context.view_layer.objects.active = bpy.data.objects["Far"]
        bpy.data.objects["Far"].select_set(True)
        bpy.context.view_layer.update()
        before = snapshot()
        draw(path)
        assert snapshot() == before

    @pytest.mark.parametrize("points", [[(0, 0, 0.5), (0, 0.3, 1.5)], [(0, 0, 0.6)]])
    def test_bodies_without_any_surface_make_a_picture_too(self, path, points):
        box("Crate", (0, 0, 0.5))
        mesh = bpy.data.meshes.new("Wire")
        mesh.from_pydata(points, [(0, 1)] if len(points) > 1 else [], [])
        wire = bpy.data.objects.new("Wire", mesh)
        wire.collision_kit.shape = "HULL"
        bpy.context.scene.collection.objects.link(wire)
        image = draw(path)
        assert max(shade(image[:-FOOT], paint).mean() for paint in (PAINT_A, PAINT_B)) > 0.1

    def test_an_empty_scene_makes_a_picture_too(self, path):
        image = draw(path)
        assert shade(image[-FOOT:], CALM).sum() > 60

    @pytest.mark.parametrize("size", [(64, 40), *slow((333, 517), (1280, 300))])
    def test_pictures_have_any_size(self, path, size):
        deep_pair()
        image = draw(path, size)
        assert shade(image, PAINT_A).any()
        assert shade(image, PAINT_B).any()

    def test_what_cannot_be_written_says_so(self, tmp_path):
        deep_pair()
        with pytest.raises(OSError, match="missing"):
            draw(tmp_path / "missing" / "picture.png", (64, 40))

    def test_long_and_foreign_names_stay_in_the_caption(self, path):
        box("Crate" * 12, (0, 0, 0.5))
        box("상자가 선반을", (0.8, 0.1, 0.5))
        image = draw(path)
        caption = image[-FOOT:]
        assert like(caption[:, -round(0.02 * SIZE[0]) :], CAPTION).all()
        assert like(caption, PAINT_B, 0.03).sum() > 20


def snapshot() -> dict:
    """Every datablock by name, and the state of the scene that a picture might disturb."""
    names = {
        kind: sorted(block.name for block in getattr(bpy.data, kind))
        for kind in dir(bpy.data)
        if isinstance(getattr(bpy.data, kind), bpy.types.bpy_prop_collection)
    }
    scene = bpy.context.scene
    state = {
        "frame": (scene.frame_current, scene.frame_subframe),
        "camera": scene.camera,
        "engine": (scene.render.engine, scene.render.resolution_x, scene.render.filepath),
        "selected": [ob.name for ob in bpy.context.view_layer.objects if ob.select_get()],
        "active": bpy.context.view_layer.objects.active.name,
        "matrices": {ob.name: [tuple(row) for row in ob.matrix_world] for ob in scene.objects},
    }
    return names | state


@pytest.mark.usefixtures("scene")
def test_nothing_in_the_file_changes(path):
    deep_pair()
    bpy.context.view_layer.objects.active = bpy.data.objects["Far"]
    bpy.context.view_layer.update()
    before = snapshot()
    draw(path)
    assert snapshot() == before


@pytest.mark.usefixtures("scene")
@pytest.mark.parametrize("near", [False, True], ids=["deep", "closeup"])
def test_the_overlay_looks_as_the_viewport_draws_it(path, monkeypatch, near):
    graphics.needed()
    if near:
        box("Crate", (0, 0, 0.5))
        box("Barrel", (0.996, 0.1, 0.5))
    else:
        deep_pair()
    image = draw(path)
    for module in (picture, closeup):
        monkeypatch.setattr(module, "draw_overlay", graphics.draw_overlay)
    by_viewport = draw(path)
    difference = np.abs(by_viewport - image).max(axis=-1)
    assert difference.mean() < 0.01
    assert (difference > 0.25).mean() < 0.01
    assert difference.any()  # two ways of drawing, after all
    if near:
        for drawn in (image, by_viewport):
            corner = drawn[: round(0.3 * SIZE[1]), round(0.7 * SIZE[0]) :]
            assert like(corner, FAULT, 0.03).sum() > 20


@pytest.mark.usefixtures("scene")
def test_the_worst_pair_is_the_one_drawn(path):
    box("Crate", (0, 0, 0.5))
    box("Barrel", (0.95, 0.1, 0.5))
    box("Deepest", (-0.6, 0.1, 0.5))
    bpy.context.view_layer.update()
    report, shapes = check(bpy.context, "VISIBLE")
    assert len(report.pairs) == 2
    assert report.pairs[0].verdict == Verdict.PENETRATING
    scenery = picture.pair_scenery(report, shapes.world, picture.scene_surfaces(bpy.context), report.pairs[0])
    subject = scenery.stage.triangles[scenery.subject].reshape(-1, 3)
    assert subject[:, 0].min() == pytest.approx(-1.1, abs=1e-6)
    assert subject[:, 0].max() == pytest.approx(0.5, abs=1e-6)


@pytest.mark.usefixtures("scene")
def test_surfaces_in_one_plane_are_seen_without_stripes(path):
    box("Crate", (0, 0, 0.5))
    box("Barrel", (0.8, 0.1, 0.5))
    bpy.context.view_layer.update()
    report, shapes = check(bpy.context, "VISIBLE")
    scenery = picture.pair_scenery(report, shapes.world, picture.scene_surfaces(bpy.context), report.pairs[0])
    view = picture.framing(np.array([0.6, 0.6, -0.53]), scenery.framed, SIZE)
    nothing = np.zeros(len(scenery.subject), np.bool_)
    plain = dataclasses.replace(scenery, overlapping=(), solids=())
    image, _ = picture.compose(plain, view, nothing, nothing)
    at = view.screen(np.array([0.41, 0.05, 1.0]))[:2].astype(int)
    patch = image[at[1] - 8 : at[1] + 8, at[0] - 8 : at[0] + 8]
    assert shade(patch, PAINT_A).all() or shade(patch, PAINT_B).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.usefixtures("scene")
# Of the largest Blender itself computes other normals.
@pytest.mark.slow
@pytest.mark.parametrize(("size", "most"), [(1e12, 0.04), (1e38, 0.5)])
def test_a_pair_of_any_size_makes_the_same_picture(path, size, most):
    images = []
    for unit in (1.0, size):
        crate = box("Crate", (0, 0, 0), (0.5 * unit,) * 3)
        barrel = box("Barrel", (0.8 * unit, 0, 0), (0.5 * unit,) * 3)
        images.append(draw(path)[:-FOOT])
        bpy.data.objects.remove(crate)
        bpy.data.objects.remove(barrel)
    # The label has other words.
    different = np.abs(images[0] - images[1]).max(axis=2) > 0.02
    assert different.mean() < most
    assert shade(images[1], FAULT, 0.2).mean() > 0.01


@pytest.mark.filterwarnings("error")
@pytest.mark.usefixtures("scene")
def test_what_is_very_far_away_leaves_the_picture_as_it_is(path):
    box("Crate", (0, 0, 0))
    box("Barrel", (0.8, 0, 0))
    alone = draw(path)
    box("Moon", (0, -1e38, 1e38), (1e30,) * 3)
    together = draw(path)
    assert np.abs(alone - together)[:-FOOT].max() < 0.02


@pytest.mark.usefixtures("scene")
def test_what_has_gone_through_a_plane_glows(path):
    box("Crate", (0, 0, 0.4), (0.5, 0.5, 0.5))
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata([(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0)], [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Ground", mesh))
    image = draw(path)
    glowing = shade(image[:-FOOT], FAULT, 0.2)
    assert glowing.mean() > 0.01
    # Below the crate's foot in the picture, not in its upper half.
    crate = np.nonzero(shade(image[:-FOOT], PAINT_A))[0]
    assert np.nonzero(glowing)[0].mean() > crate.mean()
