# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension zip with Blender's own tool and have Blender's own validator accept it.

``python scripts/build_extension.py [OUTPUT_FOLDER]``, where bpy is installed, builds the zip of this platform and
prints its path; with ``--release``, the zips of all platforms. Each zip brings wheels, so that nothing has to be
installed besides it: the compiled kernels (`kernel_wheels`), and the library CoACD if there is a wheel of it for the
platform (`bundled_wheels`).
"""

import argparse
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import bundled_wheels, kernel_wheels  # noqa: E402
from scripts.build_kernels import BuildError, NoCompilerError  # noqa: E402
from scripts.translate_kernels import KernelError  # noqa: E402

TIME_LIMIT = 120  # seconds; the tool needs less than one

# Above which line of the manifest the platform and its wheels are written.
_TABLES = "\n[permissions]\n"


class ExtensionError(Exception):
    """Blender's extension tool refused the source tree or the zip; the message is the tool's."""


def blender_tool() -> tuple[Path, Path]:
    """Find Blender's extension tool and its list of valid tags, without importing bpy."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        raise ExtensionError("bpy is not installed in this Python: pip install 'collision-kit[blender]'")
    scripts = Path(spec.origin).parent.glob("*/scripts")
    for folder in scripts:
        tool = folder / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
        tags = folder / "modules" / "_bpy_internal" / "extensions" / "tags.py"
        if tool.is_file() and tags.is_file():
            return tool, tags
    raise ExtensionError(f"no extension tool beside {spec.origin}: Blender 4.2 or later is needed")


def validate(path: Path) -> None:
    """Raise `ExtensionError` unless Blender accepts `path`, a source tree or a zip, and its tags."""
    tool, tags = blender_tool()
    # Without the list of tags the validator lets a wrong one pass.
    _run([tool, "validate", "--valid-tags", tags, path])


def build(output_folder: Path, platform: str | None = None, *, with_wheel: bool = True) -> Path:
    """Build and validate the zip of a platform into `output_folder`, replacing one of the same version.

    Parameters
    ----------
    output_folder : Path
    platform : str, optional
        As Blender calls it, such as ``linux-x64``; by default this one, with the kernels that were compiled here. If
        nothing here can compile, the zip has none, and the kernels will be interpreted.
    with_wheel : bool
        Whether the zip brings CoACD, where there is a wheel of it for the platform.

    Returns
    -------
    Path
        Of the zip.

    Raises
    ------
    ExtensionError
        If Blender's tool refuses the tree or the zip.
    DownloadError
        If the wheel of CoACD cannot be downloaded.
    BuildError, KernelError
        If the kernels cannot be compiled.
    """
    wheels = _kernels(platform)
    platform = platform or bundled_wheels.this_platform()
    wheel = bundled_wheels.WHEELS.get(platform) if with_wheel else None
    if wheel is not None:
        wheels.append(bundled_wheels.wheel_file(wheel))
    tool, tags = blender_tool()
    validate(ROOT)
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    output_folder.mkdir(parents=True, exist_ok=True)
    path = output_folder / f"{manifest['id']}-{manifest['version']}-{platform.replace('-', '_')}.zip"
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        bare, tree = Path(folder, "bare.zip"), Path(folder, "tree")
        _run([tool, "build", "--source-dir", ROOT, "--output-filepath", bare, "--valid-tags", tags])
        with zipfile.ZipFile(bare) as archive:
            archive.extractall(tree)
        _complete(tree, platform, wheels)
        _run([tool, "build", "--source-dir", tree, "--output-filepath", path, "--valid-tags", tags])
    validate(path)
    return path


def release(output_folder: Path) -> list[Path]:
    """Build the zips of all platforms; raises as `build`."""
    return [build(output_folder, platform) for platform in bundled_wheels.WHEELS]


def _kernels(platform: str | None) -> list[Path]:
    """The wheel of the compiled kernels."""
    try:
        return [kernel_wheels.wheel(platform)]
    except NoCompilerError as error:
        if platform is not None:
            raise
        print(f"note: the kernels are not compiled, and will be interpreted: {error}", file=sys.stderr)
        return []


def _complete(tree: Path, platform: str, wheels: list[Path]) -> None:
    """Put wheels into the tree of a zip, and write them and the platform into the manifest."""
    lines = [f'platforms = ["{platform}"]']
    if wheels:
        (tree / "wheels").mkdir()
        for wheel in wheels:
            shutil.copy(wheel, tree / "wheels")
        names = ", ".join(f'"./wheels/{wheel.name}"' for wheel in wheels)
        lines.append(f"wheels = [{names}]")
    path = tree / "blender_manifest.toml"
    head, table, rest = path.read_text(encoding="utf-8").partition(_TABLES)
    path.write_text("\n".join([head, *lines, table + rest]), encoding="utf-8")


def _run(arguments: list[Path | str]) -> None:
    command = [sys.executable, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    if result.returncode != 0:
        raise ExtensionError((result.stdout + result.stderr).strip())


def main() -> None:
    """Build what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Build the extension zip.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "extension")
    parser.add_argument("--release", action="store_true", help="the zips of all platforms")
    given = parser.parse_args()
    try:
        print(*(release(given.folder) if given.release else [build(given.folder)]), sep="\n")
    except (ExtensionError, BuildError, KernelError, bundled_wheels.DownloadError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
