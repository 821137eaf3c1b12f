# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the kernels where the package is built or installed from its sources; all else is in pyproject.toml.

A wheel is for the platform on which it is built, or for the one that COLLISION_KIT_PLATFORM names, such as linux-x64.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from scripts import build_kernels  # noqa: E402
from scripts.translate_kernels import KernelError  # noqa: E402

PLATFORM = os.environ.get("COLLISION_KIT_PLATFORM", "")


class Kernels(build_ext):
    """Compile the kernels. Without a compiler they will be interpreted."""

    def run(self) -> None:
        """Put the module where it belongs; in a clone that is installed as it is, that is where environments look."""
        try:
            folder = Path(self.build_temp) / "kernels"
            if PLATFORM:
                module = build_kernels.compiled_for(PLATFORM, folder)
            else:
                module = build_kernels.build(build_kernels.FOLDER if self.editable_mode else folder)
        except (build_kernels.BuildError, KernelError) as error:
            if PLATFORM:
                raise
            print(f"The kernels are not compiled, and will be interpreted: {error}", file=sys.stderr)
            return
        if not self.editable_mode:
            target = Path(self.build_lib) / module.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(module, target)

    def get_outputs(self) -> list[str]:
        """The module, if there is one."""
        return [str(path) for path in Path(self.build_lib).glob(f"{build_kernels.SOURCES.MODULE}*")]

    def get_output_mapping(self) -> dict[str, str]:
        """Nothing: in a clone that is installed as it is, the module stays outside."""
        return {}


def needed() -> list[str]:
    """The packages that have to be installed to compile."""
    missing = importlib.util.find_spec("ziglang") is None
    return ["ziglang"] if missing and (PLATFORM or build_kernels.own_compiler() is None) else []


wheel = {"py_limited_api": "cp311"}
if PLATFORM:
    # One tag: setuptools takes no dots.
    wheel["plat_name"] = build_kernels.TARGETS[PLATFORM].tag.partition(".")[0]
setup(
    # Its name, so that it is not taken for a module of the package, whose folder this is.
    script_name="setup.py",
    cmdclass={"build_ext": Kernels},
    ext_modules=[Extension(build_kernels.SOURCES.MODULE, [], py_limited_api=True)],
    options={"bdist_wheel": wheel},
    setup_requires=needed(),
)
