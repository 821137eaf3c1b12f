# SPDX-License-Identifier: GPL-3.0-or-later
"""The report on all files of a project, combined from their own reports. docs/projects.md documents every field."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..addon.model.verdict_names import FAULTS, NAMES
from ..addon.reports.json import heading, written
from ..addon.system.exits import BAD_INPUT
from . import supervision
from .agreement import is_open
from .journal import Entry
from .one_file import CHECKED, OUTCOMES, Checked
from .run import Run

# Lists of findings in the report of a file, worst first.
_LISTS = ("pairs", "contacts", "findings")
_FAULTS = {NAMES[verdict] for verdict in FAULTS}


class Source(NamedTuple):
    """Files and options of a project.

    Attributes
    ----------
    folder : str
        Folder that the paths of the files are relative to, with slashes.
    arguments : sequence of str
        Arguments of ``collision-kit`` with which each file was checked.
    versions : mapping of str to str
    scheduler : str, optional
    """

    folder: str
    arguments: Sequence[str]
    versions: Mapping[str, str]
    scheduler: str | None = None


def content(run: Run, source: Source) -> dict[str, Any]:
    """Return the report as a JSON object. For the same files, only ``run`` differs from run to run."""
    checked = [entry.checked for entry in run.entries.values()]
    return {
        **heading(),
        "kind": "project",
        "blender": source.versions["blender"],
        "command": source.arguments[0],
        "arguments": list(source.arguments[1:]),
        "folder": source.folder,
        "totals": totals(checked),
        "shared": shared(checked),
        "files": [_file(one) for one in checked],
        "run": {
            "started": run.started,
            "seconds": run.seconds,
            "jobs": run.jobs,
            "scheduler": source.scheduler,
            "hosts": sorted({one.host for one in checked if one.host}),
            "interrupted": bool(run.signal),
            "not_checked": list(run.not_checked),
            "files": {path: _of_run(entry) for path, entry in run.entries.items()},
        },
    }


def as_json(run: Run, source: Source) -> str:
    """Return the report as JSON with a line for each file, ending in a newline."""
    return written(content(run, source))


def exit_code(run: Run) -> int:
    """Return 1 if there are findings, else 2 if a file could not be checked, else 0.

    If a signal ended the run, return 128 plus its number.
    """
    if run.signal:
        return supervision.SIGNALLED + run.signal
    outcomes = {entry.checked.outcome for entry in run.entries.values()}
    return 1 if "found" in outcomes else BAD_INPUT if outcomes - set(CHECKED) else 0


def totals(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the number of files for each outcome, and the sums of the counts in the files' reports."""
    outcomes = Counter(one.outcome for one in checked)
    result: dict[str, Any] = {"files": len(checked), "outcomes": {name: outcomes[name] for name in OUTCOMES}}
    for name in ("counts", "accepted_counts", "ignored_counts", "folded_counts"):
        sums: Counter[str] = Counter()
        for one in checked:
            sums.update((one.report or {}).get(name) or {})
        if sums:
            result[name] = dict(sums)
    return result


def configurations(checked: Sequence[Checked]) -> list[str]:
    """Return the configuration files of these files, in order and without repetition."""
    return sorted({name for one in checked if (name := (one.report or {}).get("configuration"))})


def found_in(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of a file's report that are not accepted, folded or known before, worst first.

    For pairs, these are the faults, or all pairs if there are no faults: the check decides what else fails.
    """
    listed: list[dict[str, Any]] = next((report[name] for name in _LISTS if name in report), [])
    found = [one for one in listed if is_open(one)]
    found = [one for one in found if one.get("new") is not False or one.get("worse")]
    if "pairs" not in report and "contacts" not in report:
        return found
    # Only pairs of tests with severity error fail.
    found = [one for one in found if one.get("severity", "error") == "error"] or found
    if "pairs" not in report:
        return found
    return [one for one in found if one.get("verdict") in _FAULTS] or found


def shared(checked: Sequence[Checked]) -> list[dict[str, Any]]:
    """Return the open pairs that several files get from the same linked files, without repetition.

    Such pairs have the same two objects (of one instance if they are instanced), equal verdicts, and distances that are
    equal within the touching tolerance. The linked file itself counts as a file with the pair.
    """
    groups: defaultdict[tuple[Any, ...], list[tuple[float, float, str, dict[str, Any]]]] = defaultdict(list)
    for one in checked:
        for key, tolerance, pair in _linked_pairs(one.report or {}):
            groups[key].append((pair["distance"], tolerance, one.path, pair))
    result = []
    for (sides, verdict), found in sorted(groups.items()):
        for alike in _alike(sorted(found, key=lambda item: item[:3])):
            paths = sorted({path for _, _, path, _ in alike})
            if len(paths) > 1:
                (library_a, name_a), (library_b, name_b) = sides
                result.append(
                    {
                        **{"a": name_a, "b": name_b, "library_a": library_a, "library_b": library_b},
                        **{"verdict": verdict, "distance": alike[0][0], "files": paths},
                    }
                )
    return result


def _linked_pairs(report: Mapping[str, Any]) -> Iterator[tuple[tuple[Any, ...], float, dict[str, Any]]]:
    # Others may link the file itself. Imported data is not linked.
    home = Path(report["file"]).as_posix() if report.get("file") else ""
    origins = defaultdict(set)
    for body in report.get("bodies") or ():
        origins[body["name"]].add((body.get("library_file") or home, body.get("object") or ""))
    for pair in filter(is_open, report.get("pairs") or ()):
        # Two bodies can have the same name if they are linked from several files.
        ends = [*origins[pair["a"]], *origins[pair["b"]]]
        if len(ends) == 2 and ends[0] != ends[1] and all(map(all, ends)):
            instances = {pair[side].removesuffix(name) for side, (_, name) in zip("ab", ends, strict=True)}
            if len(instances) == 1:
                yield (tuple(sorted(ends)), pair["verdict"]), report["tolerances"]["touching"], pair


def _alike(
    found: Sequence[tuple[float, float, str, dict[str, Any]]],
) -> list[list[tuple[float, float, str, dict[str, Any]]]]:
    """Return groups of pairs, sorted by distance, whose distances are equal within the touching tolerance."""
    groups: list[list[tuple[float, float, str, dict[str, Any]]]] = []
    for item in found:
        if groups and item[0] - groups[-1][0][0] <= max(item[1], groups[-1][0][1]):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _file(checked: Checked) -> dict[str, Any]:
    return {
        "path": checked.path,
        "sha256": checked.sha256,
        "outcome": checked.outcome,
        "exit_code": checked.exit_code,
        "message": checked.message,
        "report": checked.report,
    }


def _of_run(entry: Entry) -> dict[str, Any]:
    checked = entry.checked
    return {
        "host": checked.host,
        "attempts": entry.attempts,
        "seconds": checked.seconds,
        "peak_memory": checked.peak_memory,
        "log": list(checked.log),
    }
