# SPDX-License-Identifier: GPL-3.0-or-later
"""The example in which one walks: its planted faults are found, and nothing else is."""

import contextlib
import io

import bpy
import pytest

from collision_kit import api
from examples import walk


@pytest.fixture(scope="module", autouse=True)
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of the script; the file that it saved is open."""
    file = tmp_path_factory.mktemp("example") / "new folder" / "walk.blend"
    with contextlib.redirect_stdout(io.StringIO()) as output:
        assert walk.main([str(file)]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(file))
    return output.getvalue()


def test_the_planted_faults_and_only_they_are_found() -> None:
    report = api.probe()
    assert sorted((one.kind, one.objects) for one in report.found) == sorted(
        (fault.kind, fault.objects) for fault in walk.PLANTED
    )
    measures = {one.kind: one.measure for one in report.found}
    assert measures["fall"] == pytest.approx(0.9, abs=1e-3)
    assert measures["stuck"] == pytest.approx(1.204, abs=1e-5)
    assert measures["snag"] == pytest.approx(0.004, abs=1e-6)
    assert measures["squeeze"] == pytest.approx(0.77, abs=1e-5)
    assert measures["step"] == pytest.approx(0.38, abs=1e-5)


def test_the_stairs_lead_to_the_mezzanine() -> None:
    heights = {round(float(place[2]), 3) for place in api.probe(spacing=0.5).reached.places}
    assert {0.0, walk.HEIGHT} <= heights
    assert len({height for height in heights if 0.1 < height < walk.HEIGHT - 0.1}) > 6


def test_nothing_of_the_level_collides() -> None:
    report = api.check_collisions(scope="ALL")
    assert api.faults(report) == []


def test_the_script_tells_the_faults(printed: str) -> None:
    assert f"{len(walk.PLANTED)} planted faults" in printed
    for fault in walk.PLANTED:
        assert f"{fault.kind}, {' and '.join(fault.objects)}: {fault.why}" in printed


def test_it_needs_a_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert walk.main([]) == 2
    assert "usage" in capsys.readouterr().err
