# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of the panels, drawn without a window."""

import re
from collections.abc import Callable
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from collision_kit.addon.i18n.units import (
    FIXED_UNITS,
    contact_text,
    decided_text,
    direction_text,
    gap_text,
    length_text,
)
from collision_kit.addon.i18n.wrapping import ShortNames, unbroken, wrapped
from collision_kit.addon.model.folds import Fold, FoldKind
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui import operators, panels
from collision_kit.addon.ui.panels import name_row, pair_list
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.panels.check import COLLISION_KIT_PT_check
from collision_kit.addon.ui.panels.fixes import COLLISION_KIT_PT_fixes
from collision_kit.addon.ui.panels.issues import COLLISION_KIT_PT_issues, COLLISION_KIT_PT_skipped
from collision_kit.addon.ui.panels.object import COLLISION_KIT_PT_object
from collision_kit.addon.ui.panels.pair_list import COLLISION_KIT_UL_pairs
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.addon.ui.result_list.view import NONE
from collision_kit.addon.viewport import stage
from collision_kit.core import Verdict
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add, cube_mesh, with_setting
from tests.helpers.blender.checked_scene import add_cube, check, look
from tests.helpers.blender.panel_recorder import Recorder, drawn, drawn_row, stand_in


@pytest.fixture(autouse=True)
def four_cubes(scene: bpy.types.Scene) -> None:
    checked_scene.build()


def shown(panel: type[bpy.types.Panel]) -> Recorder:
    recorder = drawn(panel, bpy.context)
    assert recorder is not None
    return recorder


def sentence(texts: list[str]) -> str:
    """Text that was broken into lines, as one line again."""
    return " ".join(texts).replace("\N{NO-BREAK SPACE}", " ")


def rows() -> list[Recorder]:
    assert last_check.report is not None
    return [drawn_row(COLLISION_KIT_UL_pairs, bpy.context, row) for row in range(len(last_check.report.pairs))]


def test_without_a_check_there_are_settings_only() -> None:
    bpy.context.view_layer.objects.active = None
    visible = [
        panel.__name__ for panel in panels.CLASSES if issubclass(panel, bpy.types.Panel) and drawn(panel, bpy.context)
    ]
    assert visible == [
        f"COLLISION_KIT_PT_{name}"
        for name in (
            "check_presets",
            "name_presets",
            "character_presets",
            "check",
            "rules",
            "colliders",
            "validation",
            "validation_limits",
            "coverage",
            "motion",
            "probe",
        )
    ]


@pytest.mark.parametrize(
    ("scope", "mode", "fields"),
    [
        ("VISIBLE", "AUTOMATIC", {"scope", "clearance", "touching_mode"}),
        ("COLLECTION", "AUTOMATIC", {"scope", "collection_a", "clearance", "touching_mode"}),
        (
            "COLLECTIONS",
            "MANUAL",
            {"scope", "collection_a", "collection_b", "clearance", "touching_mode", "touching"},
        ),
    ],
)
def test_only_settings_that_matter_are_shown(scope: str, mode: str, fields: set[str]) -> None:
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.touching_mode = scope, mode
    recorder = shown(panels.COLLISION_KIT_PT_check)
    assert {name for _, name in recorder.props} == {
        *(*fields, "include_operands", "loose_parts", "self_check", "live"),
        *("parts", "one_thing", "static", "surroundings"),
    }
    assert recorder.operators == ["collision_kit.check_collisions"]


def test_the_results_are_counted_by_verdict() -> None:
    check()
    recorder = shown(COLLISION_KIT_PT_results)
    assert recorder.texts[:3] == ["1 penetrating", "1 touching", "1 within clearance"]
    assert [name for _, name in recorder.props][:3] == ["penetrating", "touching", "within_clearance"]
    assert "4 bodies tested" in recorder.texts


def test_no_collisions_are_said_in_so_many_words() -> None:
    bpy.data.objects.remove(bpy.data.objects["Second"])
    bpy.context.scene.collision_kit.clearance = 0.0
    check()
    recorder = shown(COLLISION_KIT_PT_results)
    assert "No collisions" in recorder.texts
    assert "3 bodies tested" in recorder.texts
    assert recorder.lists == []


def test_too_few_bodies_are_not_called_free_of_collisions() -> None:
    for name in ("Second", "Third", "Fourth"):
        bpy.data.objects.remove(bpy.data.objects[name])
    check()
    texts = sentence(shown(COLLISION_KIT_PT_results).texts)
    assert "fewer than two bodies" in texts
    assert "No collisions" not in texts


def test_each_row_shows_both_names_and_the_length_in_the_scenes_unit() -> None:
    check()
    assert [row.texts for row in rows()] == [
        ["First", "Second", "500 mm"],
        ["Second", "Third", "0 mm"],
        ["Fourth", "Third", "250 mm"],
    ]
    bpy.context.scene.unit_settings.length_unit = "CENTIMETERS"
    assert rows()[0].texts[-1] == "50 cm"
    bpy.context.scene.unit_settings.scale_length = 0.01
    assert rows()[0].texts[-1] == "0.5 cm"


@pytest.mark.parametrize("pixels", [1.0, 1.5])
@pytest.mark.parametrize("width", range(140, 490, 10))
def test_a_row_of_any_width_tells_two_names_apart_and_shows_the_depth(
    monkeypatch: pytest.MonkeyPatch, width: float, pixels: float
) -> None:
    """Long names stand below each other; the depth is beside the first one.

    In a narrow sidebar it is beside the second one or, where it would leave too little for that name, below both.
    """
    for name, ob in (("SM_Kitchen_Cupboard_Door_left.001", "First"), ("SM_Kitchen_Cupboard_Door_left.002", "Second")):
        bpy.data.objects[ob].name = name
    check()
    monkeypatch.setattr(name_row, "sidebar_width", lambda _context: width * pixels)
    monkeypatch.setattr(name_row, "scale", lambda _context: pixels)
    monkeypatch.setattr(name_row, "measure", lambda _context: lambda text: 7.0 * pixels * len(text))
    left = width - name_row.BESIDE - name_row.ICON
    narrow = left < pair_list.LENGTH + 2.0 * name_row.LEAST_NAME
    below = left < pair_list.LENGTH + name_row.LEAST_NAME
    last_check.chosen = -1
    row = next(row for row in rows() if "500 mm" in row.texts)
    depth = row.texts.pop(row.texts.index("500 mm"))
    first, second = row.texts
    # Their 32 letters lose more than a third in any of these widths, if they are beside each other.
    least = pair_list.LENGTH * (not below) + name_row.LEAST_NAME + 14.0
    assert second.startswith("× ") == (not narrow or left >= least)
    second = second.removeprefix("× ")
    assert first != second
    assert re.fullmatch(re.escape(first).replace("…", ".+"), "SM_Kitchen_Cupboard_Door_left.001")
    assert re.fullmatch(re.escape(second).replace("…", ".+"), "SM_Kitchen_Cupboard_Door_left.002")
    room = left - name_row.PADDING
    beside_first, beside_second = pair_list.LENGTH * (not narrow), pair_list.LENGTH * (narrow and not below)
    assert 7 * len(first) <= max(room - beside_first, 7)
    assert 7 * len(second) <= max(room - beside_second, 7)
    assert width < 170 or min(len(first), len(second)) >= 6
    assert row.operators == ["collision_kit.select_pair"], "a click on the second line chooses the row, too"
    last_check.chosen = next(at for at, one in enumerate(last_check.report.pairs) if abs(one.gap + 0.5) < 1e-6)
    row = next(row for row in rows() if "500 mm" in row.texts)
    # What is not in the first line is in the color of text outside the highlight, which is that line.
    assert row.operators == ["collision_kit.select_pair"] * (1 + narrow)
    assert depth == "500 mm"


@pytest.mark.parametrize(("letters", "both", "one"), [(5, 1, 1), (12, 1, 1), (20, 2, 1), (40, 2, 2)])
def test_a_row_with_long_names_has_two_lines_and_the_others_have_one(
    monkeypatch: pytest.MonkeyPatch, letters: int, both: int, one: int
) -> None:
    names = {"First": "1".rjust(letters, "N"), "Second": "2".rjust(letters, "N")}
    for before, now in names.items():
        bpy.data.objects[before].name = now
    check()
    monkeypatch.setattr(name_row, "sidebar_width", lambda _context: 292.0)
    monkeypatch.setattr(name_row, "scale", lambda _context: 1.0)
    monkeypatch.setattr(name_row, "measure", lambda _context: lambda text: 6.0 * len(text))
    found, counts = rows(), []
    assert last_check.report is not None
    for row, pair in zip(found, last_check.report.pairs, strict=True):
        bodies = {last_check.body_name(body) for body in last_check.bodies_of(pair)}
        counts.append(1 + any(text.startswith("× ") for text in row.texts))
        assert counts[-1] == {0: 1, 1: one, 2: both}[len(bodies & set(names.values()))]
        if both == 2 and bodies == set(names.values()):
            # More of both is left than beside each other.
            assert min(len(text.removeprefix("× ")) for text in row.texts if text[-1] in "12") >= 16
    assert counts.count(1) >= 1 and len(counts) >= 3
    lines = results_rows.lines(bpy.context.window_manager.collision_kit)
    first = panels.list_rows.first_names(last_check, last_check.report.pairs, lines, 10)
    for most in range(1, 9):
        shown = name_row.row_count(bpy.context, [pair_list.LENGTH], first, most, 0)
        assert sum(counts[:shown]) <= most
        assert shown == len(counts) or sum(counts[: shown + 1]) > most


@pytest.mark.parametrize(("width", "above"), [(190.0, True), (292.0, False)])
def test_a_button_without_room_for_the_direction_has_it_above(
    monkeypatch: pytest.MonkeyPatch, width: float, above: bool
) -> None:
    check()
    last_check.chosen = next(at for at, one in enumerate(last_check.report.pairs) if abs(one.gap + 0.5) < 1e-6)
    monkeypatch.setattr(panels.fixes, "sidebar_width", lambda _context: width)
    monkeypatch.setattr(panels.fixes, "scale", lambda _context: 1.0)
    monkeypatch.setattr(panels.fixes, "measure", lambda _context: lambda text: 9.0 * len(text))
    texts = shown(COLLISION_KIT_PT_fixes).texts
    assert texts.count("500 mm") == (2 if above else 0)
    assert not above or sum("along" in text and ":" in text for text in texts) == 2


def test_buttons_whose_texts_do_not_fit_beside_each_other_are_below_each_other() -> None:
    class Layout:
        row = staticmethod(lambda **_options: "row")
        column = staticmethod(lambda **_options: "column")

    texts = ("Select Colliders", "Copy Settings")
    for width, wanted in ((220, "column"), (290, "row")):
        context = SimpleNamespace(region=SimpleNamespace(width=width), preferences=bpy.context.preferences)
        assert panels.layout.buttons(Layout, context, *texts) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [160.0, 400.0])
def test_a_narrow_sidebar_cuts_no_title_count_or_setting(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    check()
    monkeypatch.setattr(panels.layout, "sidebar_width", lambda _context: width)
    narrow = width < panels.layout.NARROW
    settings = shown(COLLISION_KIT_PT_check)
    assert ("Check Presets" in settings.texts) == ({"Scope", "Clearance"} <= set(settings.texts)) == narrow
    # Beside each count, a button would leave it too little room.
    assert ("collision_kit.select_by_verdict" in shown(COLLISION_KIT_PT_results).operators) == (not narrow)


@pytest.mark.parametrize("width", [150.0, 180.0, 400.0])
def test_a_count_that_is_too_long_for_its_line_continues_below(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    bpy.context.scene.collision_kit.clearance = 0.5
    check()
    for module in (panels.layout, panels.list_rows):
        monkeypatch.setattr(module, "sidebar_width", lambda _context: width)
        monkeypatch.setattr(module, "measure", lambda _context: lambda text: 7.0 * len(text))
    texts = shown(COLLISION_KIT_PT_results).texts
    first = next(text for text in texts if re.match(r"\d+ within", text))
    place = texts.index(first)
    room = width - panels.list_rows.SWITCH
    assert 7.0 * len(first) <= room
    whole = first if first.endswith("clearance") else f"{first} {texts[place + 1]}"
    assert re.fullmatch(r"\d+ within clearance", whole)
    assert (whole == first) == (7.0 * len(whole) <= room), "below only if it must be"


@pytest.mark.parametrize("width", [160.0, 220.0, 400.0])
def test_a_line_of_folded_pairs_is_wrapped(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    class Rows(panels.list_rows.ListRows):
        def listed(self) -> SimpleNamespace:
            lines = SimpleNamespace(pair=[NONE], body=[NONE], fold=[0], folds=[(Fold(FoldKind.COPIES, "Crate"), 1)])
            return SimpleNamespace(lines=lambda _list: lines, view=SimpleNamespace(is_open=lambda _fold: False))

        def settings(self, context: bpy.types.Context) -> None:
            return None

    monkeypatch.setattr(panels.list_rows, "sidebar_width", lambda _context: width)
    monkeypatch.setattr(panels.list_rows, "measure", lambda _context: lambda text: 6.0 * len(text))
    recorded = Recorder()
    Rows().draw_item(bpy.context, recorded, None, None, 0, None, "", 0)
    assert " ".join(recorded.texts) == "1 pair of copies of Crate"
    assert len(recorded.texts) == {160.0: 3, 220.0: 2, 400.0: 1}[width]
    assert all(6.0 * len(text) <= width - name_row.BESIDE - name_row.ICON for text in recorded.texts)


@pytest.mark.parametrize("width", [170.0, 400.0])
def test_in_a_narrow_sidebar_the_name_of_the_plane_is_above_it(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    settings = bpy.context.scene.collision_kit
    settings.planar.dimension = "PLANE"
    monkeypatch.setattr(panels.layout, "sidebar_width", lambda _context: width)
    try:
        assert ("Plane" in shown(COLLISION_KIT_PT_check).texts) == (width < 200.0)
    finally:
        settings.planar.property_unset("dimension")


def test_a_button_in_a_header_covers_no_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels.layout, "scale", lambda _context: 1.0)
    monkeypatch.setattr(panels.layout, "measure", lambda _context: lambda text: 6.0 * len(text))
    # The title, and the arrow, the button, the grip and the tabs beside it.
    for title, least in (("Walk the Level", 196.0), ("레벨 걷기", 142.0)):
        for width, wanted in ((least - 1.0, False), (least, True)):
            monkeypatch.setattr(panels.layout, "sidebar_width", lambda _context, width=width: width)
            assert panels.layout.has_header_room(bpy.context, title) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("motion", {"Frames", "Deviation", "Clearance"}),
        ("colliders", {"Engine", "Fit To", "Max Vertices", "Min Thickness", "Max Gap", "Quality"}),
        ("coverage", {"Objects", "Max Outside", "Max Inside"}),
        ("probe", {"Objects", "Character", "Radius", "Height", "Step Height", "Max Slope", "Max Drop"}),
        ("camera", {"Objects", "Frames", "Method"}),
        ("validation", {"Engine", "Objects"}),
        ("floating", {"Gap", "Ground"}),
    ],
)
def test_in_a_narrow_sidebar_names_of_settings_are_above_their_fields(
    name: str, wanted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = getattr(getattr(panels, name), f"COLLISION_KIT_PT_{name}")
    # Some are hidden until they have results.
    monkeypatch.setattr(panel, "poll", lambda _context: True)
    assert not wanted & set(shown(panel).texts)
    monkeypatch.setattr(panels.layout, "sidebar_width", lambda _context: 170.0)
    assert wanted <= set(shown(panel).texts)


@pytest.mark.parametrize(("width", "lines"), [(300, 1), (170, 2)])
def test_a_name_has_a_line_of_its_own_where_values_would_leave_it_no_room(
    width: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("sidebar_width", lambda _context: width),
        ("scale", lambda _context: 1.0),
        ("measure", lambda _context: lambda text: 7.0 * len(text)),
    ):
        monkeypatch.setattr(name_row, name, value)
    values = [name_row.Value("0.12 m", 62), name_row.Value("0.1 m", 62)]
    assert name_row.line_count(bpy.context, [62, 62], ["Floor"]) == lines
    recorded = Recorder()
    short = ShortNames(["Floor"])
    name_row.draw_names(bpy.context, recorded, ["Floor"], values, short, "CHECKMARK")
    assert recorded.texts == ["Floor", "0.12 m", "0.1 m"]


def test_of_a_duplicate_the_copy_is_selected_and_nothing_is_pushed() -> None:
    copy = bpy.data.objects["First"].copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    check()
    report = last_check.report
    assert report is not None
    last_check.chosen = next(row for row, pair in enumerate(report.pairs) if pair.verdict == Verdict.DUPLICATE)
    assert "collision_kit.select_duplicates" in shown(COLLISION_KIT_PT_fixes).operators
    assert "collision_kit.push_apart" not in shown(COLLISION_KIT_PT_fixes).operators


def test_a_changed_row_is_dimmed_and_a_deleted_one_unavailable() -> None:
    check()
    assert [(row.parts[0].active, row.parts[0].enabled) for row in rows()] == [(True, True)] * 3
    bpy.data.objects["Third"].location.y = 0.1
    bpy.data.objects.remove(bpy.data.objects["First"])
    look()
    assert "The scene has changed since this check" in sentence(shown(COLLISION_KIT_PT_results).texts)
    assert [(row.parts[0].active, row.parts[0].enabled) for row in rows()] == [
        (False, False),
        (False, True),
        (False, True),
    ]


def test_the_chosen_pair_is_explained() -> None:
    check()
    texts = shown(COLLISION_KIT_PT_pair).texts
    assert texts[:2] == ["Penetrating", "500 mm inside"]
    advice, details = texts[2 : texts.index("Details")], texts[texts.index("Details") + 1 :]
    assert sentence(advice) == 'To separate: move "First" by 500 mm along −X'
    assert details[:4] == ["First", "box (setting)", "Second", "box (setting)"]
    assert details.pop() == "Status: No status"
    details = details[4:]
    facts = dict(zip(details[::2], details[1::2], strict=True))
    assert facts == {"Axis": "+X", "Contacts": "4", "Friction": "0.5", "Bounciness": "0"}
    bpy.context.view_layer.objects.active = bpy.data.objects["Second"]
    texts = shown(COLLISION_KIT_PT_pair).texts
    advice = sentence(texts[2 : texts.index("Details")])
    assert advice == 'To separate: move "Second" by at least 500 mm along +X "Third" is in the way', "the active object"


def test_of_a_touching_pair_the_panel_says_that_it_is_fine() -> None:
    bpy.data.objects["Second"].location.x += 0.5
    check()
    report = last_check.report
    assert report is not None
    last_check.chosen = next(row for row, pair in enumerate(report.pairs) if pair.verdict == Verdict.TOUCHING)
    assert shown(COLLISION_KIT_PT_pair).texts[:2] == ["Touching", "No fault: nothing to fix"]


def test_of_parts_of_one_instance_the_panel_says_why_nothing_is_pushed() -> None:
    bpy.data.batch_remove([bpy.data.objects[name] for name in ("Third", "Fourth")])
    inner = bpy.data.collections.new("Parts")
    for name in ("First", "Second"):
        inner.objects.link(bpy.data.objects[name])
        bpy.context.scene.collection.objects.unlink(bpy.data.objects[name])
    lamp = bpy.data.objects.new("Lamp", None)
    lamp.instance_type, lamp.instance_collection = "COLLECTION", inner
    bpy.context.scene.collection.objects.link(lamp)
    check()
    drawn_fixes = shown(COLLISION_KIT_PT_fixes)
    assert 'Both are parts of "Lamp", which moves as a whole.' in sentence(drawn_fixes.texts)
    assert "collision_kit.push_apart" not in drawn_fixes.operators
    assert not any("To separate" in text for text in shown(COLLISION_KIT_PT_pair).texts)
    with pytest.raises(RuntimeError, match="parts of one object"):
        bpy.ops.collision_kit.push_apart(objects="A")


def test_a_parent_that_takes_the_other_with_it_has_no_button() -> None:
    child = bpy.data.objects["Second"]
    child.parent = bpy.data.objects["First"]
    child.matrix_parent_inverse = child.parent.matrix_world.inverted()
    bpy.context.view_layer.update()
    check()
    report = last_check.report
    assert report is not None
    row = next(row for row, pair in enumerate(report.pairs) if last_check.pair_name(pair) == "First × Second")
    assert bpy.ops.collision_kit.select_pair(row=row) == {"FINISHED"}
    bpy.context.view_layer.objects.active = child.parent
    texts = shown(COLLISION_KIT_PT_fixes).texts
    assert not any(text.startswith("First: ") for text in texts)
    assert any(text.startswith("Second: ") for text in texts)


def test_a_mesh_is_said_once_and_counted() -> None:
    bpy.ops.mesh.primitive_torus_add(major_segments=12, minor_segments=6, major_radius=1.0, minor_radius=0.25)
    torus = bpy.context.object
    torus.name = "Aaa torus"
    torus.location = bpy.data.objects["First"].location
    check()
    texts = shown(COLLISION_KIT_PT_pair).texts
    assert texts[texts.index("Details") + 1] == "Aaa torus"
    assert sentence(texts).count("mesh") == 1
    assert "72 vertices, 144 triangles" in sentence(texts[texts.index("Details") :])


def test_what_the_explanation_advises_is_true() -> None:
    check()
    bpy.data.objects["Second"].location.x += 0.5
    check()
    assert last_check.report is not None
    assert all(pair.distance > -1e-6 for pair in last_check.report.pairs if "First" in last_check.pair_name(pair))


def test_a_floor_is_not_what_is_to_be_moved() -> None:
    floor = bpy.data.objects.new("Zzz floor", None)
    bpy.context.scene.collection.objects.link(floor)
    floor.location.z, floor.collision_kit.shape = -0.75, "HALF_SPACE"
    for name in ("Second", "Third", "Fourth"):
        bpy.data.objects.remove(bpy.data.objects[name])
    check()
    assert last_check.report is not None
    assert last_check.report.shapes[last_check.report.pairs[0].shape_b].kind == "half-space"
    assert 'To separate: move "First" by 250 mm along +Z' in sentence(shown(COLLISION_KIT_PT_pair).texts)


def test_a_gap_gets_no_advice() -> None:
    check()
    last_check.chosen = 2
    texts = shown(COLLISION_KIT_PT_pair).texts
    assert any(" apart, closer than " in text for text in texts)
    assert not any("part if" in text for text in texts)


def test_a_deleted_object_of_the_chosen_pair_is_explained() -> None:
    check()
    bpy.data.objects.remove(bpy.data.objects["First"])
    look()
    texts = shown(COLLISION_KIT_PT_pair).texts
    assert texts[0] == "First"
    assert "Deleted since this check" in sentence(texts)
    assert not any(text.endswith(" inside") for text in texts)


def test_issues_and_what_was_not_tested_are_listed_and_counted() -> None:
    bpy.data.objects["Fourth"].scale = (1.0, 1.0, 0.0)
    bpy.data.objects["Third"].hide_set(True)
    bpy.context.scene.collision_kit.scope = "ALL"
    check()
    issues, skipped = shown(COLLISION_KIT_PT_issues).texts, shown(COLLISION_KIT_PT_skipped).texts
    assert issues[:2] == ["1 ", "Fourth"]
    assert "Scale is zero" in sentence(issues)
    assert skipped[0] == "1 "
    assert skipped[-1] == "Third"
    assert "Hidden in the viewport." in sentence(skipped)


def test_a_panel_of_very_many_issues_ends_with_their_number() -> None:
    for number in range(60):
        add_cube(f"Flat {number}", 10.0 * number).scale = (1.0, 1.0, 0.0)
    check()
    assert shown(COLLISION_KIT_PT_issues).texts[-1] == "and 10 more"


@pytest.mark.parametrize(
    ("prepare", "expected"),
    [
        (lambda ob: None, ["First"]),
        (lambda ob: setattr(ob.collision_kit, "shape", "SPHERE"), ["First"]),
        (lambda ob: setattr(ob.collision_kit, "shape", "AUTO"), ["First", "Not tested:"]),
        (lambda ob: setattr(ob.collision_kit, "shape", "NONE"), ["First", "Not tested:"]),
    ],
)
def test_the_active_object_says_how_it_will_be_read(
    prepare: Callable[[bpy.types.Object], None], expected: list[str]
) -> None:
    ob = bpy.data.objects["First"]
    bpy.context.view_layer.objects.active = ob
    prepare(ob)
    recorder = shown(COLLISION_KIT_PT_object)
    own = [(ob.collision_kit, name) for name in ("shape", "margin", "part_of", "motion")]
    assert recorder.props == [*own, (ob.collision_kit.collider, "trigger")]
    assert sentence(recorder.texts).startswith(sentence(expected))
    assert len(recorder.texts) == len(expected) + len(["Copy to Selected", "Reset"]) or "Not tested:" in expected


def test_the_list_is_filtered_by_the_names_as_they_are_now() -> None:
    check()
    bpy.data.objects["Fourth"].name = "Último"
    look()
    results = bpy.context.window_manager.collision_kit
    view = results.view

    def listed(text: str, order: str = "VERDICT") -> list[list[str]]:
        view.text, view.order = text, order
        fake = stand_in(COLLISION_KIT_UL_pairs, bitflag_filter_item=8)
        flags, _ = fake.filter_items(bpy.context, results, "rows")
        return [row.texts[:2] for row, flag in zip(rows(), flags or [8] * 3, strict=True) if flag]

    try:
        assert len(listed("")) == 3
        assert listed("úLTIMO") == [["Último", "Third"]]
        assert listed("third") == [["Second", "Third"], ["Último", "Third"]]
        assert listed("fourth") == []
        bpy.data.objects["First"].name = "Zero"
        look()
        assert listed("", "NAME") == [["Second", "Third"], ["Zero", "Second"], ["Último", "Third"]]
    finally:
        view.property_unset("text")
        view.property_unset("order")


def test_results_of_another_scene_say_so() -> None:
    check()
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    texts = sentence(shown(COLLISION_KIT_PT_results).texts)
    assert 'Results of scene "Scene"' in texts


@pytest.mark.parametrize(
    ("direction", "text"),
    [
        ((0.0, 0.0, 1.0), "+Z"),
        ((0.0, -1.0, 1e-9), "−Y"),
        ((0.6, -0.8, 0.0), "X 0.60, Y −0.80"),
        ((-0.6, 0.8, -1e-9), "X −0.60, Y 0.80"),
    ],
)
def test_directions_along_an_axis_go_by_its_name(direction: tuple[float, ...], text: str) -> None:
    assert direction_text(np.array(direction)) == text


@pytest.mark.parametrize(
    ("system", "unit", "scale", "length", "text"),
    [
        ("METRIC", "METERS", 1.0, 0.012345, "0.01235 m"),
        ("METRIC", "METERS", 1.0, 1e-9, "0 m"),
        ("METRIC", "METERS", 1.0, 0.0, "0 m"),
        ("METRIC", "METERS", 1.0, -0.0, "0 m"),
        ("NONE", "METERS", 1.0, -0.0, "0"),
        ("METRIC", "METERS", 1.0, 1234567.0, "1234567 m"),
        ("METRIC", "CENTIMETERS", 0.01, 150.0, "150 cm"),
        ("METRIC", "MILLIMETERS", 1.0, -0.0005, "-0.5 mm"),
        ("METRIC", "ADAPTIVE", 1.0, 0.0012, "1.2 mm"),
        ("IMPERIAL", "INCHES", 1.0, 0.0254, "1 in"),
        ("IMPERIAL", "FEET", 0.3048, 3.0, "3 ft"),
        ("NONE", "METERS", 0.01, 2.5, "2.5"),
        ("METRIC", "METERS", 1.0, 123456789.0, "123456789 m"),
        ("METRIC", "METERS", 1.0, -1234567890.0, "-1.235 × 10⁹ m"),
        ("METRIC", "MILLIMETERS", 1.0, 1.5e20, "1.5 × 10²³ mm"),
        ("NONE", "METERS", 1.0, 3e38, "3 × 10³⁸"),
        ("METRIC", "ADAPTIVE", 1.0, 5e8, "500000 km"),
        ("METRIC", "ADAPTIVE", 1.0, 1.5e20, "1.5 × 10¹⁷ km"),
        ("IMPERIAL", "ADAPTIVE", 1.0, 1609.344e12, "1 × 10¹² mi"),
    ],
)
def test_lengths_follow_the_scenes_units(system: str, unit: str, scale: float, length: float, text: str) -> None:
    units = SimpleNamespace(system=system, length_unit=unit, scale_length=scale)
    assert length_text(length, units) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("system", "unit", "scale", "length", "text"),
    [
        ("METRIC", "METERS", 1.0, 0.012345, "0.01235 m"),
        ("METRIC", "METERS", 1.0, 0.0, "0 m"),
        ("METRIC", "METERS", 1.0, 1e-9, "1 × 10⁻⁹ m"),
        ("METRIC", "KILOMETERS", 1.0, 4e-4, "4 × 10⁻⁷ km"),
        ("METRIC", "ADAPTIVE", 1.0, -1.5e-12, "-1.5 × 10⁻¹² m"),
        ("IMPERIAL", "ADAPTIVE", 0.3048, 1e-12, "1 × 10⁻¹² ft"),
        ("NONE", "METERS", 1.0, 1e-9, "1 × 10⁻⁹"),
    ],
)
def test_lengths_that_are_no_rounding_do_not_read_as_zero(
    system: str, unit: str, scale: float, length: float, text: str
) -> None:
    units = SimpleNamespace(system=system, length_unit=unit, scale_length=scale)
    assert decided_text(length, units) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdict", "gap", "text"),
    [
        (Verdict.TOUCHING, 4e-9, "0 mm"),
        (Verdict.TOUCHING, -4e-9, "0 mm"),
        (Verdict.TOUCHING, 1e-4, "0.1 mm"),
        (Verdict.PENETRATING, -4e-9, "0.000004 mm"),
    ],
)
def test_what_touches_up_to_the_rounding_of_coordinates_is_zero_apart(verdict: Verdict, gap: float, text: str) -> None:
    units = SimpleNamespace(system="METRIC", length_unit="MILLIMETERS", scale_length=1.0)
    pair = SimpleNamespace(verdict=verdict, gap=gap, rounding=1e-6, at_least=False)
    assert gap_text(pair, units) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "gap", "text"),
    [("AUTOMATIC", 2.0**-23, "0 mm"), ("MANUAL", 2.0**-23, "0 mm"), ("MANUAL", 0.005, "5 mm")],
)
def test_a_sphere_that_touches_a_floor_at_the_origin_is_zero_apart(mode: str, gap: float, text: str) -> None:
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.touching_mode, settings.touching = "SELECTED", mode, 0.01
    bpy.ops.object.select_all(action="DESELECT")
    for name, shape, height in ("Floor", "BOX", -1.0), ("Ball", "SPHERE", 1.0 + gap):
        add(name, cube_mesh(), at=(0.0, 0.0, height))
        with_setting(bpy.data.objects[name], shape).select_set(True)
    check()
    assert last_check.report is not None
    (pair,) = last_check.report.pairs
    assert pair.verdict == Verdict.TOUCHING and pair.gap > 0.0
    units = SimpleNamespace(system="METRIC", length_unit="MILLIMETERS", scale_length=1.0)
    assert gap_text(pair, units) == contact_text(pair, pair.gap, units) == text  # type: ignore[arg-type]


def test_every_fixed_unit_of_blender_is_known() -> None:
    settings = bpy.context.scene.unit_settings
    known = set()
    for system in ("METRIC", "IMPERIAL"):
        settings.system = system
        with pytest.raises(TypeError) as error:
            settings.length_unit = "none of them"
        known |= set(re.findall(r"'([A-Z]+)'", str(error.value)))
    assert known == {*FIXED_UNITS, "ADAPTIVE"}


def test_sentences_are_broken_where_they_would_be_cut_off() -> None:
    text = "a sentence of several words"
    lines = wrapped(text, 10.0, len)
    assert lines == ["a sentence", "of several", "words"]
    assert wrapped("incomprehensibilities are", 10.0, len) == ["incomprehensibilities", "are"]
    assert wrapped("", 10.0, len) == []
    assert wrapped("by 1 × 10⁹ m 3 × in", 4.0, len) == ["by", unbroken("1 × 10⁹ m"), "3 ×", "in"]
    assert wrapped(f"to {unbroken('0.5 0 1')}", 9.0, len) == ["to", unbroken("0.5 0 1")]
    # A number and its unit stay together, a number and what it counts need not.
    assert wrapped("out by 0.2 m: it", 10.0, len) == ["out by", f"{unbroken('0.2 m')}: it"]
    assert wrapped("of 8 m³, 5 %", 6.0, len) == ["of", unbroken("8 m³,"), unbroken("5 %")]
    assert wrapped("for 5 marks", 6.0, len) == ["for 5", "marks"]


@pytest.mark.parametrize(
    ("name", "room", "short"),
    [
        ("Crate.001", 9, "Crate.001"),
        ("Crate.001", 8, "Crat…001"),
        ("A very long name.042", 9, "A ve….042"),
        ("Name", 1, "…"),
        ("Name", 0, "…"),
    ],
)
def test_long_names_keep_their_end(name: str, room: int, short: str) -> None:
    assert ShortNames().shortened(name, room, len) == short


def test_an_active_object_moves_no_panel_above_the_results() -> None:
    check()

    def above() -> list[str]:
        tab = [one for one in panels.CLASSES if issubclass(one, bpy.types.Panel) and one.bl_space_type == "VIEW_3D"]
        there = [one.__name__ for one in tab if not hasattr(one, "poll") or one.poll(bpy.context)]
        return there[: there.index("COLLISION_KIT_PT_results")]

    bpy.context.view_layer.objects.active = None
    without = above()
    bpy.context.view_layer.objects.active = bpy.data.objects["First"]
    assert without == above()
    assert COLLISION_KIT_PT_object.poll(bpy.context)


def test_drawing_and_polling_change_nothing() -> None:
    check()
    bpy.ops.object.select_all(action="SELECT")
    bpy.data.objects["Fourth"].hide_set(True)
    bpy.context.view_layer.update()
    before = (last_check.suspect, last_check.change, last_check.names, stage.current(stage.Drawing))
    assert last_check.suspect
    for cls in panels.CLASSES:
        if issubclass(cls, bpy.types.Panel):
            drawn(cls, bpy.context)
    for operator in operators.CLASSES:
        if hasattr(operator, "poll"):
            operator.poll(bpy.context)
    rows()
    assert (last_check.suspect, last_check.change, last_check.names, stage.current(stage.Drawing)) == before
    look()
    assert not last_check.suspect and last_check.change is Change.SCENE
