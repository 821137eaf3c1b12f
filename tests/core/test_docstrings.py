# SPDX-License-Identifier: GPL-3.0-or-later
"""Public docstrings are complete: parameters, results, errors and an example that runs."""

import dataclasses
import doctest
import enum
import inspect
import re
import types

import pytest

import collision_kit.core
from collision_kit.core import fit, planar

PUBLIC = {
    f"{module.__name__.rsplit('.', 1)[1]}.{name}": getattr(module, name)
    for module in (collision_kit.core, fit, planar)
    for name in module.__all__
    if not isinstance(getattr(module, name), types.ModuleType)
}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}


def sections(value: object) -> dict[str, str]:
    """The text of each section of a docstring; what comes before them has the name ''."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def named(text: str) -> set[str]:
    """The names that a section explains, each at the beginning of a line, several between commas."""
    lines = [line.partition(" : ")[0] for line in text.splitlines() if line and not line.startswith(" ")]
    return {name.strip("* ") for line in lines for name in line.split(",")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_explains_its_parameters_results_and_errors(name: str) -> None:
    found = sections(FUNCTIONS[name])
    assert set(inspect.signature(FUNCTIONS[name]).parameters) <= named(found.get("Parameters", ""))
    assert {"Returns", "Raises", "Examples"} <= set(found)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_explains_its_fields_and_what_its_constructor_refuses(name: str) -> None:
    kind = CLASSES[name]
    text = inspect.getdoc(kind) or ""
    if issubclass(kind, enum.Enum):
        assert set(kind.__members__) <= named(sections(kind).get("Attributes", ""))
    elif dataclasses.is_dataclass(kind):
        fields = [field.name for field in dataclasses.fields(kind) if not field.name.startswith("_")]
        assert [field for field in fields if not re.search(rf"\b{field}\b", text)] == []
    own = inspect.getattr_static(kind, "__init__", None)
    written = inspect.isfunction(own) and own.__module__.startswith("collision_kit") and own.__code__.co_argcount > 1
    if written and "<string>" not in own.__code__.co_filename and not issubclass(kind, enum.Enum):
        found = sections(kind)
        assert "Raises" in found
        explained = named(found.get("Parameters", "")) | named(found.get("Attributes", ""))
        assert set(inspect.signature(kind).parameters) <= explained


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_show_what_happens(name: str) -> None:
    failures = []
    for test in doctest.DocTestFinder(recurse=inspect.isclass(PUBLIC[name])).find(PUBLIC[name], name):
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=failures.append)
    assert failures == []


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(collision_kit.core, "Sphere")
    with pytest.raises(AttributeError, match="'Sphere'"):
        collision_kit.core.Sphere  # noqa: B018
    assert collision_kit.core.broad_phase.__name__ == f"{collision_kit.core.__name__}.broad_phase"
