# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension zip with Blender's own tool and have Blender's own validator accept it.

``python scripts/build_extension.py [OUTPUT_FOLDER]``, where bpy is installed, prints the path of the zip.
"""

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIME_LIMIT = 120  # seconds; the tool needs less than one


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


def build(output_folder: Path) -> Path:
    """Build and validate the zip into `output_folder`, replacing one of the same version; return its path."""
    tool, tags = blender_tool()
    validate(ROOT)
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    output_folder.mkdir(parents=True, exist_ok=True)
    path = output_folder / f"{manifest['id']}-{manifest['version']}.zip"
    _run([tool, "build", "--source-dir", ROOT, "--output-filepath", path, "--valid-tags", tags])
    validate(path)
    return path


def _run(arguments: list[Path | str]) -> None:
    command = [sys.executable, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    if result.returncode != 0:
        raise ExtensionError((result.stdout + result.stderr).strip())


if __name__ == "__main__":
    try:
        print(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "extension")))
    except ExtensionError as error:
        sys.exit(f"error: {error}")
