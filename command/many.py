# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line for many files. Does not need Blender.

It decides which files are checked, by which workers, and where the report goes.
"""

import contextlib
import importlib.util
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..addon.cli.arguments import ASSET, EVERY
from ..addon.cli.options import BaselineCommand, CheckCommand, Command, ConfiguredCommand, MotionCommand
from ..addon.cli.values import STANDARD_OUTPUT
from ..addon.model.errors import CommandError
from ..addon.model.formats import ENDINGS
from ..addon.reports.baseline import content_of
from ..addon.reports.csv import as_csv
from ..addon.reports.json import SCHEMA_VERSION
from ..addon.system.characters import spelled
from ..addon.system.exits import BAD_INPUT, say
from ..addon.system.files import check_target, encoded, make_folder, one_file, twice, write_whole
from ..addon.system.streams import put, sparse_lines, terminal_line
from .files import common_folder, scene_files, scene_path
from .html import as_html
from .journal import Journal
from .junit import as_junit
from .one_file import JUNIT, Checked, Task, limits_memory
from .pages import ENDING as PAGE
from .pages import Pages
from .pools import cluster_pool, local_pool, usual_jobs, versions
from .report import Source, as_json, content, exit_code
from .run import Progress, Run, run_files
from .text import as_text, progress_text
from .usage import ManyFiles, WrittenFolder

# Reports of a file in which nothing was found, by the commands that compare with an earlier report.
_NOTHING: dict[str, dict[str, Any]] = {
    "check": {"schema_version": SCHEMA_VERSION, "units": {"unit_scale": 1.0}, "pairs": []},
    "probe": {"schema_version": SCHEMA_VERSION, "kind": "probe", "findings": []},
}

# Reports that the process of each file writes beside JSON, by the format of the project report.
_PARTS = {"junit": JUNIT, "html": PAGE}


def main(options: Command, many: ManyFiles, command: Sequence[str] | None = None) -> int:
    """Check many files, write one report, and return the exit code.

    Parameters
    ----------
    options : Command
    many : ManyFiles
    command : sequence of str, optional
        Command that is run for each file, with the arguments of ``collision-kit``. None: ``collision-kit`` itself.
    """
    try:
        return _checked(options, many, None if command is None else tuple(command))
    except (CommandError, OSError) as error:
        say(f"error: {error}")
        return BAD_INPUT


def _checked(options: Command, many: ManyFiles, command: tuple[str, ...] | None) -> int:
    try:
        here = os.getcwd()
    except FileNotFoundError:
        raise CommandError("the working directory no longer exists") from None
    reports = _reports(options)
    files = scene_files([Path(path) for path in options.paths], many.include, many.exclude)
    if not files:
        raise CommandError(f"no scene files in {', '.join(options.paths)}")
    targets = [path for _, path in reports if path is not None]
    _check_targets(targets, options, many, files)
    if many.memory is not None and many.scheduler is None and not limits_memory():
        raise CommandError("--memory is not supported on this system: only Linux limits the memory of a process")
    if command is None and many.scheduler is None and importlib.util.find_spec("bpy") is None:
        raise CommandError("Blender is needed as a Python module: pip install collision-kit[blender]")
    folder = common_folder([Path(path) for path in options.paths], files)
    kinds = {kind for kind, _ in reports}
    saved = _saved(options.name, many.written, files, folder)
    names = {file: spelled(file.relative_to(folder).as_posix()) for file in files}
    baselines = _baselines(_baseline(options), options.name, list(names.values()))
    nothing = json.dumps(_NOTHING.get(options.name))
    tasks = [
        Task(
            str(file),
            names[file],
            many.arguments,
            tuple(ending for kind, ending in _PARTS.items() if kind in kinds),
            command,
            many.timeout,
            many.memory,
            baselines.get(names[file], nothing) if baselines else None,
            folder=here,
            saved=str(saved.get(file, "")),
        )
        for file in files
    ]

    def others(task: Task, checked: Checked) -> list[Task]:
        """Return the tasks for the other scenes of a file and the other clips of a scene, if all are to be checked."""
        coverage = (checked.report or {}).get("coverage") or {}
        found = []
        if options.scene == EVERY and not task.scene:
            found += [(one["name"], {"scene": one["name"]}) for one in coverage.get("other_scenes", ())]
        if isinstance(options, MotionCommand) and options.clip == EVERY and not task.clip:
            found += [(name, {"clip": name}) for name in coverage.get("other_clips", ())]
        tasks = []
        for name, changed in found:
            path = scene_path(task.path, name)
            before = baselines.get(path, nothing) if baselines else task.baseline
            tasks.append(replace(task, path=path, baseline=before, **changed))
        return tasks

    source = Source(spelled(folder.as_posix()), many.arguments, versions(), many.scheduler)
    for target in [*targets, *filter(None, [many.resume])]:
        make_folder(target.parent)
    pages = next((Pages(path) for kind, path in reports if kind == "html" and path is not None), None)
    jobs = min(many.jobs or usual_jobs(many.memory), len(tasks))
    pool = local_pool(jobs) if many.scheduler is None else cluster_pool(many.scheduler, folder)
    with Journal(many.resume, dict(source.versions)) as journal, _progress() as tell, pool as workers:
        run = run_files(tasks, workers, journal, tell=tell, pages=pages, more=others)
    if journal.doubted:
        count = f"{len(journal.doubted)} of its results did not agree with their reports"
        say(f"warning: {many.resume}: {count}, and these files were checked again: {_some(journal.doubted)}")
    for kind, path in reports:
        text = _document(kind, run, source, pages)
        if path is None:
            put(text)
        else:
            write_whole(path, encoded(text))
    return exit_code(run)


def _some(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _saved(command: str, written: WrittenFolder | None, files: Sequence[Path], folder: Path) -> dict[Path, Path]:
    """Return the file that each scene is written to.

    Empty if the command writes none, or overwrites the files themselves.

    Raises
    ------
    CommandError
        If two scenes would be written to one file, or a scene would overwrite a file that is read.
    """
    if written is None or written.output_dir is None:
        return {}
    ending = "." + (written.to or ("glb" if command == "export" else "blend"))
    top = Path(os.path.abspath(written.output_dir))
    found = {file: top / file.relative_to(folder).with_suffix(ending) for file in files}
    if written.each_asset:
        return {file: path.with_suffix("") / f"{ASSET}{ending}" for file, path in found.items()}
    inputs = {os.path.realpath(file).casefold() for file in files}
    makers: dict[str, Path] = {}
    for file, path in found.items():
        spelled = os.path.realpath(path).casefold()
        if spelled in inputs:
            raise CommandError(f"cannot write {path}: it is an input file")
        if spelled in makers:
            raise CommandError(f"{makers[spelled]} and {file} would both be written to {path}")
        makers[spelled] = file
    return found


def _baseline(options: Command) -> Path | None:
    return options.baseline if isinstance(options, BaselineCommand) else None


def _baselines(path: Path | None, command: str, names: Sequence[str]) -> dict[str, str]:
    """Return the report of each file in an earlier project report, as JSON. A report on one file applies to all.

    A file that is missing in the earlier report, or could not be checked then, is not compared.

    Raises
    ------
    CommandError
        If it cannot be read, is not a JSON report of the command, or contains none of these files.
    """
    if path is None:
        return {}
    nothing = _NOTHING[command]
    content = content_of(path)
    try:
        if content.get("kind") != "project":
            if not content.keys() >= nothing.keys() or content.get("kind") != nothing.get("kind", content.get("kind")):
                raise KeyError
            return {}
        reports = {file["path"]: file["report"] for file in content["files"]}
        if content["command"] != command:
            raise KeyError
    except (KeyError, TypeError, AttributeError):
        raise CommandError(f"{path}: not a JSON report of collision-kit {command}") from None
    if reports.keys().isdisjoint(names):
        raise CommandError(f"{path}: has none of these files; paths are compared below the folder they have in common")
    return {name: json.dumps(report or nothing) for name, report in reports.items()}


def _document(kind: str, run: Run, source: Source, pages: Pages | None) -> str:
    if kind == "html" and pages is not None:
        return as_html(run, source, pages)
    if kind == "csv":
        return as_csv((file["path"], file["report"] or {}) for file in content(run, source)["files"])
    if kind == "junit":
        return as_junit(run)
    return as_json(run, source) if kind == "json" else as_text(run)


def _reports(options: Command) -> list[tuple[str, Path | None]]:
    """Return the format and the file of each report. None: standard output."""
    return [_report(None if path == Path(STANDARD_OUTPUT) else path, options) for path in options.output or (None,)]


def _report(path: Path | None, options: Command) -> tuple[str, Path | None]:
    ending = "" if path is None else path.suffix.lower()
    endings = [known for known, name in ENDINGS.items() if name in options.formats and name != "bcf"]
    kind: str = options.format or ENDINGS.get(ending, "text" if not ending else "")
    if kind == "bcf":
        raise CommandError("a BCF file is on one FILE, without the options of many files")
    if kind not in options.formats:
        raise CommandError(f"{path}: unknown report format {ending}; use {', '.join(endings)} or --format")
    if kind == "html" and path is None:
        raise CommandError("--format html of many files needs --output: a folder, or the file of the index")
    return kind, path


def _check_targets(targets: Sequence[Path], options: Command, many: ManyFiles, files: Sequence[Path]) -> None:
    """Reject files that cannot be written, before anything is checked."""
    config = options.config if isinstance(options, ConfiguredCommand) else None
    topics = options.bcf if isinstance(options, CheckCommand) else None
    given = [path for path in (config, _baseline(options), topics) if path is not None]
    for path in [*targets, *filter(None, [many.resume])]:
        try:
            check_target(path, new_folder=True)
        except OSError as error:
            raise CommandError(f"cannot write {path}: {error.strerror or error}") from None
        if any(one_file(path, file) for file in (*files, *given)):
            raise CommandError(f"cannot write {path}: it is an input file")
    double = twice([*targets, *filter(None, [many.resume])])
    if double is not None:
        raise CommandError(f"two of --output and --resume are the same file: {double}")


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """Return a function that shows progress on standard error: one line on a terminal, otherwise an occasional line."""
    with terminal_line() as show, sparse_lines() as say:
        tell = show or say
        yield lambda progress: tell(progress_text(progress)) if tell is not None else None
