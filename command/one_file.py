# SPDX-License-Identifier: GPL-3.0-or-later
"""One file, checked in a process of its own: how it is started and limited, and what has become of it."""

import contextlib
import hashlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..addon.system.exits import BAD_INPUT, crash_text
from . import supervision

# What can become of a file: the check found nothing, or something, or could not be made.
OUTCOMES = ("clean", "found", "unreadable", "crashed", "timed_out", "out_of_memory")
CHECKED = ("clean", "found")

# The extension of the report as JUnit.
JUNIT = ".xml"

# What it counts.
SUITE_COUNTS = ("tests", "failures", "errors")

# So that processes side by side do not each start a thread for every core.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)

# Sets the limit of memory, and becomes the program that follows. RLIMIT_DATA counts what a process writes to, which
# is about what it uses; RLIMIT_AS also counts the gigabyte of addresses that Blender and its libraries only reserve.
_LIMITED = """
import os, resource, sys
limit, (_, most) = int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_DATA)
limit = min(limit, sys.maxsize if most == resource.RLIM_INFINITY else most)
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
os.execv(sys.argv[2], sys.argv[2:])
"""

# What Python, C++, Blender's allocator and the system say where there is no memory left. The loader of libraries has
# the words of an error in more cases than that.
_NO_MEMORY = re.compile(
    r"\bout of memory\b|\bMemoryError\b|\bbad_alloc\b|\b[MCR]e?alloc\w* returns null"
    r"|\bcannot allocate memory\b(?! in static TLS)|\bcannot map zero-fill pages"
    r"|\bfailed to map segment from shared object(?!: (?!cannot allocate memory))",
    re.IGNORECASE,
)
# What Python says where there is no memory for the stack of a thread, or where there are too many threads.
_NO_THREAD = "can't start new thread"
# Names of files and objects, which may have any words.
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
# A process that a limit has ended without a word used at least this share of it.
_NEARLY = 0.9

# Bytes at the end of standard error that are looked at, and lines of it that are reported.
_LOG_BYTES, _LOG_LINES = 20_000, 10

_BLOCK = 1 << 20


class Ended(Exception):
    """The run that a file is part of has been ended."""


if sys.platform != "win32":
    import resource


@dataclass(frozen=True)
class Task:
    """A file that is to be checked.

    Attributes
    ----------
    file : str
        Its absolute path.
    path : str
        Its path as the report has it, relative, with slashes, and spelled.
    arguments : tuple of str
        The arguments of ``collision-kit`` with which it is checked, but for the file and ``--output``.
    endings : tuple of str
        The extensions of the reports that are written beside the one in JSON.
    command : tuple of str, optional
        What is run with these arguments. None: ``collision-kit`` as it is where the file is checked.
    timeout : float, optional
        The most seconds that it may take.
    memory : int, optional
        The most bytes that it may use; on Linux only.
    baseline : str, optional
        The earlier report that this one is compared with, as JSON.
    run : str
        Names the run that it is part of; see `end_all`.
    folder : str
        The working directory, to which paths in `arguments` are relative.
    saved : str
        The file that the scene is written to; "": to none.
    scene : str
        The scene of the file that is checked; "": the one that is active in it.
    clip : str
        The animation clip that is played; "": the one that is played when the file is opened.
    """

    file: str
    path: str
    arguments: tuple[str, ...]
    endings: tuple[str, ...] = ()
    command: tuple[str, ...] | None = None
    timeout: float | None = None
    memory: int | None = None
    baseline: str | None = None
    run: str = ""
    folder: str = "."
    saved: str = ""
    scene: str = ""
    clip: str = ""


@dataclass(frozen=True)
class Checked:
    """The result of a file.

    Attributes
    ----------
    path, sha256 : str
        The path of its task, and the digest of what it contained; "" if it could not be read.
    outcome : str
        One of `OUTCOMES`.
    exit_code : int, optional
        That of the process; 128 and the number of the signal that has ended it. None: it was ended, never began or
        had no memory left.
    message : str
        Why it could not be checked, in one line; else empty.
    report : dict, optional
        The file's own report.
    parts : mapping of str to str
        Its reports in other formats, by their extensions.
    host, seconds, peak_memory, log
        What differs from run to run: the name of the machine, how long it took, the most bytes that the process used
        (None where the system does not tell), and the last lines on standard error if it could not be checked.
    """

    path: str
    sha256: str
    outcome: str
    exit_code: int | None
    message: str
    report: dict[str, Any] | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    host: str = ""
    seconds: float = 0.0
    peak_memory: int | None = None
    log: tuple[str, ...] = ()


def check_file(task: Task) -> Checked:
    """Check a file in a process of its own, and wait for it.

    Raises
    ------
    Ended
        If `end_all` has been called for its run.
    """
    begun = time.monotonic()
    try:
        digest = sha256(Path(task.file))
    except OSError as error:
        return Checked(task.path, "", "unreadable", None, f"cannot be read: {error.strerror or error}")
    with supervision.temporary_folder() as folder:
        if folder is None:
            raise OSError("no folder for temporary files can be made")
        errors = folder / "errors"
        try:
            with errors.open("wb") as stream:
                code, why, peak = _run(task, folder, stream.fileno())
        except OSError as error:
            return Checked(task.path, digest, "crashed", None, f"cannot be started: {error}")
        said = _end_of(errors)
        report, parts = _report(folder), _parts(folder, task.endings)
        loaded = task.command is not None or (folder / supervision.LOADED).exists()
        crash = "" if 0 <= code < 256 else crash_text(code, folder)
    outcome, message = _outcome(task, code, why, said, crash, peak, whole=report is not None, loaded=loaded)
    if why or outcome == "out_of_memory":
        # With which code a process ends that has no memory differs from run to run.
        exit_code, report, parts = None, None, {}
    else:
        exit_code = code if code >= 0 else supervision.SIGNALLED - code
    return Checked(
        task.path,
        digest,
        outcome,
        exit_code,
        message,
        report,
        parts,
        platform.node(),
        round(time.monotonic() - begun, 3),
        peak,
        () if outcome in CHECKED else tuple(said.splitlines()[-_LOG_LINES:]),
    )


def sha256(file: Path) -> str:
    """Return the digest of a file's content.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def limits_memory() -> bool:
    """Return whether the system can limit the memory of a process; macOS takes the limit and does nothing with it."""
    return sys.platform == "linux"


def end_all(run: str) -> None:
    """End the processes of a run that this process waits for, and let none begin any more."""
    with _lock:
        _ended.add(run)
        waiting = [child for child in _children if child.run == run]
    for child in waiting:
        child.end("ended")


class _Child:
    """A process that is waited for, with all that it starts."""

    def __init__(self, run: str, started: subprocess.Popen[bytes]) -> None:
        self.run = run
        self.why = ""
        self._process = started
        self._lock = threading.Lock()
        self._over = False

    def end(self, why: str) -> None:
        """End it, unless it has ended."""
        with self._lock:
            if not self._over:
                self.why = self.why or why
                self._kill()

    def wait(self) -> tuple[int, int | None]:
        """Wait, and return its exit code (as `subprocess` has it) and the most bytes that it used.

        None for bytes that are no more than this process has used, which the system does not tell apart.
        """
        if sys.platform == "win32":
            code = self._process.wait()
            with self._lock:
                self._over = True
            return code, None
        # Its number is its own until it has been asked for its end, so what it has started can be ended safely.
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        with self._lock:
            self._over = True
            self._kill()
        _, status, used = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        # What this process had used when it made the other one is counted there, too.
        peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return self._process.returncode, peak if peak > _own_peak() else None

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)


_lock = threading.Lock()
_children: set[_Child] = set()
_ended: set[str] = set()


def _run(task: Task, folder: Path, errors: int) -> tuple[int, str, int | None]:
    """The exit code, why it was ended ("" if it was not), and the most bytes that were used."""
    outputs = [f"--output={folder / f'report{ending}'}" for ending in (".json", *task.endings)]
    if task.baseline is not None:
        (folder / "baseline.json").write_text(task.baseline, encoding="utf-8")
        outputs.append(f"--baseline={folder / 'baseline.json'}")  # the last one counts
    if task.saved:
        Path(task.saved).parent.mkdir(parents=True, exist_ok=True)
        outputs.append(f"--output={task.saved}")
    if task.scene:
        outputs.append(f"--scene={task.scene}")  # the last one counts
    if task.clip:
        outputs.append(f"--clip={task.clip}")
    command = [*(task.command or supervision.blender_command()), *task.arguments, *outputs, task.file]
    if task.memory is not None and limits_memory():
        command = [sys.executable, "-I", "-S", "-c", _LIMITED, str(task.memory), *command]
    with _lock:
        if task.run in _ended:
            raise Ended(task.run)
        started = subprocess.Popen(
            command,
            # Ends when this process does, however that may come.
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=task.folder,
            env={**os.environ, **_ONE_THREAD, **supervision.environment(folder)},
            **_apart(),
        )
        child = _Child(task.run, started)
        _children.add(child)
    limit = None
    if task.timeout is not None:
        limit = threading.Timer(min(task.timeout, threading.TIMEOUT_MAX), child.end, ["timed_out"])
    try:
        if limit is not None:
            limit.daemon = True
            limit.start()
        code, peak = child.wait()
    finally:
        if limit is not None:
            limit.cancel()
        if started.stdin is not None:
            started.stdin.close()
        with _lock:
            _children.discard(child)
    if child.why == "ended":
        raise Ended(task.run)
    return code, child.why, peak


def _own_peak() -> int:
    """The most bytes that this process has used."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _apart() -> dict[str, Any]:
    """Have Ctrl-C in a terminal not reach a process, and all that it starts end with it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _outcome(
    task: Task, code: int, why: str, said: str, crash: str, peak: int | None, *, whole: bool, loaded: bool
) -> tuple[str, str]:
    """Return the outcome of a file, and the message. Nothing in it differs from run to run."""
    errors = [text.removeprefix("error: ") for text in said.splitlines() if text.startswith("error: ")]
    line = errors[-1] if errors else ""
    if why:
        return why, f"took longer than {task.timeout:g} s"
    if code in (0, 1) and whole:
        return CHECKED[code], ""
    said = _QUOTED.sub("", said.replace(task.file, ""))
    # Without memory Blender and what it loads end in many ways, some of which have no words.
    silent = not loaded and (code < 0 or _NO_THREAD in said)
    reached = task.memory is not None and (silent or (peak is not None and peak >= _NEARLY * task.memory))
    reached = reached and code != BAD_INPUT
    if reached or _NO_MEMORY.search(said):
        size = task.memory or 0
        text = f"{size / (1 << 20):g} MiB" if size >= 1 << 20 else f"{size} B"
        limit = f": the limit was {text}" if size else ""
        return "out_of_memory", f"no memory left{limit}{'' if loaded else ', and Blender was not loaded yet'}"
    if code == BAD_INPUT:
        return "unreadable", line or "invalid input"
    return "crashed", crash or line or f"ended with exit code {code} and no report"


def _report(folder: Path) -> dict[str, Any] | None:
    try:
        content = json.loads((folder / "report.json").read_bytes())
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _parts(folder: Path, endings: tuple[str, ...]) -> dict[str, str]:
    parts = {}
    for ending in endings:
        with contextlib.suppress(OSError):
            text = (folder / f"report{ending}").read_bytes().decode("utf-8", "replace")
            parts[ending] = text.replace(os.linesep, "\n")
    return parts


def _end_of(file: Path) -> str:
    with file.open("rb") as stream:
        stream.seek(max(0, os.fstat(stream.fileno()).st_size - _LOG_BYTES))
        return stream.read().decode("utf-8", "replace")
