# SPDX-License-Identifier: GPL-3.0-or-later
"""A check finds verdicts and depths first; what takes longer is measured for reports, and of a pair that is shown."""

import json
from dataclasses import fields, replace
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.collisions import alike_shapes, pair_evidence
from collision_kit.addon.collisions import check as checks
from collision_kit.addon.collisions.check import check
from collision_kit.addon.i18n.units import gap_text, said_text, stand_text
from collision_kit.addon.model.changes import compared, listed
from collision_kit.addon.model.marks import NO_MARKS, ignored_rows
from collision_kit.addon.model.report import PairResults, Report
from collision_kit.addon.model.rules import IgnoreRule, Labels, Pattern
from collision_kit.addon.model.suggestions import suggested_rules
from collision_kit.addon.model.verdict_names import FAULTS
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core import Meshes, Verdict, World
from collision_kit.core.narrow_phase.mesh import deepest
from collision_kit.core.numerics.tolerances import INTERFERENCE


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and standard output of one command."""
    capfd.readouterr()
    code = commands.command(arguments)
    return code, capfd.readouterr().out


@pytest.fixture(autouse=True)
def scene() -> None:
    """Rings in each other, beside each other and touching, and boxes; two rings in one place."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for number, place in enumerate([(0, 0, 0), (0.9, 0, 0), (0.9, 0.3, 0.1), (7, 0, 0), (7, 0, 0), (12, 0, 0)]):
        bpy.ops.mesh.primitive_torus_add(major_segments=16, minor_segments=8, location=place)
        bpy.context.object.name = f"Ring {number}"
    # On the last ring, in it, and in each other.
    for number, place in enumerate([(13.0, 0.0, 0.75), (12.0, 1.0, 0.4), (20.0, 0.0, 0.0), (20.4, 0.1, 0.2)]):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
        bpy.context.object.name = f"Box {number}"
    bpy.context.view_layer.update()


def columns(report: Report) -> PairResults:
    return PairResults.of(report.pairs)


def by_bodies(pairs: PairResults) -> PairResults:
    """The same pairs, in the order of their bodies: of those that touch, the depth tells the order."""
    return pairs.take(np.lexsort((pairs.body_b, pairs.body_a)))


def test_verdicts_and_depths_do_not_wait_for_the_evidence() -> None:
    """Both ways of checking find the same, but for what the first leaves out."""
    first, shapes = check(bpy.context, "ALL", evidence=False)
    full, _ = check(bpy.context, "ALL")
    ours, theirs = (by_bodies(columns(one)) for one in (first, full))
    for name in ("body_a", "body_b", "verdict", "shape_a", "shape_b", "touching", "rounding"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    deep = ours.verdict != Verdict.TOUCHING
    np.testing.assert_array_equal(ours.interference[deep], theirs.interference[deep])
    assert (theirs.interference[~deep] <= theirs.touching[~deep]).all()
    assert {Verdict.DUPLICATE, Verdict.PENETRATING, Verdict.TOUCHING} == {pair.verdict for pair in first.pairs}
    assert theirs.complete.all()
    ring = np.array([shape.kind == "mesh" for shape in first.shapes])
    of_rings = ring[ours.shape_a] | ring[ours.shape_b]
    assert of_rings.any() and not of_rings.all()
    np.testing.assert_array_equal(ours.complete, ~of_rings | (ours.verdict == Verdict.DUPLICATE))
    for pair in first.pairs:
        assert pair.complete or (pair.distance == -pair.interference and not len(pair.contact_points))
        lower, upper = (side[[pair.shape_a, pair.shape_b]] for side in shapes.world.bounds())
        assert (lower <= pair.point_a + 1e-12).all() and (pair.point_a <= upper + 1e-12).all()
        assert np.isclose(np.linalg.norm(pair.normal), 1.0)
    # Some rows, in any order, become what the whole check has of them; the others stay.
    rows = np.flatnonzero(~ours.complete)[::-2]
    some = pair_evidence.measured(shapes.world, ours, rows)
    expected = ours.with_rows(rows, theirs.take(rows))
    for name in ("complete", "distance", "normal", "point_a", "contacts", "contact_points", "contact_depths"):
        np.testing.assert_allclose(getattr(some, name), getattr(expected, name), atol=1e-9, err_msg=name)


def test_a_separating_translation_that_is_given_without_measuring_frees_duplicates() -> None:
    """It is as long as bounds are in each other."""
    report, shapes = check(bpy.context, "ALL")
    (pair,) = [pair for pair in report.pairs if pair.verdict == Verdict.DUPLICATE]
    np.testing.assert_allclose(pair.point_b - pair.point_a, pair.distance * pair.normal)
    world, rows = shapes.world, (pair.shape_a, pair.shape_b)
    one, other = (world.batches[world.batch[row]].take([world.slot[row]]) for row in rows)
    assert isinstance(one, Meshes) and isinstance(other, Meshes)
    moved = other.with_fields(translation=other.translation - pair.distance * pair.normal * (1.0 + 1e-6))
    assert World([one, other]).overlap([[0, 1]])[0]
    assert not World([one, moved]).overlap([[0, 1]])[0]


def test_duplicates_are_told_without_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two copies of a mesh that is not convex are compared, and asked nothing else."""
    asked: list[str] = []
    for name in ("classify_steps", "depth_steps", "distance", "interference", "contacts", "contains"):
        monkeypatch.setattr(World, name, lambda self, pairs, *_a, _name=name, **_k: asked.append(_name))
    report = api.check_collisions(["Ring 3", "Ring 4"])
    assert [pair.verdict for pair in report.pairs] == [Verdict.DUPLICATE]
    assert not asked


def test_of_copies_in_one_place_two_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of two copies hold for all, each pair in its own order, as if each had been tested."""
    for name in ("Ring 1", "Box 2", "Box 3"):
        for _ in range(3):
            copy = bpy.data.objects[name].copy()
            bpy.context.scene.collection.objects.link(copy)
    # Nearly in one place is another place.
    bpy.data.objects["Box 3.001"].location.x += 1e-3
    bpy.context.view_layer.update()
    asked: list[int] = []
    original = checks.PairEvidence.finding.__func__

    def counting(cls, world, pairs, *rest):
        asked.append(len(pairs))
        return original(cls, world, pairs, *rest)

    monkeypatch.setattr(checks.PairEvidence, "finding", classmethod(counting))
    found, _ = check(bpy.context, "ALL", evidence=False)
    few = sum(asked)
    asked.clear()
    every = np.arange(1000)
    monkeypatch.setattr(alike_shapes, "_alike", lambda world: (every[: len(world)], every[: len(world)]))
    expected, _ = check(bpy.context, "ALL", evidence=False)
    assert few < sum(asked) == found.tested["candidates"] == expected.tested["candidates"]
    ours, theirs = by_bodies(columns(found)), by_bodies(columns(expected))
    for one in fields(PairResults):
        left, right = getattr(ours, one.name), getattr(theirs, one.name)
        if left.dtype.kind == "f":
            np.testing.assert_allclose(left, right, atol=1e-9, err_msg=one.name)
        else:
            np.testing.assert_array_equal(left, right, err_msg=one.name)
    assert found.copies_told == expected.copies_told != {}


def test_what_is_shown_is_measured_then() -> None:
    """In a window, a click on a result measures its pair, and no other."""
    bpy.context.scene.collision_kit.scope = "ALL"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    waiting = [row for row, pair in enumerate(last_check.report.pairs) if not pair.complete]
    assert len(waiting) > 2
    # The chosen pair is shown.
    row = [one for one in waiting if one != last_check.chosen][-1]
    assert not last_check.pair(row).complete
    pair_overlay.show(bpy.context, row)
    pair, before = last_check.pair(row), last_check.report.pairs[row]
    assert pair.complete and not before.complete
    assert pair.interference == before.interference and pair.verdict == before.verdict
    assert len(pair.contact_points)
    assert not last_check.pair(waiting[1]).complete or last_check.chosen == waiting[1]
    # Another check knows nothing of it.
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert not last_check.pair(row).complete


def test_a_saved_report_has_all_of_it(tmp_path: Path) -> None:
    """Pairs that have not been shown are measured for a file; text does without."""
    bpy.context.scene.collision_kit.scope = "ALL"
    bpy.ops.collision_kit.check_collisions()
    assert bpy.ops.collision_kit.save_report(filepath=str(tmp_path / "saved.json")) == {"FINISHED"}
    saved = json.loads((tmp_path / "saved.json").read_text(encoding="utf-8"))
    assert all(pair["complete"] for pair in saved["pairs"])
    full = api.check_collisions(scope="ALL")
    for pair, expected in zip(saved["pairs"], full.pairs, strict=True):
        np.testing.assert_allclose(pair["distance"], expected.distance, atol=1e-8)
        assert len(pair["contacts"]) == len(expected.contact_points)


def test_the_command_line_measures_what_a_format_needs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Text has verdicts and depths; JSON has everything, unless it is told otherwise."""
    path = str(tmp_path / "rings.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    code, text = run(capfd, "check", path)
    everything = run(capfd, "check", path, "--evidence", "all")[1]
    assert code == 1
    for said, known in ((text, False), (everything, True)):
        (line,) = (line for line in said.splitlines() if "Ring 0" in line and "Ring 1" in line)
        assert ("contact" in line) == ("along" in line) == known
    full = json.loads(run(capfd, "check", path, "--format", "json")[1])
    quick = json.loads(run(capfd, "check", path, "--format", "json", "--evidence", "none")[1])
    assert all(pair["complete"] for pair in full["pairs"])
    left = [pair for pair in quick["pairs"] if not pair["complete"]]
    assert left
    for pair in left:
        assert pair["distance"] is pair["normal"] is pair["point_a"] is pair["point_b"] is None
        assert pair["contacts"] == [] and pair["interference"] >= 0.0
    known = {pair["id"]: pair for pair in full["pairs"]}
    assert known.keys() == {pair["id"] for pair in quick["pairs"]}
    for pair in quick["pairs"]:
        expected = known[pair["id"]]
        assert pair["verdict"] == expected["verdict"]
        assert pair["interference"] == expected["interference"] or pair["verdict"] == "touching"
    # Such a report is as good for comparing.
    (tmp_path / "quick.json").write_text(json.dumps(quick), encoding="utf-8")
    assert run(capfd, "check", path, "--baseline", str(tmp_path / "quick.json"))[0] == 0


def test_a_pair_that_is_dearer_than_its_budget_says_at_least_until_it_is_measured_in_full(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first answer is a lower bound, in every place; reports and the chosen pair have the depth itself."""
    path = str(tmp_path / "rings.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    full = api.check_collisions(scope="ALL")
    # So few pieces are enough for none of the rings in each other.
    monkeypatch.setattr(deepest, "_PIECES", 1)
    monkeypatch.setattr(deepest, "_MORE", 0)
    bpy.context.scene.collision_kit.scope = "ALL"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    report = last_check.report
    rows = np.flatnonzero(columns(report).at_least).tolist()
    assert rows and not columns(report).complete[rows].any()
    depths = {frozenset((full.bodies[one.body_a].name, full.bodies[one.body_b].name)): one for one in full.pairs}
    for row in rows:
        pair = report.pairs[row]
        known = depths[frozenset((report.bodies[pair.body_a].name, report.bodies[pair.body_b].name))]
        assert pair.verdict == known.verdict and not known.at_least
        assert pair.interference <= known.interference * (1.0 + INTERFERENCE)
    # In the list, in the overlay and in text.
    pair = report.pairs[rows[0]]
    assert gap_text(pair, report.units).startswith("≥ ")
    assert said_text(pair, report.units).template == "at least {length} inside"
    assert stand_text(pair, report.units).startswith("at least ")
    # Choosing the pair measures it, as does a file.
    pair_overlay.show(bpy.context, rows[0])
    shown = last_check.pair(rows[0])
    assert shown.complete and not shown.at_least and shown.interference >= pair.interference
    assert bpy.ops.collision_kit.save_report(filepath=str(tmp_path / "saved.json")) == {"FINISHED"}
    saved = json.loads((tmp_path / "saved.json").read_text(encoding="utf-8"))
    assert len(saved["pairs"]) == len(full.pairs) and not any(one["at_least"] for one in saved["pairs"])
    for one in saved["pairs"]:
        known = depths[frozenset((one["a"], one["b"]))]
        if known.verdict == Verdict.PENETRATING:
            assert one["interference"] == pytest.approx(known.interference, rel=2.0 * INTERFERENCE)
    quick = json.loads(run(capfd, "check", path, "--format", "json", "--evidence", "none")[1])
    assert any(one["at_least"] for one in quick["pairs"])


def test_a_depth_that_is_only_a_lower_bound_is_within_no_limit_and_never_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule for depths up to a limit leaves it listed, and a later depth is not worse than what it was at least."""
    full = check(bpy.context, "ALL")[0]
    monkeypatch.setattr(deepest, "_PIECES", 1)
    monkeypatch.setattr(deepest, "_MORE", 0)
    quick = check(bpy.context, "ALL", evidence=False)[0]
    labels = [Labels(frozenset({body.name})) for body in quick.bodies]
    rule = IgnoreRule((Pattern("name", "*"),), (), 100.0, "")
    pairs = columns(quick)
    assert pairs.at_least.any() and (~pairs.at_least & (pairs.verdict == Verdict.PENETRATING)).any()
    expected = np.flatnonzero(~pairs.at_least & (pairs.verdict != Verdict.DUPLICATE))
    assert sorted(ignored_rows(quick, [rule], labels)) == expected.tolist()
    assert not any(quick.pairs[row].at_least for one in suggested_rules(quick, labels, NO_MARKS) for row in one.rows)

    def worse(now: Report, before: Report) -> set[tuple[int, int]]:
        rows = []
        for one in (now, before):
            pair = columns(one)
            rows.append(listed(one, np.minimum(pair.body_a, pair.body_b) * 100 + np.maximum(pair.body_a, pair.body_b)))
        found = compared(rows[0], rows[1], np.zeros(len(now.pairs)), FAULTS)[1]
        return {(now.pairs[row].body_a, now.pairs[row].body_b) for row in np.flatnonzero(found).tolist()}

    shallow = PairResults.of([replace(pair, interference=0.5 * (pair.interference or 0.0)) for pair in quick.pairs])
    deeper = worse(full, replace(quick, pairs=shallow))
    bounded = {frozenset((pair.body_a, pair.body_b)) for pair in quick.pairs if pair.at_least}
    assert deeper and not bounded & set(map(frozenset, deeper))


def test_limits_decide_by_whole_depths_on_the_command_line_and_when_pairs_are_accepted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Text, which needs no evidence, and JSON agree, with rules, and with accepted pairs of the file."""
    path, rules = str(tmp_path / "rings.blend"), tmp_path / "rules.toml"
    bpy.data.objects.remove(bpy.data.objects["Ring 4"])  # A duplicate is within no limit.
    full = api.check_collisions(scope="ALL")
    limit = 1.01 * max(pair.interference or 0.0 for pair in full.pairs) + 1e-3
    rules.write_text(f'[[ignore]]\na = "*"\nmax_depth = {limit}\n', encoding="utf-8")
    monkeypatch.setattr(deepest, "_PIECES", 1)
    monkeypatch.setattr(deepest, "_MORE", 0)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for kind in ("text", "json"):
        assert run(capfd, "check", path, "--config", str(rules), "--format", kind)[0] == 0, kind
        assert run(capfd, "check", path, "--format", kind)[0] == 1, kind
    bpy.context.scene.collision_kit.scope = "ALL"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert columns(last_check.report).at_least.any()
    assert bpy.ops.collision_kit.accept_pair(reason="rings of a chain", which="LISTED") == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for kind in ("text", "json"):
        assert run(capfd, "check", path, "--format", kind)[0] == 0, kind
