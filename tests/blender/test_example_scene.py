# SPDX-License-Identifier: GPL-3.0-or-later
"""The example warehouse: every planted fault is found, and nothing else is said to collide."""

from pathlib import Path

import bpy
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.model.report import Report
from collision_kit.core import Verdict
from examples import warehouse

# Some rounding of float32 coordinates of up to 8 m: a matrix, a parent's matrix and a vertex.
ROUNDING = 4e-6
WRONG = {Verdict.PENETRATING, Verdict.CONTAINED}
# Curved on flat, curved on curved, box on box, stacks, walls: all made to touch exactly.
RESTING = [
    ("Crate_01", "Crate_02"),
    ("Crate_01", "Crate_05"),
    ("Crate_01", "Pallet_A"),
    ("Crate_11", "Rack"),
    ("Barrel_04", "Pallet_D"),
    ("Barrel_05", "Rack"),
    ("Bottle_01", "Bottle_02"),
    ("Bottle_01", "Floor"),
    ("Bottle_01", "Wall_Left"),
    ("Bollard_01", "Floor"),
    ("Carton_20", "Floor"),
    ("Carton_15", "Pallet_E"),
    ("Pallet_F", "Pallet_G"),
    ("Pallet_J", "Pallet_K"),
    ("Floor", "Forklift"),
    ("Sign_01", "Wall_Back"),
    ("Wall_Back", "Wall_Left"),
]


@pytest.fixture(scope="module")
def report() -> Report:
    warehouse.build()
    return check(bpy.context)[0]


def verdicts(report: Report) -> dict[tuple[str, str], tuple[Verdict, float]]:
    """Verdict and distance by the two names, in alphabetical order."""
    found = {}
    for pair in report.pairs:
        a, b = sorted((report.bodies[pair.body_a].name, report.bodies[pair.body_b].name))
        assert (a, b) not in found, "one line for each pair of bodies"
        found[a, b] = (pair.verdict, pair.distance)
    return found


def test_the_planted_faults_and_only_they_are_found(report: Report) -> None:
    found = {names: verdict for names, (verdict, _) in verdicts(report).items() if verdict in WRONG}
    planted = {tuple(sorted((fault.a, fault.b))): Verdict[fault.verdict.upper()] for fault in warehouse.PLANTED}
    assert found == planted


@pytest.mark.parametrize("fault", warehouse.PLANTED, ids=lambda fault: f"{fault.a}-{fault.b}")
def test_each_fault_is_as_deep_as_it_was_made(report: Report, fault: warehouse.Fault) -> None:
    a, b = sorted((fault.a, fault.b))
    assert verdicts(report)[a, b][1] == pytest.approx(fault.distance, abs=ROUNDING)


@pytest.mark.parametrize("pair", RESTING, ids="-".join)
def test_what_rests_on_another_touches_it(report: Report, pair: tuple[str, str]) -> None:
    a, b = sorted(pair)
    verdict, distance = verdicts(report)[a, b]
    assert verdict == Verdict.TOUCHING
    assert distance == pytest.approx(0.0, abs=ROUNDING)


def test_colliders_stand_for_what_they_are_parented_to(report: Report) -> None:
    colliders = {thing.name for thing in bpy.data.objects if thing.name[:4] in {"UBX_", "USP_", "UCP_", "UCX_"}}
    assert len(colliders) > 100
    assert not colliders & {body.name for body in report.bodies}
    assert colliders <= {shape.object for shape in report.shapes}
    for shape in report.shapes:
        if shape.object in colliders:
            assert bpy.data.objects[shape.object].parent.name == report.bodies[shape.body].name


def test_every_shape_is_what_its_object_says_without_approximation(report: Report) -> None:
    assert report.issues == ()
    kinds = {"UBX_": "box", "USP_": "sphere", "UCP_": "capsule", "UCX_": "hull"}
    for shape in report.shapes:
        assert shape.kind == kinds.get(shape.object[:4], "hull")


def test_the_drive_ends_at_the_frame_that_was_worked_out() -> None:
    warehouse.build()

    def load_is_in_the_goods(frame: float) -> bool:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        found = verdicts(check(bpy.context)[0])
        return any(found.get((crate, "Pallet_E"), (0,))[0] in WRONG for crate in ("Crate_16", "Crate_18"))

    assert not load_is_in_the_goods(warehouse.FIRST_FRAME)
    assert not load_is_in_the_goods(warehouse.DRIVE_MEETS_AT - 0.01)
    assert load_is_in_the_goods(warehouse.DRIVE_MEETS_AT + 0.01)


def test_the_script_saves_the_scene(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new folder" / "warehouse.blend"
    assert warehouse.main([str(file)]) == 0
    printed = capsys.readouterr().out
    assert all(fault.why in printed for fault in warehouse.PLANTED)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    assert bpy.context.scene.camera is not None
    assert {fault.a for fault in warehouse.PLANTED} <= set(bpy.data.objects.keys())


def test_without_a_file_to_write_the_script_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert warehouse.main([]) == 2
    assert "OUT.blend" in capsys.readouterr().err
