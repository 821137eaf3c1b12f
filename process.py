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
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from .addon.system.characters import shown

BAD_INPUT = 2

# Something in this program is wrong, and not with what it was given.
DEFECT = 3

# What a process gives that a signal has ended is this and the signal's number, as shells have it.
SIGNALLED = 128

# Seconds for the process to end by itself after a signal: what is computed in C does not look at signals.
PATIENCE = 2.0

# Ctrl-C, the time limit of a build server, a terminal that was closed.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

# The environment variable by which the process in which Blender works knows that it is one, and its folder.
_VARIABLE = "COLLISION_KIT_FOLDER"

# Files in that folder: what is being read, another folder that is to be removed, and one that is there from when
# Blender is loaded.
_READING, _ELSEWHERE, LOADED = "reading", "elsewhere", "loaded"

# The package is loaded from where it is, whatever else may have its name.
_PROGRAM = """
import os, sys
sys.path[:] = sys.argv[2].split(os.pathsep)
import importlib.util
spec = importlib.util.spec_from_file_location("collision_kit", sys.argv[1])
sys.modules["collision_kit"] = package = importlib.util.module_from_spec(spec)
sys.argv[1:3] = []
spec.loader.exec_module(package)
importlib.import_module("collision_kit.process").work()
"""


class Ended(BaseException):
    """A signal has come that ends the process; no `except Exception` is to stop it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNALLED + number


def search_path() -> list[str]:
    """Where this process looks for modules, but for the working directory: what lies there may be anybody's.

    Python searches it first where a program was given with ``-c`` or ``-m``.
    """
    entries = [entry for entry in sys.path if entry]
    try:
        here = os.getcwd()
    except OSError:  # a folder that was removed
        return [entry for entry in entries if os.path.isabs(entry)]
    if entries and not sys.flags.safe_path and sys.path[0] and os.path.abspath(sys.path[0]) == here:
        entries = entries[1:]
    return [os.path.abspath(entry) for entry in entries]


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    _open_streams()
    os._exit(_exit_code(lambda: _first(sys.argv[1:])))


def blender_command() -> list[str]:
    """Return the command of a process in which Blender works; the arguments of ``collision-kit`` follow."""
    isolation = "-I" if sys.flags.isolated else "-P"
    package = str(Path(__file__).with_name("__init__.py"))
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


def work() -> NoReturn:
    """Be the process in which Blender works, and end with the command's exit code."""
    watch()
    code = BAD_INPUT
    try:
        code = _exit_code(lambda: _command(sys.argv[1:]))
    finally:
        _remove_temporary()
        # Blender as a module may crash or hang while Python shuts down: 4.2 and 4.5 do so after any property callback.
        os._exit(code)


def watched() -> bool:
    """Whether this is the process in which Blender works, and another waits for it."""
    return _VARIABLE in os.environ


def watch() -> None:
    """End this process when the one that waits for it has ended, however it did."""
    folder = Path(os.environ[_VARIABLE])

    def wait() -> None:
        with contextlib.suppress(OSError):
            os.read(0, 1)
        if folder.name:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(SIGNALLED + signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


@contextlib.contextmanager
def reading(file: str) -> Iterator[None]:
    """Note for the process that waits which file is being read, in case that this one crashes."""
    folder = os.environ.get(_VARIABLE)
    if not folder:
        yield
        return
    note = Path(folder, _READING)
    with contextlib.suppress(OSError):
        note.write_bytes(os.fsencode(file))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink()


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


def say(line: str) -> None:
    """Write a line on standard error, where there is one; what would control the terminal is escaped."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(shown(line).encode(encoding, "replace").decode(encoding) + "\n")
        sys.stderr.flush()


def fault(error: BaseException) -> str:
    """The kind and place of a fault of this program, in one line."""
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(place[0].filename).name}, line {place[0].lineno})" if place else ""
    return " ".join(f"{type(error).__name__}: {error}".split()) + where


def tell_defect(error: BaseException, *, verbose: bool = False) -> None:
    """Say in one line that this program is at fault; where, at length, only if that is wanted."""
    for part in traceback.format_exception(error) if verbose else ():
        for line in part.rstrip("\n").split("\n"):
            say(line)
    hint = "" if verbose else "; --verbose shows where"
    say(f"error: a defect of Collision Kit: {fault(error)}{hint}")


def _exit_code(command: Callable[[], int]) -> int:
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


def _first(arguments: Sequence[str]) -> int:
    """Run the command: one file in a process in which Blender works, many in a process each."""
    from .addon.cli import usage

    options = usage.read("collision-kit", arguments, file_needed=True)
    if options.many:
        from .addon.cli import many

        _interruptible()
        return many.main(options)
    from .addon.model.scene_files import why_no_scene

    why = why_no_scene(Path(options.file))
    if why:
        say(f"error: {options.file}: {why}")
        return BAD_INPUT
    _interruptible()
    try:
        return supervised([*blender_command(), *arguments])
    except OSError as error:
        say(f"error: Python cannot be started: {error}")
        return BAD_INPUT


def _interruptible() -> None:
    """Have Ctrl-C raise KeyboardInterrupt, unless it is ignored: until now it has ended the process at once."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _command(arguments: Sequence[str]) -> int:
    from .addon.cli import usage

    # Before Blender is loaded, which takes a second and may not be there.
    options = usage.read("collision-kit", arguments, file_needed=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        # Blender 5.2 says on standard output which colors it uses, when it is loaded.
        with switched(1, nowhere), switched(2, nowhere):
            from .addon.cli import commands
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "bpy"
        how = "is needed as a Python module: pip install collision-kit[blender]"
        say(f"error: Blender {how if missing else f'cannot be loaded: {error}'}")
        return BAD_INPUT
    finally:
        os.close(nowhere)
    _note_loaded()
    return commands.main(options)


def _open_streams() -> None:
    """Put something where a standard stream is closed, so that no file is taken for it; writing there still fails."""
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free, which is this one
            os.set_inheritable(stream, True)


@contextlib.contextmanager
def switched(stream: int, target: int) -> Iterator[None]:
    """Send what is written through C to one of the process's streams to another file descriptor."""
    import ctypes

    kept = os.dup(stream)
    try:
        os.dup2(target, stream)
        yield
    finally:
        # What was printed through C waits in C's own buffer and would come out after the switch.
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)
        os.dup2(kept, stream)
        os.close(kept)


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
    changed = {_VARIABLE: str(folder or "")}
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


def crash_text(code: int, folder: Path | None) -> str:
    """The message about a process that has ended with an exit code that is not its own."""
    how = f"code {code:#x}" if code > 0 else f"signal {-code}, {signal.strsignal(-code) or 'unknown'}"
    try:
        file = os.fsdecode(((folder or Path()) / _READING).read_bytes())
    except OSError:
        return f"Blender crashed ({how})"
    return f"{file}: Blender crashed while it read the file ({how})"


def _note_loaded() -> None:
    """Note that Blender is loaded, and where its own temporary folder is, in case that this process crashes."""
    import bpy

    folder = os.environ[_VARIABLE]
    if not folder:
        return
    with contextlib.suppress(OSError):
        Path(folder, LOADED).touch()
        if not bpy.app.tempdir.startswith(folder):
            Path(folder, _ELSEWHERE).write_bytes(os.fsencode(bpy.app.tempdir))


def _remove_temporary() -> None:
    """Remove what Blender removes when Python shuts down."""
    if "bpy" in sys.modules:
        _remove_blenders(Path(sys.modules["bpy"].app.tempdir))


def _remove_blenders(folder: Path) -> None:
    """Remove Blender's temporary folder: without one of its own it may name that of all."""
    if folder.name.startswith("blender_"):
        shutil.rmtree(folder, ignore_errors=True)
