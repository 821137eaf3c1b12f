# SPDX-License-Identifier: GPL-3.0-or-later
"""Every JSON report is as its schema in docs/schemas says."""

import json
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from examples import colliders, motion, warehouse
from tests.helpers.offline import slow
from tests.helpers.report_schemas import mistakes


def saved(build: Callable[[], object], path: Path) -> str:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    build()
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


def report_of(tmp_path: Path, *arguments: str) -> dict:
    output = tmp_path / "report.json"
    assert commands.command([*arguments, "--output", str(output)]) in (0, 1)
    return json.loads(output.read_text(encoding="utf-8"))


def test_check(tmp_path: Path) -> None:
    file = saved(warehouse.build, tmp_path / "scene.blend")
    first = report_of(tmp_path, "check", file, "--clearance", "5mm")
    assert len(first["pairs"]) > 5
    assert mistakes("check", first) == []
    # With a configuration and an earlier report there is more in it.
    pair = next(one for one in first["pairs"] if one["accepted"] is None)
    (tmp_path / "collision-kit.toml").write_text(
        f'[[test]]\nname = "all"\na = ["*"]\n[[ignore]]\na = ["{pair["a"]}"]\nreason = "on purpose"\n', encoding="utf-8"
    )
    earlier = report_of(tmp_path, "check", file)
    kept = earlier["pairs"][1:]
    for one in kept:
        one |= {"distance": 0.5 * one["distance"], "interference": 0.5 * one["interference"]}
    earlier["pairs"] = [*kept, {**kept[0], "id": "gone", "a": "Nobody"}]
    baseline = tmp_path / "baseline.json"
    baseline.write_text(json.dumps(earlier), encoding="utf-8")
    report = report_of(tmp_path, "check", file, "--baseline", str(baseline))
    assert report["tests"] and report["ignore"] and report["gone"]
    assert any(one["new"] for one in report["pairs"]) and any(one["worse"] for one in report["pairs"])
    assert any(one["ignored"] for one in report["pairs"])
    assert mistakes("check", report) == []


def test_check_in_a_plane(tmp_path: Path) -> None:
    file = saved(warehouse.build, tmp_path / "scene.blend")
    report = report_of(tmp_path, "check", file, "--plane", "xy")
    assert report["plane"] == "XY" and report["pairs"]
    assert mistakes("check", report) == []


def test_motion(tmp_path: Path) -> None:
    report = report_of(tmp_path, "motion", saved(motion.build, tmp_path / "scene.blend"))
    assert report["contacts"]
    assert mistakes("motion", report) == []


def test_nothing_moves(tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    report = json.loads(api.report_text(api.check_motion(start=1, end=2), "json"))
    assert report["deviation"]["object"] is None
    assert mistakes("motion", report) == []


@pytest.fixture(scope="module")
def with_colliders(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of the example whose colliders are made with the tool, which takes seconds."""
    return saved(colliders.build, tmp_path_factory.mktemp("colliders") / "scene.blend")


@pytest.mark.parametrize("engine", ["unreal", *slow("any", "godot", "unity", "gltf", "usd")])
def test_validate(tmp_path: Path, with_colliders: str, engine: str) -> None:
    report = report_of(tmp_path, "validate", with_colliders, "--engine", engine)
    assert report["findings"]
    assert mistakes("validate", report) == []


def test_cull(tmp_path: Path) -> None:
    report = report_of(tmp_path, "cull", saved(warehouse.build, tmp_path / "scene.blend"))
    assert report["objects"]
    assert mistakes("cull", report) == []
