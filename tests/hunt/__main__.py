# SPDX-License-Identifier: GPL-3.0-or-later
"""Hunt for wrong answers: random cases of many families, for hours, each case checked by its family's own oracle.

    python tests/hunt [FAMILY ...] [--cases N] [--hours H] [--jobs J]    try cases, go on where the last run ended
    python tests/hunt --again [FAMILY ...]                               which of the failures are wrong still
    python tests/hunt --summary                                          cases, failures and machine hours so far

A family is a module of this folder:

- ``run(seed, count)`` tries `count` cases made from `seed` and returns the failures, dicts that JSON can hold. The same
  seed and count make the same cases. ``failure["what"]`` says in a few words, without numbers, what is wrong, so that
  failures of one cause have one text; ``failure["case"]`` holds all that makes the case again: numbers, texts, and
  lists and dicts of them.
- ``wrong(failure)``, optional: what is wrong with the case of a failure now, in the same words; empty where nothing is.
  With it failures are shrunk, printed as regression tests, and tried again.
- ``shrink(failure)``, optional: a smaller failure of the same fault, where dropping entries and digits is not the way.
- ``COUNT`` (1000): cases of a chunk, a minute's work or so. ``LIMIT`` (3600): seconds after which a chunk hangs.
- ``PYTHON``: the interpreter to try cases with, from the root of the tree, where it is there: peers and Blender have
  environments of their own.

Each chunk runs in a process of its own, so that a crash or an endless loop is a failure as well. A finished chunk is a
line of JSON in build/hunt/FAMILY.jsonl: seed, count, number of failures, the first of them, and seconds of processor
time.
"""

import argparse
import contextlib
import copy
import functools
import importlib
import json
import os
import pprint
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JOURNALS = ROOT / "build" / "hunt"

# Failures of one chunk that the journal keeps; the others are counted.
KEPT = 50
# Seconds that one failure is shrunk.
SHRINKING = 60.0

Failure = dict[str, Any]


def families() -> list[str]:
    """The modules of this folder that try cases."""
    return sorted(path.stem for path in HERE.glob("*.py") if "\ndef run(" in path.read_text(encoding="utf-8"))


def family(name: str) -> Any:
    return importlib.import_module(f"tests.hunt.{name}")


def journal(name: str, folder: Path) -> list[dict[str, Any]]:
    """The chunks of a family that were finished; a line cut off by a crash counts as none."""
    path, chunks = folder / f"{name}.jsonl", []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        with contextlib.suppress(json.JSONDecodeError):
            chunks.append(json.loads(line))
    return chunks


class Chunk:
    """Cases of one family, tried in a process of their own."""

    def __init__(self, name: str, seed: int, count: int) -> None:
        self.name, self.seed, self.count, self.limit = name, seed, count, getattr(family(name), "LIMIT", 3600)
        self.answer = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (closed with the chunk)
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        python = ROOT / getattr(family(name), "PYTHON", "")
        command = [
            str(python) if python.is_file() else sys.executable,
            str(HERE),
            "--chunk",
            name,
            str(seed),
            str(count),
        ]
        environment = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ}
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=self.answer, stderr=self.errors, cwd=ROOT, env=environment)

    def ended(self) -> bool:
        if time.monotonic() - self.began > self.limit:
            self.process.kill()
            self.process.wait()
        return self.process.poll() is not None

    def result(self) -> dict[str, Any]:
        """The line for the journal."""
        line = {"family": self.name, "seed": self.seed, "count": self.count}
        spent = time.monotonic() - self.began
        self.answer.seek(0)
        try:
            answer = json.loads(self.answer.read().rpartition("\0")[2])
        except json.JSONDecodeError:
            self.errors.seek(0)
            code = self.process.returncode
            what = f"no answer in {self.limit} seconds" if spent > self.limit else f"the process ended with {code}"
            failure = {"what": what, "seed": self.seed, "count": self.count, "error": self.errors.read()[-2000:]}
            return {**line, "found": 1, "failures": [failure], "seconds": round(spent, 1)}
        return {**line, **answer}


def run_chunk(name: str, seed: int, count: int) -> None:
    """Run the process of a chunk; the answer is the text that it prints after the last NUL."""
    failures = family(name).run(seed, count)
    times = os.times()
    seconds = times.user + times.system + times.children_user + times.children_system
    answer = {"found": len(failures), "failures": failures[:KEPT], "seconds": round(seconds, 1)}
    print("\0" + json.dumps(answer), flush=True)


def hunt(names: list[str], cases: int | None, hours: float, jobs: int, folder: Path) -> int:
    """Try chunks of each family in turn until the cases or the hours are used up; how many failures there were."""
    folder.mkdir(parents=True, exist_ok=True)
    seed = {name: max((chunk["seed"] for chunk in journal(name, folder)), default=-1) + 1 for name in names}
    left = dict.fromkeys(names, float("inf") if cases is None else cases)
    end = time.monotonic() + 3600.0 * hours
    running: list[Chunk] = []
    found, shown = 0, set()
    try:
        while running or (any(left.values()) and time.monotonic() < end):
            open_still = [name for name in names if left[name] > 0]
            if open_still and len(running) < jobs and time.monotonic() < end:
                # The family with the fewest processes at work, of equals the one that has had the fewest chunks.
                name = min(open_still, key=lambda n: (sum(c.name == n for c in running), seed[n]))
                count = int(min(getattr(family(name), "COUNT", 1000), left[name]))
                running.append(Chunk(name, seed[name], count))
                seed[name], left[name] = seed[name] + 1, left[name] - count
                continue
            time.sleep(0.1)
            for chunk in [chunk for chunk in running if chunk.ended()]:
                running.remove(chunk)
                line = chunk.result()
                with (folder / f"{chunk.name}.jsonl").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                found += line["found"]
                print(f"{line['family']} {line['seed']}: {line['count']} cases, {line['found']} failures", flush=True)
                for number, failure in enumerate(line["failures"]):
                    if (key := (chunk.name, failure.get("what"))) not in shown:
                        shown.add(key)
                        print(as_test(chunk.name, f"{chunk.seed}_{number}", shrunk(chunk.name, failure)), flush=True)
    finally:
        for chunk in running:
            chunk.process.kill()
    return found


def wrong(name: str, failure: Failure) -> str:
    """Check the case of a failure again, in the family's words; empty, too, if the family cannot tell."""
    if not hasattr(family(name), "wrong") or "case" not in failure:
        return ""
    try:
        return family(name).wrong(failure)
    except Exception as error:
        return f"raises {type(error).__name__}"


def shrunk(name: str, failure: Failure) -> Failure:
    """A smaller failure of the same fault."""
    if "case" in failure and hasattr(family(name), "shrink"):
        return family(name).shrink(failure)
    if failure["what"] == "raises ValueError":  # so does a case that has become none
        return failure
    return smaller(failure, lambda other: wrong(name, other) == failure["what"])


def smaller(failure: Failure, holds: Callable[[Failure], bool]) -> Failure:
    """The failure with fewer entries in its lists and fewer digits in its numbers, as long as `holds`."""
    end = time.monotonic() + SHRINKING
    shorter = holds(failure)
    while shorter:
        shorter = False
        for change in _changes(failure["case"]):
            if time.monotonic() > end:
                return failure
            other = copy.deepcopy(failure)
            change(other["case"])
            if holds(other):
                failure, shorter = other, True
                break
    return failure


def _changes(case: Any) -> Iterator[Callable[[Any], None]]:
    """Every way to make a case smaller, the largest steps first."""
    places = list(_places(case, ()))
    for path, value in places:
        if isinstance(value, list):
            for index in reversed(range(len(value))):
                yield functools.partial(_drop, path=path, index=index)
    for path, value in places:
        if isinstance(value, float) and value and abs(value) < 1e300:
            digits = len(repr(abs(value)).partition("e")[0].replace(".", "").strip("0"))
            for fewer in (0, 1, 2, 4, 8):
                if fewer < digits:
                    rounded = float(f"{value:.{fewer - 1}e}") if fewer else 0.0
                    yield functools.partial(_put, path=path, value=rounded)


def _places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All entries within lists and dicts, with the keys that lead to them."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in items:
        yield from _places(entry, (*path, key))


def _drop(case: Any, path: tuple[Any, ...], index: int) -> None:
    del functools.reduce(lambda value, key: value[key], path, case)[index]


def _put(case: Any, path: tuple[Any, ...], value: float) -> None:
    functools.reduce(lambda within, key: within[key], path[:-1], case)[path[-1]] = value


def as_test(name: str, number: str, failure: Failure) -> str:
    """The failure as the source of a test."""
    text = pprint.pformat(failure, width=110, sort_dicts=False)
    if not wrong(name, failure):
        return f"# {name} {number}\n{text}\n"
    body = text.replace("\n", "\n    ")
    return (
        f"from math import inf, nan\n\nfrom tests.hunt import {name}\n\n\n"
        f"def test_{name}_{number}():\n    failure = {body}\n    assert {name}.wrong(failure) == ''\n"
    )


def again(names: list[str], folders: list[Path]) -> int:
    """Print the failures that are wrong still; how many these are."""
    still = 0
    for name in names:
        failures = [failure for folder in folders for chunk in journal(name, folder) for failure in chunk["failures"]]
        open_still = [failure for failure in failures if wrong(name, failure)]
        for text in sorted({failure.get("what", "") for failure in open_still}):
            count = sum(failure.get("what", "") == text for failure in open_still)
            print(f"{name}: {count} still: {text}")
        still += len(open_still)
        print(f"{name}: {len(failures)} failures kept, {len(open_still)} wrong still")
    return still


def summary(folders: list[Path]) -> None:
    """The table of all families that have a journal."""
    print("| family | cases | failures | machine hours |\n|---|---:|---:|---:|")
    for name in sorted({path.stem for folder in folders for path in folder.glob("*.jsonl")}):
        chunks = [chunk for folder in folders for chunk in journal(name, folder)]
        cases, found, seconds = (sum(chunk[key] for chunk in chunks) for key in ("count", "found", "seconds"))
        print(f"| {name} | {cases:,} | {found:,} | {seconds / 3600.0:.2f} |")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/hunt", description=__doc__.partition("\n")[0])
    parser.add_argument("family", nargs="*", help=f"of {', '.join(families())}; all without any")
    parser.add_argument("--cases", type=int, help="of each family; without it as many as the hours allow")
    parser.add_argument("--hours", type=float, default=1.0, help="after which no more chunks begin (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (one a processor)")
    parser.add_argument("--journal", type=Path, action="append", help="folder of journals (build/hunt); of several all "
                        "are read, and the first is written")  # fmt: skip
    parser.add_argument("--again", action="store_true", help="try the failures again and try no others")
    parser.add_argument("--summary", action="store_true", help="print the table and try nothing")
    parser.add_argument("--chunk", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.path[0] = str(ROOT)  # tests are imported by path, from the root
    if given.chunk:
        run_chunk(given.chunk[0], int(given.chunk[1]), int(given.chunk[2]))
        return 0
    folders = given.journal or [JOURNALS]
    if unknown := set(given.family) - set(families()):
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    names = given.family or families()
    if given.summary:
        summary(folders)
        return 0
    found = again(names, folders) if given.again else hunt(names, given.cases, given.hours, given.jobs, folders[0])
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
