# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of results in Blender: what it shows, what a click, a step, a check and live mode do to it."""

from types import SimpleNamespace

import bpy
import pytest

from collision_kit.addon.live import live_mode as live
from collision_kit.addon.scene import events
from collision_kit.addon.session import comparison
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.operators.reports import COLLISION_KIT_OT_copy_report
from collision_kit.addon.ui.operators.results import COLLISION_KIT_OT_results_table
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.panels.gone import COLLISION_KIT_PT_gone
from collision_kit.addon.ui.panels.pair_list import COLLISION_KIT_UL_pairs
from collision_kit.addon.ui.panels.pair_table import COLLISION_KIT_UL_pair_table
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.addon.ui.result_list.part import ALL, Part
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check
from tests.helpers.blender.live_scene import assert_same_as_fresh, settle
from tests.helpers.blender.panel_recorder import Recorder, drawn, drawn_row, stand_in
from tests.helpers.blender.results_scene import list_everything, listed, results


@pytest.fixture(autouse=True)
def four_cubes(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    list_everything()


def chosen() -> str:
    pair = last_check.pair(last_check.chosen)
    return "" if pair is None else last_check.pair_name(pair)


def shown(panel: type[bpy.types.Panel] = COLLISION_KIT_PT_results) -> Recorder:
    recorder = drawn(panel, bpy.context)
    assert recorder is not None
    return recorder


def row(place: int) -> Recorder:
    return drawn_row(COLLISION_KIT_UL_pairs, bpy.context, place)


def flags() -> list[int]:
    fake = stand_in(COLLISION_KIT_UL_pairs, bitflag_filter_item=8)
    found, order = fake.filter_items(bpy.context, results(), "rows")
    assert order == []
    return found


def test_a_file_that_is_opened_has_no_filter_of_the_one_before() -> None:
    check()
    view = results().view
    view.text, view.touching, view.order = "fourth", False, "NAME"
    results_rows.show_part(Part(between=("", "Collection")))
    # A window manager may outlive its file.
    events.on_load.publish()
    assert (view.text, view.touching, results_rows.part) == ("", True, ALL)
    assert view.order == "NAME", "the order hides nothing"


def test_rows_are_places_and_the_first_are_shown() -> None:
    check()
    view = results().view
    assert flags() == []
    view.touching = False
    assert listed() == ["First × Second", "Fourth × Third"]
    assert flags() == [8, 8, 0]
    view.text = "fourth"
    assert flags() == [8, 0, 0]
    assert row(0).texts == ["Fourth", "Third", "250 mm"]
    assert row(1).texts == []
    texts = shown().texts
    assert "1 of 3 listed" in texts
    assert bpy.ops.collision_kit.show_all_results() == {"FINISHED"}
    assert flags() == []
    assert "1 of 3 listed" not in shown().texts


def test_the_chosen_pair_stays_the_chosen_pair_wherever_it_is_listed() -> None:
    check()
    view = results().view
    results().active = 1
    assert chosen() == "Second × Third"
    view.reverse = True
    assert (results().active, chosen()) == (1, "Second × Third")
    view.order = "NAME"
    view.reverse = False
    assert listed() == ["First × Second", "Fourth × Third", "Second × Third"]
    assert (results().active, chosen()) == (2, "Second × Third")
    view.text = "first"
    assert (results().active, chosen()) == (-1, "Second × Third"), "hidden, and still chosen"


def test_pairs_are_grouped_by_object_with_their_number() -> None:
    check()
    results().view.grouped = True
    assert listed() == [
        "[Second]", "First × Second", "Second × Third",
        "[First]", "First × Second",
        "[Third]", "Second × Third", "Fourth × Third",
        "[Fourth]", "Fourth × Third",
    ]  # fmt: skip
    assert len(results().rows) == 10
    assert flags() == []
    assert row(0).texts == ["Second", "2"]
    assert row(1).texts == ["First", "500 mm"], "the other one's name"
    results().view.grouped = False
    assert len(results().rows) == 3


def test_a_click_on_an_object_folds_its_pairs_away_and_chooses_nothing() -> None:
    check()
    results().view.grouped = True
    for ob in bpy.data.objects:
        ob.select_set(False)
    results().active = 5
    assert listed()[5:] == ["[Third]", "[Fourth]", "Fourth × Third"]
    assert chosen() == "First × Second"
    assert not bpy.context.selected_objects
    results().active = 7
    assert (results().active, chosen()) == (7, "Fourth × Third")
    assert {ob.name for ob in bpy.context.selected_objects} == {"Fourth", "Third"}
    results().active = 5
    assert len(listed()) == 10
    assert (results().active, chosen()) == (9, "Fourth × Third"), "under the object where it was chosen"


def test_steps_choose_select_and_go_round() -> None:
    check()
    order = ["First × Second", "Second × Third", "Fourth × Third", "First × Second", "Second × Third"]
    for expected in order:
        assert bpy.ops.collision_kit.next_result() == {"FINISHED"}
        assert chosen() == expected
        assert {ob.name for ob in bpy.context.selected_objects} == set(expected.split(" × "))
    for expected in order[-2::-1]:
        assert bpy.ops.collision_kit.previous_result() == {"FINISHED"}
        assert chosen() == expected
    results().view.text = "none such"
    assert bpy.ops.collision_kit.next_result() == {"CANCELLED"}


def test_steps_follow_the_filter_and_the_order() -> None:
    check()
    results().view.penetrating, results().view.reverse = False, True
    bpy.ops.collision_kit.next_result()
    assert chosen() == "Fourth × Third", "the chosen one is hidden: the first that is listed"
    bpy.ops.collision_kit.next_result()
    assert chosen() == "Second × Third"
    bpy.ops.collision_kit.next_result()
    assert chosen() == "Fourth × Third"


def test_a_step_can_be_undone() -> None:
    check()
    bpy.data.objects["Fourth"].select_set(True)
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.collision_kit.next_result()
    bpy.ops.ed.undo_push(message="Step")
    bpy.ops.ed.undo()
    assert {ob.name for ob in bpy.context.selected_objects} == {"Fourth"}


def test_the_chosen_pair_is_chosen_again_after_a_check_if_it_is_still_there() -> None:
    check()
    results().active = 1
    add_cube("Deep", 3.4)
    bpy.context.view_layer.update()
    check()
    assert chosen() == "Second × Third"
    assert last_check.chosen > 1, "there is worse now"
    bpy.data.objects["Second"].location.z = 50.0
    bpy.context.view_layer.update()
    results().view.text = "fourth"
    check()
    assert chosen() == listed()[0], "the first that is listed"


@pytest.mark.parametrize("by_user", [True, False])
def test_a_new_fault_comes_before_the_chosen_pair_if_the_user_has_not_chosen_that(by_user: bool) -> None:
    check()
    before = chosen()
    if by_user:
        bpy.ops.collision_kit.select_pair(row=last_check.chosen)
    add_cube("Late", -1.9)
    bpy.context.view_layer.update()
    check()
    assert {before, "First × Late"} <= set(listed())
    assert chosen() == (before if by_user else "First × Late")
    check()
    assert chosen() == (before if by_user else "First × Late"), "it is not new any more"


def test_what_is_new_and_what_has_gone_is_told() -> None:
    check()
    assert not any("new" in text for text in shown().texts)
    assert drawn(COLLISION_KIT_PT_gone, bpy.context) is None
    bpy.data.objects["Fourth"].location.x = -1.5
    bpy.context.view_layer.update()
    check()
    assert listed() == ["First × Fourth", "First × Second", "Second × Third"]
    assert "1 new" in shown().texts, "Fourth and Third were near each other, which is no fault"
    assert drawn(COLLISION_KIT_PT_gone, bpy.context) is None
    results().view.only_new = True
    assert listed() == ["First × Fourth"]
    last_check.chosen = 0
    assert "New: no fault in the previous check" in " ".join(shown(COLLISION_KIT_PT_pair).texts)
    check()
    assert "Only 0 new" in shown().texts, "compared with the check before, not with the first"
    bpy.data.objects["Fourth"].location.x = 50.0
    check()
    assert "1 resolved" in shown().texts
    assert shown(COLLISION_KIT_PT_gone).texts == ["1 ", "First × Fourth"]
    assert bpy.ops.collision_kit.clear_results() == {"FINISHED"}
    check()
    assert comparison.changes(last_check) is None, "cleared, with nothing to compare with"


def test_what_sinks_deeper_comes_first_and_what_touches_is_no_news() -> None:
    check()
    assert listed() == ["First × Second", "Second × Third", "Fourth × Third"]
    bpy.data.objects["Third"].location.x -= 0.05
    bpy.context.view_layer.update()
    check()
    assert listed()[0] == "Second × Third", "it touched, and is in now; the other is as deep as before"
    assert "1 new" in shown().texts
    bpy.data.objects["Third"].location.x -= 0.05
    bpy.context.view_layer.update()
    check()
    assert listed()[0] == "Second × Third"
    last_check.chosen = last_check.report.row_of(last_check.keys_of(int(results_rows.lines(results()).pair[0])))
    assert "Deeper than in the previous check" in " ".join(shown(COLLISION_KIT_PT_pair).texts)


def test_a_check_chooses_nothing_that_was_dismissed() -> None:
    check()
    assert chosen() == "First × Second"
    assert bpy.ops.collision_kit.accept_pair(reason="glued") == {"FINISHED"}
    check()
    assert chosen() == "Second × Third"
    assert listed() == ["Second × Third", "Fourth × Third"]
    results().view.accepted = True
    assert listed() == ["Second × Third", "Fourth × Third", "First × Second"], "the dismissed pair is last"


def test_accepted_pairs_are_dimmed_counted_apart_and_can_be_hidden() -> None:
    check()
    assert shown().texts[:3] == ["1 penetrating", "1 touching", "1 within clearance"]
    assert bpy.ops.collision_kit.accept_pair(reason="glued") == {"FINISHED"}
    assert shown().texts[:4] == ["0 penetrating", "1 touching", "1 within clearance", "1 hidden: 1 accepted"]
    assert not any("listed" in text for text in shown().texts), "said once"
    results().view.accepted = True
    assert shown().texts[:4] == ["0 penetrating", "1 touching", "1 within clearance", "1 accepted"]
    assert "Only 0 new" not in shown().texts
    parts = row(2).parts[0]
    assert (parts.active, parts.enabled) == (False, True)
    assert "Accepted: glued" in " ".join(shown(COLLISION_KIT_PT_pair).texts)
    assert "collision_kit.stop_accepting_pair" in shown().operators
    results().view.accepted = False
    assert listed() == ["Second × Third", "Fourth × Third"]
    last_check.chosen = 1
    assert "collision_kit.accept_pair" in shown().operators


def test_the_tooltip_of_a_row_has_both_names_and_the_verdict() -> None:
    check()
    tips = [one.tip for one in results().rows]
    assert tips == [
        "First × Second\nPenetrating: 500 mm",
        "Second × Third\nTouching: 0 mm",
        "Fourth × Third\nWithin Clearance: 250 mm",
    ]
    bpy.ops.collision_kit.accept_pair(reason="glued")
    results().view.accepted = True
    bpy.data.objects["Second"].location.z = 0.1
    bpy.context.view_layer.update()
    assert results().rows[2].tip.splitlines()[2:] == ["Accepted: glued", "The objects have changed since this check"]
    results().view.grouped = True
    assert results().rows[0].tip == "Second\n2 pairs"
    results().view.text = "fourth"
    assert results().rows[len(listed())].tip == "", "a row that is not shown"


def test_names_in_narrow_rows_can_be_told_apart() -> None:
    """Both rows would otherwise show the same start and end of the name."""
    for number, x in enumerate((20.0, 30.0), start=1):
        for place, name in enumerate(("Chair {} with armrest, left leg", "Stool {} with armrest, left leg")):
            add_cube(name.format(number), x + place)
    bpy.context.view_layer.update()
    check()
    rows = [row(place).texts for place, name in enumerate(listed()) if "armrest" in name]
    names = [text for texts in rows for text in texts if "leg" in text]
    assert len(rows) == 2 and len(set(names)) == 4
    # The second name is below the first, beside which is the depth.
    assert [("…" in text, text.startswith("× ")) for text in names] == 2 * [(True, False), (False, True)]


def test_a_name_gets_the_room_that_the_other_does_not_need() -> None:
    add_cube("A", 20.0)
    add_cube("Very long name of a cube", 21.0)
    bpy.context.view_layer.update()
    check()
    (short,) = [row(place).texts for place, name in enumerate(listed()) if name.startswith("A ")]
    assert short[0] == "A"
    add_cube("Very much longer", 21.5)
    bpy.context.view_layer.update()
    check()
    (both,) = [row(place).texts for place, name in enumerate(listed()) if name.startswith("Very")]
    assert 0 < len(both[1]) < len(short[1])


def test_the_minimum_depth_is_in_the_scenes_unit_and_hides_what_is_apart() -> None:
    check()
    view = results().view
    view.depth = 0.49
    assert listed() == ["First × Second"]
    view.depth = 0.51
    assert listed() == []
    assert flags() == [0, 0, 0]
    fake = stand_in(COLLISION_KIT_UL_pairs)
    recorder = Recorder()
    fake.draw_filter(bpy.context, recorder)
    assert [name for _, name in recorder.props] == ["depth", "reverse"]


def test_live_mode_changes_rows_under_the_filter_and_keeps_the_chosen_pair() -> None:
    check()
    view = results().view
    view.text, view.grouped = "third", True
    results().active = 1
    assert chosen() == "Second × Third"
    live.start()
    try:
        settle()
        assert chosen() == "Second × Third"
        assert comparison.changes(last_check) == (frozenset(), frozenset(), ())
        add_cube("Third too", 3.4)
        bpy.data.objects["Fourth"].location.x = 50.0
        settle()
        view.grouped = False
        assert_same_as_fresh()
        assert "Fourth × Third" not in listed()
        assert "Third × Third too" in listed()
        assert chosen() == "Third × Third too", "what was changed is shown"
        bpy.context.scene.frame_set(2)
        settle()
        assert chosen() == "Second × Third", "nothing is dragged any more"
        assert "2 new" in shown().texts
        last_report = last_check.report
        bpy.ops.collision_kit.accept_pair(reason="glued")
        assert live.update(bpy.context, 60.0)
        assert list(results_rows.marks().accepted.values()) == ["glued"]
        assert last_check.report is not None
        assert len(last_check.report.pairs) == len(last_report.pairs)
    finally:
        live.stop()


class Overlaid:
    """Something of Blender's with other attributes, and the rest as it is."""

    def __init__(self, whole: object, **other: object) -> None:
        vars(self).update(other)
        self._whole = whole

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)


def test_the_clipboard_gets_the_report_the_list_or_the_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    check()
    results().view.reverse = True
    results().view.touching = False
    copied = {}
    for what in ("REPORT", "LISTED", "CHOSEN"):
        assert bpy.ops.collision_kit.copy_report(what=what) == {"FINISHED"}
        # Without a window there is no clipboard, so the operator is given one.
        manager = Overlaid(bpy.context.window_manager, clipboard="")
        operator = SimpleNamespace(what=what, report=lambda *_: None)
        assert COLLISION_KIT_OT_copy_report.run(operator, Overlaid(bpy.context, window_manager=manager)) == {"FINISHED"}
        copied[what] = manager.clipboard
    assert copied["REPORT"].startswith("Scene, frame 1: 4 bodies tested, 1 penetrating")
    lines = copied["LISTED"].splitlines()
    assert ["Fourth" in lines[0], "First" in lines[1], len(lines)] == [True, True, 2]
    assert copied["CHOSEN"].startswith("penetrating  First  ×  Second")
    assert "\n" not in copied["CHOSEN"]


def test_the_objects_of_all_pairs_of_a_verdict_are_selected() -> None:
    check()
    assert bpy.ops.collision_kit.select_by_verdict(verdict="WITHIN_CLEARANCE") == {"FINISHED"}
    assert {ob.name for ob in bpy.context.selected_objects} == {"Third", "Fourth"}
    assert bpy.ops.collision_kit.select_by_verdict() == {"FINISHED"}
    assert {ob.name for ob in bpy.context.selected_objects} == {"First", "Second"}
    bpy.ops.collision_kit.accept_pair(reason="glued")
    assert bpy.ops.collision_kit.select_by_verdict() == {"CANCELLED"}, "the only one is accepted"
    assert bpy.ops.collision_kit.select_by_verdict(verdict="DUPLICATE") == {"CANCELLED"}
    assert {ob.name for ob in bpy.context.selected_objects} == {"First", "Second"}, "as they were"
    assert shown().operators[:3] == ["collision_kit.select_by_verdict"] * 3
    last_check.forget()
    assert not bpy.ops.collision_kit.select_by_verdict.poll()


def test_the_table_has_the_lines_of_the_list_with_full_names_and_sorts_both() -> None:
    check()
    recorder = Recorder()
    stand_in(COLLISION_KIT_OT_results_table, layout=recorder).draw(bpy.context)
    assert recorder.lists == ["COLLISION_KIT_UL_pair_table"]
    assert recorder.texts == ["Verdict", "Objects", "Depth", "Group"]
    lines = [drawn_row(COLLISION_KIT_UL_pair_table, bpy.context, place).texts for place in range(3)]
    assert lines == [
        ["Penetrating", "First", "Second", "500 mm", "1"],
        ["Touching", "Second", "Third", "0 mm"],
        ["Within Clearance", "Fourth", "Third", "250 mm"],
    ]
    results().view.order, results().view.reverse = "GROUP", True
    assert listed() == ["Fourth × Third", "Second × Third", "First × Second"], "those of no group come last"
    assert drawn_row(COLLISION_KIT_UL_pair_table, bpy.context, 0).texts[0] == "Within Clearance"
    results().view.grouped = True
    assert drawn_row(COLLISION_KIT_UL_pair_table, bpy.context, 0).texts == ["Third (2)"]
