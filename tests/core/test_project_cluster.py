# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files on the workers of a Dask cluster of this machine."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import collision_kit
from collision_kit.command import pools
from tests.helpers.project_files import ended, library, stub

distributed: Any = pytest.importorskip("distributed", reason="needs Dask: pip install distributed")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")]


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two workers, each a process with one thread, that find the package under its name."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "collision_kit").symlink_to(Path(str(collision_kit.__file__)).parent)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    monkeypatch.chdir(tmp_path)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    ) as started:
        yield started


def files_of(path: Path) -> list[str]:
    """The lines of a report but for that of the run."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith('  "run"')]


def test_a_cluster_gives_what_one_machine_gives_though_a_worker_is_killed(cluster, tmp_path: Path) -> None:
    behaviors = {f"f{n:02}": ("slow", "faulty", "broken", "slow")[n % 4] for n in range(16)}
    folder, command = library(tmp_path / "lib", **behaviors, y="hangs", z="dies"), stub(tmp_path)
    arguments = ("check", folder, "--timeout", "4s", "--output")
    assert ended(command, *arguments, "local.json", "--jobs", "2") == 1
    for path in (tmp_path / "noted").iterdir():
        path.unlink()
    killed = []

    def kill() -> None:
        """Kill a worker once it has begun to work."""
        with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
            while not (tmp_path / "noted").exists() or len(list((tmp_path / "noted").iterdir())) < 4:
                time.sleep(0.02)
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    code = ended(command, *arguments, "cluster.json", "--scheduler", cluster.scheduler_address)
    killer.join()
    assert code == 1 and killed
    assert files_of(tmp_path / "cluster.json") == files_of(tmp_path / "local.json")
    of_run = json.loads((tmp_path / "cluster.json").read_text(encoding="utf-8"))["run"]
    assert of_run["scheduler"] == cluster.scheduler_address and of_run["jobs"] == 2


def test_workers_that_differ_are_one_line_of_bad_input(cluster, tmp_path: Path, monkeypatch, capfd) -> None:
    folder, command = library(tmp_path / "lib", a="clean"), stub(tmp_path)
    arguments = ("check", folder, "--scheduler", cluster.scheduler_address)
    monkeypatch.setattr(pools, "versions", lambda: {"collision_kit": "99", "blender": "1"})
    capfd.readouterr()
    assert ended(command, *arguments) == 2
    error = capfd.readouterr().err
    assert "the worker has Collision Kit " in error and ", here it is 99" in error
    assert error.startswith("error: ") and error.count("\n") == 1
    assert not (tmp_path / "noted").exists()


def test_workers_without_the_folder_are_one_line_of_bad_input(cluster, tmp_path: Path) -> None:
    with (
        pytest.raises(pools.CommandError, match="the worker has no folder /nowhere"),
        pools.cluster_pool(cluster.scheduler_address, Path("/nowhere")),
    ):
        pass


@pytest.mark.usefixtures("interruptible")
def test_what_runs_on_workers_is_ended(cluster, tmp_path: Path) -> None:
    folder, command = library(tmp_path / "lib", a="hangs", b="hangs", c="clean"), stub(tmp_path)

    def end() -> None:
        while not (tmp_path / "noted").exists() or len(list((tmp_path / "noted").iterdir())) < 2:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    ender = threading.Thread(target=end)
    ender.start()
    begun = time.monotonic()
    assert ended(command, "check", folder, "--scheduler", cluster.scheduler_address, "--output", "report.json") == 130
    ender.join()
    assert time.monotonic() - begun < 300.0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["files"] == [] and report["run"]["not_checked"] == ["a.blend", "b.blend", "c.blend"]
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        assert set(client.run(_children).values()) == {0}


def _children() -> int:
    """Return how many processes this process waits for."""
    from collision_kit.command import one_file

    return len(one_file._children)
