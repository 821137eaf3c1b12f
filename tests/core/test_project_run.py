# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files: what becomes of each, how many at once, and how a run ends and goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import collision_kit
from collision_kit.addon.reports.csv import as_csv
from collision_kit.addon.reports.json import SCHEMA_VERSION
from collision_kit.command import many, one_file, supervision
from collision_kit.command.html import as_html
from collision_kit.command.journal import Journal
from collision_kit.command.junit import as_junit
from collision_kit.command.one_file import Task, check_file
from collision_kit.command.pages import Pages
from collision_kit.command.pools import local_pool
from collision_kit.command.report import Source, as_json, content
from collision_kit.command.run import run_files
from collision_kit.command.text import as_text
from tests.helpers.project_files import ended, library, reported, run_of, stub, tasks_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and processes as POSIX has them")

LIMIT = 200 << 20


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.chdir(tmp_path)
    return stub(tmp_path)


def noted(folder: Path) -> dict[str, int]:
    """Return how often each file was checked."""
    return {path.stem: path.stat().st_size for path in sorted((folder / "noted").iterdir())}


def test_a_folder_with_every_fault_is_checked_to_the_end(command, tmp_path: Path) -> None:
    behaviors = {"a": "clean", "b": "faulty", "c": "broken", "d": "hangs", "e": "dies", "f": "eats", "g": "defect"}
    folder = library(tmp_path / "lib", **behaviors, h="nothing written", i="dies once")
    code = ended(
        command, "check", folder, "--jobs", "2", "--timeout", "3s", "--memory", "200M", "--output", "report.json"
    )
    report = reported(tmp_path / "report.json")
    outcomes = {file["path"]: (file["outcome"], file["exit_code"]) for file in report["files"]}
    memory = ("out_of_memory", None) if sys.platform == "linux" else outcomes["f.blend"]
    assert code == 1
    assert outcomes == {
        "a.blend": ("clean", 0),
        "b.blend": ("found", 1),
        "c.blend": ("unreadable", 2),
        "d.blend": ("timed_out", None),
        "e.blend": ("crashed", 128 + signal.SIGKILL),
        "f.blend": memory,
        "g.blend": ("crashed", 3),
        "h.blend": ("crashed", 0),
        "i.blend": ("clean", 0),
    }
    assert [file["path"] for file in report["files"]] == sorted(outcomes)
    messages = {file["path"][0]: file["message"] for file in report["files"]}
    assert messages["c"] == "it is broken" and messages["a"] == "" and messages["d"] == "took longer than 3 s"
    assert "signal 9" in messages["e"]
    assert report["totals"]["files"] == 9
    assert report["totals"]["outcomes"] == {
        **{"clean": 2, "found": 1, "unreadable": 1, "crashed": 3, "timed_out": 1, "out_of_memory": 1}
    }
    assert report["totals"]["counts"]["penetrating"] == 1
    # Crashes and a lack of memory are tried once more, and nothing else is.
    assert noted(tmp_path) == {**dict.fromkeys("abcd", 1), **dict.fromkeys("efghi", 2)}
    attempts = {path[0]: run["attempts"] for path, run in report["run"]["files"].items()}
    assert attempts == noted(tmp_path)


@pytest.mark.parametrize(
    ("behaviors", "code"),
    [
        ({"a": "clean", "b": "clean"}, 0),
        ({"a": "clean", "b": "broken"}, 2),
        ({"a": "faulty", "b": "broken"}, 1),
        ({"a": "dies"}, 2),
    ],
)
def test_exit_codes(command, tmp_path: Path, behaviors: dict[str, str], code: int) -> None:
    assert ended(command, "check", library(tmp_path / "lib", **behaviors), "--output", "report.json") == code


def test_two_runs_differ_in_what_is_of_the_run_only(command, tmp_path: Path) -> None:
    folder = library(tmp_path / "lib", **{f"f{n}": ("clean", "faulty", "broken", "dies")[n % 4] for n in range(12)})
    texts = []
    for jobs in (1, 4):
        ended(command, "check", folder, "--jobs", jobs, "--output", "report.json")
        lines = (tmp_path / "report.json").read_text(encoding="utf-8").splitlines()
        (of_run,) = (line for line in lines if line.startswith('  "run"'))
        assert len(json.loads("{" + of_run + "}")["run"]["files"]) == 12
        texts.append([line for line in lines if line != of_run])
    assert texts[0] == texts[1]


def test_as_many_are_checked_at_once_as_there_are_jobs(command, tmp_path: Path) -> None:
    """Each of 60 notes who else is there; the first of two waits for the second, so that both must run at once."""
    program = tmp_path / "busy.py"
    program.write_text("""
import os, sys, time
os.makedirs("busy", exist_ok=True)
own = os.path.join("busy", str(os.getpid()))
open(own, "w").close()
end = time.monotonic() + 2.0
while (there := len(os.listdir("busy"))) < 2 and time.monotonic() < end:
    time.sleep(0.002)
with open("counts", "a") as counts:
    counts.write(f"{there}\\n")
(path,) = (text.partition("=")[2] for text in sys.argv if text.startswith("--output="))
open(path, "w").write("{}")
os.unlink(own)
""")
    folder = library(tmp_path / "lib", **{f"f{n:03}": "" for n in range(60)})
    run = run_of(tasks_of(folder, (sys.executable, "-I", "-S", str(program))))
    assert {entry.checked.outcome for entry in run.entries.values()} == {"clean"}
    counts = [int(line) for line in (tmp_path / "counts").read_text().split()]
    assert len(counts) == 60 and max(counts) == 2
    # The last one may be alone.
    assert counts.count(2) >= 58


def test_what_a_process_starts_ends_with_it(tmp_path: Path) -> None:
    program = "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, file=open('started', 'w'))"
    (tmp_path / "a.blend").touch()
    task = Task(str(tmp_path / "a.blend"), "a.blend", (), command=(sys.executable, "-c", program), folder=str(tmp_path))
    assert check_file(task).outcome == "crashed"
    number = int((tmp_path / "started").read_text())
    end = time.monotonic() + 10.0
    while alive(number) and time.monotonic() < end:
        time.sleep(0.01)
    assert not alive(number)


def alive(number: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_the_limit_of_memory_is_that_of_the_process(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("no limit is set elsewhere")
    program = "import resource; print('error:', resource.getrlimit(resource.RLIMIT_DATA)); raise SystemExit(2)"
    (tmp_path / "a.blend").touch()
    command = (sys.executable, "-c", "import sys; sys.stdout = sys.stderr; " + program)
    task = Task(str(tmp_path / "a.blend"), "a.blend", (), command=command, memory=LIMIT, folder=str(tmp_path))
    assert check_file(task).message == f"({LIMIT}, {LIMIT})"


@pytest.mark.skipif(sys.platform != "linux", reason="no limit is set elsewhere")
@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        ("raise MemoryError", "out_of_memory"),
        ("sys.exit('x.so: cannot map zero-fill pages')", "out_of_memory"),
        ("sys.exit('error: x.so.2: failed to map segment from shared object')", "out_of_memory"),
        ("sys.exit('x.so: failed to map segment from shared object: Cannot allocate memory')", "out_of_memory"),
        ('sys.exit("RuntimeError: can\'t start new thread")', "out_of_memory"),
        ("os.abort()", "out_of_memory"),
        ("sys.exit('x.so: failed to map segment from shared object: Operation not permitted')", "crashed"),
        ("sys.exit('x.so: cannot allocate memory in static TLS block')", "crashed"),
        ("sys.exit('warning: cannot map the layer UV')", "crashed"),
        ("sys.exit('error: \"out of memory\" is no object')", "crashed"),
        ("sys.exit('ModuleNotFoundError: No module named bpy')", "crashed"),
        ("sys.exit(3)", "crashed"),
    ],
)
def test_what_ends_before_blender_is_loaded_lacks_memory_only_if_that_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, outcome: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import os, sys\n{ending}\n")
    monkeypatch.setattr(supervision, "blender_command", lambda: [sys.executable, "-I", "-S", str(program)])
    (tmp_path / "a.blend").touch()
    checked = check_file(Task(str(tmp_path / "a.blend"), "a.blend", (), memory=1 << 30, folder=str(tmp_path)))
    assert checked.outcome == outcome
    assert ("no memory left" in checked.message) == (outcome == "out_of_memory")


def test_limits_beyond_those_of_the_system_are_none(command, tmp_path: Path, capfd) -> None:
    folder = library(tmp_path / "lib", a="clean")
    limits = ["--timeout", "1" + "0" * 400, *(["--memory", "99999999T"] if sys.platform == "linux" else [])]
    assert ended(command, "check", folder, *limits, "--output", "report.json") == 0
    assert capfd.readouterr().err == ""


# A run in a process of its own, which can be ended.
DRIVER = """
import sys
from collision_kit.command import many, usage
given = usage.read(sys.argv[3:])
sys.exit(many.main(given.options, given.many, [sys.executable, "-I", "-S", sys.argv[2]]))
"""


def start(tmp_path: Path, *arguments: str) -> subprocess.Popen:
    (tmp_path / "packages").mkdir(exist_ok=True)
    package = tmp_path / "packages" / "collision_kit"
    if not package.exists():
        package.symlink_to(Path(str(collision_kit.__file__)).parent)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "packages")}
    command = [sys.executable, "-c", DRIVER, "-", str(tmp_path / "program.py"), *arguments]
    return subprocess.Popen(command, cwd=tmp_path, env=environment)


def wait_for(condition) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_most_memory_that_a_file_took_is_reported(command, tmp_path: Path) -> None:
    folder = library(tmp_path / "lib", a="clean", b="holds")
    assert start(tmp_path, "check", str(folder), "--output", "report.json").wait(60) == 0
    files = reported(tmp_path / "report.json")["run"]["files"]
    assert 100 << 20 < files["b.blend"]["peak_memory"] < 200 << 20
    # That of a process that takes less than the one that waits is not known.
    assert (files["a.blend"]["peak_memory"] or 0) < 100 << 20


def lines_of(path: Path) -> int:
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def test_a_run_that_was_killed_goes_on_and_checks_nothing_twice(command, tmp_path: Path) -> None:
    folder = library(tmp_path / "lib", **{f"f{n:02}": ("slow", "faulty", "broken")[n % 3] for n in range(16)})
    arguments = ("check", str(folder), "--jobs", "2", "--resume", "run.jsonl", "--output=report.xml", "--output")
    started = start(tmp_path, *arguments, "first.json")
    wait_for(lambda: lines_of(tmp_path / "run.jsonl") >= 5)
    started.kill()
    started.wait()
    kept = [json.loads(line)["checked"]["path"] for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert 5 <= len(kept) < 16 and not (tmp_path / "first.json").exists()
    # A line of which only a part was written is none.
    with (tmp_path / "run.jsonl").open("a") as journal:
        journal.write('{"key": {')
    before = noted(tmp_path)
    assert ended(command, *arguments, "second.json") == 1
    after = noted(tmp_path)
    assert all(after[Path(path).stem] == before[Path(path).stem] for path in kept)
    # For each job, the file that was being checked when the process was killed is checked again, and the one before it
    # if its line was not written yet.
    assert max(after.values()) <= 2
    assert sum(count == 2 for count in after.values()) <= 4
    assert ended(command, *arguments, "third.json") == 1
    assert noted(tmp_path) == after
    assert ended(command, "check", folder, "--output", "fresh.json") == 1
    reports = [reported(tmp_path / f"{name}.json") for name in ("second", "third", "fresh")]
    for report in reports:
        del report["run"]
    assert reports[0] == reports[1] == reports[2]


@pytest.mark.parametrize("change", ["file", "arguments", "settings", "version", "library"])
def test_what_has_changed_is_checked_again(command, tmp_path: Path, monkeypatch, change: str) -> None:
    (tmp_path / "asset.blend").write_text("before")
    linked = {"bodies": [{"name": "A", "object": "A", "library_file": str(tmp_path / "asset.blend")}]}
    folder = library(tmp_path / "lib", a="clean", b="clean\n" + json.dumps(linked))
    arguments = ["check", str(folder), "--resume", "run.jsonl", "--output", "report.json"]
    assert ended(command, *arguments) == 0
    assert ended(command, *arguments) == 0
    assert noted(tmp_path) == {"a": 1, "b": 1}
    if change == "file":
        (folder / "b.blend").write_text("faulty")
    elif change == "arguments":
        arguments += ["--clearance", "1mm"]
    elif change == "settings":
        (tmp_path / "collision-kit.toml").write_text("")
    elif change == "version":
        monkeypatch.setattr("collision_kit.command.many.versions", lambda: {"collision_kit": "9", "blender": "9"})
    else:
        (tmp_path / "asset.blend").write_text("after")
    assert ended(command, *arguments) == (1 if change == "file" else 0)
    assert noted(tmp_path) == ({"a": 1, "b": 2} if change in ("file", "library") else {"a": 2, "b": 2})


PAIR = {"a": "A", "b": "B", "verdict": "penetrating", "distance": -1.0, "accepted": None, "severity": "error"}
# What a journal may say of a file that is checked with faults, besides the truth.
POISON = {
    "clean without a report": {"outcome": "clean", "exit_code": 0, "report": None},
    "clean with the report": {"outcome": "clean", "exit_code": 0},
    "another exit code": {"exit_code": 0},
    "no exit code": {"exit_code": None},
    "true as an exit code": {"exit_code": True},
    "another outcome": {"outcome": "clean"},
    "no outcome": {"outcome": "fine"},
    "no pairs": {"outcome": "clean", "exit_code": 0, "report": {"pairs": []}},
    "no pairs, but found": {"report": {"pairs": [], "counts": {"penetrating": 0}}},
    "other sums": {"report": {"counts": {"penetrating": 7}}},
    "no sums": {"report": {"counts": {}}},
    "accepted, but found": {"report": {"pairs": [{**PAIR, "accepted": "so"}]}},
    "the report of another file": {"report": {"file": "/elsewhere/other.blend"}},
    "a list as a report": {"report": []},
    "pairs that are none": {"report": {"pairs": [1, None]}},
    "a crash with a report": {"outcome": "crashed", "message": "so"},
    "a limit with a report": {"outcome": "timed_out", "exit_code": None, "message": "so"},
    "a crash without a word": {"outcome": "crashed", "exit_code": 139, "report": None},
    "no digest": {"sha256": ""},
    "an error that was not told": {
        "outcome": "clean",
        "exit_code": 0,
        "report": {"pairs": [], "counts": {"penetrating": 0}, "findings": [{"severity": "error"}]},
    },
}


@pytest.mark.parametrize("poison", POISON)
def test_what_does_not_agree_with_its_report_is_checked_again(command, tmp_path: Path, capfd, poison: str) -> None:
    folder = library(tmp_path / "lib", a="faulty", b="clean")
    arguments = ("check", folder, "--resume", "run.jsonl", "--output", "report.json")
    assert ended(command, *arguments) == 1
    truth = reported(tmp_path / "report.json")["files"]
    journal = tmp_path / "run.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    for line in lines:
        if line["checked"]["path"] == "a.blend":
            change = POISON[poison]
            report = change.get("report", line["checked"]["report"])
            if isinstance(report, dict) and "report" in change:
                report = {**line["checked"]["report"], **report}
            line["checked"] |= {**change, "report": report}
            if change.get("outcome") in ("crashed", "timed_out"):
                line["key"]["limits"] = [None, None]
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    capfd.readouterr()
    assert ended(command, *arguments) == 1
    assert reported(tmp_path / "report.json")["files"] == truth
    assert noted(tmp_path) == {"a": 2, "b": 1}
    said = capfd.readouterr().err
    if poison != "no digest":  # as of a file that has changed
        assert said.startswith("warning: run.jsonl: 1 of its results did not agree with their reports")
        assert said.rstrip().endswith("a.blend")


# Values of JSON that are not what was written at their place, each of another type or size.
WRONG = [None, [], {}, 5, 1.5, True, float("nan"), 10**400, "x", "<svg>", [None], [{}], {"a": 1}]


def changes(value):
    """The value with one of its parts replaced by each wrong one, or left out."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        for other in (*WRONG, *changes(part)):
            copy = value.copy()
            copy[key] = other
            yield copy
        copy = value.copy()
        del copy[key]
        yield copy


def test_of_whatever_a_journal_holds_all_reports_are_made(tmp_path: Path) -> None:
    pair = {**PAIR, "contacts": [{}], "topic": {"comments": [{}]}, "test": "t"}
    more = {"pairs": [pair], "tests": [{"name": "t"}], "bodies": [{"name": "A", "object": "A", "library_file": None}]}
    more |= {"findings": [], "ignored_counts": {"penetrating": 0}, "configuration": None}
    folder = library(tmp_path / "lib", a="faulty\n" + json.dumps(more), b="broken")
    tasks = tasks_of(folder, stub(tmp_path), endings=(".xml", ".html"))
    journal, pages = tmp_path / "run.jsonl", Pages(tmp_path / "index.html")
    with Journal(journal, {}) as kept, local_pool(1) as pool:
        run = run_files(tasks, pool, kept)
    source = Source(str(folder), ("check",), {"blender": ""}, None)
    lines = journal.read_text(encoding="utf-8").splitlines()
    believed = 0
    for task, text, other in zip(tasks, lines, lines[::-1], strict=True):
        for line in filter(lambda line: line != json.loads(text), changes(json.loads(text))):
            journal.write_text(f"{other}\n{json.dumps(line)}\n", encoding="utf-8")
            with Journal(journal, {}) as kept:
                entry = kept.known(task)
            if entry is None:
                continue
            believed += 1
            every = replace(run, entries={**run.entries, task.path: entry})
            for write in (as_text, as_junit):
                write(every)
            as_json(every, source)
            as_html(every, source, pages)
            as_csv((file["path"], file["report"] or {}) for file in content(every, source)["files"])
            assert entry.checked.outcome == run.entries[task.path].checked.outcome
    assert believed > 50


def test_each_file_is_compared_with_its_own_earlier_report(command, tmp_path: Path) -> None:
    folder = library(tmp_path / "lib", a="faulty", b="clean", c="broken")
    assert ended(command, "check", folder, "--output", "before.json") == 1
    library(folder, c="clean", d="clean")
    assert ended(command, "check", folder, "--baseline", "before.json", "--output", "after.json") == 1
    files = reported(tmp_path / "after.json")["files"]
    found = {file["path"]: [pair["a"] for pair in file["report"]["before"]] for file in files}
    assert found == {"a.blend": ["Crate"], "b.blend": [], "c.blend": [], "d.blend": []}


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("[]", "not a JSON report of collision-kit check"),
        ("[" * 100_000, "not a JSON file: nested too deep"),
        ('{"contacts": []}', "not a JSON report of collision-kit check"),
        ('{"kind": "project"}', "not a JSON report of collision-kit check"),
        ('{"kind": "project", "command": "motion", "files": [{"path": "a.blend", "report": {}}]}', "not a JSON report"),
        (
            '{"kind": "project", "command": "check", "files": [{"path": "b.blend", "report": {}}]}',
            "none of these files",
        ),
    ],
)
def test_a_baseline_that_is_none_ends_before_anything_is_checked(
    command, tmp_path: Path, capfd, before: str, expected: str
) -> None:
    folder = library(tmp_path / "lib", a="faulty")
    (tmp_path / "before.json").write_text(before)
    assert ended(command, "check", folder, "--baseline", "before.json") == 2
    assert expected in capfd.readouterr().err
    assert not (tmp_path / "noted").exists()


def test_probes_of_files_are_compared_with_their_own_earlier_reports(
    command, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = library(tmp_path / "lib", a="faulty", b="clean")
    found = {"schema_version": SCHEMA_VERSION, "kind": "probe", "findings": [{"id": "5", "kind": "fall"}]}
    project = {"kind": "project", "command": "probe", "files": [{"path": "a.blend", "report": found}]}
    (tmp_path / "before.json").write_text(json.dumps(project))
    known = many._baselines(tmp_path / "before.json", "probe", ["a.blend", "b.blend"])
    assert {name: json.loads(report) for name, report in known.items()} == {"a.blend": found}
    assert many._NOTHING["probe"].keys() == found.keys()
    # A report of a check is none of a probe, and the other way round.
    assert ended(command, "check", folder, "--baseline", "before.json") == 2
    assert "not a JSON report of collision-kit check" in capfd.readouterr().err
    for wrong in ({**project, "command": "check"}, {"schema_version": 1, "units": {}, "pairs": []}):
        (tmp_path / "before.json").write_text(json.dumps(wrong))
        assert ended(command, "probe", folder, "--baseline", "before.json") == 2
        assert "not a JSON report of collision-kit probe" in capfd.readouterr().err
    assert not (tmp_path / "noted").exists()


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_a_limit_of_memory_that_the_system_does_not_have_is_one_error(
    command, tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    folder = library(tmp_path / "lib", a="clean")
    monkeypatch.setattr("sys.platform", system)
    assert ended(command, "check", folder, "--memory", "1G") == 2
    assert capfd.readouterr().err.startswith("error: --memory is not supported on this system")
    assert not (tmp_path / "noted").exists()


def test_a_higher_limit_is_tried_and_nothing_else_is_repeated(command, tmp_path: Path) -> None:
    folder = library(tmp_path / "lib", a="slow", b="hangs")
    arguments = ("check", folder, "--resume", "run.jsonl", "--output", "report.json", "--timeout")
    for limit in ("1s", "1s", "2s"):
        assert ended(command, *arguments, limit) == 2
    assert noted(tmp_path) == {"a": 1, "b": 2}


def test_a_file_that_is_no_journal_is_left_alone(command, tmp_path: Path, capfd) -> None:
    folder = library(tmp_path / "lib", a="clean")
    (tmp_path / "notes.txt").write_text("my notes\n")
    assert ended(command, "check", folder, "--resume", "notes.txt") == 2
    assert capfd.readouterr().err == "error: notes.txt: not a file that --resume has written\n"
    assert (tmp_path / "notes.txt").read_text() == "my notes\n"


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_all_processes_and_what_is_done_is_reported(command, tmp_path: Path, number) -> None:
    folder = library(tmp_path / "lib", a="clean", b="faulty", y="hangs", z="hangs", zz="clean")
    started = start(tmp_path, "check", str(folder), "--jobs", "2", "--output", "report.json", "--resume", "run.jsonl")
    wait_for(lambda: lines_of(tmp_path / "run.jsonl") == 2 and {"y", "z"} <= set(noted(tmp_path)))
    started.send_signal(number)
    assert started.wait(30) == 128 + number
    report = reported(tmp_path / "report.json")
    assert [(file["path"], file["outcome"]) for file in report["files"]] == [("a.blend", "clean"), ("b.blend", "found")]
    assert report["run"]["interrupted"] and report["run"]["not_checked"] == ["y.blend", "z.blend", "zz.blend"]
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "program.py") not in listed
    assert noted(tmp_path).keys() == {"a", "b", "y", "z"}


def test_a_run_that_has_been_ended_begins_nothing(command, tmp_path: Path) -> None:
    (task, *_) = tasks_of(library(tmp_path / "lib", a="clean"), command, run="over")
    one_file.end_all("over")
    with pytest.raises(one_file.Ended):
        check_file(task)
    assert not (tmp_path / "noted").exists()
