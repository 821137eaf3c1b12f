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
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.translate_kernels import KernelError, Translation  # noqa: E402

FOLDER = ROOT / "build" / "kernels"
TIME_LIMIT = 600  # seconds

# Results are the same as those of Python: products and sums are rounded one by one.
FLAGS = ("-O3", "-ffp-contract=off", "-fno-sanitize=undefined", "-w")
LIMITED_API = ("-DPy_LIMITED_API=0x030B0000", "-DCYTHON_LIMITED_API=1")


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
    own = [Path(__file__), ROOT / "scripts" / "translate_kernels.py"]
    texts = [SOURCES.digest(), sys.platform, *(path.read_text(encoding="utf-8") for path in own)]
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


def compiler() -> list[str]:
    """Return the command of a C compiler: $CC, the one of this machine, or ziglang, which is installed if need be."""
    for command in (os.environ.get("CC", ""), sysconfig.get_config_var("CC") or "", "cc", "gcc", "clang"):
        words = shlex.split(command)[:1]
        if words and sys.platform != "win32" and shutil.which(words[0]):
            return words
    return zig()


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


def build(folder: Path = FOLDER) -> Path:
    """Compile the kernels for this machine, and return the path of the module; leave it alone if it is up to date.

    Raises
    ------
    KernelError, BuildError
    """
    path, stamp = folder / f"{SOURCES.MODULE}.abi3.so", folder / "stamp"
    wanted = key()
    if path.is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        source = to_c(Path(temporary))
        shared = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
        command = [*compiler(), *FLAGS, *LIMITED_API, *shared, "-fPIC", f"-I{headers()}", source.name, "-o", path.name]
        run(command, source.parent)
        # As a whole, since other processes may be loading the module.
        os.replace(source.with_name(path.name), path)
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
