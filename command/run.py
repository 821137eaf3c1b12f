# SPDX-License-Identifier: GPL-3.0-or-later
"""Check all files of a project in parallel, and repeat those that failed, one at a time."""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from . import supervision
from .journal import Entry, Journal
from .one_file import CHECKED, Checked, Task, check_file, sha256
from .pages import Pages
from .pools import Pool

# These may have failed because parallel processes used up the memory or the processor time.
_TRIED_AGAIN = ("crashed", "out_of_memory")


@dataclass
class Progress:
    """Progress of a run."""

    total: int
    found: int = 0
    failed: int = 0
    kept: int = 0  # taken from the journal
    done: int = 0
    begun: float = field(default_factory=time.monotonic)

    def add(self, checked: Checked) -> None:
        """Count a file."""
        self.done += 1
        self.found += checked.outcome == "found"
        self.failed += checked.outcome not in CHECKED

    def seconds_left(self) -> float | None:
        """Return the estimated remaining time, from the time of the checked files. None: unknown."""
        checked = self.done - self.kept
        return (time.monotonic() - self.begun) / checked * (self.total - self.done) if checked else None


@dataclass(frozen=True)
class Run:
    """Results of the files of a project.

    Attributes
    ----------
    entries : mapping of str to Entry
        By path, in order.
    not_checked : sequence of str
        Paths of files that were not checked because the run was ended.
    signal : int
        Number of the signal that ended the run. 0: none.
    started : str
        Start time in UTC, in ISO 8601.
    seconds : float
    jobs : int
    """

    entries: Mapping[str, Entry]
    not_checked: Sequence[str]
    signal: int
    started: str
    seconds: float
    jobs: int


def run_files(
    tasks: Sequence[Task],
    pool: Pool,
    journal: Journal,
    *,
    tell: Callable[[Progress], None] = lambda progress: None,
    pages: Pages | None = None,
    more: Callable[[Task, Checked], Sequence[Task]] = lambda _task, _checked: (),
) -> Run:
    """Check files, and return the result of each.

    A signal ends the processes of all files. The results so far are returned.

    Parameters
    ----------
    tasks : sequence of Task
    pool : Pool
    journal : Journal
        Known results are taken from it, and new results are stored in it.
    tell : callable
        Called with the progress from time to time.
    pages : Pages, optional
        Where the page of each file is written when it is ready. None: no pages.
    more : callable
        Returns more tasks after a task has finished: the other scenes of its file.
    """
    started, begun = datetime.now(UTC), time.monotonic()
    run = uuid.uuid4().hex
    tasks = [replace(task, run=run) for task in tasks]
    progress, entries, added = Progress(len(tasks)), dict[str, Entry](), list[Task]()
    number = 0

    def note(task: Task, entry: Entry, *, old: bool = False) -> None:
        if not old:
            entry = entry if pages is None else replace(entry, checked=pages.written(entry.checked))
            journal.note(task, entry)
        entries[task.path] = entry
        progress.add(entry.checked)
        progress.kept += old
        tell(progress)
        added.extend(more(task, entry.checked))

    with supervision.ending() as signals:
        try:
            tell(progress)
            waiting = tasks
            while waiting:
                left = []
                for task in waiting:
                    known = journal.known(task)
                    if known is None or (pages is not None and not pages.has(known.checked)):
                        left.append(task)
                    else:
                        note(task, known, old=True)
                if waiting is tasks:
                    progress.begun = time.monotonic()
                again = []
                futures = {pool.executor.submit(check_file, task): task for task in left}
                for future in as_completed(list(futures)):
                    task = futures.pop(future)
                    checked = _result(future, task, pool)
                    if checked.outcome in _TRIED_AGAIN:
                        again.append(task)
                    else:
                        note(task, Entry(checked))
                # One at a time, to distinguish a fault of the file from a shortage caused by parallel processes.
                for task in sorted(again, key=lambda task: task.path):
                    note(task, Entry(_result(pool.executor.submit(check_file, task), task, pool), 2))
                waiting = [replace(task, run=run) for task in added]
                tasks, progress.total = [*tasks, *waiting], progress.total + len(waiting)
                added.clear()
        except supervision.Ended as end:
            number = end.code - supervision.SIGNALLED
        if signals:
            number = signals[0]
            pool.end(run)
    place = {file: number for number, file in enumerate(dict.fromkeys(task.file for task in tasks))}
    paths = [task.path for task in sorted(tasks, key=lambda task: place[task.file])]
    return Run(
        {path: entries[path] for path in paths if path in entries},
        [path for path in paths if path not in entries],
        number,
        started.isoformat(timespec="seconds"),
        round(time.monotonic() - begun, 3),
        pool.jobs,
    )


def _result(future: "Future[Checked]", task: Task, pool: Pool) -> Checked:
    try:
        return future.result()
    except pool.lost:
        digest = sha256(Path(task.file)) if Path(task.file).is_file() else ""
        return Checked(task.path, digest, "crashed", None, "the worker that checked it was lost")
