# SPDX-License-Identifier: GPL-3.0-or-later
"""Named pipes, sockets and devices in the place of files that are read: one clear error, and nothing waits."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from collision_kit.addon import config
from collision_kit.addon.model.errors import CommandError, UserError
from collision_kit.addon.reports import baseline
from collision_kit.addon.reports.bcf_files import read_topics
from collision_kit.command import many
from collision_kit.command.journal import Journal

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs named pipes and sockets in folders")

READERS: dict[str, Callable[[Path], object]] = {
    "configuration": config.load,
    "baseline": lambda path: baseline.read(path, Path("scene.blend")),
    "baseline of many": lambda path: many._baselines(path, "check", ["scene.blend"]),
    "topics": read_topics,
    "journal": lambda path: Journal(path, {}),
}


@pytest.fixture(params=["pipe", "link to a pipe", "socket", "device"])
def endless(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "given"
    if request.param == "device":
        path.symlink_to("/dev/zero")
    elif request.param == "socket":
        monkeypatch.chdir(tmp_path)  # the path of a socket must be short
        socket.socket(socket.AF_UNIX).bind(path.name)
    else:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        path.symlink_to(pipe) if request.param.startswith("link") else pipe.rename(path)
    return path


@pytest.mark.parametrize("reader", READERS)
def test_what_may_have_no_end_is_refused_in_one_line(endless: Path, reader: str) -> None:
    with pytest.raises((CommandError, UserError)) as error:
        READERS[reader](endless)
    assert str(endless) in str(error.value) and "not a file" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("reader", ["configuration", "baseline", "baseline of many", "topics"])
def test_a_pipe_of_another_process_is_refused_too(reader: str) -> None:
    """As a shell passes the output of a command: it may never be written to."""
    with subprocess.Popen([sys.executable, "-c", "print()"], stdout=subprocess.PIPE) as other:
        path = Path(f"/dev/fd/{other.stdout.fileno()}")
        with pytest.raises((CommandError, UserError), match="not a file"):
            READERS[reader](path)
