# SPDX-License-Identifier: GPL-3.0-or-later
"""A stub of the command, and folders of files whose contents determine its behavior."""

import json
import sys
from pathlib import Path

from collision_kit.command import many, usage
from collision_kit.command.journal import Journal
from collision_kit.command.one_file import Task
from collision_kit.command.pools import local_pool
from collision_kit.command.run import Run, run_files

# The content of a file determines the result of its check. The stub records each run in the folder `noted`.
PROGRAM = """
import json, os, signal, sys, time
outputs = [text.partition("=")[2] for text in sys.argv if text.startswith("--output=")]
file = sys.argv[-1]
content = open(file).read()
behavior, _, rest = content.partition("\\n")
noted = os.path.join("noted", os.path.basename(file))
os.makedirs("noted", exist_ok=True)
with open(noted, "a") as stream:
    stream.write("x")
tries = os.path.getsize(noted)
if behavior == "hangs":
    time.sleep(600)
if behavior == "dies" or (behavior == "dies once" and tries == 1):
    os.kill(os.getpid(), signal.SIGKILL)
if behavior == "eats":
    held = []
    while True:
        held.append(bytearray(1 << 24))
if behavior == "holds":
    held = b"x" * (100 << 20)
if behavior == "broken":
    print("error: it is broken", file=sys.stderr)
    sys.exit(2)
if behavior == "defect":
    print("error: a defect of Collision Kit: by nothing", file=sys.stderr)
    sys.exit(3)
if behavior == "nothing written":
    sys.exit(0)
if behavior == "slow":
    time.sleep(0.3)
report = {"schema_version": 1, "file": file, "scene": "Scene", "frame": 1, "units": {"unit_scale": 1.0}}
report |= {"tolerances": {"touching": 1e-6, "clearance": 0.0}, "pairs": [], "bodies": []}
report |= json.loads(rest or "{}")
if behavior == "faulty" and not report["pairs"]:
    report["pairs"] = [{"a": "Crate", "b": "=Wall", "verdict": "penetrating", "distance": -0.25, "accepted": None}]
verdicts = [pair["verdict"] for pair in report["pairs"]]
before = [text.partition("=")[2] for text in sys.argv if text.startswith("--baseline=")]
if before:
    report["before"] = json.load(open(before[-1]))["pairs"]
report["counts"] = {name: verdicts.count(name) for name in ("contained", "penetrating", "touching")}
suite = f'<testsuite name="s" tests="1" failures="{len(verdicts)}" errors="0"><testcase name="c"/></testsuite>'
for path in outputs:
    kinds = {".json": json.dumps(report), ".xml": f"<testsuites>{suite}</testsuites>", ".html": f"<p>{behavior}</p>"}
    with open(path, "w") as stream:
        stream.write(kinds[os.path.splitext(path)[1]])
sys.exit(behavior == "faulty")
"""


def stub(folder: Path) -> tuple[str, ...]:
    """The command that runs the stub."""
    path = folder / "program.py"
    path.write_text(PROGRAM)
    return (sys.executable, "-I", "-S", str(path))


def library(folder: Path, **behaviors: str) -> Path:
    """A folder with files of these names, without extension, and these behaviors."""
    folder.mkdir(exist_ok=True)
    for name, behavior in behaviors.items():
        (folder / f"{name}.blend").write_text(behavior)
    return folder


def ended(command: tuple[str, ...], *arguments: object) -> int:
    """The exit code of ``collision-kit`` with another command for each file."""
    given = usage.read([str(text) for text in arguments])
    assert given.many is not None
    return many.main(given.options, given.many, command)


def reported(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def tasks_of(folder: Path, command: tuple[str, ...], **settings) -> list[Task]:
    return [
        Task(str(file), file.name, ("check",), command=command, folder=str(folder.parent), **settings)
        for file in sorted(folder.iterdir())
    ]


def run_of(tasks: list[Task], jobs: int = 2) -> Run:
    with Journal(None, {}) as journal, local_pool(jobs) as pool:
        return run_files(tasks, pool, journal)
