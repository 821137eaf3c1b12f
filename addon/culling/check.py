# SPDX-License-Identifier: GPL-3.0-or-later
"""Culling against the active camera, for the panel, the command line and scripts."""

from collections import defaultdict
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import bpy

from ...core.constants import OUTSIDE
from ..i18n.units import issues_with_units
from ..model.culling_report import CulledObject, CullReport, CullRequest
from ..model.report import Issue, Skipped
from ..model.steps import exhausted
from ..scene import events, open_file
from ..scene.animation.frames import check_frames, visited
from ..scene.background_sets import background_objects
from ..scene.cameras.camera import named_camera
from ..scene.cameras.camera_view import CameraView, combined, look_at
from ..scene.coverage import coverage_of
from ..scene.meshes.geometry import HullMemory
from ..scene.scope import scope_objects


class Progress(NamedTuple):
    """Number of finished frames."""

    done: int
    total: int


@dataclass(frozen=True, eq=False)
class Culling:
    """Result of culling.

    Attributes
    ----------
    report : CullReport
    view : CameraView
        View in the last frame.
    """

    report: CullReport
    view: CameraView


def cull(context: bpy.types.Context, request: CullRequest) -> Culling:
    """Find out which objects are inside the camera's view, cross its boundary, or are outside.

    Over several frames, an object is outside if it is outside in each frame, and inside if it is inside in each. Frames
    in which it is hidden do not count. The scene is restored afterwards.

    Raises
    ------
    ValueError
        If the first frame is after the last, or a frame is outside Blender's range. `UnusableCamera` if the camera has
        no frustum in a frame.
    """
    return exhausted(steps(context, request))


def steps(context: bpy.types.Context, request: CullRequest) -> Generator[Progress, None, Culling]:
    """Run `cull` one frame at a time. Closing the generator restores the scene."""
    scene = context.scene
    frames = None
    if request.frames is not None:
        first, end = request.frames
        check_frames(first, end)
        frames = range(first, end + 1)
    camera = named_camera(scene, request.camera) if request.camera else None
    tally, memory = _Tally(), HullMemory()
    # Earlier changes were not made by this function.
    context.view_layer.update()
    with events.paused(), closing(visited(context, frames, camera)) as visits:
        for number, _ in enumerate(visits, start=1):
            objects = scope_objects(context, request.scope).set_a
            view = look_at(context, objects, exact=request.exact, memory=memory)
            tally.add(scene, view, {ob.session_uid: ob.name for ob in objects})
            yield Progress(number, len(frames) if frames else 1)
    first, final = request.frames or (scene.frame_current, scene.frame_current)
    units = open_file.units(scene)
    report = CullReport(
        file=open_file.source(scene),
        scene=scene.name,
        cameras=tuple(tally.cameras),
        first_frame=first,
        last_frame=final,
        exact=request.exact,
        objects=tally.objects(),
        issues=issues_with_units(tally.issues, units),
        skipped=(
            *(entry for entry in tally.skipped if entry.object not in tally.names.values()),
            *background_objects(scene, request.scope),
        ),
        coverage=coverage_of(scene),
    )
    return Culling(report, view)


class _Tally:
    """Objects found in the frames so far. Dicts serve as ordered sets."""

    def __init__(self) -> None:
        self.cameras: dict[str, None] = {}
        self.issues: dict[Issue, None] = {}
        self.skipped: dict[Skipped, None] = {}
        self.names: dict[int, str] = {}
        self._verdicts: defaultdict[int, set[int]] = defaultdict(set)
        self._seen: defaultdict[int, int] = defaultdict(int)

    def add(self, scene: bpy.types.Scene, view: CameraView, names: dict[int, str]) -> None:
        """Record one frame."""
        if scene.camera is not None:
            self.cameras[scene.camera.name] = None
        self.issues.update(dict.fromkeys(view.shapes.issues))
        self.skipped.update(dict.fromkeys(view.shapes.skipped))
        for uid, verdict in view.verdict.items():
            self.names[uid] = names[uid]
            self._verdicts[uid].add(verdict)
            self._seen[uid] += verdict != OUTSIDE

    def objects(self) -> tuple[CulledObject, ...]:
        """Every object that had shapes in a frame."""
        return tuple(
            CulledObject(name, uid, combined(self._verdicts[uid]), self._seen[uid])
            for uid, name in sorted(self.names.items(), key=lambda entry: (entry[1], entry[0]))
        )
