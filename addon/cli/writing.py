# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that change or write a scene: `make`, `fix`, `export`, and the files that all commands save."""

import argparse
from dataclasses import replace
from pathlib import Path

import bpy

from ..colliders.scene_making import Order, make_for_scene
from ..exports.table import EXPORTS
from ..exports.wanted import Wanted
from ..fixes import scene_fixing
from ..model.errors import CommandError, UserError
from ..model.report import Settings
from ..model.writing_reports import ExportReport
from ..scene import open_file
from ..scene.files import files_read, leave_edit_mode
from ..scene.reading.skipped_scripts import skipped_scripts
from ..validation.check import usual_limits
from .answers import Result, configuration, in_units, judged, reports_of, result_of, unwritable, whole_scope

# The files in which Godot reads shapes as they are, so that names and meshes do not matter there.
_GLTF = {".glb", ".gltf"}


def save(options: argparse.Namespace, *, changed: bool) -> tuple[list[str], list[str]]:
    """Save the scene to the files that are named, or to FILE itself if that is asked for and something was changed.

    Returns
    -------
    list of str
        The files that were written.
    list of str
        What the formats of the files do not have, in English.
    """
    paths = [Path(options.file or open_file.path())] if options.in_place and changed else options.saved
    inputs = tuple(files_read(Path(options.file) if options.file is not None else None))
    wanted = Wanted(None, inputs, getattr(options, "apply_modifiers", True), _gltf_settings(options))
    notes: list[str] = []
    for path in paths:
        if options.in_place and changed:
            wanted = replace(wanted, inputs=())
        try:
            notes += EXPORTS[path.suffix.lower()].write(bpy.context, path, wanted)
        except OSError as error:
            raise CommandError(unwritable(path, error)) from None
    return [path.as_posix() for path in paths], list(dict.fromkeys(notes))


def _gltf_settings(options: argparse.Namespace) -> tuple[tuple[str, str | bool], ...]:
    """What was asked for of glTF files, as `COLLISION_KIT_PG_gltf` has it."""
    found: dict[str, str | bool] = {}
    if getattr(options, "collider_meshes", None) is not None:
        found["meshes"] = options.collider_meshes.upper().replace("-", "_")
    if getattr(options, "physics", None) is not None:
        found |= {"khr": options.physics != "omi", "omi": options.physics != "khr"}
    if getattr(options, "omi_capsules", None) is not None:
        found["omi_capsules"] = options.omi_capsules.upper().replace("-", "_")
    elif getattr(options, "engine", "") == "godot":
        found["omi_capsules"] = "TOTAL"
    return tuple(found.items())


def _make(options: argparse.Namespace) -> Result:
    leave_edit_mode()
    engine = options.engine.upper()
    if engine == "GODOT" and options.saved and {path.suffix.lower() for path in options.saved} <= _GLTF:
        engine = "GLTF"
    order = Order(
        options.kind.upper().replace("-", "_"),
        engine,
        options.objects,
        options.existing.upper(),
        "PARTS" if options.loose_parts else "GROUPS" if options.vertex_groups else "OBJECTS",
        options.vertices,
        in_units(options.thickness) or 0.0,
        options.pieces,
        options.quality.upper(),
        options.name or "",
    )
    try:
        report = replace(make_for_scene(bpy.context, order), engine=options.engine, kind=options.kind)
    except UserError as error:
        raise CommandError(str(error)) from None
    paths, notes = save(options, changed=bool(report.colliders))
    report = replace(report, paths=tuple(paths), notes=tuple(notes))
    empty = "" if report.colliders or report.kept or report.problems or options.allow_empty else _nothing(options)
    found = judged(options, skipped_scripts(bpy.context))
    return result_of(options, reports_of(options, report), bool(report.problems), found, empty)


def _nothing(options: argparse.Namespace) -> str:
    which = f" whose name matches {', '.join(options.objects)}" if options.objects else ""
    return f"nothing to make colliders for: the scene has no render mesh{which}"


def _fix(options: argparse.Namespace) -> Result:
    leave_edit_mode()
    config, (scope, collection) = configuration(options), whole_scope(options)
    clearance = in_units(options.close_gaps) or 0.0
    settings = Settings(
        scope,
        collection,
        options.against or "",
        in_units(options.touching),
        clearance,
        include_operands=bool(options.include_operands),
        tests=config.tests,
    )
    repairs = {*options.repair, *(("gaps",) if clearance else ())}
    order = scene_fixing.Order(repairs, options.engine, usual_limits(bpy.context.scene), settings, config.ignore)
    try:
        report = scene_fixing.fix_scene(bpy.context, order)
    except UserError as error:
        raise CommandError(str(error)) from None
    paths, notes = save(options, changed=bool(report.fixed or report.moved))
    report = replace(report, paths=tuple(paths), notes=tuple(notes))
    found = judged(options, skipped_scripts(bpy.context))
    return result_of(options, reports_of(options, report), bool(report.left or report.issues), found)


def _export(options: argparse.Namespace) -> Result:
    leave_edit_mode()
    paths, notes = save(options, changed=True)
    scene = bpy.context.scene
    report = ExportReport(
        open_file.path() or str(options.file or ""), scene.name, open_file.units(scene), tuple(paths), tuple(notes)
    )
    found = judged(options, skipped_scripts(bpy.context))
    return result_of(options, reports_of(options, report), False, found)


COMMANDS = {"make": _make, "fix": _fix, "export": _export}
