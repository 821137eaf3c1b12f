# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the kernels of ``core/kernels`` to one extension module for every Python from 3.11 on.

``python scripts/build_kernels.py`` makes ``build/kernels/collision_kit_kernels.abi3.so``, unless it is there and up to
date. All environments of this clone use it. It takes the C compiler of this machine. If there is none, it installs
``ziglang``, a C compiler from the package index.
"""

import argparse
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.bundled_wheels import this_platform  # noqa: E402
from scripts.translate_kernels import KernelError, Translation  # noqa: E402

FOLDER = ROOT / "build" / "kernels"
TIME_LIMIT = 600  # seconds

# Results are the same as those of Python: products and sums are rounded one by one.
FLAGS = ("-O3", "-ffp-contract=off", "-fno-sanitize=undefined", "-w")
LIMITED_API = ("-DPy_LIMITED_API=0x030B0000", "-DCYTHON_LIMITED_API=1")


class Target(NamedTuple):
    """A platform to compile for.

    Attributes
    ----------
    name : str
        As zig calls it: the processor, the system and the oldest version that will do.
    tag : str
        What pip calls the platform.
    """

    name: str
    tag: str


# By Blender's names of platforms.
TARGETS = {
    "linux-arm64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
    "linux-x64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64"),
    "macos-x64": Target("x86_64-macos.11.0", "macosx_11_0_x86_64"),
    "windows-arm64": Target("aarch64-windows-gnu", "win_arm64"),
    "windows-x64": Target("x86_64-windows-gnu", "win_amd64"),
}

# What the headers of Python say about Windows, as far as the stable interface depends on it.
_WINDOWS_CONFIGURATION = """\
#define MS_WINDOWS
#define MS_WIN32
#define MS_WIN64
#define Py_ENABLE_SHARED
#define HAVE_DECLSPEC_DLL
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_LONG 4
#define SIZEOF_INT 4
#define SIZEOF_SHORT 2
#define SIZEOF_LONG_LONG 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_TIME_T 8
#define SIZEOF_OFF_T 4
#define SIZEOF_PID_T 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_LONG 4
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define WITH_THREAD 1
#define NT_THREADS
#define PY_LL_FORMAT "ll"
typedef long long Py_ssize_t;
#define HAVE_PY_SSIZE_T 1
#define PY_SSIZE_T_MAX 0x7fffffffffffffffLL
"""


class BuildError(Exception):
    """The kernels cannot be compiled; the message says why."""


class NoCompilerError(BuildError):
    """Something is missing on this machine that is needed to compile; the message names it."""


def _sources() -> ModuleType:
    """The module ``core/kernels/sources.py``, without its package, which needs numpy."""
    spec = importlib.util.spec_from_file_location("kernel_sources", ROOT / "core" / "kernels" / "sources.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SOURCES = _sources()


def key() -> str:
    """Return a digest of the kernels and of what compiles them."""
    own = [Path(__file__), *(ROOT / "scripts" / f"{name}.py" for name in ("kernel_types", "translate_kernels"))]
    texts = [SOURCES.digest(), *(path.read_text(encoding="utf-8") for path in own)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def to_c(folder: Path) -> Path:
    """Translate the kernels to one file in C.

    Raises
    ------
    KernelError
        If a kernel contains what cannot be translated.
    BuildError
        If Cython refuses it.
    """
    source = folder / f"{SOURCES.MODULE}.pyx"
    text = Translation(SOURCES.kernel_files(), SOURCES.constant_file(), SOURCES.digest()).text()
    source.write_text(text, encoding="utf-8")
    if importlib.util.find_spec("Cython") is None:
        raise NoCompilerError("Cython is not installed: pip install cython")
    run([sys.executable, "-m", "cython", "-3", source.name], folder)
    return source.with_suffix(".c")


def headers() -> Path:
    """Return the folder with Python.h."""
    for name in ("include", "platinclude"):
        folder = Path(sysconfig.get_paths()[name])
        if (folder / "Python.h").is_file():
            return folder
    raise NoCompilerError(f"the headers of Python are not in {sysconfig.get_paths()['include']}")


def own_compiler() -> list[str] | None:
    """Return the command of the C compiler of this machine: $CC, or what there is; None if there is none."""
    for command in (os.environ.get("CC", ""), sysconfig.get_config_var("CC") or "", "cc", "gcc", "clang"):
        words = shlex.split(command)[:1]
        # On Windows the name of the module and the options of compilers are others; ziglang does it there.
        if words and sys.platform != "win32" and shutil.which(words[0]):
            return words
    return None


def zig() -> list[str]:
    """Return the command of ziglang's C compiler, which is installed if need be."""
    if importlib.util.find_spec("ziglang") is None:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "ziglang"]
        try:
            run(pip, ROOT)
        except BuildError as error:
            raise NoCompilerError(f"there is no C compiler, and ziglang cannot be installed: {error}") from None
    return [sys.executable, "-m", "ziglang", "cc"]


def run(command: list[str], folder: Path) -> None:
    """Run a program; raises `BuildError` with what it says if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(command[:4])} ...\n{(done.stdout + done.stderr).strip()}")


def compiled_for(platform: str, folder: Path) -> Path:
    """Compile the kernels for a platform into a folder, and return the path of the module.

    Raises
    ------
    KernelError, BuildError
    """
    target = TARGETS[platform]
    folder.mkdir(parents=True, exist_ok=True)
    source = to_c(folder)
    command = [*zig(), "-target", target.name, *FLAGS, *LIMITED_API]
    if platform.startswith("windows"):
        return _compiled_for_windows(platform, source, command)
    path = folder / f"{SOURCES.MODULE}.abi3.so"
    shared = ["-undefined", "dynamic_lookup"] if platform.startswith("macos") else []
    run([*command, "-shared", "-fPIC", "-s", f"-I{headers()}", source.name, *shared, "-o", path.name], folder)
    return path


def _compiled_for_windows(platform: str, source: Path, command: list[str]) -> Path:
    """Compile with an import library of python3.dll, which is made from the names that the object file asks for."""
    folder, name = source.parent, SOURCES.MODULE
    shutil.copytree(headers(), folder / "include", dirs_exist_ok=True)
    (folder / "include" / "pyconfig.h").write_text(_WINDOWS_CONFIGURATION, encoding="utf-8")
    run([*command, "-c", "-Iinclude", source.name, "-o", f"{name}.o"], folder)
    asked = re.findall(rb"\0(?:__imp_)?(_?Py[A-Za-z0-9_]+)(?=\0)", (folder / f"{name}.o").read_bytes())
    names = sorted({each.decode() for each in asked} - {f"PyInit_{name}"})
    (folder / "python3.def").write_text("\n".join(['LIBRARY "python3.dll"', "EXPORTS", *names, ""]), encoding="utf-8")
    machine = "arm64" if platform.endswith("arm64") else "i386:x86-64"
    run([*zig()[:-1], "dlltool", "-d", "python3.def", "-l", "python3.lib", "-m", machine], folder)
    path = folder / f"{name}.pyd"
    run([*command, "-shared", "-s", f"{name}.o", "python3.lib", "-o", path.name], folder)
    return path


def _compiled_here(folder: Path) -> Path:
    """Compile the kernels for this machine."""
    compiler, platform = own_compiler(), this_platform()
    if compiler is None and platform not in TARGETS:
        raise NoCompilerError(f"there is no C compiler on {platform}")
    if compiler is None:
        return compiled_for(platform, folder)
    source, path = to_c(folder), folder / f"{SOURCES.MODULE}.abi3.so"
    shared = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared", "-s"]
    command = [*compiler, *FLAGS, *LIMITED_API, *shared, "-fPIC", f"-I{headers()}", source.name, "-o", path.name]
    run(command, folder)
    return path


def build(folder: Path = FOLDER) -> Path:
    """Compile the kernels for this machine, and return the path of the module; leave it alone if it is up to date.

    Raises
    ------
    KernelError, BuildError
    """
    stamp, wanted = folder / "stamp", key()
    found = [*folder.glob(f"{SOURCES.MODULE}.*")]
    if found and stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return found[0]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        made = _compiled_here(Path(temporary))
        path = folder / made.name
        # As a whole, since other processes may be loading the module.
        os.replace(made, path)
    stamp.write_text(wanted, encoding="utf-8")
    return path


def main() -> None:
    """Build what the arguments ask for."""
    argparse.ArgumentParser(description="Compile the kernels.").parse_args()
    try:
        build()
    except NoCompilerError as error:
        print(f"The kernels are not compiled, and will be interpreted: {error}")
    except (BuildError, KernelError) as error:
        sys.exit(f"error: the kernels cannot be compiled: {error}")


if __name__ == "__main__":
    main()
