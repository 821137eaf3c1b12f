# SPDX-License-Identifier: GPL-3.0-or-later
"""Run pytest inside Blender against the installed extension.

``python tests/run_in_blender.py [PYTEST ARGUMENT ...]``, in an environment that has bpy. The zip is built,
validated and installed into a throw-away profile. There `import collision_kit` gives the installed extension
(`bl_ext.user_default.collision_kit`), never the checkout; `tests.…` and `examples.…` come from the checkout.
Blender runs in a process of its own, so that a crash or a hang is a failed run and not a lost one.

Exit status: pytest's own; 3 if the extension cannot be built or enabled, or if Blender crashes or hangs.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import traceback
import types
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = "bl_ext.user_default.collision_kit"
TIME_LIMIT = 15 * 60  # seconds
FAILED = 3


class InstalledExtension(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Give the modules of the installed extension under the name `collision_kit` as well.

    The very same module objects: a second copy would have classes and results that are not the add-on's own.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for `collision_kit` and everything in it."""
        if fullname.partition(".")[0] != "collision_kit":
            return None
        name = EXTENSION + fullname.removeprefix("collision_kit")
        if importlib.util.find_spec(name) is None:
            return None
        return importlib.util.spec_from_loader(fullname, InstalledExtension())

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """Return the extension's module."""
        module = importlib.import_module(EXTENSION + spec.name.removeprefix("collision_kit"))
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Put the module's own spec back, which the import system has just replaced by the alias's."""
        module.__spec__ = self._own_spec


def main(arguments: list[str]) -> int:
    """Build the extension and run pytest on it in a Blender of its own; return the exit status."""
    sys.path.insert(0, str(ROOT))
    from scripts.build_extension import ExtensionError, build

    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        profile = Path(folder) / "profile"
        profile.mkdir()
        try:
            extension_zip = build(Path(folder))
        except ExtensionError as error:
            print(f"error: the extension cannot be built:\n{error}", file=sys.stderr)
            return FAILED
        environment = os.environ | {
            "BLENDER_USER_RESOURCES": str(profile),
            "COLLISION_KIT_ZIP": str(extension_zip),
        }
        command = [sys.executable, __file__, "--inside", *arguments]
        try:
            status = subprocess.run(command, env=environment, timeout=TIME_LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            print(f"error: Blender did not end within {TIME_LIMIT} seconds", file=sys.stderr)
            return FAILED
    if status < 0:
        print(f"error: Blender was ended by signal {-status}", file=sys.stderr)
        return FAILED
    return status


def run_inside(arguments: list[str]) -> int:
    """Install and enable the extension, run pytest, disable it; return the exit status."""
    import bpy
    import pytest

    bpy.ops.extensions.package_install_files(
        filepath=os.environ["COLLISION_KIT_ZIP"], repo="user_default", enable_on_install=True
    )
    if EXTENSION not in bpy.context.preferences.addons:
        print("error: the extension was installed but could not be enabled", file=sys.stderr)
        return FAILED
    sys.meta_path.insert(0, InstalledExtension())
    status = pytest.main([f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}", *arguments])
    if EXTENSION in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_disable(module=EXTENSION)
    return int(status)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        try:
            status = run_inside(sys.argv[2:])
        except Exception:  # Blender raises what `register` has raised
            traceback.print_exc()
            status = FAILED
        sys.stdout.flush()
        sys.stderr.flush()
        # Blender 4.2 crashes and 4.5 hangs at exit if a test has left a class or a handler of its own behind.
        os._exit(status)
    sys.exit(main(sys.argv[1:]))
