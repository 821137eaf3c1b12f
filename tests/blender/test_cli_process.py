# SPDX-License-Identifier: GPL-3.0-or-later
"""The command as a process: which code it runs, how it ends, what it says then, and what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.system import exits, processes
from tests.helpers.blender.command_line import box, run
from tests.helpers.blender.command_process import MAIN, finish, left_behind, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and streams as POSIX has them")


# Python loads these itself, before any program.
LOADED = {"__main__", "__future__", "antigravity", "this"}


@pytest.fixture
def pair(save_scene, environment: dict[str, str]) -> str:
    """The name of a scene in the working directory of two boxes that penetrate."""
    Path(save_scene(A=(0, 0, 0), B=(0.75, 0, 0))).rename("scene.blend")
    return "scene.blend"


def plant(folder: Path, names) -> None:
    """Modules that leave a mark where one of them is run."""
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(folder / f'{name}.ran')!r}, 'w')\nraise ImportError({name!r})")


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(("-m", "collision_kit"), id="module", marks=pytest.mark.slow),
        pytest.param(("-c", MAIN), id="program"),
    ],
)
def test_no_module_of_the_working_directory_or_beside_the_scene_is_run(pair, environment, how) -> None:
    foreign = ["bpy", "gpu", "json", "numpy", "mathutils", "bl_ui", "io_scene_gltf2", "coacd", "collision", "scene"]
    # What `from collision_kit import main` itself loads is loaded before the command can do anything about it.
    first: set[str] = set()
    if how[0] == "-c":
        program = "import sys, collision_kit.command; print(*sys.modules)"
        first = set(finish(start(environment, how=("-P", "-c", program)))[1].split())
    foreign += sorted(sys.stdlib_module_names - LOADED - first)
    plant(Path(), foreign)
    # A picture takes seconds.
    picture = ("--picture", "worst.png") if how[0] == "-m" else ()
    code, output, error = finish(start(environment, "check", pair, *picture, how=how))
    assert code == 1, error
    assert "penetrating" in output
    assert Path("worst.png").exists() == bool(picture)
    assert not list(Path().glob("*.ran"))
    assert left_behind(environment) == []


def test_programs_that_are_started_find_nothing_in_the_working_directory(tmp_path: Path, monkeypatch) -> None:
    places = {name: tmp_path / name for name in ("here", "own", "environment")}
    for place in places.values():
        place.mkdir()
        plant(place, ["json", "numpy", "bpy", "gpu", "subprocess", "sitecustomize"])
    for name in ("numpy", "sitecustomize", "json", "subprocess"):
        (places["own"] / f"{name}.py").unlink()
    monkeypatch.chdir(places["here"])
    monkeypatch.syspath_prepend("")
    monkeypatch.setenv("PYTHONPATH", str(places["environment"]))
    told = places["own"] / "told"
    program = (
        "import json, subprocess, numpy, os, sys; open(sys.argv[1], 'w').write(json.dumps([os.getcwd(), sys.path]))"
    )
    started = processes.started(program, [str(told)], places["own"], subprocess.PIPE)
    _, error = started.communicate(timeout=60)
    assert started.returncode == 0, error
    where, path = json.loads(told.read_text())
    assert where == str(places["own"])
    assert not {"", str(places["here"]), str(places["environment"])} & set(path)
    assert not list(tmp_path.rglob("*.ran"))


@pytest.mark.skipif(bool(bpy.app.binary_path), reason="Blender is no module")
def test_programs_that_are_started_can_load_blender_as_a_module(tmp_path: Path) -> None:
    program = "import bpy, os; print(bpy.app.version_string, flush=True); os._exit(0)"
    started = processes.started(program, (), tmp_path, subprocess.PIPE, output=subprocess.PIPE)
    output, error = started.communicate(timeout=60)
    assert (started.returncode, output.decode().strip()) == (0, bpy.app.version_string), error


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_it_quietly_and_nothing_is_left(pair, environment, number) -> None:
    os.mkfifo("nobody reads this")
    started = start(environment, "check", pair, "--output", "nobody reads this")
    end = time.monotonic() + 100.0
    # It waits for a reader once Blender has been loaded and the scene was read.
    while not list(Path(environment["TMPDIR"]).glob("collision-kit-*/blender_*")) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.3)
    started.send_signal(number)
    assert finish(started) == (128 + number, "", "")
    assert left_behind(environment) == []
    assert sorted(os.listdir()) == ["nobody reads this", "scene.blend"]


# Interrupts the process when a module is loaded, by code that turns what it raises into another error.
INTERRUPTED = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "collision_kit." + WHEN:
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt as error:
                raise RuntimeError("in a class that is being made") from error

sys.meta_path.insert(0, Finder())
"""


def test_a_job_in_the_background_goes_on_after_an_interrupt(pair, environment) -> None:
    os.mkfifo("read later")
    arguments = ("check", pair, "--output", "read later")
    started = start(environment, *arguments, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    end = time.monotonic() + 100.0
    while not list(Path(environment["TMPDIR"]).glob("collision-kit-*/blender_*")) and time.monotonic() < end:
        time.sleep(0.05)
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(started.pid)], capture_output=True, text=True)
    for number in (started.pid, *map(int, children.stdout.split())):
        os.kill(number, signal.SIGINT)
    assert "penetrating" in Path("read later").read_text(encoding="utf-8")
    assert finish(started)[::2] == (1, "")
    assert left_behind(environment) == []


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("when", ["command.entry", "addon.cli.usage", "command.many"])
def test_an_interrupt_ends_it_quietly_while_modules_are_loaded(environment, when) -> None:
    program = f"WHEN = {when!r}\n{INTERRUPTED}\n{MAIN}"
    command = [sys.executable, "-P", "-c", program, "check", "nowhere.blend", "--jobs", "1"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.mark.parametrize(
    ("stream", "reason"), [("/dev/full", "No space left on device"), (None, "Bad file descriptor")]
)
def test_a_report_that_cannot_be_printed_is_one_line(pair, environment, stream, reason) -> None:
    how = ("-P", "-c", MAIN)
    if stream is None:
        command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, *how, "check", pair]
        started = subprocess.Popen(command, env=environment, encoding="utf-8", stderr=subprocess.PIPE)
    else:
        with open(stream, "w") as full:
            started = start(environment, "check", pair, stdout=full)
    code, _, error = finish(started)
    assert (code, error) == (2, f"error: cannot write to standard output: {reason}\n")
    assert left_behind(environment) == []


def test_nobody_who_reads_and_an_encoding_of_few_characters(pair, environment) -> None:
    code, output, error = finish(start(environment | {"PYTHONIOENCODING": "ascii"}, "check", pair))
    assert code == 1, error
    assert "A  ?  B" in output
    started = start(environment, "--help")
    started.stdout.close()
    code = started.wait(120)
    assert (code, started.stderr.read()) == (2, "error: cannot write to standard output: Broken pipe\n")
    started.stderr.close()


def test_names_that_the_encoding_of_the_locale_does_not_have(pair, environment) -> None:
    narrow = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    os.rename(pair, os.fsencode("방 ×.blend"))
    arguments = ("check", "방 ×.blend", "--output", "방.json")
    code, output, error = finish(start(environment | narrow, *arguments, "--output", "-"))
    assert (code, error) == (1, "")
    assert "A  ?  B" in output
    assert json.loads(Path("방.json").read_bytes())["counts"]["penetrating"] == 1


def test_a_name_that_is_no_utf_8_is_in_the_picture(pair, environment) -> None:
    os.rename(pair, b"\xff\xfe.blend")
    arguments = ("check", os.fsdecode(b"\xff\xfe.blend"), "--picture", "picture.png")
    assert finish(start(environment, *arguments))[::2] == (1, "")
    assert Path("picture.png").stat().st_size


CRASHES = """
import os, signal, sys
from collision_kit.addon.system import exits
folder = os.environ["COLLISION_KIT_FOLDER"]
os.mkdir(os.path.join(folder, "blender_abc"))
with exits.reading("the file.ply"):
    os.kill(os.getpid(), {number})
"""


def crash(environment: dict[str, str], number: int) -> tuple[int, str, str]:
    """The end of a process that has started another one, which a signal ends as it reads a file."""
    command = [sys.executable, "-c", CRASHES.format(number=int(number))]
    program = f"import sys; from collision_kit.command.supervision import supervised; sys.exit(supervised({command!r}))"
    return finish(start(environment, how=("-c", program)))


def test_a_crash_is_one_line_that_names_the_file(environment) -> None:
    for number, name in ((signal.SIGSEGV, "Segmentation fault"), (signal.SIGKILL, "Killed")):
        line = f"error: the file.ply: Blender crashed while it read the file (signal {int(number)}, {name})\n"
        assert crash(environment, number) == (2, "", line)
        assert left_behind(environment) == []


def test_when_the_one_that_waits_is_killed_the_other_ends_and_tidies_up(pair, environment) -> None:
    os.mkfifo("nobody reads this")
    started = start(environment, "check", pair, "--output", "nobody reads this")
    end = time.monotonic() + 100.0
    while not list(Path(environment["TMPDIR"]).glob("collision-kit-*/blender_*")) and time.monotonic() < end:
        time.sleep(0.05)
    started.kill()
    # Its streams are closed once both have ended.
    assert finish(started)[1:] == ("", "")
    assert left_behind(environment) == []


def test_the_reason_of_a_failed_import_is_the_last_line_of_its_traceback(tmp_path, capfd) -> None:
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        # A lone surrogate cannot be a name in Blender.
        "nodes": [{"name": "\ud800"}],
    }
    path = tmp_path / "broken.gltf"
    path.write_text(json.dumps(content))
    capfd.readouterr()
    code, output, error = run(capfd, "check", str(path))
    assert (code, output) == (2, "")
    assert error.startswith(f"error: {path}: Blender cannot read it: ")
    assert "Traceback" not in error and error.partition("read it: ")[2].partition(":")[0].endswith("Error")


def test_objects_that_cannot_be_tested_are_one_line_too(save_scene, capfd) -> None:
    for name in "AB":
        box(name, (0, 0, 0)).data.vertices[3].co.y = np.nan
    code, _, error = run(capfd, "check", save_scene(C=(9, 0, 0)))
    assert code == 2
    assert error.startswith("error: A: ") and error.endswith(" (and 1 more)")
    assert "\n" not in error


def test_a_fault_of_the_program_is_one_line_that_says_where(save_scene, capfd, monkeypatch) -> None:
    from collision_kit.addon.cli import commands

    def steps(*_arguments, **_options):
        raise ZeroDivisionError("by\nnothing")

    path = save_scene(A=(0, 0, 0))
    monkeypatch.setattr(commands.check, "steps", steps)
    code, output, error = run(capfd, "check", path)
    assert (code, output) == (3, "")
    assert error.startswith(
        "error: a defect of Collision Kit: ZeroDivisionError: by nothing (test_cli_process.py, line "
    )
    assert "\n" not in error
    assert commands.command(["check", "--verbose", path]) == 3
    told = capfd.readouterr().err
    assert "Traceback" in told and 'raise ZeroDivisionError("by' in told


def test_what_blender_reads_in_a_process_of_its_own_needs_a_name(capfd) -> None:
    assert run(capfd, "check", "--isolate")[2].startswith("error: --isolate needs FILE")
    assert bpy.app.background
    assert not exits.watched()
