# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits: what an object holds from several sides touches unless a point is deeper in it than the tolerance."""

import json

import bpy
import pytest
from mathutils import Matrix

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.i18n.units import stand_text
from collision_kit.addon.reports.text import pair_lines
from collision_kit.core import Verdict
from tests.helpers.blender.fits_scene import boxes, mesh, plug, tube


@pytest.fixture(autouse=True)
def empty():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def only_pair(**settings):
    report = api.check_collisions(scope="ALL", **settings)
    assert len(report.pairs) == 1
    return report, report.pairs[0]


def turn_all():
    turn = Matrix.Rotation(0.7, 4, (1.0, 2.0, 0.5)) @ Matrix.Translation((3.0, -2.0, 1.0))
    for ob in bpy.data.objects:
        ob.matrix_world = turn @ ob.matrix_world
    bpy.context.view_layer.update()


@pytest.mark.parametrize("turned", [False, True])
def test_a_cube_between_two_cubes_of_one_mesh_touches(turned):
    boxes("Pair", ((0, 0, 0), (1, 1, 1)), ((2, 0, 0), (1, 1, 1)))
    boxes("Between", ((1, 0, 0), (1, 1, 1)))
    if turned:
        turn_all()
    _, pair = only_pair()
    assert pair.verdict == Verdict.TOUCHING
    assert abs(pair.gap) < 1e-5


@pytest.mark.parametrize(
    ("width", "touching", "verdict"),
    [
        (1.0, None, Verdict.TOUCHING),
        (0.9999, 1e-3, Verdict.TOUCHING),
        (1.0001, 1e-2, Verdict.TOUCHING),
        (1.0001, None, Verdict.PENETRATING),
    ],
)
def test_a_block_in_a_channel(width, touching, verdict):
    mesh(
        "Channel",
        [(x, y, z) for y in (0.0, 1.0) for x, z in
         ((-1, 0), (2, 0), (2, 2), (1, 2), (1, 1), (0, 1), (0, 2), (-1, 2))],
        [tuple(range(8)), tuple(reversed(range(8, 16)))]
        + [((i + 1) % 8, i, i + 8, (i + 1) % 8 + 8) for i in range(8)],
    )  # fmt: skip
    boxes("Block", (((1.0 - width) / 2.0, 0, 1), (width, 1, 1)))
    turn_all()
    report, pair = only_pair(touching=touching)
    assert pair.verdict == verdict
    if verdict == Verdict.PENETRATING:
        assert pair.interference == pytest.approx(5e-5, rel=0.05)
        assert pair.distance == pytest.approx(-1.0, rel=1e-3)
        assert "interference; 1 m to separate" in pair_lines(report, [0])[0]


@pytest.mark.parametrize("sides", [16, pytest.param(64, marks=pytest.mark.slow)])
def test_a_plug_in_a_round_hole_and_a_bearing_in_its_housing(sides):
    scene = bpy.context.scene
    scene.unit_settings.scale_length, scene.unit_settings.length_unit = 0.001, "MILLIMETERS"
    tube("Housing", sides, 10.0, 15.0, 4.5)
    plug("Plug", sides, 10.0, 4.5)
    assert only_pair()[1].verdict == Verdict.TOUCHING
    bpy.data.objects.remove(bpy.data.objects["Plug"])
    plug("Bearing", sides, 10.02, 4.5)
    assert only_pair(touching=0.03)[1].verdict == Verdict.TOUCHING
    report, pair = only_pair()
    assert pair.verdict == Verdict.PENETRATING
    assert pair.interference == pytest.approx(0.02, rel=0.01)
    assert stand_text(pair, report.units) == "0.02 mm interference; 9 mm to separate"
    assert pair.contact_depths.max() <= 0.0201


def test_the_command_line_and_json(tmp_path, capfd):
    boxes("Boards", ((0, 0, 0), (1, 1, 0.1)), ((0, 0, 1.1), (1, 1, 0.1)))
    boxes("Book", ((0.25, 0.25, 0.1), (0.25, 0.5, 1.0)))
    path = tmp_path / "shelf.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    capfd.readouterr()
    assert commands.command(["check", str(path), "--format", "json"]) == 0
    (pair,) = json.loads(capfd.readouterr().out)["pairs"]
    assert (pair["verdict"], pair["interference"]) == ("touching", pytest.approx(0.0, abs=1e-6))


def test_separate_leaves_what_fits_where_it_is():
    boxes("Boards", ((0, 0, 0), (1, 1, 0.1)), ((0, 0, 1.1), (1, 1, 0.1)))
    book = boxes("Book", ((0.25, 0.25, 0.1), (0.25, 0.5, 1.0)))
    before = book.matrix_world.copy()
    result = api.push_apart([book])
    assert book.matrix_world == before
    assert not result.moved
