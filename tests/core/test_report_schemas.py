# SPDX-License-Identifier: GPL-3.0-or-later
"""The schemas of the reports are schemas, have the words of the code, and name the fields that the pages name."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from collision_kit.addon.asset_rules.limits import ENGINES, SEVERITIES
from collision_kit.addon.model.motion_report import STATUSES
from collision_kit.addon.model.verdict_names import CULL_NAMES, NAMES
from collision_kit.addon.reports.json import SCHEMA_VERSION
from collision_kit.command.one_file import OUTCOMES
from tests.helpers.report_schemas import NAMES as SCHEMAS
from tests.helpers.report_schemas import mistakes, schema, strict

ROOT = Path(__file__).resolve().parents[2]
PAGE = {"check": "report", "motion": "report", "cull": "report", "validate": "validation", "coverage": "coverage"}
PAGE |= {"project": "projects"}
PAGE |= {"probe": "probe"}
PAGE |= dict.fromkeys(("make", "fix", "export"), "authoring")


def test_there_is_a_schema_for_each_report() -> None:
    assert {*SCHEMAS} == {*PAGE, "common"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    Draft202012Validator.check_schema(strict(schema(name)))


def objects(part: Any) -> list[dict[str, Any]]:
    """All parts of a schema that describe objects with fields."""
    if isinstance(part, list):
        return [found for one in part for found in objects(one)]
    if not isinstance(part, dict):
        return []
    own = [part] if isinstance(part.get("properties"), dict) and "object" in part.get("type", ()) else []
    return own + [found for one in part.values() for found in objects(one)]


@pytest.mark.parametrize("name", sorted(PAGE))
def test_each_field_is_on_its_page(name: str) -> None:
    pages = {"report", PAGE[name]}
    text = "".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in pages)
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    quoted = {word for found in re.findall(r"`([^`]+)`", text) for word in re.split(r"\W+", found)}
    fields = {field for one in objects(schema(name)) for field in one["properties"]}
    assert fields - quoted == set()


def test_the_words_are_those_of_the_code() -> None:
    common = schema("common")["$defs"]
    assert common["verdict"]["enum"] == [name for name in NAMES.values() if name != "separated"]
    assert list(common["counts"]["properties"]) == common["verdict"]["enum"]
    assert tuple(common["severity"]["enum"]) == SEVERITIES
    assert schema("check")["properties"]["schema_version"]["const"] == SCHEMA_VERSION
    assert tuple(schema("motion")["$defs"]["contact"]["properties"]["status"]["enum"]) == STATUSES
    assert tuple(schema("validate")["properties"]["engine"]["enum"]) == ENGINES
    assert tuple(schema("make")["properties"]["engine"]["enum"]) == ENGINES
    objects_of = schema("cull")["properties"]["objects"]["items"]["properties"]
    assert objects_of["verdict"]["enum"] == [*CULL_NAMES.values()]
    assert tuple(schema("project")["properties"]["files"]["items"]["properties"]["outcome"]["enum"]) == OUTCOMES


def test_mistakes_are_found() -> None:
    tool = {"name": "collision-kit", "version": "1"}
    report = {"schema_version": 1, "tool": tool, "file": "", "scene": "", "cameras": [], "frames": {"first": 1}}
    report |= {"exact": True, "counts": {"inside": -1, "crossing": 0, "outside": 0}, "objects": [], "findings": []}
    coverage = {"objects": 1, "not_tested": 1, "left_out": {}, "include_hidden": False, "other_scenes": []}
    coverage |= {"other_clips": [], "second_file": ""}
    report |= {"skipped": [{"object": 5, "reason": ""}], "new_field": 1, "coverage": {**coverage, "newer_blender": ""}}
    found = mistakes("cull", json.loads(json.dumps(report)))
    assert len(found) == 4, found
    for words in ("frames: 'last' is", "counts.inside: -1 is less", "skipped.0.object: 5 is not", "'new_field' was"):
        assert any(words in one for one in found)
    assert len(mistakes("cull", report, only_named=False)) == 3
