# SPDX-License-Identifier: GPL-3.0-or-later
"""Take pictures of reports in a browser: of a warehouse, a walk, a room, and the rooms of a building."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .places import IMAGES, Missing, build_scenes, check, run
from .table import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# The folder of a project is shown as this one; the true one is another each time.
PROJECT = "/projects/tower"
# A picture that begins with a heading has no more room above it than beside it.
STYLE = "<style>main { padding-top: 24px; } h2:first-child { margin-top: 0; }</style>\n"


def take(pages: list[Page]) -> Iterator[Path]:
    """Take these pictures, in all their languages."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise Missing("pictures of reports need Chromium on PATH: apt-get install chromium fonts-noto-cjk")
    with tempfile.TemporaryDirectory(prefix="pages-") as scratch:
        reports: dict[tuple[str, str], Path] = {}
        for page in pages:
            for image, language in zip(page.images, page.languages, strict=True):
                key = page.report, language
                if key not in reports:
                    reports[key] = REPORTS[page.report](Path(scratch), language[:2])
                yield show(browser, reports[key], page, IMAGES / image)


def of_warehouse(folder: Path, _language: str) -> Path:
    """Make the report of the example scene."""
    return checked(build_scenes(folder, {"warehouse"}) / "warehouse.blend", folder / "warehouse.html")


def of_walk(folder: Path, _language: str) -> Path:
    """Make the report of a character that walks in a hall with a mezzanine."""
    report = folder / "walk.html"
    check(build_scenes(folder, {"walk"}) / "walk.blend", "--output", report, command="probe")
    return report


def of_room(folder: Path, language: str) -> Path:
    """Make the report of a room."""
    room = next(rooms(folder, language).glob("*.blend"))
    return checked(room, folder / language / "room.html")


def of_rooms(folder: Path, language: str) -> Path:
    """Make the index of all rooms."""
    place = rooms(folder, language) / "rooms"
    index = checked(place, folder / language / "index.html")
    text = index.read_text(encoding="utf-8")
    index.write_text(text.replace(str(place.resolve()), PROJECT), encoding="utf-8")
    return index


REPORTS = {make.__name__: make for make in (of_warehouse, of_walk, of_room, of_rooms)}


def rooms(folder: Path, language: str) -> Path:
    """Return the folder with the rooms, which are built once."""
    place = folder / language
    if not place.exists():
        run([sys.executable, Path(__file__).with_name("rooms.py"), place, language])
    return place


def checked(scene: Path, report: Path) -> Path:
    """Have the command line write the report of a file or a folder."""
    check(scene, "--output", report)
    return report


def show(browser: str, report: Path, page: Page, picture: Path) -> Path:
    """Have the browser take a picture of a report from its heading on, as far as the window goes."""
    text = report.read_text(encoding="utf-8")
    if page.heading:
        before, _, rest = text.partition("<main>\n")
        text = f"{before}{STYLE}<main>\n{rest[rest.index(f'<h2>{page.heading}</h2>') :]}"
    shown, shot = report.with_name("shown.html"), report.with_name("shown.png")
    shown.write_text(text, encoding="utf-8")
    options = ["--headless", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")  # it has none for root
    options += [f"--user-data-dir={report.with_name('profile')}", f"--window-size={page.size[0]},{page.size[1]}"]
    run([browser, *options, f"--screenshot={shot}", shown.as_uri()])
    shutil.move(shot, picture)
    return picture
