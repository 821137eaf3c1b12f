# SPDX-License-Identifier: GPL-3.0-or-later
"""The two processes of the command: one in which Blender works, and one that starts it, waits and tidies up.

Blender's importers crash on some broken files, and a process that crashes says nothing and leaves its files behind. So
the first process is watched by the second, which has nothing of Blender in it. It says in one line how the first
ended where that could not, passes signals on, and removes the folder for temporary files that the two share.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from ..addon.system.exits import BAD_INPUT, DEFECT, FOLDER, crash_text, say, tell_defect
from ..addon.system.search_path import search_path

# What a process gives that a signal has ended is this and the signal's number, as shells have it.
SIGNALLED = 128

# Seconds for the process to end by itself after a signal: what is computed in C does not look at signals.
PATIENCE = 2.0

# Ctrl-C, the time limit of a build server, a terminal that was closed.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

# Files in the folder of the process in which Blender works: another folder that is to be removed, and one that is there
# from when Blender is loaded.
_ELSEWHERE, LOADED = "elsewhere", "loaded"

# The package is loaded from where it is, whatever else may have its name.
_PROGRAM = """
import os, sys
sys.path[:] = sys.argv[2].split(os.pathsep)
import importlib.util
spec = importlib.util.spec_from_file_location("collision_kit", sys.argv[1])
sys.modules["collision_kit"] = package = importlib.util.module_from_spec(spec)
sys.argv[1:3] = []
spec.loader.exec_module(package)
importlib.import_module("collision_kit.command.worker").work()
"""


class Ended(BaseException):
    """A signal has come that ends the process; no `except Exception` is to stop it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNALLED + number


def blender_command() -> list[str]:
    """Return the command of a process in which Blender works; the arguments of ``collision-kit`` follow."""
    isolation = "-I" if sys.flags.isolated else "-P"
    package = str(Path(__file__).parents[1] / "__init__.py")
    options = [isolation, *(["-X", "utf8"] if _narrow() else []), "-c"]
    return [sys.executable, *options, _PROGRAM, package, os.pathsep.join(search_path())]


def supervised(command: Sequence[str]) -> int:
    """Run a command in which Blender works in a process of its own.

    Returns
    -------
    int
        Its exit code; `BAD_INPUT`, after one line that says so, if it crashed; 128 and the signal's number if
        this process was told to end, and then the other has ended as well.

    Raises
    ------
    OSError
        If no process can be started.
    """
    told: list[int] = []
    waiting = False

    def tell(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        if waiting:
            raise Ended(number)

    with _handling(tell), temporary_folder() as folder:
        process = subprocess.Popen(
            command,
            # Ends when this process does, however that may come; nothing is ever written to it.
            stdin=subprocess.PIPE,
            env={**os.environ, **environment(folder)},
            **_without_interrupts(),
        )
        try:
            waiting = True
            if told:
                raise Ended(told[0])
            code = process.wait()
        except Ended as end:
            waiting = False
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return end.code
        finally:
            waiting = False
        if 0 <= code < 256:
            return code
        say(f"error: {crash_text(code, folder)}")
        return BAD_INPUT


def exit_code(command: Callable[[], int]) -> int:
    """Run a command and return its exit code, however it ends; what it has printed is written out."""
    try:
        return command()
    except Ended as end:
        return end.code
    except KeyboardInterrupt:
        return SIGNALLED + signal.SIGINT
    except SystemExit as stop:
        return int(stop.code or 0)
    except Exception as error:
        tell_defect(error)
        return DEFECT
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()


def watch() -> None:
    """End this process when the one that waits for it has ended, however it did."""
    folder = Path(os.environ[FOLDER])

    def wait() -> None:
        with contextlib.suppress(OSError):
            os.read(0, 1)
        if folder.name:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(SIGNALLED + signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


@contextlib.contextmanager
def ending() -> Iterator[list[int]]:
    """Signals that end the process raise `Ended` within, once; yields which have come.

    What is caught where Blender calls Python is turned into an error there, so the list must be looked at as well.
    """
    come: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        come.append(number)
        if len(come) == 1:
            raise Ended(number)

    with _handling(end):
        yield come


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path | None]:
    """A folder for all temporary files, which is removed; none where none can be made."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="collision-kit-"))
    except OSError:
        yield None
        return
    try:
        yield folder
    finally:
        # Blender puts its own where the user's preferences say.
        with contextlib.suppress(OSError):
            _remove_blenders(Path(os.fsdecode((folder / _ELSEWHERE).read_bytes())))
        shutil.rmtree(folder, ignore_errors=True)


def environment(folder: Path | None) -> dict[str, str]:
    """Return the environment variables of a process in which Blender works, beside those of this one."""
    changed = {FOLDER: str(folder or "")}
    if folder is not None:
        changed.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder)))
    if _narrow() and sys.stdout is not None:
        # What is printed is still for whoever has set this one's encoding.
        changed["PYTHONIOENCODING"] = sys.stdout.encoding
    with contextlib.suppress(OSError):
        # Blender takes paths to be relative to this, and whoever starts a process elsewhere may have left it as it was.
        changed["PWD"] = os.getcwd()
    return changed


def _narrow() -> bool:
    """Whether Python has another encoding for paths than Blender, which always has UTF-8."""
    return sys.getfilesystemencoding() != "utf-8"


def _without_interrupts() -> dict[str, Any]:
    """Have Ctrl-C in a terminal reach this process only, which tells the other to end."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)}


@contextlib.contextmanager
def _handling(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle the signals that end a process, but for those that are ignored."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _remove_blenders(folder: Path) -> None:
    """Remove Blender's temporary folder: without one of its own it may name that of all."""
    if folder.name.startswith("blender_"):
        shutil.rmtree(folder, ignore_errors=True)


def note_loaded() -> None:
    """Note that Blender is loaded, and where its own temporary folder is, in case that this process crashes."""
    import bpy

    folder = os.environ[FOLDER]
    if not folder:
        return
    with contextlib.suppress(OSError):
        Path(folder, LOADED).touch()
        if not bpy.app.tempdir.startswith(folder):
            Path(folder, _ELSEWHERE).write_bytes(os.fsencode(bpy.app.tempdir))


def remove_temporary() -> None:
    """Remove what Blender removes when Python shuts down."""
    if "bpy" in sys.modules:
        _remove_blenders(Path(sys.modules["bpy"].app.tempdir))
