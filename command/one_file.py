# SPDX-License-Identifier: GPL-3.0-or-later
"""Check one file in its own process: start it, limit it, and interpret its result."""

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

# Outcomes of a file: no findings, findings, or why it could not be checked.
OUTCOMES = ("clean", "found", "unreadable", "crashed", "timed_out", "out_of_memory")
CHECKED = ("clean", "found")

# Extension of the JUnit report.
JUNIT = ".xml"

# Words for what it counts.
SUITE_COUNTS = ("tests", "failures", "errors")

# Prevents each of several parallel processes from starting a thread for every core.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)

# Sets the memory limit and then becomes the program that follows. RLIMIT_DATA counts the memory that a process writes
# to, which is about what it uses. RLIMIT_AS also counts the gigabyte of addresses that Blender and its libraries only
# reserve.
_LIMITED = """
import os, resource, sys
limit, (_, most) = int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_DATA)
limit = min(limit, sys.maxsize if most == resource.RLIM_INFINITY else most)
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
os.execv(sys.argv[2], sys.argv[2:])
"""

# Messages of Python, C++, Blender's allocator and the system when memory runs out. The dynamic loader reports errors in
# the same words for other reasons, too.
_NO_MEMORY = re.compile(
    r"\bout of memory\b|\bMemoryError\b|\bbad_alloc\b|\b[MCR]e?alloc\w* returns null"
    r"|\bcannot allocate memory\b(?! in static TLS)|\bcannot map zero-fill pages"
    r"|\bfailed to map segment from shared object(?!: (?!cannot allocate memory))",
    re.IGNORECASE,
)
# Messages of Python when there is no memory for a thread's stack, or there are too many threads.
_NO_THREAD = "can't start new thread"
# Names of files and objects, which can contain any words.
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
# Without a message, a process is taken to have hit a limit only if it used at least this fraction of it.
_NEARLY = 0.9

# Bytes at the end of standard error that are searched, and lines of it that are reported.
_LOG_BYTES, _LOG_LINES = 20_000, 10

_BLOCK = 1 << 20


class Ended(Exception):
    """Raised when the run of a file was ended."""


if sys.platform != "win32":
    import resource


@dataclass(frozen=True)
class Task:
    """A file to be checked.

    Attributes
    ----------
    file : str
        Absolute path.
    path : str
        Path in the report: relative, with slashes, printable.
    arguments : tuple of str
        Arguments of ``collision-kit``, without the file and ``--output``.
    endings : tuple of str
        Extensions of the reports that are written beside JSON.
    command : tuple of str, optional
        Command that is run with these arguments. None: the ``collision-kit`` of the machine that checks the file.
    timeout : float, optional
        Maximum time in seconds.
    memory : int, optional
        Maximum memory in bytes, on Linux only.
    baseline : str, optional
        Earlier report to compare with, as JSON.
    run : str
        Name of the run, for `end_all`.
    folder : str
        Working directory. Paths in `arguments` are relative to it.
    saved : str
        File that the scene is written to. Empty: none.
    scene : str
        Scene to check. Empty: the active scene of the file.
    clip : str
        Animation clip to play. Empty: the active clip.
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
        Path of the task, and digest of the file. The digest is "" if the file could not be read.
    outcome : str
        One of `OUTCOMES`.
    exit_code : int, optional
        Exit code of the process, or 128 plus the signal that ended it. None: it was ended, did not start, or ran out of
        memory.
    message : str
        Why the file could not be checked, on one line. Otherwise empty.
    report : dict, optional
        JSON report of the file.
    parts : mapping of str to str
        Reports in other formats, by extension.
    host, seconds, peak_memory, log
        Values that differ from run to run: machine name, time, peak memory in bytes (None if the system does not report
        it), and the last lines of standard error if the file could not be checked.
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
    """Check a file in its own process, and wait for it.

    Raises
    ------
    Ended
        If `end_all` was called for its run.
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
        # The exit code of a process without memory differs from run to run.
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
    """Return whether the system can limit the memory of a process. macOS accepts the limit and ignores it."""
    return sys.platform == "linux"


def end_all(run: str) -> None:
    """End the processes of a run that this process waits for, and prevent new ones from starting."""
    with _lock:
        _ended.add(run)
        waiting = [child for child in _children if child.run == run]
    for child in waiting:
        child.end("ended")


class _Child:
    """A process with all its child processes."""

    def __init__(self, run: str, started: subprocess.Popen[bytes]) -> None:
        self.run = run
        self.why = ""
        self._process = started
        self._lock = threading.Lock()
        self._over = False

    def end(self, why: str) -> None:
        """End the process, unless it has ended."""
        with self._lock:
            if not self._over:
                self.why = self.why or why
                self._kill()

    def wait(self) -> tuple[int, int | None]:
        """Wait, and return the exit code (as in `subprocess`) and the peak memory in bytes.

        The memory is None if it is no more than this process has used, because the system does not distinguish the two.
        """
        if sys.platform == "win32":
            code = self._process.wait()
            with self._lock:
                self._over = True
            return code, None
        # The process number cannot be reused until its status is collected, so its children can be ended safely.
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        with self._lock:
            self._over = True
            self._kill()
        _, status, used = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        # The peak memory of this process at the time of the fork is counted there, too.
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
    """Return the exit code, why the process was ended ("" if it was not), and the peak memory."""
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
            # Ends together with this process, however this process ends.
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
    """Return the peak memory of this process in bytes."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _apart() -> dict[str, Any]:
    """Protect a process from Ctrl-C in the terminal, and end its children together with it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _outcome(
    task: Task, code: int, why: str, said: str, crash: str, peak: int | None, *, whole: bool, loaded: bool
) -> tuple[str, str]:
    """Return the outcome of a file and the message. The message is the same in each run."""
    errors = [text.removeprefix("error: ") for text in said.splitlines() if text.startswith("error: ")]
    line = errors[-1] if errors else ""
    if why:
        return why, f"took longer than {task.timeout:g} s"
    if code in (0, 1) and whole:
        return CHECKED[code], ""
    said = _QUOTED.sub("", said.replace(task.file, ""))
    # Without memory, Blender and its libraries end in many ways, some without a message.
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
