# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels of CoACD that go into the extension zips: one for each platform that has one, pinned by hash.

They are downloaded from the package index when a zip is built, kept in ``build/wheels`` and never committed.
"""

import hashlib
import platform
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

VERSION = "1.0.14"
CACHE = Path(__file__).resolve().parent.parent / "build" / "wheels"
TIME_LIMIT = 120  # seconds, for a download of at most 3.4 MB


class Wheel(NamedTuple):
    """A file on the package index.

    Attributes
    ----------
    tag : str
        What pip calls the platform.
    name : str
    sha256 : str
    """

    tag: str
    name: str
    sha256: str


# By Blender's names of platforms. There is no wheel for macOS on Intel and for Windows on ARM.
WHEELS: dict[str, Wheel | None] = {
    "linux-arm64": Wheel(
        "manylinux2014_aarch64",
        f"coacd-{VERSION}-cp39-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
        "1242941fc9d49ebcb0368c68f31c86e278b9a6f1a255d11da2f1668797e2626e",
    ),
    "linux-x64": Wheel(
        "manylinux2014_x86_64",
        f"coacd-{VERSION}-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        "6c135b717af096523bbebf1fd8d326e8950c024237fe9806ad46dedd8b4c31f0",
    ),
    "macos-arm64": Wheel(
        "macosx_11_0_arm64",
        f"coacd-{VERSION}-cp39-abi3-macosx_11_0_arm64.whl",
        "4cd9e1f327af766f6364e79e384ebfe152780a3d8dbbd09ce0756ec14f9e1256",
    ),
    "macos-x64": None,
    "windows-arm64": None,
    "windows-x64": Wheel(
        "win_amd64",
        f"coacd-{VERSION}-cp39-abi3-win_amd64.whl",
        "6b548f44d9a4694cde594dc8cc8fefa678fb7c88153583be4e8b2c707de8fbbd",
    ),
}

_SYSTEMS = {"darwin": "macos"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}


class DownloadError(Exception):
    """A wheel cannot be downloaded, or is not the pinned file; the message says which."""


def this_platform() -> str:
    """Blender's name of the platform that this is."""
    system, machine = platform.system().lower(), platform.machine().lower()
    return f"{_SYSTEMS.get(system, system)}-{_MACHINES.get(machine, machine)}"


def wheel_file(wheel: Wheel) -> Path:
    """Return the path of a wheel, which is downloaded if it is not there yet.

    Raises
    ------
    DownloadError
        If the package index cannot be reached, or has another file under this name.
    """
    path = CACHE / wheel.name
    if not _is_pinned(path, wheel):
        CACHE.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        _download(wheel)
    if not _is_pinned(path, wheel):
        raise DownloadError(f"{path} is not the file with the SHA-256 {wheel.sha256}")
    return path


def _is_pinned(path: Path, wheel: Wheel) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == wheel.sha256


def _download(wheel: Wheel) -> None:
    requirement = CACHE / f"{wheel.tag}.txt"
    requirement.write_text(f"coacd=={VERSION} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    # Any Python from 3.9 on is served by the same file.
    which = ["--only-binary", ":all:", "--no-deps", "--platform", wheel.tag, "--python-version", "3.11"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    command = [*pip, *which, "--dest", str(CACHE), "--requirement", str(requirement)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise DownloadError(f"{wheel.name} was not downloaded within {TIME_LIMIT} seconds") from error
    finally:
        requirement.unlink()
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise DownloadError(f"{wheel.name} cannot be downloaded: {' '.join(said[:1])}")
