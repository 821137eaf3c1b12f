# SPDX-License-Identifier: GPL-3.0-or-later
"""Collect what a release consists of, and check that it installs and runs.

    python scripts/release.py [--tag vVERSION] [FOLDER]

The zips in build/extension and the site in build/site must be there: `make release` makes them first. FOLDER, by
default build/release, gets the zips, a source distribution, a wheel for each platform, the site, the notes from
CHANGELOG.md, and the SHA-256 sums of all. The wheel of this platform and the source distribution are installed and
used, each in a new environment of each Python, 3.11 to 3.13, that is found. With ``--wheels``, only the wheels in
FOLDER that are for this platform are installed and used, with this Python.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.build_kernels import TARGETS, BuildError, zig  # noqa: E402
from scripts.bundled_wheels import this_platform  # noqa: E402

PYTHONS = ("3.11", "3.12", "3.13")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "__pycache__", "*.egg-info", ".hypothesis", ".*_cache"
)

# Environment variables that would show what is not installed.
HIDDEN = ("PYTHONPATH", "PYTHONHOME", "COLLISION_KIT_KERNELS")

# What the wheel must be able to do with numpy alone.
PROGRAM = """
import collision_kit, collision_kit.core as ck
boxes, balls = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Spheres([[1.5, 0, 0], [4, 0, 0]], [1, 1])
assert ck.distance(boxes, balls).distance.tolist() == [-0.5, 2.0]
from collision_kit.core.kernels.loading import mode
print(collision_kit.__version__, mode)
"""


class ReleaseError(Exception):
    """The release cannot be made; the message says why."""


def version() -> str:
    """Return the version, which all files that name it must agree on."""
    found = {}
    for name, pattern in (
        ("_version.py", r'^__version__ = "(.*)"$'),
        ("blender_manifest.toml", r'^version = "(.*)"$'),
        ("CITATION.cff", r"^version: (.*)$"),
    ):
        match = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        found[name] = match[1] if match else "none"
    if len({*found.values()}) > 1:
        raise ReleaseError("the versions differ: " + ", ".join(f"{one} in {name}" for name, one in found.items()))
    return found["_version.py"]


def notes(release: str, changelog: str, *, tagged: bool) -> str:
    """Return the section of a version in the changelog; without a tag, what is unreleased will do."""
    sections = dict(re.findall(r"^## \[(.+?)\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE))
    text = sections.get(release) or ("" if tagged else sections.get("Unreleased", ""))
    if not text.strip():
        raise ReleaseError(f"CHANGELOG.md has no section ## [{release}]")
    return text.strip() + "\n"


def run(*command: Path | str, cwd: Path = ROOT, **more: str) -> str:
    """Run a program and return what it prints; the package is not found by the path of this one.

    `more` are further environment variables.
    """
    environment = {name: value for name, value in os.environ.items() if name not in HIDDEN} | more
    words = [*map(str, command)]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(words)}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def distributions(folder: Path) -> tuple[Path, dict[str, Path]]:
    """Build the source distribution from a copy of the tree, and the wheel of each platform from that."""
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as temporary:
        copy = Path(temporary) / "tree"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT, symlinks=True)
        code = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
        sdist = folder / run(sys.executable, "-c", code, folder, cwd=copy).splitlines()[-1]
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    try:
        zig()
    except BuildError as error:
        raise ReleaseError(f"{error}") from None
    wheels = {}
    for platform in TARGETS:
        known = {*folder.glob("*.whl")}
        run(*pip, "--wheel-dir", folder, sdist, COLLISION_KIT_PLATFORM=platform)
        (wheels[platform],) = {*folder.glob("*.whl")} - known
    return sdist, wheels


def pythons() -> dict[str, str]:
    """Return the path of each Python in `PYTHONS` that is on PATH or among pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": getattr(sys, "_base_executable", sys.executable)}
    for wanted in PYTHONS:
        for candidate in [f"python{wanted}", *map(str, sorted(pyenv.glob(f"{wanted}.*/bin/python")))]:
            try:
                done = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False)
            except OSError:
                continue
            if done.stdout.startswith(f"Python {wanted}."):
                found.setdefault(wanted, candidate)
    return found


def check_install(package: Path, python: str, release: str) -> None:
    """Install a distribution in a new environment, and use the library and the command there."""
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as temporary:
        folder = Path(temporary)
        run(python, "-m", "venv", folder / "venv", cwd=folder)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package, cwd=folder)
        used = run(programs / "python", "-c", PROGRAM, cwd=folder).strip()
        if used != f"{release} compiled":
            raise ReleaseError(f"{package.name}: {used} was installed, not {release} with compiled kernels")
        if release not in run(programs / "collision-kit", "--version", cwd=folder):
            raise ReleaseError(f"{package.name}: the command says another version than {release}")


def zips(release: str) -> list[Path]:
    """Return the extension's zips of this version, each of which Blender accepts."""
    from scripts.build_extension import ExtensionError, validate

    identifier = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["id"]
    found = sorted((ROOT / "build" / "extension").glob(f"{identifier}-{release}*.zip"))
    if not found:
        raise ReleaseError("no zip of this version in build/extension: run make zip")
    for path in found:
        try:
            validate(path)
        except ExtensionError as error:
            raise ReleaseError(f"{path.name}: {error}") from None
    return found


def make(folder: Path, tag: str | None) -> None:
    """Make the release in `folder`, and print what was made and checked."""
    release = version()
    if tag is not None and tag != f"v{release}":
        raise ReleaseError(f"the tag is {tag}, and the version {release}: the tag must be v{release}")
    text = notes(release, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), tagged=tag is not None)
    site = ROOT / "build" / "site"
    if not (site / "index.html").is_file():
        raise ReleaseError("no site in build/site: run make docs")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in zips(release):
        shutil.copy(path, folder)
    shutil.make_archive(str(folder / f"collision-kit-{release}-site"), "zip", site)
    (folder / "NOTES.md").write_text(text, encoding="utf-8")
    sdist, wheels = distributions(folder)
    known = pythons()
    for package in (wheels[this_platform()], sdist):
        for name, python in sorted(known.items()):
            check_install(package, python, release)
            print(f"{package.name} installs and runs with Python {name}")
    for name in sorted({*PYTHONS} - {*known}):
        print(f"SKIPPED: Python {name} was not found")
    made = sorted(path for path in folder.iterdir() if path.is_file())
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    print(sums, end="")


def try_wheels(folder: Path) -> None:
    """Install and use the wheels that are for this platform, and print which."""
    tags = TARGETS[this_platform()].tag.split(".")
    found = [path for path in sorted(folder.glob("collision_kit-*.whl")) if any(tag in path.name for tag in tags)]
    if not found:
        raise ReleaseError(f"no wheel in {folder} is for {this_platform()}")
    for path in found:
        check_install(path.absolute(), sys.executable, version())
        print(f"{path.name} installs and runs")


def main() -> None:
    """Make what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Collect and check a release.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--tag", help="the tag that is released; without one the notes may be those of Unreleased")
    parser.add_argument("--wheels", action="store_true", help="only try the wheels of this platform in FOLDER")
    given = parser.parse_args()
    try:
        if given.wheels:
            try_wheels(given.folder)
        else:
            make(given.folder.absolute(), given.tag)
    except ReleaseError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
