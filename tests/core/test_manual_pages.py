# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that *Online Manual* opens are pages of the site."""

import re
import tomllib
from pathlib import Path

from scripts.manual_pages import pages

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"


def test_each_page_is_in_the_documentation_and_in_a_site_that_was_built() -> None:
    assert len(pages()) > 8
    for page in pages():
        assert (ROOT / "docs" / f"{page}.md").is_file()
        assert not SITE.exists() or (SITE / f"{page}.html").is_file(), page
    # Pages are files: `fixes.html`, not `fixes/`.
    assert re.search("^use_directory_urls: false$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_website_is_the_published_site_everywhere() -> None:
    website = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["website"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert website == project["urls"]["Homepage"]
    assert f'WEBSITE = "{website}"' in (ROOT / "addon" / "ui" / "manual.py").read_text(encoding="utf-8")
    # What a workflow publishes is at this address: https://OWNER.github.io/NAME/.
    assert re.fullmatch(r"https://[\w-]+\.github\.io/[\w-]+/", website)
