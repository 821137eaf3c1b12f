# SPDX-License-Identifier: GPL-3.0-or-later
"""The generated page shows the matrix as it is, links in the documentation lead somewhere, and its labels exist."""

import importlib.util
import re
from pathlib import Path

import pytest

from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.shapes import UNBOUNDED, Kind
from tests.helpers.us_english import BRITISH

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def script():
    spec = importlib.util.spec_from_file_location("pair_matrix", ROOT / "scripts" / "pair_matrix.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_pairs_is_what_the_code_says():
    assert (ROOT / "docs" / "pairs.md").read_text(encoding="utf-8") == script().page(), (
        "docs/pairs.md is not up to date: run python scripts/pair_matrix.py"
    )


def test_every_pair_has_its_method_on_the_page():
    page = script().page()
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| **")]
    assert len(rows) == len(Kind)
    for first, row in zip(Kind, rows, strict=True):
        for second, cell in zip(Kind, row[1:], strict=True):
            if Kind.COMPOUND in (first, second):
                assert cell.strip() == "parts"
                continue
            pair = PAIRS.get((min(first, second), max(first, second)))
            if pair:
                file = script().method(pair)
                assert cell.strip() == f"[{script().class_of(pair).__name__}](#{file})"
                assert f"\n### {file}\n" in page
            assert (cell.strip() == "—") == (pair is None) == ({first, second} <= {*UNBOUNDED})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target) and not target.startswith("#"):
            assert (page.parent / target.split("#")[0]).exists(), target


def headings(text: str) -> dict[str, str]:
    """The sections of a page: the address of each, which may be given behind its title, and the title."""
    found = {}
    for title, address in re.findall(r"^## (.+?)(?: \{ #([\w-]+) \})?$", text, re.MULTILINE):
        found[address or re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")] = title
    return found


# Sections of the pages for artists that are about Python, proofs and sources.
ENGLISH_ONLY = {
    "coverage.md": {"for-scripts", "in-python"},
    "definitions.md": {"meshes-that-cross-themselves"},
    "motion.md": {"in-python", "how-it-decides"},
    "planar.md": {"shapes", "how-a-pair-is-decided", "regions", "in-blender"},
    "validation.md": {"in-scripts", "sources"},
    "glossary.md": {"words-for-developers"},
}


def artists_pages() -> list[str]:
    """The pages of the path for artists, but the first."""
    path = (
        (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("  - Artists:\n")[2].partition("  - Pipeline:")[0]
    )
    return re.findall(r": (\w+\.md)$", path, re.MULTILINE)


@pytest.mark.parametrize("page", artists_pages())
def test_a_page_for_artists_is_there_in_korean_with_its_sections(page: str) -> None:
    english = headings((ROOT / "docs" / page).read_text(encoding="utf-8"))
    korean = headings((ROOT / "docs" / "ko" / page).read_text(encoding="utf-8"))
    assert {*english} - {*korean} == ENGLISH_ONLY.get(page, set())
    assert {title for title in korean.values() if not re.search("[가-힣]", title)} <= {"USD"}
    assert f"ko/{page}" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_the_korean_start_page_leads_to_all_pages() -> None:
    text = (ROOT / "docs" / "ko" / "index.md").read_text(encoding="utf-8")
    assert len(artists_pages()) > 10
    assert [page for page in artists_pages() if f"]({page})" not in text] == []


def test_the_files_that_contributors_are_told_of_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {word for quoted in re.findall(r"`([^`\n]+)`", text) for word in quoted.split() if "/" in word}
    # Capitals stand for a name to fill in; what begins with a dot or `build` is made by the Makefile.
    paths = {
        word
        for word in named
        if re.fullmatch(r"(?!build/)[a-z][\w./-]*", word) and not re.search(r"\b[A-Z]{4,}\b", word)
    }
    assert len(paths) > 20
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


# Labels of Blender's own that the pages name.
BLENDERS = {
    "Apply",
    "Make Instances Real",
    "Adjust Last Operation",
    "Add-ons",
    "Edit",
    "File",
    "General",
    "Get Extensions",
    "Install from Disk",
    "Install from Disk…",
    "Marker",
    "Mesh",
    "New",
    "Object",
    "Preferences",
    "Select",
    "View",
    "⌄",
}

BLENDERS_IN_KOREAN = {"Get Extensions", "Install from Disk", "일반", "새로운", "파일", "편집", "환경 설정", "오브젝트"}

ARROW = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "


def labels(page: Path) -> list[str]:
    """Return what a page quotes from the interface: the parts of paths and, in the quick start, all that is bold."""
    text = " ".join(page.read_text(encoding="utf-8").split())
    quoted = re.findall(rf"\*([^*]+{ARROW}[^*]+)\*", text)
    if page.stem == "quickstart":
        quoted += re.findall(r"\*\*(.+?)\*\*", text)
    return [part for path in quoted for part in path.split(ARROW)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_quoted_labels_are_those_of_the_interface(page: Path) -> None:
    catalog = (ROOT / "addon" / "i18n" / "ko_KR.po").read_text(encoding="utf-8")
    field, blenders = ("msgstr", BLENDERS_IN_KOREAN) if page.parent.name == "ko" else ("msgid", BLENDERS)
    ours = set(re.findall(rf'^{field} "(.+)"$', catalog, re.MULTILINE))
    assert not set(labels(page)) - ours - blenders


# What scripts may import; everything else is the add-on's own.
PUBLIC = re.compile(r"from (bl_ext\.user_default\.)?collision_kit import api\b|(from|import) collision_kit\.core\b")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_tells_anyone_to_import_what_is_not_public(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    imports = [line.strip() for line in lines if re.match(r"\s*(from|import)\s+\S*collision_kit", line)]
    assert [line for line in imports if not PUBLIC.match(line)] == []
    if page.name != "architecture.md":
        assert [line for line in lines if re.search(r"\baddon\.\w+\.", line)] == []


def test_scripts_import_what_is_public() -> None:
    for path in (ROOT / "examples" / "scripts").glob("*.py"):
        imports = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if "import api" in line]
        assert len(imports) == 2
        assert all(PUBLIC.match(line) for line in imports)


SOURCES = sorted(path for folder in ("addon", "core", "examples", "scripts") for path in (ROOT / folder).rglob("*.py"))


def test_everything_is_spelled_as_in_the_united_states() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (*PAGES, *SOURCES)}
    found = {name: [match[0] for match in BRITISH.finditer(text)] for name, text in texts.items()}
    assert {name: words for name, words in found.items() if words} == {}


def test_the_british_are_found() -> None:
    assert all(BRITISH.search(word) for word in ("colour", "Neighbours", "centre", "metres", "analysed", "recognises"))
    assert not any(BRITISH.search(word) for word in ("color", "entered", "CANCELLED", "optimistic", "analysis"))
