# SPDX-License-Identifier: GPL-3.0-or-later
"""The import script for Unity makes real colliders of names: compiled and run with stand-ins of Unity's classes.

Needs Mono: `mcs` and `mono`. Unity itself is not tried.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = {
    "UBX_Crate_01": "BoxCollider 3 2 4 6",
    "UBX_leaning_01": "MeshCollider True",
    "usp_Ball": "SphereCollider 3 3",
    "UCP_Post": "CapsuleCollider 2 6 2",
    "UCX_Rock_01": "MeshCollider True",
    "Rock-convcolonly": "MeshCollider True",
    "Cave-colonly": "MeshCollider False",
    "Rock_collider_02": "MeshCollider True",
    "Rock": "MeshFilter,MeshRenderer",
    "UBXCrate": "MeshFilter,MeshRenderer",
}


@pytest.mark.skipif(not (shutil.which("mcs") and shutil.which("mono")), reason="needs Mono: apt-get install mono-mcs")
def test_names_become_colliders(tmp_path: Path) -> None:
    program = tmp_path / "program.exe"
    sources = [
        ROOT / "engines" / "unity" / "CollisionKitPostprocessor.cs",
        ROOT / "tests" / "gui" / "unity" / "Stubs.cs",
    ]
    built = subprocess.run(["mcs", f"-out:{program}", *sources], capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stdout + built.stderr
    done = subprocess.run(["mono", program, *PARTS], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert dict(line.split("|") for line in done.stdout.splitlines()) == PARTS
