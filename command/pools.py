# SPDX-License-Identifier: GPL-3.0-or-later
"""Executors that check files: threads that wait for processes on this machine, or workers of a Dask cluster.

Both are executors of `concurrent.futures`, and all other code treats them the same.
"""

import contextlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from .._version import __version__
from ..addon.model.errors import CommandError
from .one_file import end_all

# Seconds to wait for an answer of a scheduler.
_PATIENCE = 10


@dataclass(frozen=True)
class Pool:
    """An executor with its properties.

    Attributes
    ----------
    executor : Executor
    jobs : int
        Number of files that it checks at the same time.
    end : callable
        Ends all processes of the run with this name, on all machines, and starts no more.
    lost : tuple of type
        Exceptions of a task whose worker was lost.
    """

    executor: Executor
    jobs: int
    end: Callable[[str], None]
    lost: tuple[type[BaseException], ...] = ()


@contextlib.contextmanager
def local_pool(jobs: int) -> Iterator[Pool]:
    """Return an executor of threads that wait for this many processes of this machine."""
    with ThreadPoolExecutor(jobs) as executor:

        def end(run: str) -> None:
            executor.shutdown(wait=False, cancel_futures=True)
            end_all(run)

        yield Pool(executor, jobs, end)


@contextlib.contextmanager
def cluster_pool(address: str, folder: Path) -> Iterator[Pool]:
    """Return an executor of the workers of a Dask cluster. All workers must have the same versions as this machine.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``tcp://host:8786`` or ``tls://host:8786``.
    folder : Path
        Folder with the files. All workers must see it under the same path.

    Raises
    ------
    CommandError
        If the cluster cannot be reached, has no workers, or has workers with other versions or without the folder.
    """
    if importlib.util.find_spec("distributed") is None:
        raise CommandError("--scheduler needs the package distributed: pip install collision-kit[cluster]")
    distributed: Any = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise CommandError(f"{address}: no scheduler answers: {reason or type(error).__name__}") from None
    with client:
        _ask_workers(client, address, folder)
        executor = client.get_executor(pure=False, retries=1)
        threads = sum(client.nthreads().values())

        def end(run: str) -> None:
            executor.shutdown(wait=False)
            with contextlib.suppress(Exception):  # exceptions of lost workers: their processes have ended
                client.run(end_all, run)

        yield Pool(executor, threads, end, (distributed.KilledWorker, CancelledError))


def usual_jobs(memory: int | None) -> int:
    """Return the number of files to check at the same time: one for each core, limited by free memory."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    free = _free_memory()
    return cores if memory is None or free is None else max(1, min(cores, free // memory))


def versions() -> dict[str, str]:
    """Return the versions of the programs that check a file."""
    try:
        blender = metadata.version("bpy")
    except metadata.PackageNotFoundError:
        blender = ""
    return {"collision_kit": __version__, "blender": blender}


def described(folder: str) -> dict[str, Any]:
    """Return the description that must be the same on every machine."""
    return {**versions(), "folder": os.path.isdir(folder)}


def _ask_workers(client: Any, address: str, folder: Path) -> None:
    try:
        workers: dict[str, dict[str, Any]] = client.run(described, str(folder))
    except Exception as error:  # any exception of a worker, for example if Collision Kit is not installed there
        raise CommandError(f"{address}: a worker cannot check files: {' '.join(str(error).split())}") from None
    if not workers:
        raise CommandError(f"{address}: the cluster has no workers")
    here = described(str(folder))
    for worker, there in sorted(workers.items()):
        if not there["folder"]:
            raise CommandError(f"{worker}: the worker has no folder {folder}")
        for name, version in versions().items():
            if there[name] != version:
                what = name.replace("_", " ").title()
                raise CommandError(
                    f"{worker}: the worker has {what} {there[name] or '–'}, here it is {here[name] or '–'}"
                )


def _free_memory() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
