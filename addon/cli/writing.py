# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that change or write a scene: `make`, `fix`, `export`, and the files that all commands save."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import bpy

from ..colliders import scene_making
from ..exports.table import EXPORTS
from ..exports.wanted import ExportOptions
from ..fixes import scene_fixing
from ..i18n.rule_sentences import message
from ..model.errors import CommandError, UserError
from ..model.formats import GLTF
from ..model.report import Issue, Settings
from ..model.writing_reports import ExportReport
from ..reports.writing import hidden_text
from ..scene import open_file
from ..scene.coverage import hidden_shown
from ..scene.exporting import Hidden, assets, hidden_objects
from ..scene.files import files_read, leave_edit_mode
from ..scene.meshes.types import GEOMETRY_TYPES
from ..scene.reading.missing_links import missing_links
from ..scene.reading.skipped_scripts import skipped_scripts
from ..scene.settings import scene_settings
from ..system.files import make_folder, one_file
from ..validation import check as validation
from ..validation.on_export import declared_by_omi
from .answers import (
    CommandResult,
    CommandRun,
    configuration,
    in_units,
    judged,
    reports_of,
    result_of,
    unwritable,
    whole_scope,
)
from .arguments import ASSET, SAVED
from .options import ExportCommand, FixCommand, MakeCommand, SavingCommand, WritingCommand

_UNTESTED = "Hidden collider is written, too: a check of the scene tests it only with --include-hidden."


def _hidden(options: WritingCommand) -> Hidden:
    """Return the hidden objects that the command leaves out, and those that it writes nevertheless."""
    return Hidden([], []) if options.include_hidden else hidden_objects(bpy.context)


def _untested(objects: Iterable[bpy.types.Object], paths: Iterable[str]) -> tuple[Issue, ...]:
    """Return an issue for each hidden collider in these files, because a check of the scene does not test it."""
    names = _names(objects) if _exports(paths) else ()
    return tuple(Issue("hidden-colliders", "warning", name, _UNTESTED) for name in names)


def _exports(paths: Iterable[str]) -> bool:
    """Return whether any of these files is not a Blender file."""
    return any(Path(path).suffix.lower() != SAVED for path in paths)


def _names(objects: Iterable[bpy.types.Object]) -> tuple[str, ...]:
    return tuple(sorted(ob.name for ob in objects))


def save(options: SavingCommand, run: CommandRun, *, changed: bool) -> tuple[list[str], list[str]]:
    """Save the scene to the given files. Save it to FILE itself if that was requested and something was changed.

    FILE is not overwritten if it was saved by a newer version of Blender. Blender files contain everything, others no
    hidden objects unless the options say so; see `hidden_objects`.

    Returns
    -------
    list of str
        Files that were written.
    list of str
        Features that the file formats cannot represent, in English.
    """
    paths = (Path(options.file or open_file.path()),) if options.in_place and changed else options.saved
    inputs = tuple(files_read(Path(options.file) if options.file is not None else None))
    wanted = ExportOptions(inputs=inputs)
    if isinstance(options, WritingCommand):
        wanted = replace(wanted, apply_modifiers=options.apply_modifiers, gltf=_gltf_settings(options))
        hidden = {ob.session_uid for ob in _hidden(options).left_out}
        if hidden:
            seen = tuple(ob for ob in bpy.context.scene.objects if ob.session_uid not in hidden)
            wanted = replace(wanted, objects=seen)
    notes: list[str] = []
    if options.in_place and changed:
        wanted = replace(wanted, inputs=())
    found = [one for path in paths for one in _expanded(path, wanted)]
    for path, _ in found:
        if any(one_file(path, read) for read in wanted.inputs):
            raise CommandError(f"cannot write {path}: it is a file that the scene uses")
    newer = open_file.newer_version()
    for path, wanted in found:
        if newer and path.suffix.lower() == SAVED:
            if options.in_place:
                raise CommandError(
                    f"cannot write {path}: it was saved with Blender {newer}, and this one would lose data"
                )
            notes.append(f"{path.name}: FILE was saved with Blender {newer}, so that data may be lost")
        run.bar.begin(f"writing {path.name}")
        try:
            make_folder(path.parent)
            notes += EXPORTS[path.suffix.lower()].write(bpy.context, path, wanted)
        except OSError as error:
            raise CommandError(unwritable(path, error)) from None
        except UserError as error:
            raise CommandError(f"cannot write {path}: {error}") from None
    return [path.as_posix() for path, _ in found], list(dict.fromkeys(notes))


def _expanded(path: Path, wanted: ExportOptions) -> list[tuple[Path, ExportOptions]]:
    """Return the files that a path stands for, and the content of each: one file for each asset if the path says so."""
    if ASSET not in str(path):
        return [(path, wanted)]
    if not EXPORTS[path.suffix.lower()].some:
        raise CommandError(f"{path}: a file for each asset cannot be written as {path.suffix}")
    found = assets(bpy.context.scene)
    if wanted.objects is not None:
        seen = {ob.session_uid for ob in wanted.objects}
        some = {name: tuple(ob for ob in objects if ob.session_uid in seen) for name, objects in found.items()}
        found = {name: objects for name, objects in some.items() if any(ob.type in GEOMETRY_TYPES for ob in objects)}
    return [(Path(str(path).replace(ASSET, name)), replace(wanted, objects=objects)) for name, objects in found.items()]


def _validated(options: ExportCommand, run: CommandRun) -> tuple[tuple[Issue, ...], bool]:
    """Return the issues of import into the engine, and whether they prevent writing the scene.

    Without an engine, return the issues of importing the scene.
    """
    if options.validate is None:
        return run.imported, False
    asked = validation.steps(bpy.context, options.validate, imported=run.imported)
    report = run.bar.take(asked, "validating colliders")
    if _declares_by_omi(options):
        report = declared_by_omi(report)
    issues = tuple(
        Issue(one.rule.id, one.rule.severity, one.object, str(message(one, report.units))) for one in report.issues
    )
    return issues, report.failing(options.fail_on)


def _declares_by_omi(options: WritingCommand) -> bool:
    """Return whether all output files are glTF with OMI."""
    omi = dict(_gltf_settings(options)).get("omi", scene_settings(bpy.context).gltf.omi)
    return bool(omi and options.saved) and {path.suffix.lower() for path in options.saved} <= set(GLTF)


def _gltf_settings(options: WritingCommand) -> tuple[tuple[str, str | bool], ...]:
    """Return the options for glTF files, named as in `COLLISION_KIT_PG_gltf`."""
    found: dict[str, str | bool] = {}
    godot = isinstance(options, MakeCommand | FixCommand) and options.engine == "godot"
    if options.collider_meshes is not None:
        found["meshes"] = options.collider_meshes.upper().replace("-", "_")
    if options.physics is not None:
        found |= {"khr": options.physics != "omi", "omi": options.physics != "khr"}
    if options.omi_capsules is not None:
        found["omi_capsules"] = options.omi_capsules.upper().replace("-", "_")
    elif godot:
        found["omi_capsules"] = "TOTAL"
    if godot and found.get("omi", True):
        # The add-on would make a second shape for a mesh whose name it recognizes.
        found.setdefault("meshes", "LEAVE_OUT")
    return tuple(found.items())


def make(options: MakeCommand, run: CommandRun) -> CommandResult:
    """Run the command ``make``."""
    leave_edit_mode()
    (config, config_name), engine = configuration(options), options.engine.upper()
    # Godot reads the shapes of glTF files directly, so names and meshes do not matter there.
    if engine == "GODOT" and options.saved and {path.suffix.lower() for path in options.saved} <= set(GLTF):
        engine = "GLTF"
    request = scene_making.MakeRequest(
        options.kind.upper().replace("-", "_"),
        engine,
        options.objects,
        options.existing.upper(),
        "PARTS" if options.loose_parts else "GROUPS" if options.vertex_groups else "OBJECTS",
        options.vertices,
        in_units(options.thickness) or 0.0,
        in_units(options.max_gap) or 0.0,
        options.pieces,
        options.quality.upper(),
        options.template or dict(config.names).get(options.engine, ""),
        options.include_hidden,
    )
    hidden = _hidden(options)
    left_out = _names(hidden.left_out)
    try:
        made = run.bar.take(scene_making.steps(bpy.context, request), "making colliders")
        report = replace(made, engine=options.engine, kind=options.kind)
    except UserError as error:
        raise CommandError(str(error)) from None
    empty = (
        ""
        if report.colliders or report.kept or report.problems or options.allow_empty
        else _nothing(options, len(left_out))
    )
    paths, notes = ([], []) if empty else save(options, run, changed=bool(report.colliders))
    imported = (*run.imported, *missing_links(bpy.context.view_layer))
    issues = (*imported, *_untested(hidden.colliders, paths))
    report = replace(report, paths=tuple(paths), notes=tuple(notes), issues=issues, configuration=config_name)
    report = replace(report, left_out=left_out)
    found = judged(options, (*imported, *skipped_scripts(bpy.context)))
    return result_of(reports_of(run, report), report.failing(options.fail_on), found, empty)


def _nothing(options: MakeCommand, hidden: int) -> str:
    which = f" whose name matches {', '.join(options.objects)}" if options.objects else ""
    left_out = f"; {hidden_text(hidden)}" if hidden else ""
    return f"nothing to make colliders for: the scene has no render mesh{which}{left_out}"


def fix(options: FixCommand, run: CommandRun) -> CommandResult:
    """Run the command ``fix``."""
    leave_edit_mode()
    (config, config_name), (scope, collection) = configuration(options), whole_scope(options.scope, options.against)
    clearance = in_units(options.close_gaps) or 0.0
    settings = Settings(
        scope,
        collection,
        options.against or "",
        in_units(options.touching),
        clearance,
        include_operands=options.include_operands,
        tests=config.tests,
    )
    repairs = {*options.repair, *(("gaps",) if clearance else ())}
    request = scene_fixing.FixRequest(
        repairs, options.engine, validation.usual_limits(bpy.context.scene), settings, config.ignore
    )
    try:
        with hidden_shown(bpy.context, options.include_hidden):
            report = scene_fixing.fix_scene(bpy.context, request, run.bar.take)
    except UserError as error:
        raise CommandError(str(error)) from None
    paths, notes = save(options, run, changed=bool(report.fixed or report.moved))
    hidden = _hidden(options)
    left_out = _names(hidden.left_out) if _exports(paths) else ()
    imported = (*run.imported, *missing_links(bpy.context.view_layer))
    issues = (*imported, *_untested(hidden.colliders, paths))
    report = replace(report, paths=tuple(paths), notes=tuple(notes), issues=issues, configuration=config_name)
    report = replace(report, left_out=left_out)
    found = judged(options, (*imported, *skipped_scripts(bpy.context)))
    return result_of(reports_of(run, report), bool(report.left or report.unfixed), found)


def export(options: ExportCommand, run: CommandRun) -> CommandResult:
    """Run the command ``export``."""
    leave_edit_mode()
    missing = missing_links(bpy.context.view_layer)
    issues, stopped = _validated(options, run)
    paths, notes = ([], []) if stopped else save(options, run, changed=True)
    scene, hidden = bpy.context.scene, _hidden(options)
    report = ExportReport(
        open_file.source(scene),
        scene.name,
        open_file.units(scene),
        tuple(paths),
        tuple(notes),
        issues=(*issues, *missing, *_untested(hidden.colliders, paths)),
        left_out=_names(hidden.left_out) if _exports(paths) else (),
    )
    # With an engine, it is one of the issues of the validation, and `--fail-on` applies to it.
    imported = () if options.validate is not None else run.imported
    found = judged(options, (*imported, *missing, *skipped_scripts(bpy.context)))
    return result_of(reports_of(run, report), stopped, found)
