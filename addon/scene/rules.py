# SPDX-License-Identifier: GPL-3.0-or-later
"""Store named tests and ignore rules in a scene, with lengths in Blender units. `settings` reads them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bpy

from .. import config
from ..config import CheckOptions, Config
from ..engines.kinds import template_name
from ..model.report import PairResult, Report
from ..model.rules import IgnoreRule, PairTest, Pattern, listed, read_list
from ..system.files import encoded, write_whole
from .settings import NAME, PARTS, ignore_rules_of, names_of, number, tests_of


def import_configuration(scene: bpy.types.Scene, path: Path) -> None:
    """Replace the tests and rules of a scene with those of a file, and apply its other settings.

    Raises
    ------
    UserError
        If the file cannot be read. Nothing is changed then.
    """
    meters = float(scene.unit_settings.scale_length)
    found, settings = config.load(path).in_units(meters), getattr(scene, NAME)
    store_tests(scene, found.tests)
    store_ignore_rules(scene, found.ignore)
    for engine, template in found.names:
        setattr(settings.colliders, template_name(engine), template)
    check = found.check
    if check.touching is not None:
        settings.touching_mode, settings.touching = "MANUAL", check.touching / meters
    if check.clearance is not None:
        settings.clearance = check.clearance / meters
    if check.include_operands is not None:
        settings.include_operands = check.include_operands
    if check.self is not None:
        settings.self_check = check.self
    if check.loose_parts is not None:
        settings.loose_parts = check.loose_parts
    if check.within is not None or check.each_asset:
        settings.parts = "EACH" if check.each_asset else "FAULTS" if check.within else "FOLDED"
    if check.static is not None:
        settings.static = check.static
    if check.surroundings is not None:
        settings.surroundings = check.surroundings
    if check.one_thing is not None:
        settings.one_thing = listed(check.one_thing)


def export_configuration(scene: bpy.types.Scene, path: Path) -> None:
    """Write the tests, rules, tolerances and names of a scene to a file.

    Raises
    ------
    UserError
        If the file could not be read again, for example because a test has no name.
    OSError
        If it cannot be written.
    """
    settings, meters = getattr(scene, NAME), float(scene.unit_settings.scale_length)
    check = CheckOptions(
        touching=number(settings, "touching") * meters if settings.touching_mode == "MANUAL" else None,
        clearance=number(settings, "clearance") * meters or None,
        include_operands=settings.include_operands or None,
        self=settings.self_check or None,
        loose_parts=settings.loose_parts or None,
        within=PARTS[settings.parts],
        static=settings.static or None,
        each_asset=settings.parts == "EACH" or None,
        surroundings=settings.surroundings or None,
        one_thing=read_list(settings.one_thing) or None,
    )
    found = Config(check, tests_of(scene), ignore_rules_of(scene), names_of(scene)).in_units(1.0 / meters)
    content = encoded(config.written(found))
    config.read(content, path)
    write_whole(path, content)


def store_tests(scene: bpy.types.Scene, tests: Iterable[PairTest]) -> None:
    """Replace the named tests of a scene."""
    stored = getattr(scene, NAME).tests
    stored.clear()
    for test in tests:
        one = stored.add()
        one.label, one.severity = test.name, test.severity.upper()
        _store_sides(one, test)
        _store_length(one, "touching", test.touching)
        _store_length(one, "clearance", test.clearance)


def store_ignore_rules(scene: bpy.types.Scene, rules: Iterable[IgnoreRule]) -> None:
    """Replace the ignore rules of a scene."""
    getattr(scene, NAME).ignore_rules.clear()
    for rule in rules:
        add_ignore_rule(scene, rule)


def add_ignore_rule(scene: bpy.types.Scene, rule: IgnoreRule) -> None:
    """Add an ignore rule to those of a scene, and make it the active one."""
    settings = getattr(scene, NAME)
    one = settings.ignore_rules.add()
    _store_sides(one, rule)
    _store_length(one, "max_depth", rule.max_depth)
    one.reason = rule.reason
    settings.active_ignore_rule = len(settings.ignore_rules) - 1


def ignore_pair(scene: bpy.types.Scene, report: Report, pair: PairResult, reason: str) -> IgnoreRule:
    """Add an ignore rule with the names of the two bodies of a pair to those of a scene, and return it."""
    a, b = ((Pattern("name", report.bodies[body].name),) for body in (pair.body_a, pair.body_b))
    rule = IgnoreRule(a, b, reason=reason.strip())
    add_ignore_rule(scene, rule)
    return rule


def _store_sides(one: Any, rule: PairTest | IgnoreRule) -> None:
    one.side_a, one.side_b = listed(rule.a), listed(rule.b)


def _store_length(one: Any, name: str, length: float | None) -> None:
    setattr(one, f"use_{name}", length is not None)
    if length is not None:
        setattr(one, name, length)
