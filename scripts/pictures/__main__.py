# SPDX-License-Identifier: GPL-3.0-or-later
"""Take all pictures of the documentation anew, or those that are named.

``python -m scripts.pictures [NAME …]``. A kind of pictures whose programs are missing is left out, which is an error at
the end: a window needs Blender and Xvfb, reports need Chromium, the clip needs a window and ffmpeg.
"""

import argparse
import sys

from tests.gui.start import Failed, NoWindow

from . import clip, pages, renders, window
from .places import ROOT, Missing
from .table import CLIPS, PAGES, RENDERS, TABLE, WINDOW

# What takes which of the pictures, the quickest first.
KINDS = ((pages.take, PAGES), (window.take, WINDOW), (renders.take, RENDERS), (clip.take, CLIPS))


def main() -> int:
    """Take the pictures; return the exit code."""
    parser = argparse.ArgumentParser(prog="make pictures", description="Take pictures of the documentation anew.")
    known = [picture.name for picture in TABLE]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(known)}")
    names = parser.parse_args().names or known
    unknown = sorted(set(names) - set(known))
    if unknown:
        parser.error(f"there is no picture {', '.join(unknown)}; there are {', '.join(known)}")
    code = 0
    for take, table in KINDS:
        wanted = [picture for picture in table if picture.name in names]
        try:
            for path in take(wanted) if wanted else ():  # type: ignore[operator]
                print(path.relative_to(ROOT), flush=True)
        except (Missing, NoWindow, Failed) as error:
            print(f"error: {error}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
