# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats that a report may be in."""

# Which format a file is in, by its ending.
ENDINGS = {".txt": "text", ".json": "json", ".xml": "junit", ".html": "html", ".htm": "html"}
FORMATS = ("text", "json", "junit", "html")

# Pictures take some seconds each, and a hundred kilobytes: of this many of the worst pairs there is one.
MOST_PICTURES = 8
