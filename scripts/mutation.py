# SPDX-License-Identifier: GPL-3.0-or-later
"""Branch coverage and mutation testing of `core`: what its tests run, and which changes of its source they notice.

    python scripts/mutation.py coverage
    python scripts/mutation.py mutants [--sample N] [--seed S] [--limit SECONDS] [--hours H] [PATH ...]
    python scripts/mutation.py report

`coverage` runs the quick tests of `core` once, and notes which of them run which line and how long each takes.
`mutants` draws a sample of all changes that Cosmic Ray makes to the files (by default narrow phase, sweeps and broad
phase), and runs against each the tests that run the changed line, the quickest first, as many as fit in the limit. A
mutant is killed if one of them fails, or if they take five times as long as they should. `report` prints the score
and the mutants that survived.

All of it works on a copy of the tree in build/mutation, and goes on where it ended. Wants coverage and cosmic-ray.
"""

import argparse
import ast
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutation"
COPY = WORK / "collision_kit"
DATA, TIMES, JOURNAL = WORK / "coverage", WORK / "times.json", WORK / "mutants.jsonl"
ORIGINAL = WORK / "original.json"
FILES = ("narrow_phase/**/*.py", "continuous/*.py", "broad_phase/*.py")

# Of Cosmic Ray's operators those whose result is still an expression of the same type. Shifting a float raises an error
# in any test, which would only flatter the score.
_ARITHMETIC, _MASKS = ("Add", "Sub", "Mul", "Div"), ("BitAnd", "BitOr")
_ORDERS = ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
_OTHERS = (
    "ReplaceUnaryOperator_Delete_USub",
    "ReplaceUnaryOperator_Delete_Invert",
    "ReplaceUnaryOperator_Delete_Not",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "NumberReplacer",
    "ZeroIterationForLoop",
)


def operators() -> list[str]:
    """The names of the operators used."""
    groups = (("Binary", _ARITHMETIC), ("Binary", _MASKS), ("Comparison", _ORDERS))
    names = [f"Replace{kind}Operator_{x}_{y}" for kind, those in groups for x in those for y in those if x != y]
    return [f"core/{name}" for name in (*names, *_OTHERS)]


def copy_tree() -> None:
    """The tracked files as they are now."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    shutil.rmtree(COPY, ignore_errors=True)
    for name in names.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)


def environment() -> dict[str, str]:
    """That of a process that imports the copy."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(WORK), *filter(None, [os.environ.get("PYTHONPATH")])])}


class Contexts:
    """Tells the coverage which test is running, and how long each took."""

    def __init__(self, measured: Any) -> None:
        self.measured, self.times = measured, {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """What runs from now on is of this test."""
        self.measured.switch_context(nodeid)

    def pytest_runtest_logfinish(self) -> None:
        """What runs from now on is of none."""
        self.measured.switch_context("")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tests that pass are those that may kill a mutant."""
        if report.when == "call" and report.passed:
            self.times[report.nodeid] = report.duration


def run_measured(tests: list[str]) -> int:
    """Run tests under coverage, in this process, within the copy."""
    import coverage
    import pytest

    measured = coverage.Coverage(data_file=str(DATA), branch=True, source=[str(COPY / "core")])
    contexts = Contexts(measured)
    measured.start()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], plugins=[contexts])
    measured.stop()
    measured.save()
    TIMES.write_text(json.dumps(contexts.times), encoding="utf-8")
    measured.report(skip_covered=True, show_missing=True, file=(WORK / "coverage.txt").open("w", encoding="utf-8"))
    return int(status)


def tests_of_lines(path: Path) -> dict[int, list[str]]:
    """The tests that run each line of a file; under line 0 those that run any line of a function."""
    import coverage

    data = coverage.CoverageData(basename=str(DATA))
    data.read()
    by_line = {line: sorted(filter(None, names)) for line, names in data.contexts_by_lineno(str(path)).items()}
    by_line[0] = sorted({name for names in by_line.values() for name in names})
    return by_line


def mutants(paths: list[Path]) -> Iterator[dict[str, Any]]:
    """All mutants of these files: file, line, operator and its how manieth occurrence."""
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.plugins import get_operator

    for path in paths:
        tree = get_ast_from_path(path)
        notes = set(annotations(path.read_text(encoding="utf-8")))
        for name in operators():
            operator = get_operator(name)()
            places = (place for node in ast_nodes(tree) for place in operator.mutation_positions(node))
            for occurrence, (start, _) in enumerate(places):
                if start not in notes:
                    spec = {"path": str(path.relative_to(COPY)), "line": start[0], "column": start[1]}
                    yield {**spec, "operator": name, "occurrence": occurrence}


def annotations(source: str) -> Iterator[tuple[int, int]]:
    """The places within annotations, which nothing evaluates."""
    for node in ast.walk(ast.parse(source)):
        for note in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for part in ast.walk(note) if note else ():
                if hasattr(part, "lineno"):
                    yield from ((part.lineno, column) for column in range(part.col_offset, part.end_col_offset + 1))


def try_mutant(mutant: dict[str, Any], limit: float) -> dict[str, Any]:
    """The mutant with what became of it, and as a diff."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    path = COPY / mutant["path"]
    source = path.read_text(encoding="utf-8")
    changed = mutate_code(source, get_operator(mutant["operator"])(), mutant["occurrence"])
    lines = difflib.unified_diff(
        source.splitlines(), changed.splitlines(), mutant["path"], mutant["path"], n=0, lineterm=""
    )
    result = {**mutant, "diff": "\n".join(lines)}
    times = json.loads(TIMES.read_text(encoding="utf-8"))
    by_line = tests_of_lines(path)
    names = sorted(times.keys() & (by_line.get(mutant["line"]) or by_line[0]), key=times.__getitem__)
    spent, chosen = 0.0, []
    for name in names:
        spent += times[name]
        if chosen and spent > limit:
            break
        chosen.append(name)
    if not chosen:
        return {**result, "outcome": "not run", "seconds": 0.0}
    listed = WORK / "tests.txt"
    listed.write_text("\n".join(chosen), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", f"@{listed}"]
    began = time.monotonic()
    ORIGINAL.write_text(json.dumps({"path": mutant["path"], "source": source}), encoding="utf-8")
    try:
        path.write_text(changed, encoding="utf-8")
        run = subprocess.run(
            command, cwd=COPY, env=environment(), capture_output=True, text=True, timeout=120.0 + 5.0 * spent
        )
        # 1: a test failed; 2 and 4: the mutant cannot even be imported, and tests are not found.
        outcome = {0: "survived", 1: "killed", 2: "killed", 4: "killed"}.get(run.returncode, "not run")
    except subprocess.TimeoutExpired:
        outcome = "killed"
    finally:
        restore()
    return {**result, "outcome": outcome, "tests": len(chosen), "seconds": round(time.monotonic() - began, 1)}


def restore() -> None:
    """Undo the change that is in the copy, if there is one: of this mutant, or of one whose process was ended."""
    if ORIGINAL.exists():
        entry = json.loads(ORIGINAL.read_text(encoding="utf-8"))
        (COPY / entry["path"]).write_text(entry["source"], encoding="utf-8")
        ORIGINAL.unlink()


def tried() -> list[dict[str, Any]]:
    """What the journal has."""
    return [json.loads(line) for line in JOURNAL.read_text(encoding="utf-8").splitlines()] if JOURNAL.exists() else []


def sample(paths: list[str], size: int, seed: int, limit: float, hours: float) -> None:
    """Try a random sample of the mutants of these files, or those of it that were not tried yet."""
    if not TIMES.exists():
        raise SystemExit("which tests run which lines is not known: measure the coverage first")
    restore()
    files = [COPY / path for path in paths] or sorted(file for glob in FILES for file in (COPY / "core").glob(glob))
    every = list(mutants(files))
    chosen = random.Random(seed).sample(every, min(size, len(every)))
    print(f"{len(every)} mutants of {len(files)} files, a sample of {len(chosen)}", flush=True)
    keys = ("path", "operator", "occurrence")
    known = {tuple(entry[key] for key in keys) for entry in tried()}
    end = time.monotonic() + 3600.0 * hours
    for mutant in chosen:
        if time.monotonic() > end:
            return
        if tuple(mutant[key] for key in keys) in known:
            continue
        entry = try_mutant(mutant, limit)
        with JOURNAL.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        print(f"{entry['outcome']:9} {entry['seconds']:6.1f} s  {entry['path']}:{entry['line']}", flush=True)


def report() -> None:
    """Print the score and the survivors."""
    entries = tried()
    killed = sum(entry["outcome"] == "killed" for entry in entries)
    for entry in entries:
        if entry["outcome"] != "killed":
            print(f"{entry['outcome']}: {entry['operator']}\n{entry['diff']}\n")
    hours = sum(entry["seconds"] for entry in entries) / 3600.0
    print(
        f"{killed} of {len(entries)} mutants killed, {100.0 * killed / max(len(entries), 1):.1f} %; {hours:.2f} hours"
    )


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("coverage", "mutants", "report", "measured"))
    parser.add_argument("path", nargs="*", help="files from the root of the tree; or tests, of coverage")
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds of tests against one mutant")
    parser.add_argument("--hours", type=float, default=24.0)
    given = parser.parse_intermixed_args()
    if given.what == "measured":
        return run_measured(given.path or ["tests/core"])
    if given.what == "coverage":
        copy_tree()
        DATA.unlink(missing_ok=True)
        command = [sys.executable, str(Path(__file__).resolve()), "measured", *given.path]
        status = subprocess.run(command, cwd=COPY, env=environment()).returncode
        print((WORK / "coverage.txt").read_text(encoding="utf-8"))
        return status
    if given.what == "mutants":
        sample(given.path, given.sample, given.seed, given.limit, given.hours)
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
