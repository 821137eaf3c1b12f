# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line. ``collision-kit …`` and ``blender -b FILE --command collision_kit …`` run the same code.

Exit codes. 0: nothing was found, or nothing was searched for. 1: findings. 2: bad usage or bad input. 3: an internal
error of this program. Codes 2 and 3 come with a message of one line on standard error.
"""

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ...core.constants import Verdict
from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from .. import file_settings, usd
from ..collisions import check
from ..config import CheckOptions, Config
from ..culling import check as culling
from ..exchange.issues import last_issues
from ..fixes.floating import floating_steps
from ..model.coverage_report import CoverageRequest, Thresholds
from ..model.culling_report import CullRequest
from ..model.errors import CommandError, UserError
from ..model.floating import GAP, FloatingRequest
from ..model.formats import ENDINGS, GLTF, MOST_PICTURES, UNITLESS, UNITS, USD
from ..model.marks import PairMarks
from ..model.message import Message
from ..model.motion_report import MotionReport, MotionRequest
from ..model.one_thing import ProposedThing, proposed_thing
from ..model.probe_report import CHARACTERS, ProbeRequest
from ..model.report import Coverage, Issue, Report, Settings, body_uids
from ..model.rules import IgnoreRule, Pattern
from ..model.suggestions import SuggestedRule, suggested_rules
from ..model.verdict_names import FAULTS
from ..motion import check as motion
from ..motion.named_tests import with_tests
from ..probing import check as probing
from ..reports import baseline
from ..reports.bcf import as_bcf
from ..reports.bcf_files import read_topics
from ..reports.coverage import scenes_text
from ..reports.documents import document, pictured_rows, topic_rows
from ..reports.motion import failing
from ..reports.probe_baseline import known_ids
from ..reports.suggestions import hints, suggestions_as_toml
from ..reports.text import NO_BODY
from ..scene import open_file
from ..scene.accepted_pairs import known_pairs, marked
from ..scene.animation.changing import keyed_range
from ..scene.animation.clips import play
from ..scene.coverage import hidden_shown
from ..scene.files import UnreadableFile, files_read, leave_edit_mode, open_scene
from ..scene.object_states import in_scene
from ..scene.objects.labels import collections_of, global_ids_of, labels_of
from ..scene.reading.missing_links import missing_collections, missing_links
from ..scene.reading.scene_shapes import PlanarShapes, SceneShapes
from ..scene.reading.skipped_scripts import skipped_scripts
from ..scene.scope import scope_objects
from ..scene.second_file import add_file, use_as_colliders
from ..system import exits
from ..system.files import check_target, encoded, is_output, make_folder, one_file, twice, write_whole
from ..system.garbage import without_collection
from ..system.streams import OUTPUT, has_error, holder, output_held, pass_on, put
from ..validation import check as validation
from ..validation import coverage as compared
from ..validation.fixes import Repairs
from ..validation.run import fix_steps
from . import isolated, usage, writing
from .answers import (
    BAD_INPUT,
    CommandResult,
    CommandRun,
    config_file,
    configuration,
    in_units,
    judged,
    reports_of,
    result_of,
    unwritable,
    whole_scope,
)
from .arguments import EVERY, SAVED
from .options import (
    BaselineCommand,
    CharacterCommand,
    CheckCommand,
    Command,
    CoverageCommand,
    CullCommand,
    ExportCommand,
    FixCommand,
    MakeCommand,
    MotionCommand,
    ProbeCommand,
    SavingCommand,
    TwoFileCommand,
    ValidateCommand,
)
from .progress import progress_bar
from .values import STANDARD_OUTPUT

_STANDARD_OUTPUT = Path(STANDARD_OUTPUT)


def main(options: Command) -> tuple[int, str]:
    """Run as ``collision-kit``: Blender is a module of this process, and FILE is required.

    Returns
    -------
    code : int
    line : str
        Message for standard error. Empty if there is none.
    """
    file_settings.register()
    try:
        return _run(options)
    finally:
        # Blender 4.2 crashes and 4.5 hangs at exit if anything is still registered.
        file_settings.unregister()


def command(arguments: Sequence[str]) -> int:
    """Run as ``blender --command collision_kit``: FILE defaults to the file that Blender opened."""
    try:
        options = usage.read("blender -b FILE --command collision_kit", arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    code, line = _run(options, arguments)
    if line:
        exits.say(line)
    return code


def _run(options: Command, arguments: Sequence[str] | None = None) -> tuple[int, str]:
    """Run a command. Return its exit code and its last message, on one line.

    Parameters
    ----------
    options : Command
    arguments : sequence of str, optional
        Arguments of the Blender executable. None: Blender is a module of this process.
    """
    try:
        if arguments is not None and options.isolate and not exits.watched():
            return isolated.run(options, arguments), ""
        return _ended(options)
    except (CommandError, OSError) as error:
        return BAD_INPUT, f"error: {error}"
    except MemoryError:
        return BAD_INPUT, "error: out of memory"
    except Exception as error:
        exits.tell_defect(error, verbose=options.verbose)
        return exits.DEFECT, ""


def _ended(options: Command) -> tuple[int, str]:
    """Run a command; return the exit code and the message for standard error."""
    _check_targets(options)
    reports = _reports(options)
    with holder() as held:
        code = BAD_INPUT
        try:
            with progress_bar() as bar, output_held(held), ExitStack() as looking:
                run = _open(options, CommandRun(bar, reports, looking))
                _look(options, run)
                result = _result(options, run)
            picture = _picture(options)
            if result.picture and picture is not None:
                _write(picture, result.picture)
            for (_, path), report in zip(reports, result.reports, strict=True):
                if path is not None:
                    _write(path, report if isinstance(report, bytes) else encoded(report))
                elif isinstance(report, str):
                    put(report)
            code = result.code
        finally:
            if options.verbose or (code != BAD_INPUT and has_error(held)):
                pass_on(held)
    return code, f"error: {result.error}" if result.error else ""


def _result(options: Command, run: CommandRun) -> CommandResult:
    """Run a command in the open scene."""
    match options:
        case CheckCommand():
            return _check(options, run)
        case CoverageCommand():
            return _coverage(options, run)
        case CullCommand():
            return _cull(options, run)
        case MotionCommand():
            return _motion(options, run)
        case ProbeCommand():
            return _probe(options, run)
        case ValidateCommand():
            return _validate(options, run)
        case MakeCommand():
            return writing.make(options, run)
        case FixCommand():
            return writing.fix(options, run)
        case ExportCommand():
            return writing.export(options, run)
    raise TypeError(f"{type(options).__name__} is no command that is run")


def _look(options: Command, run: CommandRun) -> None:
    """Activate the scene of `--scene` while the command runs."""
    # For all scenes, the process of each file takes the active scene. The other scenes get processes of their own.
    name = "" if options.scene == EVERY else options.scene
    try:
        run.looking.enter_context(in_scene(bpy.context, name))
    except UserError as error:
        raise CommandError(str(error)) from None


def _show_hidden(run: CommandRun, wanted: bool | None) -> None:
    """Show hidden objects while the command runs, if they are to be tested."""
    run.looking.enter_context(hidden_shown(bpy.context, bool(wanted)))


def _check(options: CheckCommand, run: CommandRun) -> CommandResult:
    config, config_name = configuration(options)
    given = _completed(options.check, config.check)
    if run.sides is not None:
        given = replace(given, scope=("COLLECTION", run.sides.first), against=run.sides.second)
    fail_on = frozenset(FAULTS) if given.fail_on is None else given.fail_on
    _show_hidden(run, given.include_hidden)
    scope, collection = whole_scope(given.scope or ("ALL", ""), given.against)
    try:
        file = Path(options.file or open_file.path())
        before = None if options.baseline is None else baseline.read(options.baseline, file)
        topics = None if options.bcf is None else read_topics(options.bcf)
        settings = Settings(
            scope,
            collection,
            given.against or "",
            touching=in_units(given.touching),
            clearance=in_units(given.clearance) or 0.0,
            plane=given.plane.upper() if given.plane is not None else None,
            include_operands=bool(given.include_operands),
            tests=config.tests,
            self_check=bool(given.self),
            within=given.within,
            static=bool(given.static),
            each_asset=bool(given.each_asset),
            loose_parts=bool(given.loose_parts),
            surroundings=bool(given.surroundings),
            one_thing=given.one_thing or (),
        )
        needed = options.suggest_rules or options.picture is not None or run.kinds != {"text"}
        evidence = needed if options.evidence is None else options.evidence == "all"
        steps = check.steps(bpy.context, settings, seconds=run.bar.seconds, evidence=evidence)
        report, shapes = run.bar.take(steps, "testing pairs")
        if before is not None or _limits(config.ignore):
            full = check.with_full_depths(report, shapes, seconds=run.bar.seconds)
            report = run.bar.take(full, "measuring depths")
        if options.floating:
            looking = floating_steps(bpy.context, _floating(options, given, scope, collection), seconds=run.bar.seconds)
            report = replace(report, floating=run.bar.take(looking, "looking for floating objects").found)
    except UserError as error:
        raise CommandError(str(error)) from None
    missing = _missing(scope)
    issues = judged(options, (*run.imported, *missing, *_unit_hint(options, shapes), *report.issues))
    report = replace(report, issues=issues, configuration=config_name)
    picture = b""
    if options.picture is not None:
        from ..picture import draw_picture  # Loads modules that only pictures need.

        run.bar.begin("drawing the picture")
        picture = draw_picture(bpy.context, report, shapes)
    marks = marked(bpy.context.scene, report, config.ignore, topics)
    empty = "" if given.allow_empty else _empty(options, report, (scope, collection), given.against)
    if options.suggest_rules:
        suggested = suggestions_as_toml(report, marks, *_suggested(report, marks))
        return result_of([suggested for _ in run.reports], False, report.issues, empty, picture)
    if before is not None:
        new, worse, gone = baseline.changes(report, before, fail_on)
        marks = replace(marks, new=new, worse=worse, gone=gone, only_changes=True)
    pictures = {}
    rows = pictured_rows(report, marks, fail_on) if {"html", "bcf"} & run.kinds else []
    if "html" in run.kinds:
        from ..picture import pair_pictures

        drawn = pair_pictures(bpy.context, report, shapes.world, rows)
        pictures = dict(run.bar.each(drawn, len(rows), "drawing pictures"))
    contents: list[str | bytes] = [
        _topics(run, fail_on, report, marks, shapes.world, rows)
        if kind == "bcf"
        else document(
            kind,
            report,
            marks,
            fail_on=fail_on,
            pictures=pictures,
            empty=empty,
            collections=collections_of(report.bodies) if kind == "html" else (),
            unfold=options.unfold,
            hints=hints(report, marks, *_suggested(report, marks)) if kind == "text" else (),
        )
        for kind, _ in run.reports
    ]
    found = bool(marks.failing_rows(report, fail_on) or (fail_on and report.floating))
    return result_of(contents, found, report.issues, empty, picture)


def _limits(ignore: Sequence[IgnoreRule]) -> bool:
    """Return whether the depth of a pair decides whether a rule or the scene accepts it."""
    return any(rule.max_depth is not None for rule in ignore) or bool(known_pairs(bpy.context.scene))


def _floating(options: CheckCommand, given: CheckOptions, scope: str, collection: str) -> FloatingRequest:
    """Return the request of `--floating` for objects that nothing supports."""
    return FloatingRequest(
        scope,
        collection,
        given.against or "",
        in_units(GAP) or 0.0,
        options.held_below,
        tuple(map(Pattern.read, options.ground)),
        bool(given.include_operands),
    )


@without_collection()
def _suggested(report: Report, marks: PairMarks) -> tuple[list[SuggestedRule], ProposedThing | None]:
    """Return rules, and objects that may be one thing."""
    labels = labels_of(report.bodies)
    return suggested_rules(report, labels, marks), proposed_thing(report, labels, marks)


# Objects of a file without a unit that are usually larger than this were hardly modeled in meters.
_LARGE = 10.0


def _unit_hint(options: Command, shapes: SceneShapes | PlanarShapes) -> tuple[Issue, ...]:
    """Return a hint if the sizes of the objects of a file without a unit say that they are not in meters."""
    path = Path(options.file or "")
    if path.suffix.lower() not in UNITLESS or options.unit is not None or not len(shapes.body):
        return ()
    lower, upper = shapes.world.bounds()
    size = float(np.median((upper - lower).max(axis=1)))
    if not _LARGE < size < math.inf:
        return ()
    text = Message(
        "The file does not say its unit and was read in meters, but half of its objects are larger than {size} m: "
        "--unit mm reads it in millimeters.",
        size=f"{size:.4g}",
    )
    return (Issue("unit", "info", path.name, text),)


def _missing(scope: str) -> list[Issue]:
    """Return the collections that the scope does not contain. Empty for scopes smaller than the view layer."""
    return [] if scope in {"COLLECTION", "SELECTED"} else missing_collections(bpy.context.view_layer)


def _topics(
    run: CommandRun,
    fail_on: frozenset[Verdict],
    report: Report,
    marks: PairMarks,
    world: World | PlacedWorld,
    pictured: Sequence[int],
) -> bytes:
    """Return the report as a BCF file."""
    from ..picture import pair_viewpoints

    rows = topic_rows(report, marks, fail_on)
    drawn = pair_viewpoints(bpy.context, report, world, rows, pictured)
    viewpoints = dict(run.bar.each(drawn, len(rows), "drawing pictures"))
    return as_bcf(report, rows, marks, viewpoints, global_ids_of(report.bodies))


def _completed(given: CheckOptions, usual: CheckOptions) -> CheckOptions:
    """Return the options of a check that are given and, for those that are not, those of the configuration."""
    if given.scope not in (None, usual.scope):
        # The collection to test against belongs to the scope.
        usual = replace(usual, against=None)
    missing = {name: value for name, value in vars(usual).items() if vars(given)[name] is None}
    completed = replace(given, **missing)
    if completed.against is not None and (completed.scope is None or completed.scope[0] != "COLLECTION"):
        raise CommandError("--against needs --scope collection:NAME")
    return completed


def _motion(options: MotionCommand, run: CommandRun) -> CommandResult:
    scene, (config, config_name) = bpy.context.scene, configuration(options)
    _show_hidden(run, options.include_hidden)
    scope, collection = whole_scope(options.scope, options.against)
    try:
        # If all clips are checked, the process of each file takes the active clip, and the other clips get processes of
        # their own.
        if options.clip not in ("", EVERY):
            play(options.clip)
        start, end = _frames(options, scene)
        deviation, clearance = in_units(options.deviation), in_units(options.clearance) or 0.0
        request = MotionRequest(
            *(scope, collection, options.against or "", start, end, deviation, options.include_operands, clearance),
            one_thing=tuple(options.one_thing or config.check.one_thing or ()),
        )
        report, _ = run.bar.take(motion.steps(bpy.context, request), "testing frames")
    except UserError as error:
        raise CommandError(str(error)) from None
    report = with_tests(report, config.tests, config.ignore)
    missing = _missing(scope)
    issues = judged(options, (*run.imported, *missing, *report.issues))
    evidence = run.kinds != {"text"} if options.evidence is None else options.evidence == "all"
    report = replace(report, issues=issues, configuration=config_name, evidence=evidence)
    empty = "" if options.allow_empty else _empty(options, report, (scope, collection), options.against)
    reports = reports_of(run, report, empty, fail_on=options.fail_on)
    return result_of(reports, failing(report, options.fail_on), report.issues, empty)


def _frames(options: MotionCommand, scene: bpy.types.Scene) -> tuple[int, int]:
    """Return the first and the last frame: those of the scene or, in an imported file, of its keyframes."""
    if not isinstance(options.frames, str):
        return options.frames
    imported = options.file is not None and Path(options.file).suffix.lower() != SAVED
    keyed = keyed_range(bpy.context) if imported else None
    return keyed or (scene.frame_start, scene.frame_end)


def _thresholds(options: ValidateCommand | CoverageCommand, config: Config) -> Thresholds:
    """Return the given thresholds or, if none is given, those of the configuration."""
    given = (in_units(options.max_outside), in_units(options.max_inside))
    usual = config.coverage.of(options.engine)
    return Thresholds(*(one if set_ is None else set_ for set_, one in zip(given, usual, strict=True)))


def _validate(options: ValidateCommand, run: CommandRun) -> CommandResult:
    scene, (scope, collection) = bpy.context.scene, options.scope
    if options.fix:
        leave_edit_mode()
    limits = replace(validation.usual_limits(scene), vertices=options.vertices, triangles=options.triangles)
    outside, inside = _thresholds(options, configuration(options)[0])
    limits = replace(limits, max_outside=outside, max_inside=inside)
    if options.smallest is not None:
        limits = replace(limits, smallest=options.smallest / scene.unit_settings.scale_length)
    try:
        asked = validation.steps(
            bpy.context, options.engine, scope, collection=collection, limits=limits, imported=run.imported
        )
        report = run.bar.take(asked, "validating colliders")
        if options.fix:
            report = run.bar.take(fix_steps(bpy.context, Repairs(report)), "repairing colliders")
            writing.save(options, run, changed=bool(report.done))
    except UserError as error:
        raise CommandError(str(error)) from None
    empty = (
        ""
        if report.colliders or report.by_themselves or report.issues or options.allow_empty
        else _nothing(options, "nothing to validate: the scene has no colliders", report.coverage)
    )
    skipped = judged(options, (*missing_links(bpy.context.view_layer), *skipped_scripts(bpy.context)))
    reports = reports_of(run, report, empty, fail_on=options.fail_on)
    return result_of(reports, report.failing(options.fail_on), skipped, empty)


def _cull(options: CullCommand, run: CommandRun) -> CommandResult:
    _show_hidden(run, options.include_hidden)
    scene = bpy.context.scene
    frames = (scene.frame_start, scene.frame_end) if isinstance(options.frames, str) else options.frames
    try:
        request = CullRequest("ALL", options.exact, frames, options.camera)
        report = run.bar.take(culling.steps(bpy.context, request), "testing frames").report
    except UserError as error:
        raise CommandError(str(error)) from None
    missing = missing_collections(bpy.context.view_layer)
    report = replace(report, issues=judged(options, (*run.imported, *missing, *report.issues)))
    return result_of(reports_of(run, report), False, report.issues)


def _coverage(options: CoverageCommand, run: CommandRun) -> CommandResult:
    (config, config_name), (scope, collection) = configuration(options), options.scope
    given = Thresholds(in_units(options.max_outside), in_units(options.max_inside))
    thresholds = _thresholds(options, config)
    # Options of the command line apply everywhere.
    by_collection = {
        name: Thresholds(*(one if set_ is None else None for set_, one in zip(given, special, strict=True)))
        for name, special in config.coverage.collections
    }
    tolerance = in_units(options.tolerance) or config.coverage.tolerance
    try:
        switches = options.require_colliders, options.include_hidden
        walked = _probe_request(options) if options.start else None, in_units(options.reach)
        request = CoverageRequest(scope, collection, thresholds, by_collection, tolerance, *switches, *walked)
        pictured = "html" in run.kinds
        asked = compared.steps(bpy.context, request, maps=pictured)
        found = run.bar.take(asked, "comparing colliders")
    except ValueError as error:  # includes `UserError`
        raise CommandError(str(error)) from None
    missing = _missing(scope)
    issues = judged(options, (*run.imported, *missing, *missing_links(bpy.context.view_layer)))
    report = replace(found.report, issues=issues, configuration=config_name)
    pictures = dict[int, bytes]()
    if pictured:
        from ..picture import heat_pictures

        rows = [row for row, one in enumerate(report.objects) if one.failing][:MOST_PICTURES]
        pictures = dict(run.bar.each(heat_pictures(found, rows), len(rows), "drawing pictures"))
    nothing = not (report.objects or report.without_collider or report.out_of_reach or options.allow_empty)
    empty = _nothing(options, "nothing to compare: the scene has no visible mesh", report.coverage) if nothing else ""
    reports = reports_of(run, report, empty, pictures=pictures)
    return result_of(reports, report.fails, report.issues, empty)


def _probe(options: ProbeCommand, run: CommandRun) -> CommandResult:
    _show_hidden(run, options.include_hidden)
    scope, collection = whole_scope(options.scope, options.against)
    try:
        file = Path(options.file or open_file.path())
        known = None if options.baseline is None else known_ids(options.baseline, file)
        request = _probe_request(options)._replace(scope=scope, collection=collection, margin=in_units(options.margin))
        report = run.bar.take(probing.steps(bpy.context, request), "walking")
    except ValueError as error:  # includes `UserError`
        raise CommandError(str(error)) from None
    issues = judged(options, (*run.imported, *_missing(scope), *report.issues))
    report = replace(report, issues=issues).marked(options.accept, known)
    empty = "" if report.bodies or options.allow_empty else _nothing(options, NO_BODY, report.coverage)
    return result_of(reports_of(run, report, empty), report.fails, report.issues, empty)


def _probe_request(options: CharacterCommand) -> ProbeRequest:
    """Return the request in the units of the scene. Defaults are those of the engine's character, or general values."""
    scale = float(bpy.context.scene.unit_settings.scale_length)
    general = ProbeRequest()
    usual = general if options.character is None else CHARACTERS[options.character]

    def size(given: float | None, default: float) -> float:
        return (default if given is None else given) / scale

    return ProbeRequest(
        starts=options.start,
        radius=size(options.radius, usual.radius),
        height=size(options.height, usual.height),
        step=size(options.step, usual.step),
        slope=usual.slope if options.slope is None else options.slope,
        drop=size(options.drop, general.drop),
        spacing=size(options.spacing, general.spacing),
        ball=options.ball,
    )


def _empty(options: Command, report: Report | MotionReport, scope: tuple[str, str], against: str | None) -> str:
    """Return the message for a report in which nothing was tested. Empty if something was."""
    if not report.bodies:
        return _nothing(options, NO_BODY, report.coverage)
    selection = scope_objects(bpy.context, *scope, against or "")
    for objects in (selection.set_a, selection.set_b):
        if objects is not None and not {ob.session_uid for ob in objects} & set().union(*map(body_uids, report.bodies)):
            side = "the first side" if objects is selection.set_a else "the other side"
            return f"nothing to test: no object on {side} could be tested"
    return ""


def _nothing(options: Command, text: str, coverage: Coverage) -> str:
    """Return the message for a scene with nothing to test. It names the scenes that have something."""
    if not coverage.other_scenes:
        return text
    if options.scene == EVERY:
        return ""
    return f"{text} in scene {bpy.context.scene.name}; other scenes have: {', '.join(scenes_text(coverage))}"


def _open(options: Command, run: CommandRun) -> CommandRun:
    """Open the file, and check that no output overwrites a file that it depends on."""
    file = None if options.file is None else Path(options.file)
    if file is not None:
        try:
            run = _read(options, run, file)
        except (UnreadableFile, UserError) as error:
            raise CommandError(str(error)) from None
    elif not open_file.path():
        # If the given file is missing, Blender continues with its default scene.
        raise CommandError("Blender could not open the given file")
    second = _second(options)
    inputs = [*files_read(file), *([] if second is None else [second])]
    for path in _targets(options):
        for read in inputs:
            if one_file(path, read):
                raise CommandError(f"cannot write {path}: it is {_whose(read, options)}")
    if _prints(options) and any(is_output(read, OUTPUT) for read in inputs):
        raise CommandError("cannot print the report: standard output is redirected to a file of the scene")
    return run


def _read(options: Command, run: CommandRun, file: Path) -> CommandRun:
    """Read the file, and the second one if there is one."""
    ending, second = file.suffix.lower(), _second(options)
    endings = {ending} if second is None else {ending, second.suffix.lower()}
    with exits.reading(str(options.file)):
        run.bar.begin(f"reading {file.name}")
        if options.unit is not None and endings.isdisjoint(UNITLESS):
            raise CommandError(f"--unit is for {', '.join(UNITLESS)}; {options.file} has its own unit")
        unit = UNITS[options.unit or "m"]
        open_scene(
            file,
            scripts=options.enable_autoexec,
            interface=isinstance(options, SavingCommand) and bool(options.saved or options.in_place),
            unit=unit,
            stand_in=usd.importing.stand_in if ending in USD else None,
        )
        if ending in GLTF:
            run = replace(run, imported=last_issues())
        elif ending in USD:
            run = replace(run, imported=usd.importing.take_physics(bpy.context, file))
        return run if second is None else _add_second(options, run, file, second, unit)


def _add_second(options: Command, run: CommandRun, first: Path, second: Path, unit: float) -> CommandRun:
    """Add a second file to the scene: the other side of a check, or the colliders of a validation."""
    run.bar.begin(f"reading {second.name}")
    sides = add_file(bpy.context, first, second, unit=unit)
    if second.suffix.lower() in GLTF:
        run = replace(run, imported=(*run.imported, *last_issues()))
    if not isinstance(options, CheckCommand):
        use_as_colliders(bpy.context, sides)
    return replace(run, sides=sides)


def _second(options: Command) -> Path | None:
    return options.second if isinstance(options, TwoFileCommand) else None


def _whose(read: Path, options: Command) -> str:
    itself = options.file is None or one_file(read, Path(options.file))
    return "the input file" if itself else f"a file that the scene uses, {read}"


def _targets(options: Command) -> list[Path]:
    """Return the files to be written."""
    named = (*options.output, *_saved(options), _picture(options))
    return [path for path in named if path is not None and path != _STANDARD_OUTPUT]


def _saved(options: Command) -> tuple[Path, ...]:
    return options.saved if isinstance(options, SavingCommand) else ()


def _picture(options: Command) -> Path | None:
    return options.picture if isinstance(options, CheckCommand) else None


def _prints(options: Command) -> bool:
    """Return whether a report goes to standard output."""
    return not options.output or _STANDARD_OUTPUT in options.output


def _reports(options: Command) -> list[tuple[str, Path | None]]:
    """Return the format and the file of each report. None: standard output."""
    paths = [None if path == _STANDARD_OUTPUT else path for path in options.output or (None,)]
    if isinstance(options, CheckCommand) and options.suggest_rules:
        return [("toml", path) for path in paths]
    reports = [(options.format or _format_of(path, options), path) for path in paths]
    if ("bcf", None) in reports:
        raise CommandError("--format bcf needs --output: a BCF file is no text to be printed")
    return reports


def _format_of(path: Path | None, options: Command) -> str:
    """Return the format of a report by the extension of its file. Devices and pipes have none."""
    ending = "" if path is None else path.suffix.lower()
    if not ending:
        return "text"
    endings = [known for known, name in ENDINGS.items() if name in options.formats]
    if ending not in endings:
        raise CommandError(f"{path}: unknown report format {ending}; use {', '.join(endings)} or --format")
    return ENDINGS[ending]


def _check_targets(options: Command) -> None:
    """Check that all files can be written, before the scene is opened."""
    targets = _targets(options)
    in_place = isinstance(options, SavingCommand) and options.in_place
    if in_place and Path(options.file or open_file.path()).suffix.lower() != SAVED:
        raise CommandError(f"--in-place needs a FILE that ends in {SAVED}")
    for path in targets:
        try:
            if path in _saved(options) and path.exists() and not path.is_file():
                raise CommandError(f"cannot write {path}: not a file")
            check_target(path, new_folder=True)
        except OSError as error:
            raise CommandError(unwritable(path, error)) from None
        if options.file is not None and one_file(path, Path(options.file)):
            raise CommandError(f"cannot write {path}: it is {_whose(Path(options.file), options)}")
        baseline_file = options.baseline if isinstance(options, BaselineCommand) else None
        topics = options.bcf if isinstance(options, CheckCommand) else None
        for what, read in (
            ("configuration", config_file(options)),
            ("baseline", baseline_file),
            ("BCF file", topics),
        ):
            if read is not None and one_file(path, read):
                raise CommandError(f"cannot write {path}: it is the {what}")
    binaries = [path.with_suffix(".bin") for path in _saved(options) if path.suffix.lower() == ".gltf"]
    double = twice([*targets, *binaries])
    if double is not None:
        which = "--output and --picture" if double == _picture(options) else "two of --output"
        raise CommandError(f"{which} are the same file: {double}")


def _write(path: Path, data: bytes) -> None:
    try:
        make_folder(path.parent)
        write_whole(path, data)
    except OSError as error:
        raise CommandError(unwritable(path, error)) from None
