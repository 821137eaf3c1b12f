# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of the panels of motion, drawn without a window."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from collision_kit.addon.i18n import lookup
from collision_kit.addon.i18n.catalogs import catalogs
from collision_kit.addon.model.motion_report import Deviation, MotionReport
from collision_kit.addon.model.report import Issue, Skipped
from collision_kit.addon.session import motion_results
from collision_kit.addon.ui.panels import layout, name_row
from collision_kit.addon.ui.panels.contact import COLLISION_KIT_PT_contact
from collision_kit.addon.ui.panels.contact_list import COLLISION_KIT_UL_contacts
from collision_kit.addon.ui.panels.motion import COLLISION_KIT_PT_motion
from collision_kit.addon.ui.panels.motion_issues import (
    COLLISION_KIT_PT_motion_issues,
    COLLISION_KIT_PT_motion_skipped,
)
from collision_kit.addon.ui.panels.motion_texts import frame_text, listed
from collision_kit.addon.ui.result_list import contacts
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.checked_scene import look
from tests.helpers.blender.panel_recorder import Recorder, drawn, drawn_row, stand_in
from tests.helpers.blender.passing_scene import check, kept, passing, place_of, row_of, slide

FRAMES = ("frames", "deviation_mode")

KOREAN = catalogs()["ko_KR"]


@pytest.fixture(autouse=True)
def cubes(scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    return passing()


def shown(panel: type[bpy.types.Panel] = COLLISION_KIT_PT_motion) -> Recorder:
    recorder = drawn(panel, bpy.context)
    assert recorder is not None
    return recorder


def sentence(panel: type[bpy.types.Panel] = COLLISION_KIT_PT_motion) -> str:
    """Everything that is shown, with what was broken into lines as one line again."""
    return " ".join(shown(panel).texts).replace("\N{NO-BREAK SPACE}", " ")


def with_report(**fields: Any) -> MotionReport:
    """Let what is kept be of a report with other fields."""
    found = kept()
    found.report = replace(found.report, **fields)
    return found.report


def with_contact(row: int, **fields: Any) -> None:
    contacts = list(kept().report.contacts)
    contacts[row] = replace(contacts[row], **fields)
    with_report(contacts=tuple(contacts))


def facts(panel: type[bpy.types.Panel], *names: str) -> dict[str, str]:
    texts = shown(panel).texts
    return {name: texts[texts.index(name) + 1] for name in names}


# Settings


@pytest.mark.parametrize(
    ("frames", "mode", "fields"),
    [
        ("SCENE", "AUTOMATIC", {"frames", "deviation_mode", "clearance"}),
        ("PREVIEW", "MANUAL", {"frames", "deviation_mode", "deviation", "clearance"}),
        ("OWN", "AUTOMATIC", {"frames", "frame_start", "frame_end", "deviation_mode", "clearance"}),
    ],
)
def test_only_settings_that_matter_are_shown(frames: str, mode: str, fields: set[str]) -> None:
    motion = bpy.context.scene.collision_kit.motion
    motion.frames, motion.deviation_mode = frames, mode
    recorder = shown()
    assert {name for _, name in recorder.props} == set(fields)
    assert recorder.operators == ["collision_kit.check_motion"]
    assert recorder.lists == []
    assert drawn(COLLISION_KIT_PT_contact, bpy.context) is None


def test_the_deviation_is_a_length() -> None:
    shown = bpy.context.scene.collision_kit.motion.bl_rna.properties["deviation"]
    assert (shown.subtype, shown.unit) == ("DISTANCE", "LENGTH")


# What was found


def test_contacts_that_begin_and_those_that_were_there_are_counted_apart() -> None:
    check()
    recorder = shown()
    assert recorder.texts[:2] == ["1 new contact", "1 touching from the start"]
    assert "4 bodies tested, 2 moving" in sentence()
    assert recorder.lists == ["COLLISION_KIT_UL_contacts"]
    assert recorder.operators[1:] == [
        f"collision_kit.{name}" for name in ("clear_motion_results", "add_contact_markers", "remove_contact_markers")
    ]


def test_no_contacts_are_said_in_so_many_words() -> None:
    check()
    with_report(contacts=())
    recorder = shown()
    assert "No contacts" in recorder.texts
    assert recorder.lists == []
    with_report(contacts=(), bodies=kept().report.bodies[:1])
    assert "fewer than two bodies" in sentence()
    assert "No contacts" not in shown().texts


def test_the_deviation_that_is_left_is_told_with_its_place() -> None:
    check()
    with_report(deviation_left=Deviation(0.00125, "Slider", 4.5))
    text = 'Tested motion differs by up to 1.25 mm from the animation ("Slider", frame 4.500)'
    assert text in sentence().replace("\N{NO-BREAK SPACE}", " ")
    with_report(deviation_left=Deviation())
    assert "Tested motion" not in sentence()


def test_what_deforms_is_named() -> None:
    check()
    assert "Deforming" not in sentence()
    with_report(deforming=("Cape", "Flag"))
    assert "Deforming, tested at frames and subframes only: Cape, Flag" in sentence()
    with_report(deforming=tuple("ABCDEFG"))
    assert sentence().find("A, B, C, D, E, and 2 more") > 0


def test_what_has_changed_since_is_said() -> None:
    check()
    for text in ("changed since", "Results of scene"):
        assert text not in sentence()
    bpy.context.scene.collision_kit.motion.deviation_mode = "MANUAL"
    assert "The settings have changed since this check" in sentence()
    bpy.context.scene.collision_kit.motion.deviation_mode = "AUTOMATIC"
    bpy.context.scene.frame_end = 12
    assert "The settings have changed since this check" in sentence()
    bpy.context.scene.frame_end = 11
    assert "changed since" not in sentence()
    bpy.data.objects["Post"].hide_set(True)
    look()
    assert "The scene has changed since this check" in sentence()
    bpy.context.window.scene = bpy.data.scenes.new("Another")
    assert 'Results of scene "Scene"' in sentence()


def test_issues_and_what_was_not_tested_are_listed() -> None:
    check()
    for panel in (COLLISION_KIT_PT_motion_issues, COLLISION_KIT_PT_motion_skipped):
        assert drawn(panel, bpy.context) is None
    with_report(
        issues=(Issue("flat", "warning", "Post", "Mesh is flat."),),
        skipped=(Skipped("Lamp", "it has no vertices"),),
    )
    assert shown(COLLISION_KIT_PT_motion_issues).texts == ["1 ", "Post", "Mesh is flat."]
    assert shown(COLLISION_KIT_PT_motion_skipped).texts == ["1 ", "it has no vertices", "Lamp"]


def test_what_is_found_about_motion_has_a_korean_sentence(
    cubes: dict[str, bpy.types.Object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, way in (("Post", "5 * (frame > 3)"), ("Shelf", "5 * (frame > 3) + 5 * (frame > 7)")):
        cubes[name].driver_add("location", 2).driver.expression = way
    cubes["Book"].driver_add("rotation_euler", 2).driver.expression = "sin(frame * 40)"
    bpy.context.view_layer.update()
    bpy.context.scene.collision_kit.motion.deviation_mode = "MANUAL"
    bpy.context.scene.collision_kit.motion.deviation = 1e-4
    check()
    messages = {(issue.id, issue.object): issue.message for issue in kept().report.issues}
    assert messages.keys() == {("motion-strays", "Book"), ("motion-jumps", "Post"), ("motion-jumps", "Shelf")}
    assert {"Motion jumps once", "Motion jumps 2 times"} <= {message.partition(",")[0] for message in messages.values()}
    monkeypatch.setattr(lookup, "pgettext_iface", lambda text, context="*": KOREAN.get((context, text), text))
    for issue in kept().report.issues:
        assert not re.search("[a-z]{2}", lookup.translated(issue.message)), issue.message


# The list


def rows() -> list[Recorder]:
    return [drawn_row(COLLISION_KIT_UL_contacts, bpy.context, n) for n in range(len(kept().report.contacts))]


def wide(width: int) -> SimpleNamespace:
    context = bpy.context
    return SimpleNamespace(
        region=SimpleNamespace(width=width),
        preferences=context.preferences,
        scene=context.scene,
        window_manager=context.window_manager,
    )


def test_each_row_shows_both_names_the_frame_and_the_depth() -> None:
    check()
    row = row_of("Slider", "Post")
    with_contact(row, first=5.24971, depth=0.75)
    names = [body.name for body in kept().bodies_of(kept().contact(row))]
    place = place_of("Slider", "Post")
    roomy = drawn_row(COLLISION_KIT_UL_contacts, wide(500), place)
    assert (roomy.texts, roomy.operators) == ([*names, "5.250", "750 mm"], [])
    first, second = names[0], f"× {names[1]}"
    for width, wanted in ((280, [first, "5.250", second, "750 mm"]), (200, [first, second, "5.250", "750 mm"])):
        narrow = drawn_row(COLLISION_KIT_UL_contacts, wide(width), place)
        assert narrow.texts == wanted, "one below the other, as a pair if there is room"
        # The second name, and the values below the first line.
        assert narrow.operators == ["collision_kit.jump_to_contact"] * (2 if width == 280 else 3)


@pytest.mark.parametrize(("width", "heads"), [(500, ["Objects", "Frame", "Depth"]), (280, ["Frame, Depth"])])
def test_heads_say_what_the_values_of_a_row_are(monkeypatch: pytest.MonkeyPatch, width: int, heads: list[str]) -> None:
    check()
    for module in (layout, name_row):
        monkeypatch.setattr(module, "sidebar_width", lambda _context: width)
    assert [text for text in shown().texts if text in {"Objects", "Frame", "Depth", "Frame, Depth"}] == heads


def test_changed_rows_are_dimmed_and_those_of_deleted_objects_unavailable() -> None:
    check()
    assert {(row.parts[0].active, row.parts[0].enabled) for row in rows()} == {(True, True)}
    bpy.data.objects.remove(bpy.data.objects["Slider"])
    look()
    states = [(row.parts[0].active, row.parts[0].enabled) for row in rows()]
    assert states[place_of("Slider", "Post")] == (False, False)
    assert states[place_of("Shelf", "Book")] == (False, True)
    assert "Deleted since this check" in sentence(COLLISION_KIT_PT_contact)


def pairs_listed() -> list[frozenset[str]]:
    """The names of the contacts from top to bottom; of a line of folded ones, no names."""
    found = kept()
    places = contacts.lines(bpy.context.window_manager.collision_kit.contacts).pair.tolist()
    return [
        frozenset(map(found.body_name, found.bodies_of(found.report.rows[row]))) if row >= 0 else frozenset()
        for row in places
    ]


def counts() -> list[str]:
    return [text for text in shown().texts if re.match(r"\d+ (new|touching|hidden|near|ignored|undecided)", text)]


def test_contacts_that_begin_come_first_and_the_list_has_the_filters_of_the_results() -> None:
    check()
    bpy.data.objects["Post"].name = "Äste"
    look()
    view = bpy.context.window_manager.collision_kit.contacts.view
    slider, shelf = frozenset({"Slider", "Äste"}), frozenset({"Shelf", "Book"})
    assert kept().report.contacts[0].started_touching
    assert pairs_listed() == [slider, shelf]
    drawn_filters = {name for owner, name in shown().props if owner == view}
    assert {"text", "order", "new", "started"} <= drawn_filters
    for changes, wanted in (
        ({"text": "äST slid"}, [slider]),
        ({"text": "book"}, [shelf]),
        ({"text": "pole"}, []),
        ({"new": False}, [shelf]),
        ({"started": False}, [slider]),
        ({"depth": 0.7}, [slider]),
        ({"order": "NAME"}, [shelf, slider]),
        ({"order": "NAME", "reverse": True}, [slider, shelf]),
        ({"order": "DEPTH", "reverse": True}, [shelf, slider]),
    ):
        for name, value in changes.items():
            setattr(view, name, value)
        assert pairs_listed() == wanted, changes
        for name in changes:
            view.property_unset(name)
    fake = stand_in(COLLISION_KIT_UL_contacts, bitflag_filter_item=4)
    view.text = "book"
    assert fake.filter_items(bpy.context, bpy.context.window_manager.collision_kit.contacts, "rows") == ([4, 0], [])
    contacts.show_all(bpy.context.window_manager)
    assert pairs_listed() == [slider, shelf]


def test_rules_of_now_ignore_contacts_and_what_is_ignored_is_hidden_until_asked_for() -> None:
    check()
    assert counts() == ["1 new contact", "1 touching from the start"]
    rule = bpy.context.scene.collision_kit.ignore_rules.add()
    rule.side_a, rule.reason, rule.use_max_depth = "Slider", "Meant", False
    assert pairs_listed() == [frozenset({"Shelf", "Book"})]
    assert counts() == ["0 new contacts", "1 touching from the start", "1 hidden: 1 ignored"]
    assert "Ignored: Meant" in sentence(COLLISION_KIT_PT_contact)
    bpy.context.window_manager.collision_kit.contacts.view.accepted = True
    assert pairs_listed() == [frozenset({"Shelf", "Book"}), frozenset({"Slider", "Post"})]
    assert counts()[-1] == "1 ignored"
    rule.use_max_depth, rule.max_depth = True, 0.25
    assert counts() == ["1 new contact", "1 touching from the start"], "it gets deeper than the rule takes"
    rule.use_max_depth = False
    found = check()
    assert [contact.ignored for contact in found.report.contacts] == [-1, 0]
    assert found.chosen == row_of("Shelf", "Book"), "an ignored contact is not chosen"
    contacts.show_all(bpy.context.window_manager)
    bpy.context.scene.collision_kit.ignore_rules.clear()
    assert pairs_listed() == [frozenset({"Slider", "Post"}), frozenset({"Shelf", "Book"})]


def test_what_gets_no_deeper_than_the_tolerance_touches_and_named_tests_choose_contacts() -> None:
    settings = bpy.context.scene.collision_kit
    settings.touching_mode, settings.touching = "MANUAL", 0.3
    found = check()
    verdicts = {contact.status: contact.verdict.name for contact in found.report.contacts}
    assert verdicts == {"started": "TOUCHING", "new": "PENETRATING"}
    settings.touching = 0.1
    assert "The settings have changed since this check" in sentence()
    test = settings.tests.add()
    test.label, test.side_a, test.side_b = "Doors", "Slider", "Post"
    found = check()
    assert [contact.status for contact in found.report.contacts] == ["new"]
    assert "Test: Doors" in sentence(COLLISION_KIT_PT_contact)


def test_pairs_that_never_move_are_counted_and_not_listed(cubes: dict[str, bpy.types.Object]) -> None:
    for number in range(3):
        add(f"Step {number}", cube_mesh((0.5, 0.5, 0.5)), at=(0.9 * number, 40.0, 0.0))
    bpy.context.view_layer.update()
    check()
    assert len(kept().report.contacts) == 2
    assert "Not listed: 2 pairs that touch and never move" in sentence()
    # One that moves out of the way and back is listed again.
    slide(bpy.data.objects["Step 1"], (1, 0.9), (6, 50.0), (11, 0.9))
    check()
    assert "never move" not in sentence()
    assert sum({"Step 1"} < names for names in pairs_listed()) == 2


def test_a_row_that_is_no_more_is_drawn_as_nothing() -> None:
    check()
    motion_results.latest.forget()
    assert drawn_row(COLLISION_KIT_UL_contacts, bpy.context, 0).texts == []


# The chosen contact


def test_the_moments_of_the_chosen_contact_are_told_in_frames_and_seconds() -> None:
    check()
    row = row_of("Slider", "Post")
    with_contact(row, first=5.25, deepest=6.0, last=6.75, depth=0.75, normal=kept().report.contacts[row].normal * 0)
    assert bpy.context.scene.render.fps == 24
    assert facts(COLLISION_KIT_PT_contact, "First", "Deepest", "Last", "Depth") == {
        "First": "5.250 (0.177 s)",
        "Deepest": "6.000 (0.208 s)",
        "Last": "6.750 (0.240 s)",
        "Depth": "750 mm",
    }
    recorder = shown(COLLISION_KIT_PT_contact)
    assert recorder.operators == ["collision_kit.jump_to_contact"] * 3
    assert {"Slider", "Post"} <= set(recorder.texts)
    for text in ("Undecided", "already", "deforms", "Changed"):
        assert text not in sentence(COLLISION_KIT_PT_contact)


@pytest.mark.parametrize(("moving", "name", "other"), [("Slider", "Slider", "Post"), ("Post", "Post", "Slider")])
def test_the_panel_says_what_separates_the_two_and_which_button_leads_there(moving: str, name: str, other: str) -> None:
    check()
    row = row_of("Slider", "Post")
    with_contact(row, depth=0.75)
    bodies = kept().report.bodies
    with_report(moving=frozenset(number for number, body in enumerate(bodies) if body.name == moving))
    kept().chosen = row_of("Slider", "Post")
    advice = f'To separate: press "Deepest", move "{name}" out of "{other}" by at least 750 mm, insert a key, and check'
    assert advice in sentence(COLLISION_KIT_PT_contact)
    with_contact(row, verdict=Verdict.TOUCHING)
    assert "To separate" not in sentence(COLLISION_KIT_PT_contact)
    with_contact(row, verdict=Verdict.PENETRATING)
    assert "To separate" in sentence(COLLISION_KIT_PT_contact)
    bpy.data.objects["Post"].location.y = 0.1
    bpy.context.view_layer.update()
    assert "To separate" not in sentence(COLLISION_KIT_PT_contact)
    assert "collision_kit.check_motion" in shown(COLLISION_KIT_PT_contact).operators


def test_what_is_to_be_known_about_a_contact_is_said() -> None:
    check()
    kept().chosen = row_of("Shelf", "Book")
    assert "Touching from the start of the range, frame 1" in sentence(COLLISION_KIT_PT_contact)
    row = kept().chosen = row_of("Slider", "Post")
    with_contact(row, decided=False, proved_until=4.125)
    assert {"1 undecided", "1 touching from the start"} <= set(shown().texts)
    assert "Undecided: no contact until frame 4.125" in sentence(COLLISION_KIT_PT_contact)
    with_contact(row, decided=True, per_frame=True, first=5.25, proved_until=5.0)
    text = sentence(COLLISION_KIT_PT_contact)
    assert "Undecided" not in text
    assert "separated at frame 5.000, touching at frame 5.250" in text
    bpy.data.objects["Post"].location.y = 0.1
    bpy.context.view_layer.update()
    assert "Not drawn: the objects have changed since this check" in sentence(COLLISION_KIT_PT_contact)


@pytest.mark.parametrize(
    ("frame", "text"), [(12.3456, "12.346"), (-0.5, "−0.500"), (-1e-9, "0.000"), (250.0, "250.000")]
)
def test_frames_have_three_decimals(frame: float, text: str) -> None:
    assert frame_text(frame) == text


def test_long_lists_of_names_end_with_a_number() -> None:
    assert listed(["A", "B"], 2) == "A, B"
    assert listed(["A", "B", "C"], 2) == "A, B, and 1 more"
