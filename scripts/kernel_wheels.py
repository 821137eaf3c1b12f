# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels of the compiled kernels that go into the extension zips: for each platform of the manifest, from one machine.

``python scripts/kernel_wheels.py [PLATFORM ...]`` writes them to ``build/kernels/wheels`` and prints their paths: by
default all. ``ziglang``, a C compiler from the package index, compiles for other systems, and is installed if need be.
"""

import argparse
import base64
import hashlib
import re
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import build_kernels  # noqa: E402
from scripts.build_kernels import SOURCES, TARGETS, BuildError, compiled_for  # noqa: E402
from scripts.translate_kernels import KernelError  # noqa: E402

FOLDER = build_kernels.FOLDER / "wheels"
PYTHON_TAG = "cp311-abi3"


def wheel(platform: str | None = None, output: Path = FOLDER) -> Path:
    """Make the wheel of a platform, unless it is there, and return its path.

    Parameters
    ----------
    platform : str, optional
        As Blender calls it, such as ``linux-x64``. By default this one: the module is that of this clone.
    output : Path
        The folder.

    Raises
    ------
    KernelError, BuildError
    """
    tag = re.sub(r"[-.]", "_", sysconfig.get_platform()) if platform is None else TARGETS[platform].tag
    path = output / f"{SOURCES.MODULE}-{version()}-{PYTHON_TAG}-{tag}.whl"
    if not path.is_file():
        output.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
            module = build_kernels.build() if platform is None else compiled_for(platform, Path(folder))
            _pack(module, tag, path)
    return path


def version() -> str:
    """Return the version of the package and a part of the key of the kernels: Blender replaces a wheel of another."""
    found = re.search(r'^__version__ = "(.*)"$', (ROOT / "_version.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return f"{found[1]}+{build_kernels.key()[:12]}"


def _pack(module: Path, tag: str, path: Path) -> None:
    """Make a wheel of a module."""
    known = version()
    information = f"{SOURCES.MODULE}-{known}.dist-info"
    made = "Wheel-Version: 1.0\nGenerator: collision-kit\nRoot-Is-Purelib: false\n"
    made += "".join(f"Tag: {PYTHON_TAG}-{each}\n" for each in tag.split("."))
    about = f"Metadata-Version: 2.1\nName: {SOURCES.MODULE.replace('_', '-')}\nVersion: {known}\n"
    about += "Summary: The compiled kernels of Collision Kit\nLicense: GPL-3.0-or-later\nRequires-Python: >=3.11\n"
    files = {
        module.name: module.read_bytes(),
        f"{information}/METADATA": about.encode(),
        f"{information}/WHEEL": made.encode(),
        f"{information}/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    lines = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{information}/RECORD"] = "\n".join([*lines, f"{information}/RECORD,,", ""]).encode()
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as archive:
        for name, content in files.items():
            # The same bytes make the same wheel.
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    part.replace(path)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def main() -> None:
    """Make the wheels that the arguments ask for."""
    parser = argparse.ArgumentParser(description="Make wheels of the compiled kernels.")
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", choices=[[], *TARGETS], help=", ".join(TARGETS))
    try:
        for platform in parser.parse_args().platforms or TARGETS:
            print(wheel(platform), flush=True)
    except (BuildError, KernelError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
