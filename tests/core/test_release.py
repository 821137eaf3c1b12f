# SPDX-License-Identifier: GPL-3.0-or-later
"""A release has the notes of its version, and is refused where the files do not agree."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import collision_kit

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / "scripts" / "release.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHANGES = """# Changelog

## [Unreleased]

### Added

- new

## [0.2.0] - 2026-12-01

- second

## [0.1.0]

- first
"""


def test_notes_are_the_section_of_the_version(release: ModuleType) -> None:
    assert release.notes("0.2.0", CHANGES, tagged=True) == "- second\n"
    assert release.notes("0.1.0", CHANGES, tagged=False) == "- first\n"
    assert release.notes("0.3.0", CHANGES, tagged=False) == "### Added\n\n- new\n"
    with pytest.raises(release.ReleaseError, match=r"no section ## \[0\.3\.0\]"):
        release.notes("0.3.0", CHANGES, tagged=True)


def test_the_changelog_has_notes_for_this_version(release: ModuleType) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(release.notes(release.version(), changelog, tagged=False)) > 100


def test_all_files_must_agree_on_the_version(
    release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert release.version() == collision_kit.__version__
    for name in ("_version.py", "blender_manifest.toml", "CITATION.cff"):
        text = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace(collision_kit.__version__, "9.9.9"), encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert release.version() == "9.9.9"
    (tmp_path / "CITATION.cff").write_text("version: 1.2.3\n", encoding="utf-8")
    with pytest.raises(release.ReleaseError, match=r"1\.2\.3 in CITATION\.cff"):
        release.version()


def test_a_tag_names_the_version(release: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(release.ReleaseError, match=f"must be v{collision_kit.__version__}"):
        release.make(tmp_path / "out", "v99")
    assert not (tmp_path / "out").exists()


def test_the_pythons_that_are_found_are_those(release: ModuleType) -> None:
    for name, python in release.pythons().items():
        assert release.run(python, "--version").startswith(f"Python {name}.")
