# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schema files of the reports, and a check of a report against them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schemas"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))


def schema(name: str) -> Any:
    """The content of a file in docs/schemas."""
    return json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))


def strict(part: Any) -> Any:
    """A schema in which objects have no fields other than those that it names."""
    if isinstance(part, list):
        return [strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {name: strict(one) for name, one in part.items()}
    if "object" in part.get("type", ()) and "properties" in part:
        found.setdefault("additionalProperties", False)
    return found


@cache
def _validator(name: str, only_named: bool) -> Draft202012Validator:
    change = strict if only_named else lambda one: one
    schemas = {other: change(schema(other)) for other in NAMES}
    registry: Any = Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in schemas.values())
    return Draft202012Validator(schemas[name], registry=registry)


def mistakes(name: str, report: Any, *, only_named: bool = True) -> list[str]:
    """The parts of a report that violate the schema.

    If `only_named` is True, fields that the schema does not name count as violations.
    """
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
        for error in _validator(name, only_named).iter_errors(report)
    ]
