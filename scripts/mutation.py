# SPDX-License-Identifier: GPL-3.0-or-later
"""Branch coverage and mutation testing of `core`: what its tests run, and which changes of its source they notice.

    python scripts/mutation.py coverage [TEST ...]
    python scripts/mutation.py mutants [--sample N] [--seed S] [--limit SECONDS] [--hours H] [--tests FILE ...]
                                       [PATH ...]
    python scripts/mutation.py report

`coverage` runs the quick tests of `core` once. `mutants` draws a sample of all changes that Cosmic Ray makes to the
files (by default narrow phase, sweeps and broad phase), and runs against each the tests that call the changed function,
the quickest first, as many as fit in the limit. A mutant is killed if one of them fails, or if they take ten times as
long as they should. `report` prints the score and the mutants that survived.

Tests are imported and collected once. Each mutant is tried in a copy of this process (`os.fork`), in which the code of
the changed function is replaced. Which functions a test calls is noted when the test is run for the first time, for
each file of tests. A change outside of functions is tried in a new process instead.

All of it works on a copy of the tree in build/mutation, and goes on where it ended. To try mutants of a later state,
delete this folder. It needs coverage and cosmic-ray.
"""

import argparse
import ast
import difflib
import functools
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutation"
COPY = WORK / "collision_kit"
DATA, CALLS, JOURNAL = WORK / "coverage", WORK / "calls.json", WORK / "mutants.jsonl"
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
    """Environment of a process that imports the copy."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(WORK), *filter(None, [os.environ.get("PYTHONPATH")])])}


def run_measured(tests: list[str]) -> int:
    """Run tests under coverage, in this process, within the copy."""
    import coverage
    import pytest

    measured = coverage.Coverage(data_file=str(DATA), branch=True, source=[str(COPY / "core")])
    measured.start()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    measured.stop()
    measured.save()
    measured.report(skip_covered=True, show_missing=True, file=(WORK / "coverage.txt").open("w", encoding="utf-8"))
    return int(status)


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


class Trials:
    """A pytest plugin: in place of running the tests, tries mutants with them, each in a copy of the process."""

    def __init__(self, chosen: list[dict[str, Any]], limit: float, hours: float) -> None:
        self.chosen, self.limit, self.end = chosen, limit, time.monotonic() + 3600.0 * hours
        self.failed: Callable[[], None] = lambda: None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Do what a failure calls for."""
        if report.failed:
            self.failed()

    def pytest_runtestloop(self, session: Any) -> bool:
        """Note which functions the tests call where this is not known, then try the mutants."""
        calls = json.loads(CALLS.read_text(encoding="utf-8")) if CALLS.exists() else {}
        files: dict[str, list[Any]] = {}
        for item in session.items:
            files.setdefault(item.nodeid.partition("::")[0], []).append(item)
        for file in sorted(files.keys() - calls.keys()):
            if time.monotonic() > self.end:
                return True
            calls[file] = self._calls_of(files[file])
            CALLS.write_text(json.dumps(calls), encoding="utf-8")
            print(f"{file}: {len(calls[file])} tests pass", flush=True)
        items = {item.nodeid: item for item in session.items}
        known = {name: entry for file in files for name, entry in calls[file].items() if name in items}
        for mutant in self.chosen:
            if time.monotonic() > self.end:
                break
            entry = self._tried(mutant, items, known)
            with JOURNAL.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps(entry) + "\n")
            print(f"{entry['outcome']:9} {entry['seconds']:6.1f} s  {entry['path']}:{entry['line']}", flush=True)
        return True

    def _calls_of(self, items: list[Any]) -> dict[str, Any]:
        """The functions of `core` that each of these tests calls, and its seconds of processor time, if it passes."""
        answer = WORK / "calls_of_one.json"
        answer.unlink(missing_ok=True)

        def work() -> int:
            result, seen, failures = {}, set(), [0]
            self.failed = lambda: failures.append(1)
            for item, following in zip(items, [*items[1:], None], strict=True):
                seen.clear()
                failures[:] = []
                began = time.process_time()
                sys.setprofile(lambda frame, event, _: seen.add(frame.f_code) if event == "call" else None)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                sys.setprofile(None)
                if not failures:
                    names = sorted({place(code) for code in seen if code.co_filename.startswith(f"{COPY}/core/")})
                    result[item.nodeid] = {"seconds": round(time.process_time() - began, 4), "calls": names}
            answer.write_text(json.dumps(result), encoding="utf-8")
            return 0

        forked(work, 3600.0)
        return dict(json.loads(answer.read_text(encoding="utf-8"))) if answer.exists() else {}

    def _tried(self, mutant: dict[str, Any], items: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
        """The mutant with what became of it, and as a diff."""
        path = COPY / mutant["path"]
        source = path.read_text(encoding="utf-8")
        changed = mutated(source, mutant)
        lines = difflib.unified_diff(
            source.splitlines(), changed.splitlines(), mutant["path"], mutant["path"], n=0, lineterm=""
        )
        function = changed_function(source, changed, str(path))
        called = f"{mutant['path']}:{function}" if function else f"{mutant['path']}:"
        names = [name for name in known if any(call.startswith(called) for call in known[name]["calls"])]
        spent, tests = 0.0, []
        for name in sorted(names, key=lambda name: known[name]["seconds"]):
            spent += known[name]["seconds"]
            if tests and spent > self.limit:
                break
            tests.append(name)
        began = time.process_time() + sum(os.times()[2:4])

        def work() -> int:
            replace_function(mutant["path"], function, changed, str(path))
            self.failed = lambda: os._exit(1)
            for name, following in zip(tests, [*tests[1:], None], strict=True):
                item = items[name]
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=items.get(following))
            return 0

        if not tests:
            outcome = "not run"
        elif function:
            status = forked(work, 10.0 + 10.0 * spent)
            outcome = "survived" if status == 0 else "killed"
        else:
            outcome = in_new_process(path, source, changed, tests, 60.0 + 10.0 * spent)
        seconds = round(time.process_time() + sum(os.times()[2:4]) - began, 1)
        return {**mutant, "diff": "\n".join(lines), "outcome": outcome, "tests": len(tests), "seconds": seconds}


def place(code: CodeType) -> str:
    """File and name of the outermost function that some code is in."""
    return f"{Path(code.co_filename).relative_to(COPY)}:{code.co_qualname.partition('.<locals>')[0]}"


def forked(work: Callable[[], int], limit: float) -> int:
    """Run something silently in a copy of this process, and return its exit code; it ends at the processor time."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    code = 70
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + int(limit), used + int(limit) + 1))
        code = work()
    finally:
        os._exit(code)


def mutated(source: str, mutant: dict[str, Any]) -> str:
    """The source with the change of a mutant."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    return str(mutate_code(source, get_operator(mutant["operator"])(), mutant["occurrence"]))


def functions(source: str, filename: str) -> dict[str, CodeType]:
    """The code of the functions of a module and of the methods of its classes by qualified name, and of the rest."""
    found: dict[str, CodeType] = {}

    def collect(code: CodeType) -> CodeType:
        inner = [const for const in code.co_consts if isinstance(const, CodeType)]
        named = [const for const in inner if not const.co_name.startswith("<")]
        for const in named:
            if const.co_flags & 0x2:  # a function with local variables of its own, and no class body
                found[const.co_qualname] = const
        rest = [collect(const) if const in named and not const.co_flags & 0x2 else const for const in inner]
        kept = tuple(const for const in rest if not (const in named and const.co_flags & 0x2))
        return code.replace(co_consts=(*(c for c in code.co_consts if not isinstance(c, CodeType)), *kept))

    found[""] = collect(compile(source, filename, "exec"))
    return found


def changed_function(source: str, changed: str, filename: str) -> str:
    """The function in which all of a change is; empty if some of it is outside of functions."""
    before, after = functions(source, filename), functions(changed, filename)
    different = [name for name in before if before[name] != after.get(name)]
    return different[0] if len(different) == 1 and before.keys() == after.keys() else ""


def replace_function(path: str, name: str, changed: str, filename: str) -> None:
    """Give a function of an imported module the code that it has in a changed source."""
    module = importlib.import_module(".".join(["collision_kit", *Path(path).with_suffix("").parts]))
    owner = functools.reduce(lambda within, part: vars(within)[part], name.split("."), module)
    while not hasattr(owner, "__code__"):
        owner = next(x for x in (getattr(owner, key, None) for key in ("__func__", "func", "fget", "__wrapped__")) if x)
    owner = getattr(owner, "__wrapped__", owner)
    owner.__code__ = functions(changed, filename)[name]


def in_new_process(path: Path, source: str, changed: str, tests: list[str], seconds: float) -> str:
    """The fate of a mutant in a new process, which reads the changed file."""
    listed = WORK / "tests.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", f"@{listed}"]
    ORIGINAL.write_text(json.dumps({"path": str(path.relative_to(COPY)), "source": source}), encoding="utf-8")
    limit = int(seconds)
    try:
        path.write_text(changed, encoding="utf-8")
        run = subprocess.run(
            command,
            cwd=COPY,
            env=environment(),
            capture_output=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)),
        )
    finally:
        restore()
    # 1: a test failed; 2 and 4: the mutant cannot even be imported, and tests are not found; below 0: the time is up.
    killed = run.returncode in (1, 2, 4) or run.returncode < 0
    return "killed" if killed else "survived" if run.returncode == 0 else "not run"


def restore() -> None:
    """Undo the change that is in the copy, if there is one: of this mutant, or of one whose process was ended."""
    if ORIGINAL.exists():
        entry = json.loads(ORIGINAL.read_text(encoding="utf-8"))
        (COPY / entry["path"]).write_text(entry["source"], encoding="utf-8")
        ORIGINAL.unlink()


def tried() -> list[dict[str, Any]]:
    """The contents of the journal."""
    return [json.loads(line) for line in JOURNAL.read_text(encoding="utf-8").splitlines()] if JOURNAL.exists() else []


def sample(given: argparse.Namespace) -> None:
    """Try a random sample of the mutants of these files, or those of it that were not tried yet."""
    import pytest

    files = [COPY / path for path in given.path] or sorted(
        file for glob in FILES for file in (COPY / "core").glob(glob)
    )
    every = list(mutants(files))
    chosen = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    print(f"{len(every)} mutants of {len(files)} files, a sample of {len(chosen)}", flush=True)
    keys = ("path", "operator", "occurrence")
    known = {tuple(entry[key] for key in keys) for entry in tried()}
    left = [mutant for mutant in chosen if tuple(mutant[key] for key in keys) not in known]
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist"]
    pytest.main([*options, *(given.tests or ["tests/core"])], plugins=[Trials(left, given.limit, given.hours)])


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
    parser.add_argument("what", choices=("coverage", "mutants", "report", "measured", "trials"))
    parser.add_argument("path", nargs="*", help="files from the root of the tree; or tests, of coverage")
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds of tests against one mutant")
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument(
        "--tests", nargs="+", help="files of tests from the root of the tree, all of tests/core without"
    )
    given = parser.parse_intermixed_args()
    if given.what == "measured":
        return run_measured(given.path or ["tests/core"])
    if given.what == "trials":
        sample(given)
        return 0
    if given.what == "coverage":
        copy_tree()
        DATA.unlink(missing_ok=True)
        command = [sys.executable, str(Path(__file__).resolve()), "measured", *given.path]
        status = subprocess.run(command, cwd=COPY, env=environment()).returncode
        print((WORK / "coverage.txt").read_text(encoding="utf-8"))
        return status
    if given.what == "mutants":
        if not COPY.exists():
            copy_tree()
        restore()
        command = [sys.executable, str(Path(__file__).resolve()), "trials", *sys.argv[2:]]
        subprocess.run(command, cwd=COPY, env=environment())
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
