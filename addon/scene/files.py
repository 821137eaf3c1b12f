# SPDX-License-Identifier: GPL-3.0-or-later
"""Open scenes from files: Blender files, and the formats that Blender can import."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

import bpy

from ..model.formats import USD
from ..model.scene_files import why_no_scene
from ..system.blend_header import saved_version
from ..system.declared_sizes import TooLarge, check_declared_sizes
from ..system.files import check_regular, write_with
from . import open_file
from .settings import ROOT


class UnreadableFile(Exception):
    """A file that cannot be read as a scene. The message has the file and the reason, on one line."""


@contextmanager
def _as_add_on() -> Iterator[None]:
    """Register as an add-on for Blender's glTF add-on, which only calls add-ons, and a Python package is not one."""
    addons: Any = bpy.context.preferences.addons
    if ROOT in addons:
        yield
        return
    added = addons.new()
    added.module = ROOT
    try:
        yield
    finally:
        addons.remove(added)


# In the stubs, operators return nothing.
_operators: Any = bpy.ops


def _import_gltf(path: str, _unit: float) -> set[str]:
    with _as_add_on():
        # Otherwise the importer adds an object that is the shape of bones, which is not in the file.
        return _operators.import_scene.gltf(filepath=path, disable_bone_shape=True)


def _import_fbx(path: str, _unit: float) -> set[str]:
    # Blender's new importer is built in; older versions have only the importer of an add-on.
    if hasattr(bpy.types, "WM_OT_fbx_import"):
        return _operators.wm.fbx_import(filepath=path)
    return _operators.import_scene.fbx(filepath=path)


def _import_usd(path: str, unit: float) -> set[str]:
    if not bpy.app.build_options.usd:
        raise RuntimeError("it was built without USD")
    # Blender applies the unit of a file since 4.4.
    converts = "apply_unit_conversion_scale" in _operators.wm.usd_import.get_rna_type().properties
    # Colliders have the purpose "guide". Those in instances must be found with their owners.
    return _operators.wm.usd_import(
        filepath=path,
        scale=1.0 if converts else unit,
        import_guide=True,
        import_proxy=True,
        import_render=True,
        support_scene_instancing=False,
    )


def _import_obj(path: str, unit: float) -> set[str]:
    # Objects have separate names. Without any, groups have.
    names = [line.split(None, 1) for line in _lines(path) if line.startswith((b"o ", b"g "))]
    groups = {bytes(text[-1]) for text in names} if all(text[0] == b"g" for text in names) else set()
    return _operators.wm.obj_import(filepath=path, global_scale=unit, use_split_groups=len(groups) > 1)


def _import_ply(path: str, unit: float) -> set[str]:
    return _operators.wm.ply_import(filepath=path, global_scale=unit)


def _import_stl(path: str, unit: float) -> set[str]:
    """Import a file.

    If it has several solids, each becomes a separate object with its name, while Blender would join them.
    """
    solids = _solids(path)
    if len(solids) < 2:
        return _operators.wm.stl_import(filepath=path, global_scale=unit)
    with TemporaryDirectory() as folder:
        for number, (name, content) in enumerate(solids, start=1):
            one = Path(folder, "solid.stl")
            one.write_bytes(content)
            done = _operators.wm.stl_import(filepath=str(one), global_scale=unit)
            if "FINISHED" not in done:
                return done
            ob = bpy.context.view_layer.objects.active
            assert ob is not None and ob.data is not None, "an import leaves its mesh active"
            ob.name = ob.data.name = name or f"{Path(path).stem} {number}"
    return {"FINISHED"}


def _solids(path: str) -> list[tuple[str, bytes]]:
    """The name and the text of each solid of an ASCII STL file. Empty for a binary file."""
    content = Path(path).read_bytes()
    if not content.lstrip().lower().startswith(b"solid") or b"facet" not in content:
        return []
    parts = re.split(rb"^[ \t]*solid\b", content, flags=re.MULTILINE | re.IGNORECASE)[1:]
    texts = [(part.split(b"\n", 1)[0].strip().decode("utf-8", "replace"), b"solid" + part) for part in parts]
    return [(name, text) for name, text in texts if b"facet" in text]


def _lines(path: str) -> Iterator[bytes]:
    with open(path, "rb") as stream:
        for line in stream:
            yield line.strip()


_IMPORTERS: dict[str, Callable[[str, float], set[str]]] = {
    ".glb": _import_gltf,
    ".gltf": _import_gltf,
    ".obj": _import_obj,
    ".ply": _import_ply,
    ".stl": _import_stl,
    ".fbx": _import_fbx,
    **dict.fromkeys(USD, _import_usd),
}

# The text that Blender's operators add before and after an error of an importer written in Python.
_PREFIX, _PLACE = "Error: ", "Location: "


def open_scene(
    path: Path,
    *,
    scripts: bool = False,
    interface: bool = False,
    unit: float = 1.0,
    stand_in: Callable[[Path], tuple[Path, float]] | None = None,
) -> None:
    """Open or import a file, replacing the open one.

    Parameters
    ----------
    path : Path
    scripts : bool
        Whether the scripts and Python drivers of the file are run, regardless of the preferences.
    interface : bool
        Whether the windows and workspaces of the file are loaded. Otherwise they are lost when it is saved.
    unit : float
        Meters per unit of the file, for the formats `UNITLESS`.
    stand_in : callable, optional
        Given the path, returns an equivalent file to be imported instead, and the meters per unit.

    Raises
    ------
    UnreadableFile
        If the file does not exist, its extension is not one of `SCENES`, it declares more data than it contains, it
        refers to a device or a named pipe, Blender cannot read it, or an imported file contains no object.
    """
    _check_readable(path)
    ending = path.suffix.lower()
    # Blender resolves a relative path in the folder that an environment variable names.
    name = str(path.absolute())
    try:
        if ending == ".blend":
            done = _operators.wm.open_mainfile(filepath=name, load_ui=interface, use_scripts=scripts)
        else:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            shown, unit = (path, unit) if stand_in is None else stand_in(path.absolute())
            done = _IMPORTERS[ending](str(shown.absolute()), unit)
            for cache in bpy.data.cache_files:
                if Path(cache.filepath) == shown:
                    cache.filepath = name
    # Importers written in Python can raise any exception of their parsers.
    except Exception as error:
        raise UnreadableFile(f"{path}: Blender cannot read it: {why_unreadable(path, error)}") from None
    if "FINISHED" not in done:
        raise UnreadableFile(f"{path}: Blender cannot read it")
    if ending != ".blend" and not bpy.context.scene.objects:
        raise UnreadableFile(f"{path}: nothing in it that Blender can read")
    open_file.note_import(bpy.context.scene, name if ending != ".blend" else "")


def _check_readable(path: Path) -> None:
    """Raise `UnreadableFile` if a file is not a scene, cannot be read, or declares more data than it contains."""
    why = why_no_scene(path)
    if why:
        raise UnreadableFile(f"{path}: {why}")
    try:
        for part in _referred(path):
            check_regular(part)
        check_declared_sizes(path)
    except TooLarge as error:
        raise UnreadableFile(f"{path}: {error}") from None
    except OSError as error:
        raise UnreadableFile(f"{error.filename or path}: cannot be read: {error.strerror or error}") from None


def add_objects(context: bpy.types.Context, path: Path, *, unit: float) -> tuple[list[bpy.types.Object], float]:
    """Add the objects of a file to the open scene, in its units. `unit` is as for `open_scene`.

    Returns
    -------
    list of bpy.types.Object
    float
        Meters in one unit of their coordinates.

    Raises
    ------
    UnreadableFile
        As for `open_scene`, and for USD files, and Blender files with several scenes.
    """
    _check_readable(path)
    ending, before, scene = path.suffix.lower(), set(bpy.data.objects), context.scene
    if ending in USD:
        raise UnreadableFile(f"{path}: a USD file can only be the first of two files")
    meters = 1.0
    try:
        if ending == ".blend":
            meters = _append_scene(scene, path)
        else:
            settings, scale = scene.unit_settings, scene.unit_settings.scale_length
            # Importers apply it in different ways.
            settings.scale_length = 1.0
            try:
                done = _IMPORTERS[ending](str(path.absolute()), unit)
            finally:
                settings.scale_length = scale
            if "FINISHED" not in done:
                raise UnreadableFile(f"{path}: Blender cannot read it")
    except UnreadableFile:
        raise
    except Exception as error:
        raise UnreadableFile(f"{path}: Blender cannot read it: {why_unreadable(path, error)}") from None
    added = [ob for ob in bpy.data.objects if ob not in before and ob.name in scene.objects]
    if not added:
        raise UnreadableFile(f"{path}: nothing in it that Blender can read")
    return added, meters


def _append_scene(scene: bpy.types.Scene, path: Path) -> float:
    """Link the objects of the only scene of a Blender file to a scene. Returns the unit scale of that scene."""
    # In the stubs, this returns nothing.
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path.absolute())) as (there, here):
        if len(there.scenes) > 1:
            raise UnreadableFile(f"{path}: has several scenes, so that it can only be the first of two files")
        here.scenes = list(there.scenes)
    loaded: Any = here.scenes
    (other,) = loaded
    for ob in other.objects:
        scene.collection.objects.link(ob)
    meters = float(other.unit_settings.scale_length)
    bpy.data.scenes.remove(other)
    return meters


def leave_edit_mode() -> None:
    """Leave the mode in which the file was saved, so that mesh data can be changed."""
    if bpy.context.mode != "OBJECT":
        _operators.object.mode_set(mode="OBJECT")


def save_copy(path: Path) -> None:
    """Save a copy of the open scene, compressed if its own file is. The open file remains the same.

    Raises
    ------
    OSError
        If it cannot be written.
    """

    def write(temporary: Path) -> None:
        temporary.unlink()  # otherwise Blender would keep the existing file as a backup
        try:
            _operators.wm.save_as_mainfile(filepath=str(temporary), copy=True, compress=_is_compressed())
        except RuntimeError as error:
            raise OSError(reason_of(error)) from None

    write_with(path, write)


def _is_compressed() -> bool:
    if not open_file.path():
        return False
    with open(open_file.path(), "rb") as stream:
        return not stream.read(7).startswith(b"BLENDER")


def files_read(path: Path | None) -> Iterator[Path]:
    """The files that the open scene depends on: the file itself, and those that it refers to.

    Parameters
    ----------
    path : Path, optional
        The file that was opened or imported. None: the file that is open in Blender.
    """
    if path is not None:
        yield path
        yield from filter(_can_exist, _referred(path))
    if open_file.path():
        yield Path(open_file.path())
    several = {
        bpy.path.abspath(image.filepath, library=image.library)
        for image in bpy.data.images
        if image.source in ("SEQUENCE", "TILED")
    } | {
        bpy.path.abspath(clip.filepath, library=clip.library)
        for clip in bpy.data.movieclips
        if clip.source == "SEQUENCE"
    }
    for name in {*bpy.utils.blend_paths(absolute=True), *several}:
        one = Path(name)
        yield one
        if name in several:
            yield from _numbered(one)


def _can_exist(path: Path) -> bool:
    """Whether a file can have this path, which may come from a damaged file."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _numbered(path: Path) -> Iterator[Path]:
    """All files for a path that names one of them or a pattern: frames of a sequence, tiles of a texture."""
    pattern = re.sub(r"<UDIM>|<UVTILE>|\d+", "\0", path.name)
    pattern = re.escape(pattern).replace(re.escape("\0"), r"(\d+|u\d+_v\d+)")
    try:
        names = os.listdir(path.parent)
    except OSError:
        return
    yield from (path.with_name(name) for name in names if re.fullmatch(pattern, name))


def _referred(path: Path) -> Iterator[Path]:
    """The files that a file in a multi-part format refers to, as far as it can be read."""
    ending = path.suffix.lower()
    try:
        if ending == ".gltf":
            content = json.loads(path.read_bytes())
            for part in (*content.get("buffers", ()), *content.get("images", ())):
                uri = part.get("uri", "")
                if uri and not uri.startswith("data:"):
                    yield path.parent / unquote(uri)
        elif ending == ".obj":
            for line in re.findall(rb"^\s*mtllib\s+(.+?)\s*$", path.read_bytes(), re.MULTILINE):
                yield path.parent / os.fsdecode(line)
    # The content may have an unexpected structure, or be damaged.
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return


def why_unreadable(path: Path, error: Exception) -> str:
    """The reason why Blender could not read a file, with advice where Blender's message has none."""
    saved = saved_version(path) if path.suffix.lower() == ".blend" else None
    if saved is not None and saved > tuple(bpy.app.version[:2]):
        return "it was saved with Blender {}.{}, which is newer than this one".format(*saved)
    reason = reason_of(error)
    if "extern_draco" in reason:
        return "its meshes are compressed with Draco, whose library this Blender lacks"
    if "ASCII FBX" in reason:
        return (
            "it is an ASCII FBX file, and this Blender reads binary ones only: export it as binary, convert it with "
            "Autodesk's FBX Converter, or use Blender 4.5 or newer"
        )
    return reason


def reason_of(error: Exception) -> str:
    """The message of an error on one line: the last line of a traceback, otherwise the first, without added text."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith(_PLACE)]
    if not lines:
        return type(error).__name__
    traced = any("Traceback (most recent call last)" in line for line in lines)
    return (lines[-1] if traced else lines[0]).removeprefix(_PREFIX).rstrip(".")
