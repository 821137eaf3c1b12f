# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of a project, checked one beside the other; the ones that failed once more, alone."""

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

# These may have failed for want of memory or time of a processor beside others.
_TRIED_AGAIN = ("crashed", "out_of_memory")


@dataclass
class Progress:
    """How far a run has come, while it goes on."""

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
        """Return how long the rest will take if it takes as long as what has been checked; None: unknown."""
        checked = self.done - self.kept
        return (time.monotonic() - self.begun) / checked * (self.total - self.done) if checked else None


@dataclass(frozen=True)
class Run:
    """The results of the files of a project.

    Attributes
    ----------
    entries : mapping of str to Entry
        By their paths, in order.
    not_checked : sequence of str
        The paths of files that were not checked because the run was ended.
    signal : int
        The number of the signal that has ended it; 0: none has.
    started : str
        When it began, as ISO 8601 has it, in UTC.
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
    """Check files, and return what has become of each.

    A signal that ends processes ends those of all files, and what was checked until then is returned.

    Parameters
    ----------
    tasks : sequence of Task
    pool : Pool
    journal : Journal
        What it knows of a file is taken from it; all else is noted in it.
    tell : callable
        Called with the progress, now and then.
    pages : Pages, optional
        Where the page of each file is written when it is there. None: the files have none.
    more : callable
        What is to be checked besides, once it is known what has become of a task: other scenes of the file.
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
                # Alone, so that a fault of the file is told from one of too many at once.
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
