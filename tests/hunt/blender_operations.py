# SPDX-License-Identifier: GPL-3.0-or-later
"""Random operations in Blender with live mode on: scenes, files, undo, edit mode, and every operator of the extension.

    python tests/hunt/blender_operations.py [--seed S] [--count N]

Operations come in rounds, each in a new file. What an operation does is chosen by the seed, the round and its number
alone, so that a round can be done again with some of its operations left out. All are followed by an undo push:
without one Blender itself crashes at undo. After each one live mode is brought up to date, in small steps or large
ones, its report is compared with a fresh check now and then, and the panels are drawn.

What is a failure: Blender crashes or hangs; an exception that is no refusal; an operator that refuses or gives up and
yet has left something behind; a report of live mode that is not that of a fresh check; something of the extension that
is left after it was disabled; an update of live mode without any time that takes seconds.

Blender is the Python environment with bpy in it: one of those below, by the seed, or the one that runs this file.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# Operations of a chunk, and of a round; seconds that a chunk may take, and one operation in it.
COUNT, ROUND = 200, 40
LIMIT, HANGS = 3600, 600
# Of a failure that is shrunk, at most.
REPLAYS = 30

ENVIRONMENTS = (".venv", "build/venv-bpy4.5", "build/venv-bpy5.0", "build/venv-bpy5.2")

Failure = dict[str, Any]


def run(seed: int, count: int) -> list[Failure]:
    """Do `count` operations, and return what they find."""
    python, failures, number, done = _blender(seed), [], 0, 0
    while done < count:
        steps = list(range(min(ROUND, count - done)))
        case = {"python": python, "round": f"{seed} {number}", "steps": steps}
        rounds = -(-(count - done) // ROUND)
        for one in _played(python, seed, number, rounds, count - done):
            done, number = done + one["steps"], number + 1
            if one["what"]:
                found = case | {"round": one["round"], "steps": list(range(one["steps"]))}
                failures.append({"what": one["what"], "case": found, "told": one["told"]})
    return failures


def wrong(failure: Failure) -> str:
    """Repeat the operations of a failure; returns the findings."""
    return _again(failure["case"])


def shrink(failure: Failure) -> Failure:
    """The same failure with fewer operations."""
    case, left, size = dict(failure["case"]), REPLAYS, len(failure["case"]["steps"]) // 2
    while size and left:
        steps, first = case["steps"], 0
        while first < len(steps) - 1 and left:
            fewer = [*steps[:first], *steps[min(first + size, len(steps) - 1) :]]
            left -= 1
            if _again(case | {"steps": fewer}) == failure["what"]:
                steps = fewer
            else:
                first += size
        case["steps"] = steps
        size //= 2
    return failure | {"case": case}


def _blender(seed: int) -> str:
    """The Python of one of the environments that are there."""
    given = os.environ.get("COLLISION_KIT_BLENDERS", "")
    paths = given.split(os.pathsep) if given else [str(ROOT / one / "bin" / "python") for one in ENVIRONMENTS]
    there = [path for path in paths if Path(path).is_file()]
    if not there and importlib.util.find_spec("bpy") is None:
        raise RuntimeError(f"no Blender: none of {', '.join(paths)}")
    return there[seed % len(there)] if there else sys.executable


def _again(case: dict[str, Any]) -> str:
    seed, number = map(int, case["round"].split())
    (one,) = _played(case["python"], seed, number, 1, len(case["steps"]), case["steps"])
    return str(one["what"])


def _played(
    python: str, seed: int, number: int, rounds: int, count: int, steps: Iterable[int] | None = None
) -> Iterable[dict[str, Any]]:
    """Play rounds in one Blender, as many as it survives: for each the steps that were done, and what was found."""
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        told, errors = Path(folder, "told"), Path(folder, "errors")
        asked = {"seed": seed, "number": number, "rounds": rounds, "count": count, "steps": steps, "told": str(told)}
        environment = os.environ | {"BLENDER_USER_RESOURCES": folder, "TMPDIR": folder, "PYTHONPATH": ""}
        with errors.open("w", encoding="utf-8", errors="replace") as stream:
            child = subprocess.Popen(
                [python, str(Path(__file__).with_name("blender_session.py")), json.dumps(asked)],
                env=environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
                cwd=folder,
            )
            ended = _ending(child, told)
        lines = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()] if told.exists() else []
        found = [line for line in lines if "what" in line]
        if not ended:
            return found
        begun = [line for line in lines if "doing" in line]
        last = begun[-1] if begun else {"round": f"{seed} {number}", "doing": "nothing yet", "steps": 1}
        tail = errors.read_text(encoding="utf-8", errors="replace")[-2000:]
        what = f"Blender {ended} at: {last['doing']}"
        return [*found, {"round": last["round"], "steps": last["steps"], "what": what, "told": tail}]


def _ending(child: "subprocess.Popen[bytes]", told: Path) -> str:
    """Return how a Blender ended that did not end well; empty if it did."""
    size = -1
    while True:
        try:
            code = child.wait(HANGS)
        except subprocess.TimeoutExpired:
            now = told.stat().st_size if told.exists() else 0
            if now == size:
                child.kill()
                child.wait()
                return "hangs"
            size = now
            continue
        return "" if code == 0 else f"crashes by signal {-code}" if code < 0 else "ends in an error"


def main() -> int:
    """Hunt, print what is found, and return 1 if there is anything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--shrink", action="store_true")
    options = parser.parse_args()
    failures = run(options.seed, options.count)
    for failure in failures:
        print(json.dumps(shrink(failure) if options.shrink and "case" in failure else failure, indent=1), flush=True)
    print(f"{options.count} operations from seed {options.seed}: {len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
