# SPDX-License-Identifier: GPL-3.0-or-later
"""The file ``collision-kit.toml``: options, thresholds, named tests, and rules for pairs that are meant to collide."""

import json
import os
import stat
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from ..core.constants import Verdict
from .asset_rules.limits import ENGINES as ALL_ENGINES
from .asset_rules.limits import SEVERITIES
from .engines.kinds import ENGINES
from .engines.name_templates import check_template
from .model import option_values
from .model.coverage_report import NO_THRESHOLDS, Thresholds
from .model.errors import CommandError, UserError
from .model.rules import IgnoreRule, PairTest, Pattern
from .system.characters import escaped
from .system.files import check_regular, read_whole

NAME = "collision-kit.toml"
# A file or folder in the root of a repository.
_REPOSITORY = ".git"


@dataclass(frozen=True)
class CheckOptions:
    """Options of a check in a configuration, in meters. None: not given.

    Attributes
    ----------
    scope : tuple of (str, str), optional
        The scope and its collection.
    against : str, optional
    touching, clearance : float, optional
    plane : str, optional
    include_operands, include_hidden, allow_empty, self, loose_parts, within, static, each_asset : bool, optional
    surroundings : bool, optional
    one_thing : tuple of Pattern, optional
    fail_on : frozenset of Verdict, optional
    """

    scope: tuple[str, str] | None = None
    against: str | None = None
    touching: float | None = None
    clearance: float | None = None
    plane: str | None = None
    include_operands: bool | None = None
    include_hidden: bool | None = None
    allow_empty: bool | None = None
    self: bool | None = None
    loose_parts: bool | None = None
    within: bool | None = None
    static: bool | None = None
    each_asset: bool | None = None
    surroundings: bool | None = None
    one_thing: tuple[Pattern, ...] | None = None
    fail_on: frozenset[Verdict] | None = None


@dataclass(frozen=True)
class CoverageOptions:
    """Limits of the distance between colliders and render meshes in a configuration. Lengths are as in `Config`.

    Attributes
    ----------
    thresholds : Thresholds
    tolerance : float, optional
    engines, collections : tuple of (str, Thresholds)
        Other thresholds for an engine, in lower case, and for the objects of a collection.
    """

    thresholds: Thresholds = NO_THRESHOLDS
    tolerance: float | None = None
    engines: tuple[tuple[str, Thresholds], ...] = ()
    collections: tuple[tuple[str, Thresholds], ...] = ()

    def of(self, engine: str) -> Thresholds:
        """Return the thresholds for an engine: its own, and the general ones where it has none."""
        own = dict(self.engines).get(engine, Thresholds())
        return Thresholds(*(usual if one is None else one for one, usual in zip(own, self.thresholds, strict=True)))

    def in_units(self, meters: float) -> "CoverageOptions":
        """Return the options with lengths in units of this many meters."""
        engines, collections = (
            tuple((name, _thresholds_in(one, meters)) for name, one in those)
            for those in (self.engines, self.collections)
        )
        tolerance = _divided(self.tolerance, meters)
        return CoverageOptions(_thresholds_in(self.thresholds, meters), tolerance, engines, collections)


@dataclass(frozen=True)
class Config:
    """The content of a configuration. Lengths are in meters, and in Blender units after `in_units`.

    Attributes
    ----------
    check : CheckOptions
    tests : tuple of PairTest
    ignore : tuple of IgnoreRule
    names : tuple of (str, str)
        Engines in lower case, each with the naming template of its colliders.
    coverage : CoverageOptions
    """

    check: CheckOptions = CheckOptions()
    tests: tuple[PairTest, ...] = ()
    ignore: tuple[IgnoreRule, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    coverage: CoverageOptions = CoverageOptions()

    def in_units(self, meters: float) -> "Config":
        """Return tests and rules with lengths in units of this many meters."""
        return Config(
            self.check,
            tuple(
                replace(one, touching=_divided(one.touching, meters), clearance=_divided(one.clearance, meters))
                for one in self.tests
            ),
            tuple(replace(one, max_depth=_divided(one.max_depth, meters)) for one in self.ignore),
            self.names,
            self.coverage.in_units(meters),
        )


def find(scene: Path) -> Path | None:
    """Return the configuration of a scene file: in its folder or in the nearest parent folder that has one.

    The search ends at a folder that has ``.git``. Without one, it ends at the last consecutive parent with the same
    owner as the scene's folder. A folder in which everybody may create files, such as ``/tmp``, is searched only for
    scenes in it.

    Raises
    ------
    CommandError
        If it is a device, a socket or a named pipe, or a link to one: reading it might never end.
    """
    for folder in _searched(Path(os.path.abspath(scene)).parent):
        path = folder / NAME
        # A broken link is an unreadable configuration, not a missing one.
        if os.path.lexists(path):
            try:
                check_regular(path)
            except OSError as error:
                raise CommandError(f"{path}: cannot be read: {error.strerror}") from None
            return path
    return None


def _searched(folder: Path) -> list[Path]:
    """Return the folders that may have the configuration of scenes in a folder, nearest first."""
    trusted = [folder]
    for above in folder.parents:
        if os.path.lexists(trusted[-1] / _REPOSITORY) or _is_public(above):
            break
        trusted.append(above)
    if os.path.lexists(trusted[-1] / _REPOSITORY):
        return trusted
    owner = _owner(folder)
    return list(takewhile(lambda one: _owner(one) == owner, trusted))


def _is_public(folder: Path) -> bool:
    """Return whether everybody may create files in a folder, but only remove their own."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return bool(mode & stat.S_ISVTX and mode & stat.S_IWOTH)


def _owner(folder: Path) -> int | None:
    try:
        return folder.stat().st_uid
    except OSError:
        return None


def load(path: Path) -> Config:
    """Read a configuration file.

    Raises
    ------
    UserError
        If it cannot be read, is not TOML, or has an unknown key or an invalid value. The message of one line names the
        file and the key.
    """
    try:
        content = read_whole(path)
    except OSError as error:
        raise UserError("{file}: cannot be read: {reason}", file=path, reason=error.strerror or error) from None
    return read(content, path)


def read(data: bytes, path: Path) -> Config:
    """Read the content of a configuration file. Raises as `load` does."""
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UserError("{file}: not a TOML file: {reason}", file=path, reason=error) from None
    try:
        return _config(content)
    except ValueError as error:
        raise UserError("{file}: {reason}", file=path, reason=error) from None


def written(config: Config) -> str:
    """Return a configuration, with lengths in meters, as the text of a file that `load` reads."""
    check = config.check
    options = {
        "scope": None if check.scope is None else _scope_text(check.scope),
        "against": check.against,
        "touching": check.touching,
        "clearance": check.clearance,
        "plane": check.plane,
        "include_operands": check.include_operands,
        "include_hidden": check.include_hidden,
        "allow_empty": check.allow_empty,
        "self": check.self,
        "loose_parts": check.loose_parts,
        "within": check.within,
        "static": check.static,
        "each_asset": check.each_asset,
        "surroundings": check.surroundings,
        "one_thing": check.one_thing,
        "fail_on": None if check.fail_on is None else _verdict_names(check.fail_on),
    }
    tables = [_table("[check]", options)] if any(value is not None for value in options.values()) else []
    for test in config.tests:
        values = {"name": test.name, "a": test.a, "b": test.b or None, "touching": test.touching}
        tables.append(_table("[[test]]", {**values, "clearance": test.clearance, "severity": test.severity}))
    for rule in config.ignore:
        values = {"a": rule.a, "b": rule.b or None, "max_depth": rule.max_depth}
        tables.append(_table("[[ignore]]", {**values, "reason": rule.reason or None}))
    if config.names:
        tables.append(_table("[names]", dict(config.names)))
    tables += _coverage_tables(config.coverage)
    return "\n".join(tables)


def _divided(length: float | None, meters: float) -> float | None:
    return None if length is None else length / meters


def _thresholds_in(thresholds: Thresholds, meters: float) -> Thresholds:
    return Thresholds(*(_divided(one, meters) for one in thresholds))


def _coverage_tables(coverage: CoverageOptions) -> list[str]:
    tables = {"[coverage]": {**_limits(coverage.thresholds), "tolerance": coverage.tolerance}}
    for kind, those in (("engines", coverage.engines), ("collections", coverage.collections)):
        tables.update({f"[coverage.{kind}.{_toml(name)}]": _limits(one) for name, one in those})
    return [_table(name, values) for name, values in tables.items() if any(one is not None for one in values.values())]


def _limits(thresholds: Thresholds) -> dict[str, float | None]:
    return {f"max_{name}": value for name, value in thresholds._asdict().items()}


def _coverage(table: Mapping[str, Any]) -> CoverageOptions:
    special: dict[str, tuple[tuple[str, Thresholds], ...]] = {}
    for kind in ("engines", "collections"):
        tables = table.get(kind, {})
        if not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
            raise ValueError(f"coverage.{kind}: must be tables, [coverage.{kind}.NAME]")
        if kind == "engines":
            _known("coverage.engines.", tables, ALL_ENGINES)
        special[kind] = tuple(
            (name, _thresholds(_values(f"coverage.{kind}.{name}", one, _THRESHOLDS))) for name, one in tables.items()
        )
    own = {key: value for key, value in table.items() if key not in special}
    values = _values("coverage", own, {**_THRESHOLDS, "tolerance": _length})
    return CoverageOptions(_thresholds(values), values.get("tolerance") or None, **special)


def _thresholds(values: Mapping[str, Any]) -> Thresholds:
    return Thresholds(values.get("max_outside"), values.get("max_inside"))


def _config(content: Mapping[str, Any]) -> Config:
    _known("", content, ("check", "coverage", "test", "ignore", "names"))
    table, templates, coverage = (content.get(key, {}) for key in ("check", "names", "coverage"))
    for key, found in (("check", table), ("names", templates), ("coverage", coverage)):
        if not isinstance(found, dict):
            raise ValueError(f"{key}: must be a table, [{key}]")
    check = _values("check", table, _CHECK)
    if check.get("against") is not None and check.get("scope", ("", ""))[0] != "COLLECTION":
        raise ValueError('check.against: needs scope = "collection:NAME"')
    tests = tuple(PairTest(**_values(at, one, _TEST, "name", "a")) for at, one in _tables(content, "test"))
    names = [test.name for test in tests]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise ValueError(f"test[{number + 1}].name: there is another test named {name!r}")
    ignore = tuple(IgnoreRule(**_values(at, one, _IGNORE, "a")) for at, one in _tables(content, "ignore"))
    named = tuple(_values("names", templates, _NAMES).items())
    return Config(CheckOptions(**check), tests, ignore, named, _coverage(coverage))


def _tables(content: Mapping[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the tables of an array, each with its name for error messages."""
    found = content.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ValueError(f"{key}: must be an array of tables, [[{key}]]")
    return [(f"{key}[{number}]", one) for number, one in enumerate(found, start=1)]


def _values(
    at: str, table: Mapping[str, Any], readers: Mapping[str, Callable[[Any], Any]], *needed: str
) -> dict[str, Any]:
    _known(f"{at}.", table, readers)
    for key in needed:
        if key not in table:
            raise ValueError(f"{at}.{key}: is missing")
    found = {}
    for key, value in table.items():
        try:
            found[key] = readers[key](value)
        except ValueError as error:
            raise ValueError(f"{at}.{key}: {error}") from None
    return found


def _known(at: str, table: Mapping[str, Any], keys: Sequence[str] | Mapping[str, Any]) -> None:
    for key in table:
        if key not in keys:
            raise ValueError(f"{at}{key}: unknown key; known keys are {', '.join(keys)}")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text in quotes")
    return value


def _name(value: Any) -> str:
    if not _text(value).strip():
        raise ValueError("must not be empty")
    return value.strip()


def _template(value: Any) -> str:
    check_template(_text(value))
    return str(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is not true or false")
    return value


def _length(value: Any) -> float:
    if isinstance(value, str):
        return option_values.length(value)
    longest = option_values.LONGEST
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= longest:
        raise ValueError(f'{value!r} is not a length from 0 to {longest:g} m, such as 0.01 or "10mm"')
    return float(value)


def _list(value: Any) -> list[str]:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError(f"{value!r} is not a text or a list of texts")
    return found


def _patterns(value: Any) -> tuple[Pattern, ...]:
    found = tuple(map(Pattern.read, _list(value)))
    if not found:
        raise ValueError("must have at least one pattern")
    return found


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"{value!r} is not one of {', '.join(choices)}")
        return str(value)

    return read


_CHECK: dict[str, Callable[[Any], Any]] = {
    "scope": lambda value: option_values.scope(_text(value)),
    "against": _name,
    "touching": _length,
    "clearance": _length,
    "plane": _one_of(*option_values.PLANES),
    "include_operands": _truth,
    "include_hidden": _truth,
    "allow_empty": _truth,
    "self": _truth,
    "loose_parts": _truth,
    "within": _truth,
    "static": _truth,
    "each_asset": _truth,
    "surroundings": _truth,
    "one_thing": _patterns,
    "fail_on": lambda value: option_values.verdicts(_list(value)),
}
_TEST: dict[str, Callable[[Any], Any]] = {
    "name": _name,
    "a": _patterns,
    "b": _patterns,
    "touching": _length,
    "clearance": _length,
    "severity": _one_of(*SEVERITIES),
}
_THRESHOLDS: dict[str, Callable[[Any], Any]] = {"max_outside": _length, "max_inside": _length}
_NAMES: dict[str, Callable[[Any], Any]] = {engine.lower(): _template for engine, *_ in ENGINES}
_IGNORE: dict[str, Callable[[Any], Any]] = {"a": _patterns, "b": _patterns, "max_depth": _length, "reason": _text}


def _table(heading: str, values: Mapping[str, object]) -> str:
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value is not None]
    return "\n".join([heading, *lines]) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, Pattern):
        return _toml(value.text)
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        # A JSON string without DEL is a valid TOML string.
        return escaped(json.dumps(value, ensure_ascii=False))
    return json.dumps(value)


def _scope_text(scope: tuple[str, str]) -> str:
    return f"collection:{scope[1]}" if scope[0] == "COLLECTION" else scope[0].lower()


def _verdict_names(verdicts: frozenset[Verdict]) -> list[str]:
    return [name for name, verdict in option_values.VERDICTS.items() if verdict in verdicts]
