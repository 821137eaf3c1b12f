# SPDX-License-Identifier: GPL-3.0-or-later
"""Online Manual: every command and every setting has a page, and the page is there."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.ui import manual, operators
from collision_kit.addon.ui.properties import scene as properties

ROOT = Path(__file__).resolve().parents[2]


def things() -> Iterator[str]:
    """Operators and settings, as Blender calls them when it looks for their pages."""
    for operator in operators.CLASSES:
        yield f"bpy.ops.{operator.bl_idname}"
    for group in properties.CLASSES:
        yield from (f"bpy.types.{group.__name__}.{name}" for name in group.__annotations__)


@pytest.mark.parametrize("thing", list(things()))
def test_everything_has_a_page(thing: str) -> None:
    url = bpy.types.WM_OT_doc_view_manual._lookup_rna_url(thing, verbose=False)
    assert url is not None and url.startswith(manual.WEBSITE)
    page = url.removeprefix(manual.WEBSITE)
    assert page.endswith(".html")
    assert (ROOT / "docs" / page).with_suffix(".md").is_file()


def test_what_is_blenders_stays_blenders() -> None:
    url = bpy.types.WM_OT_doc_view_manual._lookup_rna_url("bpy.ops.object.join", verbose=False)
    assert url.startswith("https://docs.blender.org/")


def test_no_page_is_about_something_that_is_gone() -> None:
    known = {group.__name__.removeprefix("COLLISION_KIT_") for group in properties.CLASSES}
    listed = [name for names in manual.PAGES.values() for name in names]
    assert set(listed) <= known
    assert len(set(listed)) == len(listed)


def test_the_website_is_that_of_the_extension() -> None:
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert manifest["website"] == manual.WEBSITE


def test_the_map_goes_with_the_add_on() -> None:
    assert bpy.utils._manual_map.count(manual.manual_map) == 1
    manual.unregister()
    try:
        assert manual.manual_map not in bpy.utils._manual_map
    finally:
        manual.register()
