# SPDX-License-Identifier: GPL-3.0-or-later
"""The two processes of the command: one runs Blender, the other starts it, waits for it and cleans up.

Blender's importers crash on some broken files, and a process that crashes prints no message and leaves its files
behind. So a second process, which does not load Blender, watches the first. It reports how the first process ended,
passes signals on, and removes the folder for temporary files that both share.
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

# Exit code of a process that was ended by a signal: this plus the number of the signal, as in shells.
SIGNALLED = 128

# Seconds that the process has to end by itself after a signal, because C code does not react to signals.
PATIENCE = 2.0

# Ctrl-C, the time limit of a build server, a closed terminal.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

# Files in the folder of the Blender process: one names another folder to be removed, the other exists as soon as
# Blender is loaded.
_ELSEWHERE, LOADED = "elsewhere", "loaded"

# The package is loaded from its own folder, even if another package has the same name.
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
    """Raised by a signal that ends the process. It must not be caught by `except Exception`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNALLED + number


def blender_command() -> list[str]:
    """Return the command of a Blender process, without the arguments of ``collision-kit``, which follow."""
    isolation = "-I" if sys.flags.isolated else "-P"
    package = str(Path(__file__).parents[1] / "__init__.py")
    options = [isolation, *(["-X", "utf8"] if _narrow() else []), "-c"]
    return [sys.executable, *options, _PROGRAM, package, os.pathsep.join(search_path())]


def supervised(command: Sequence[str]) -> int:
    """Run a command in a separate process with Blender.

    Returns
    -------
    int
        Exit code of that process. `BAD_INPUT`, after a message of one line, if it crashed. 128 plus the signal's number
        if this process was told to end; the other process has ended then.

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
            # Ends together with this process, however this process ends. Nothing is ever written to it.
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
    """Run a command and return its exit code, however it ends. Its output is flushed."""
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
    """End this process when the process that waits for it has ended in any way."""
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
    """Raise `Ended` once for signals that end the process.

    Yields the list of received signals.

    Blender turns an exception in a callback into an error message, so callers must check the list as well.
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
    """Make a folder for all temporary files, and remove it at the end. None if it cannot be made."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="collision-kit-"))
    except OSError:
        yield None
        return
    try:
        yield folder
    finally:
        # Blender puts its own folder where the user preferences say.
        with contextlib.suppress(OSError):
            _remove_blenders(Path(os.fsdecode((folder / _ELSEWHERE).read_bytes())))
        shutil.rmtree(folder, ignore_errors=True)


def environment(folder: Path | None) -> dict[str, str]:
    """Return the additional environment variables of a Blender process."""
    changed = {FOLDER: str(folder or "")}
    if folder is not None:
        changed.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder)))
    if _narrow() and sys.stdout is not None:
        # The output is read by the caller of this process, so it keeps this process's encoding.
        changed["PYTHONIOENCODING"] = sys.stdout.encoding
    with contextlib.suppress(OSError):
        # Blender resolves relative paths against this, and a caller that starts a process in another folder may not
        # have updated it.
        changed["PWD"] = os.getcwd()
    return changed


def _narrow() -> bool:
    """Return whether Python and Blender encode paths differently. Blender always uses UTF-8."""
    return sys.getfilesystemencoding() != "utf-8"


def _without_interrupts() -> dict[str, Any]:
    """Have Ctrl-C in a terminal reach only this process, which ends the other one."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)}


@contextlib.contextmanager
def _handling(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle the signals that end a process, except those that are ignored."""
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
    """Remove Blender's temporary folder. The stored path can be the system's folder if Blender has none of its own."""
    if folder.name.startswith("blender_"):
        shutil.rmtree(folder, ignore_errors=True)


def note_loaded() -> None:
    """Record that Blender is loaded and where its temporary folder is, in case this process crashes."""
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
