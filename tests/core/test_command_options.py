# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of each command are the fields of a record of its own, and their values have the types of the fields."""

from argparse import SUPPRESS, Action
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from collision_kit.addon.cli.options import COMMANDS, CharacterCommand, CheckCommand, SavingCommand, WritingCommand
from collision_kit.addon.cli.usage import parsed
from collision_kit.addon.cli.usage import read as read_in_blender
from collision_kit.addon.config import CheckOptions
from collision_kit.command import usage
from collision_kit.command.usage import ManyFiles, WrittenFolder

ROOT = Path(__file__).parents[2]
# What each command cannot do without.
LEAST = {
    **{name: ["a.blend"] for name in COMMANDS},
    "make": ["a.blend", "--kind=box", "--engine=unreal", "--output=o.blend"],
    "fix": ["a.blend", "--output=o.blend"],
    "export": ["a.blend", "o.glb"],
}
# The options without which another one is refused, or which it takes the place of.
BESIDE = {
    "--against": ["--scope=collection:A"],
    "--ground": ["--floating"],
    "--held-below": ["--floating"],
    "--fix": ["--in-place"],
    "--in-place": ["--fix"],
}
# A value for each kind of value that help names.
SAMPLES = {
    **{"M": "4M", "N": "7", "N|auto": "2", "T": "90s", "DEGREES": "30", "A:B": "1:9", "A:B|scene": "1:9"},
    **{"FILE": "f.json", "OTHER": "b.glb", "OUT.png": "p.png", "PATH": "r.json", "DIR": "new", "GLOB": "Wall*"},
    **{
        "NAME": "Props",
        "NAME|all": "Props",
        "NAME|X,Y,Z": "Start",
        "ID": "1a",
        "TEMPLATE": "{mesh}",
        "ADDRESS": "tcp://host:8786",
    },
    **{"VERDICT,…": "penetrating", "STATUS,…": "new", "WHAT,…": "colliders", "ENGINE": "unity"},
}
# The options that are only for many files, and what commands that write scenes need with them in the place of OUT.
OF_MANY = {one.name for kind in (ManyFiles, WrittenFolder) for one in fields(kind)} - {"written", "arguments"}
TO_FOLDER = "--output-dir=new"
# Of the parser, and not of a command.
OF_PARSER = {"help", "version", "command", "given"}


def is_of_type(value: Any, kind: Any) -> bool:
    """Whether a value is of an annotated type, with what is in it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (UnionType, Union):
        return any(is_of_type(value, one) for one in inner)
    if origin is tuple:
        kinds = inner[:1] * len(value) if isinstance(value, tuple) and inner[-1:] == (...,) else inner
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(is_of_type, value, kinds))
    if origin is frozenset:
        return isinstance(value, frozenset) and all(is_of_type(one, inner[0]) for one in value)
    if is_dataclass(kind):
        return isinstance(value, kind) and not wrong_fields(value)
    return isinstance(value, (int, float) if kind is float else kind) and (kind is bool or not isinstance(value, bool))


def wrong_fields(record: Any) -> list[str]:
    kinds = get_type_hints(type(record))
    return [one.name for one in fields(record) if not is_of_type(getattr(record, one.name), kinds[one.name])]


def actions(command: str) -> list[Action]:
    parser, _ = parsed("program", [command, *LEAST[command]], usage.MANY_FILES)
    return [one for one in parser._actions if one.option_strings and one.dest != "help"]


def given(action: Action) -> list[str]:
    """An option with a value."""
    name = action.option_strings[-1]
    if action.nargs == 0:
        return [name]
    if action.metavar is None or (action.choices and action.metavar not in SAMPLES):
        return [f"{name}={next(iter(action.choices or ()))}"]
    return [f"{name}={SAMPLES.get(str(action.metavar), 'all')}"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_a_field_and_every_field_an_option(command: str) -> None:
    parser, found = parsed("program", [command, *LEAST[command]], usage.MANY_FILES)
    named = {one.dest for one in parser._actions if one.dest != SUPPRESS} | vars(found).keys()
    own = {one.name for one in fields(COMMANDS[command])}
    if command == "check":
        own |= {one.name for one in fields(CheckOptions)} - {"check"}
        own -= {"check"}
    settled = {"saved"} if issubclass(COMMANDS[command], SavingCommand) else set()
    assert own - settled <= named
    assert named - own - OF_MANY - OF_PARSER == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_values_have_the_types_of_their_fields(command: str) -> None:
    least = [command, *LEAST[command]]
    assert wrong_fields(usage.read(least).options) == []
    assert wrong_fields(read_in_blender("program", least)) == []
    for action in actions(command):
        name, needed = action.option_strings[-1], [*LEAST[command]]
        if issubclass(COMMANDS[command], WritingCommand) and (action.dest in OF_MANY or name == "--in-place"):
            needed = [one for one in needed if "o." not in one] + ([] if name == "--in-place" else [TO_FOLDER])
        beside = BESIDE.get(name, []) if command in ("check", "validate") or name == "--against" else []
        if command == "coverage" and (action.dest == "reach" or action.dest in CharacterCommand.__annotations__):
            beside = ["--from=Start"]
        options, many = usage.read([command, *needed, *given(action), *beside])
        assert wrong_fields(options) == [], name
        assert (many is None) == (action.dest not in OF_MANY or (command, action.dest) == ("check", "each_asset"))
        assert many is None or wrong_fields(many) == [], name


def test_options_do_not_change() -> None:
    options = usage.read(["check", "a.blend", "--clearance=1cm"]).options
    assert isinstance(options, CheckCommand) and options.check == CheckOptions(clearance=0.01)
    with pytest.raises(FrozenInstanceError):
        options.scene = "other"  # type: ignore[misc]


def test_a_value_of_another_type_is_noticed() -> None:
    values = {one.name: 1 for one in fields(WrittenFolder)}
    assert wrong_fields(WrittenFolder(**values)) == ["output_dir", "each_asset", "to"]
    assert wrong_fields(WrittenFolder(output_dir=Path("a"), each_asset=True, to=None)) == []
