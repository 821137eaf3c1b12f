# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that nothing holds: planted ones, and random towers of boxes with corners of whole numbers."""

import itertools
import json
import math
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.fixes.floating import find_floating
from collision_kit.addon.model.floating import FloatingRequest
from collision_kit.addon.scene import events
from collision_kit.addon.session import floating_results
from collision_kit.addon.ui.panels import floating as floating_panel
from collision_kit.addon.ui.panels import name_row
from collision_kit.addon.ui.panels.floating import COLLISION_KIT_PT_floating
from collision_kit.addon.viewport import floating as floating_overlay
from tests.helpers.blender import panel_recorder
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    add_instance,
    cube_mesh,
    l_mesh,
    mesh,
    rigid_body,
    with_setting,
)
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import Recorder, drawn, drawn_row
from tests.helpers.blender.views import beside_axis, looks
from tests.helpers.offline import slow
from tests.helpers.report_schemas import mistakes

# Some roundings of float32 at the coordinates of these scenes.
ROUNDING = 5e-6


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def room() -> None:
    """A floor with its top at 0, a wall with its face at x = 4, and a ceiling with its underside at 3."""
    add("Floor", cube_mesh((5, 5, 0.1)), at=(0, 0, -0.1))
    add("Wall", cube_mesh((0.1, 5, 1.5)), at=(4.1, 0, 1.5))
    add("Ceiling", cube_mesh((5, 5, 0.1)), at=(0, 0, 3.1))


def crate(name: str, *at: float, half: float = 0.5) -> bpy.types.Object:
    return add(name, cube_mesh((half, half, half)), at=at)


def found(**options: object) -> dict[str, tuple[float, str, tuple[str, ...]]]:
    bpy.context.view_layer.update()
    return {one.object: (one.drop, one.onto, one.others) for one in api.floating(**options)}


def test_what_stands_leans_hangs_or_is_sunk_in_is_held() -> None:
    room()
    crate("Standing", 0, 0, 0.5)
    crate("On it", 0, 0, 1.5)
    crate("On the wall", 3.5, 0, 1.5)
    crate("Hanging", 0, 3, 2.5)
    crate("Sunk", -3, 0, 0.488)
    crate("Through the wall", 4.1, 3, 1.5)
    assert found() == {}


def test_planted_gaps_are_found_with_their_length_and_what_is_below() -> None:
    room()
    crate("Near", 0, 0, 0.55)
    crate("High", -3, -3, 2.0)
    crate("Within the gap", 3, 3, 0.5009)
    near, high = api.floating()
    assert (near.object, near.onto, near.others) == ("Near", "Floor", ())
    assert near.drop == pytest.approx(0.05, abs=ROUNDING)
    assert high.drop == pytest.approx(1.5, abs=ROUNDING)
    assert near.message == 'It is 0.05 above "Floor".'
    assert set(found(gap=0.0)) == {"Near", "High", "Within the gap"}
    assert set(found(gap=0.1)) == {"High"}


def test_what_rests_on_something_that_floats_floats_with_it() -> None:
    room()
    for number in range(4):
        crate(f"Crate {number}", 0, 0, 0.35 + 0.5 * number, half=0.25)
    assert list(found()) == ["Crate 0"]
    ((drop, onto, others),) = found().values()
    assert drop == pytest.approx(0.1, abs=ROUNDING)
    assert (onto, others) == ("Floor", ("Crate 1", "Crate 2", "Crate 3"))
    (one,) = api.floating()
    assert one.message == 'It is 0.1 above "Floor". 3 other objects are held only by it.'
    assert one.uids == {ob.session_uid for ob in bpy.data.objects if ob.name.startswith("Crate")}


def test_a_lamp_short_of_the_ceiling_tells_how_far_it_is_from_it() -> None:
    room()
    crate("Lamp", 0, 0, 2.495)
    (one,) = api.floating()
    assert (one.onto, one.nearest) == ("Floor", "Ceiling")
    assert one.distance == pytest.approx(0.005, abs=ROUNDING)
    assert one.drop == pytest.approx(1.995, abs=ROUNDING)
    assert one.message == 'It is 1.995 above "Floor", and 0.005 away from "Ceiling".'


def test_what_must_be_held_from_below_is_not_held_from_the_side() -> None:
    room()
    crate("At the wall", 3.5, 0, 1.0)
    crate("Hanging", 0, 0, 2.5)
    crate("Standing at the wall", 3.5, 3, 0.5)
    assert found() == {}
    assert {name: round(drop, 4) for name, (drop, *_) in found(below=True).items()} == {
        "At the wall": 0.5,
        "Hanging": 2.0,
    }


def test_dynamic_bodies_need_support_below_in_any_case() -> None:
    room()
    for ob in (bpy.data.objects["Floor"], bpy.data.objects["Wall"]):
        rigid_body(ob, "BOX", "PASSIVE")
    rigid_body(crate("At the wall", 3.5, 0, 1.0), "BOX", "ACTIVE")
    rigid_body(crate("On the floor", 3.5, 3, 0.5), "BOX", "ACTIVE")
    crate("Shelf", 3.5, -3, 1.0)
    assert list(found()) == ["At the wall"]


def test_a_tile_with_nothing_below_is_ground_if_things_are_on_it_or_above_it() -> None:
    room()
    add("Tile", cube_mesh((1, 1, 0.1)), at=(20, 0, 0))
    crate("On the tile", 20, 0, 0.6)
    add("Other tile", cube_mesh((1, 1, 0.1)), at=(30, 0, 0))
    crate("Above it", 30, 0, 0.7)
    crate("Beside the level", 40, 0, 0)
    assert {name: (round(drop, 4), onto) for name, (drop, onto, _) in found().items()} == {
        "Above it": (0.1, "Other tile"),
        "Beside the level": (math.inf, ""),
    }
    assert next(one for one in api.floating() if not one.onto).message == "There is nothing below it."


def test_given_ground_alone_holds() -> None:
    room()
    crate("Standing", 0, 0, 0.5)
    add("Tile", cube_mesh((1, 1, 0.1)), at=(20, 0, 0))
    crate("On the tile", 20, 0, 0.6)
    assert list(found(ground=["Floor"])) == ["Tile"]
    assert found(ground="collection:*") == {}
    assert found(ground=["Floor", "Tile"]) == {}


def test_half_spaces_are_ground_and_a_sky_around_the_level_is_not() -> None:
    with_setting(add("Ground"), "HALF_SPACE")
    crate("Standing", 0, 0, 0.5)
    crate("Floating", 3, 0, 0.75)
    assert list(found()) == ["Floating"]
    bpy.data.objects.remove(bpy.data.objects["Ground"])
    room()
    add("Sky", cube_mesh((100, 100, 100)))
    assert found()["Floating"][:2] == (pytest.approx(0.25, abs=ROUNDING), "Floor")


def test_what_is_inside_another_object_is_held_or_floats_with_it() -> None:
    room()
    crate("Cup", 4.1, 0, 1.5, half=0.04)
    add("Poster", mesh([(4.1, -0.4, 2), (4.1, 0.4, 2), (4.1, 0.4, 2.4), (4.1, -0.4, 2.4)], [(0, 1, 2, 3)]))
    assert found() == {}, "a check lists them as contained"
    crate("Crate", 0, 0, 1.5)
    crate("Cup in crate", 0, 0, 1.5, half=0.04)
    assert found() == {"Crate": (pytest.approx(1.0, abs=ROUNDING), "Floor", ("Cup in crate",))}
    assert found(ground=["Wall", "Floor"]).keys() == {"Crate"}
    # A sky around the level changes nothing, and neither do two bodies in one place.
    add("Sky", cube_mesh((100, 100, 100)))
    crate("Copy", 0, 0, 1.5)
    assert found().keys() - {"Sky"} == {"Copy"}
    assert found()["Copy"][2] == ("Crate", "Cup in crate")


def test_parts_of_an_asset_are_one_thing_and_fall_together() -> None:
    room()
    root = add("Chandelier", at=(0, 0, 1.5))
    for number in range(3):
        add(f"Candle {number}", cube_mesh((0.1, 0.1, 0.1)), at=(0.21 * number, 0, 0.1 * number), parent=root)
    (one,) = api.floating()
    assert (one.object, one.others, one.uids) == ("Chandelier", (), {root.session_uid})
    assert one.drop == pytest.approx(1.4, abs=ROUNDING)
    add("Chain", cube_mesh((0.05, 0.05, 0.7)), at=(0, 0, 0.8), parent=root)
    assert found() == {}


def test_instances_and_concave_meshes_are_found() -> None:
    room()
    lamps = add_collection("Lamps", parent=False)
    add("Bulb", cube_mesh((0.2, 0.2, 0.2)), collection=lamps)
    lamp = add_instance("Lamp", lamps)
    lamp.location = (0, 0, 1.0)
    add("Bracket", l_mesh(), at=(-3, -3, 0.25), rotation_euler=(math.pi / 2, 0, 0))
    found = {one.object: one for one in api.floating()}
    assert found["Lamp/Bulb"].uids == {lamp.session_uid}
    assert found["Lamp/Bulb"].drop == pytest.approx(0.8, abs=ROUNDING)
    assert found["Bracket"].drop == pytest.approx(0.25, abs=ROUNDING)


def test_the_scope_limits_what_is_listed_and_not_what_holds() -> None:
    room()
    crate("Selected", 0, 0, 0.75)
    crate("Standing", 0, 3, 0.5)
    crate("Other", 3, 3, 0.75)
    bpy.context.view_layer.update()
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob.name in {"Selected", "Standing"})
    assert list(found(scope="SELECTED")) == ["Selected"]
    with pytest.raises(ValueError, match="scope"):
        api.floating(scope="NOWHERE")
    for gap in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="gap"):
            api.floating(gap=gap)
    with pytest.raises(ValueError, match="pattern"):
        api.floating(ground=[""])


def test_along_the_gravity_of_the_scene() -> None:
    room()
    bpy.context.scene.gravity = (9.81, 0, 0)
    crate("At the wall", 3.5, 0, 1.5)
    crate("Off the wall", 3.0, 3, 1.5)
    assert {name: round(drop, 4) for name, (drop, *_) in found(below=True, ground=["Wall"]).items()}[
        "Off the wall"
    ] == 0.5


def test_scenes_of_one_body_or_none_have_nothing_that_floats_above_anything() -> None:
    assert found() == {}
    crate("Alone", 0, 0, 5)
    assert found() == {"Alone": (math.inf, "", ())}


def expected(boxes: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]]) -> dict[str, tuple[float, str]]:
    """The lowest box of each group that is not connected with the floor, and how far and onto what it falls."""

    def share(a: str, b: str, axis: int) -> int:
        """By how much two boxes overlap along an axis; zero: they touch."""
        return min(boxes[a][1][axis], boxes[b][1][axis]) - max(boxes[a][0][axis], boxes[b][0][axis])

    def meet(a: str, b: str) -> bool:
        """Whether two boxes hold each other: they touch or overlap, or one contains the other."""
        return min(share(a, b, axis) for axis in range(3)) >= 0

    group = {name: {name} for name in boxes}
    for a, b in itertools.combinations(boxes, 2):
        if meet(a, b) and group[a] is not group[b]:
            group[a] |= group[b]
            for one in group[b]:
                group[one] = group[a]
    result = {}
    for members in {id(one): one for one in group.values()}.values():
        if "Floor" in members:
            continue
        drops = {
            (boxes[one][0][2] - boxes[other][1][2], other)
            for one in members
            for other in boxes.keys() - members
            if share(one, other, 0) > 0 and share(one, other, 1) > 0 and boxes[other][1][2] <= boxes[one][0][2]
        }
        least = min(drop for drop, _ in drops)
        result[frozenset(members)] = least, {other for drop, other in drops if drop == least}
    return result


@pytest.mark.parametrize("seed", [0, 1, 2, *slow(*range(3, 7))])
def test_random_towers_of_boxes_agree_with_whole_numbers(seed: int) -> None:
    rng = random.Random(seed)
    boxes = {"Floor": ((-20, -20, -2), (20, 20, 0))}
    for number in range(25):
        low = [rng.randrange(-8, 8), rng.randrange(-8, 8), rng.choice([0, 1, 2, 3, 4, 6, 8])]
        size = [rng.randrange(1, 5) for _ in range(3)]
        boxes[f"Box {number}"] = tuple(low), tuple(a + b for a, b in zip(low, size, strict=True))
    for name, (low, high) in boxes.items():
        half = [(b - a) / 2 for a, b in zip(low, high, strict=True)]
        add(name, cube_mesh(half), at=[(a + b) / 2 for a, b in zip(low, high, strict=True)])
    bpy.context.view_layer.update()
    told = {frozenset({one.object, *one.others}): one for one in api.floating()}
    truth = expected(boxes)
    assert set(told) == set(truth)
    for members, (drop, onto) in truth.items():
        assert told[members].drop == pytest.approx(drop, abs=ROUNDING)
        assert told[members].onto in onto


def checked(tmp_path: Path, *options: str) -> tuple[int, dict, str, str]:
    """The exit code of a check of the scene, and its reports: JSON, JUnit and text."""
    files = [tmp_path / name for name in ("report.json", "report.xml", "report.txt")]
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    code = commands.command(["check", str(path), *(f"--output={file}" for file in files), *options])
    data, suite, text = (file.read_text(encoding="utf-8") for file in files)
    return code, json.loads(data), suite, text


def test_the_command_line_lists_them_in_every_format(tmp_path: Path) -> None:
    room()
    crate("Standing", 0, 0, 0.5)
    bpy.context.view_layer.update()
    code, data, suite, text = checked(tmp_path, "--floating")
    assert (code, data["floating"]) == (0, [])
    assert "Nothing floats." in text
    crate("Lamp", 0, 3, 2.495)
    crate("On it", 0, 3, 1.495)
    crate("Beside the level", 40, 0, 0)
    bpy.context.view_layer.update()
    code, data, suite, text = checked(tmp_path)
    assert (code, data["floating"]) == (0, None)
    assert not mistakes("check", data)
    code, data, suite, text = checked(tmp_path, "--floating")
    assert code == 1
    assert not mistakes("check", data)
    lamp, beside = data["floating"]
    assert lamp == {
        "object": "On it",
        "others": ["Lamp"],
        "drop": pytest.approx(0.995, abs=ROUNDING),
        "onto": "Floor",
        "distance": pytest.approx(0.005, abs=ROUNDING),
        "nearest": "Ceiling",
    }
    assert beside == {
        "object": "Beside the level", "others": [], "drop": None, "onto": None, "distance": None, "nearest": None
    }  # fmt: skip
    assert 'On it: It is 0.995 m above "Floor", and 0.005 m away from "Ceiling". 1 other object is held only' in text
    cases = {case.get("name"): case for case in ElementTree.fromstring(suite).iter("testcase")}
    assert cases["On it: floating"].find("failure").get("type") == "floating"
    # What fails nothing is listed, and passes.
    code, data, suite, text = checked(tmp_path, "--floating", "--fail-on=none")
    assert (code, len(data["floating"])) == (0, 2)
    assert ElementTree.fromstring(suite).get("failures") == "0"
    assert checked(tmp_path, "--floating", "--ground=*")[0] == 0
    code, data, *_ = checked(tmp_path, "--floating", "--held-below", "--ground=Floor")
    assert {one["object"] for one in data["floating"]} == {"On it", "Beside the level"}


@pytest.mark.parametrize("options", [["--ground=Floor"], ["--held-below"]])
def test_what_belongs_to_floating_needs_it(options: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert commands.command(["check", *options]) == 2
    assert f"{options[0].partition('=')[0]} needs --floating" in capfd.readouterr().err


def test_the_panel_lists_them_and_drops_them_until_nothing_floats() -> None:
    room()
    crate("Near", 0, 0, 0.55)
    crate("On it", 0, 0, 1.55)
    crate("High", -3, -3, 2.0)
    crate("Beside the level", 40, 0, 0)
    bpy.context.view_layer.update()
    ops = bpy.ops.collision_kit
    assert ops.find_floating() == {"FINISHED"}
    kept = floating_results.latest.result
    assert [one.object for one in kept.found] == ["Near", "High", "Beside the level"]
    listed = bpy.context.window_manager.collision_kit.floating
    assert len(listed.rows) == 3
    listed.active = 0
    assert {ob.name for ob in bpy.context.selected_objects} == {"Near", "On it"}
    texts = " ".join(drawn(COLLISION_KIT_PT_floating, bpy.context).texts).replace("\N{NO-BREAK SPACE}", " ")
    assert 'It is 50 mm above "Floor". 1 other object is held only by it.' in texts
    assert ops.drop_to_surface(direction="GRAVITY", floating=0) == {"FINISHED"}
    assert bpy.data.objects["Near"].location.z == pytest.approx(0.5, abs=ROUNDING)
    assert bpy.data.objects["On it"].location.z == pytest.approx(1.5, abs=ROUNDING)
    assert [one.object for one in floating_results.latest.result.found] == ["High", "Beside the level"]
    # What has nothing below it stays.
    assert ops.drop_to_surface(direction="GRAVITY", floating=-2) == {"FINISHED"}
    assert bpy.data.objects["High"].location.z == pytest.approx(0.5, abs=ROUNDING)
    assert [one.object for one in floating_results.latest.result.found] == ["Beside the level"]
    assert ops.select_floating() == {"FINISHED"}
    assert [ob.name for ob in bpy.context.selected_objects] == ["Beside the level"]
    assert ops.select_floating(row=7) == {"CANCELLED"}
    bpy.context.scene.collision_kit.floating.ground = "Floor, Beside*"
    assert ops.find_floating() == {"FINISHED"}
    assert "Nothing floats" in drawn(COLLISION_KIT_PT_floating, bpy.context).texts
    assert ops.clear_floating() == {"FINISHED"}
    assert not ops.select_floating.poll()
    assert not ops.clear_floating.poll()


def test_what_floats_together_drops_together_even_if_it_penetrates(capsys: pytest.CaptureFixture[str]) -> None:
    room()
    crate("Shade", 0, 0, 1.5)
    crate("Bulb", 0, 0, 1.9, half=0.2)
    crate("Switch", 0.5, 0, 1.9, half=0.1)
    crate("Alone", 3, 3, 2.0)
    bpy.context.view_layer.update()
    ops = bpy.ops.collision_kit
    assert ops.find_floating() == {"FINISHED"}
    assert [(one.object, len(one.others)) for one in floating_results.latest.result.found] == [
        ("Shade", 2),
        ("Alone", 0),
    ]
    assert ops.drop_to_surface(direction="GRAVITY", floating=-2) == {"FINISHED"}
    heights = {name: bpy.data.objects[name].location.z for name in ("Shade", "Bulb", "Switch", "Alone")}
    assert heights == pytest.approx({"Shade": 0.5, "Bulb": 0.9, "Switch": 0.9, "Alone": 0.5}, abs=ROUNDING)
    assert floating_results.latest.result.found == ()
    assert "not moved" not in capsys.readouterr().out


def test_a_drop_of_a_row_is_named_after_its_lowest_object(capsys: pytest.CaptureFixture[str]) -> None:
    room()
    crate("Upper", 0, 0, 2.0)
    crate("Lower", 0, 0, 1.0)
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.find_floating()
    bpy.ops.collision_kit.drop_to_surface(direction="GRAVITY", floating=0)
    assert '"Lower" moved by 500 mm along −Z and now touches "Floor"' in capsys.readouterr().out.replace("\xa0", " ")


def test_what_is_inside_a_sky_drops_as_far_as_the_list_says(capsys: pytest.CaptureFixture[str]) -> None:
    room()
    crate("Sky", 0, 0, 0, half=30.0)
    crate("Lamp", 0, 0, 1.0, half=0.1)
    bpy.context.view_layer.update()
    bpy.context.scene.collision_kit.floating.ground = "Floor, Sky"
    bpy.ops.collision_kit.find_floating()
    (one,) = floating_results.latest.result.found
    assert (one.object, one.onto) == ("Lamp", "Floor")
    assert bpy.ops.collision_kit.drop_to_surface(direction="GRAVITY", floating=-2) == {"FINISHED"}
    assert bpy.data.objects["Lamp"].location.z == pytest.approx(1.0 - one.drop, abs=ROUNDING)
    assert "push the two apart" not in capsys.readouterr().out


def sidebar(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    """Give the sidebar a width, in pixels at a resolution scale of 1, and each letter one of 7."""
    for module in (name_row, floating_panel):
        monkeypatch.setattr(module, "scale", lambda _context: 1.0)
        monkeypatch.setattr(module, "measure", lambda _context: lambda text: 7.0 * len(text))
    monkeypatch.setattr(name_row, "sidebar_width", lambda _context: width)


@pytest.mark.parametrize("width", [160.0, 200.0, 240.0, 280.0, 400.0])
def test_a_row_of_any_width_tells_names_apart_and_cuts_no_value(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    room()
    names = ("SM_Kitchen_Cup_left_01", "SM_Kitchen_Cup_left_02", "SM_Kitchen_Cup_left_03")
    for name, at in zip(names, ((0, 0, 0.9), (-3, -3, 2.0), (40, 0, 0)), strict=True):
        crate(name, *at)
    crate("On it", 0, 0, 1.9)
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.find_floating()
    sidebar(monkeypatch, width)
    rows = [drawn_row(floating_panel.COLLISION_KIT_UL_floating, bpy.context, row).texts for row in range(3)]
    assert [row[1:] for row in rows] == [["+1", "400 mm"], ["1.5 m"], ["Nothing Below"]]
    shown = [row[0] for row in rows]
    assert len(set(shown)) == 3
    assert all(re.fullmatch(re.escape(one).replace("…", ".+"), name) for one, name in zip(shown, names, strict=True))
    for name, values in zip(shown, rows, strict=True):
        # Beside the name are the values in a wide sidebar, and nothing in a narrow one.
        beside = 7.0 * sum(map(len, values[1:])) + name_row.PADDING if width >= 400.0 else 0.0
        assert 7.0 * len(name) + beside <= max(width - name_row.BESIDE - 24.0, 7.0)


@pytest.mark.parametrize(("width", "beside"), [(160.0, False), (400.0, True)])
def test_below_a_name_a_value_has_the_whole_width(monkeypatch: pytest.MonkeyPatch, width: float, beside: bool) -> None:
    """The button that drops an object is in the line of its name, where the value may be, too."""
    room()
    crate("Lamp", 40, 0, 0)
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.find_floating()
    sidebar(monkeypatch, width)
    with_button, with_value = list[Recorder](), list[Recorder]()

    class Watched(Recorder):
        def _part(self, **_options: object) -> Recorder:
            self.parts.append(Watched(self))
            return self.parts[-1]

        def operator(self, name: str, **options: object) -> object:
            (with_button if name == "collision_kit.drop_to_surface" else with_value).append(self)
            return super().operator(name, **options)

        def label(self, **options: object) -> None:
            if options.get("text") == "Nothing Below":
                with_value.append(self)
            super().label(**options)

    def within(part: Recorder) -> list[Recorder]:
        return [part, *(one for inner in part.parts for one in within(inner))]

    monkeypatch.setattr(panel_recorder, "Recorder", Watched)
    drawn_row(floating_panel.COLLISION_KIT_UL_floating, bpy.context, 0)
    (line,), (value,) = with_button, with_value
    assert (value in within(line)) == beside


def shown() -> Primitives:
    primitives = on_screen()
    assert primitives is not None
    return primitives


def test_each_floating_object_is_drawn_with_its_way_down_in_words() -> None:
    room()
    crate("Near", 0, 0, 0.62)
    crate("High", -3, -3, 2.25)
    crate("Beside the level", 40, 0, 0)
    bpy.context.view_layer.update()
    assert bpy.ops.collision_kit.find_floating() == {"FINISHED"}
    kept, drawn = floating_results.latest.result, shown()
    assert kept is not None and kept.chosen == 0
    assert list(map(str, drawn.labels)) == [
        "Near: 120 mm above Floor",
        "High: 1.75 m above Floor",
        "Beside the level: nothing below",
    ]
    assert np.count_nonzero(drawn.line_role == Role.FLOATING) == 3 * 12
    assert [(role, str(text)) for role, text in drawn.legend] == [((Role.FLOATING,), "held by nothing")]
    # The chosen one is filled, and its label comes first.
    filled = drawn.triangles[drawn.triangle_role == Role.FLOATING]
    assert np.abs(filled[..., :2]).max() == pytest.approx(0.5)
    bpy.context.window_manager.collision_kit.floating.active = 1
    drawn = shown()
    assert str(drawn.labels[0]) == "High: 1.75 m above Floor"
    assert drawn.triangles[..., 0].max() == pytest.approx(-2.5)


def test_the_way_down_leads_from_the_object_to_what_is_below_it() -> None:
    room()
    add("Bracket", l_mesh(), at=(-3, -3, 1.5), rotation_euler=(0.3, 0.4, 0.5))
    crate("Crate", 2, 2, 1.0)
    crate("On it", 2.4, 2, 2.0)
    crate("Lamp", 0, 0, 2.495)
    search = find_floating(bpy.context, FloatingRequest())
    assert {one.object for one in search.found} == {"Bracket", "Crate", "Lamp"}
    for one, (begin, end), (low, high) in zip(search.found, search.evidence.drop, search.evidence.bounds, strict=True):
        np.testing.assert_allclose(begin - end, (0.0, 0.0, one.drop), atol=ROUNDING)
        assert end[2] == pytest.approx(0.0, abs=ROUNDING)
        assert (low - ROUNDING <= begin).all() and (begin <= high + ROUNDING).all()
        assert begin[2] == pytest.approx(low[2], abs=ROUNDING)
    names = [one.object for one in search.found]
    lamp, ceiling = search.evidence.near[names.index("Lamp")]
    assert (lamp[2], ceiling[2]) == pytest.approx((2.995, 3.0), abs=ROUNDING)
    assert np.isnan(search.evidence.near[names.index("Crate")]).all()
    assert bpy.ops.collision_kit.find_floating() == {"FINISHED"}
    assert bpy.ops.collision_kit.select_floating(row=names.index("Lamp")) == {"FINISHED"}
    assert {"Lamp: 1.995 m above Floor", "5 mm from Ceiling"} <= set(map(str, shown().labels))


def test_the_view_shows_a_floating_object_with_what_is_below_unless_that_is_far_away() -> None:
    room()
    crate("Near", 0, 0, 0.62)
    crate("Very high", -3, -3, 2.5, half=0.01)
    bpy.context.view_layer.update()
    assert bpy.ops.collision_kit.find_floating() == {"FINISHED"}
    kept = floating_results.latest.result
    assert kept is not None
    near, high = (floating_overlay.place_of(kept, row) for row in range(2))
    assert np.linalg.norm(near.center - (0.0, 0.0, 0.56)) < 1e-5 and 1.4 < near.radius < 2.0
    assert abs(high.center[2] - 2.5) < high.radius < 0.3, "it would not be seen from where the floor is seen as well"
    assert any(beside_axis(look, near.center) < 0.1 for look in looks())


def test_the_drawing_goes_with_a_change_and_moves_on_with_a_drop() -> None:
    room()
    crate("Near", 0, 0, 0.62)
    crate("High", -3, -3, 2.25)
    crate("Sunk", 3, 3, 0.4)
    bpy.context.view_layer.update()
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert bpy.ops.collision_kit.find_floating() == {"FINISHED"}
    assert floating_overlay.is_drawn()
    assert bpy.ops.collision_kit.drop_to_surface(direction="GRAVITY", floating=0) == {"FINISHED"}
    assert floating_overlay.is_drawn(), "and not the pair that the check has chosen"
    assert list(map(str, shown().labels)) == ["High: 1.75 m above Floor"]
    bpy.data.objects["High"].location.x += 1.0
    bpy.context.view_layer.update()
    events.on_settled.publish()
    assert not floating_overlay.is_drawn()
    assert bpy.ops.collision_kit.find_floating() == {"FINISHED"}
    assert floating_overlay.is_drawn()
    assert bpy.ops.collision_kit.clear_floating() == {"FINISHED"}
    assert not floating_overlay.is_drawn()
