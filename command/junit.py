# SPDX-License-Identifier: GPL-3.0-or-later
"""The project report as JUnit XML: the test suites of all files, and an error for each file that was not checked."""

from xml.etree import ElementTree

from ..addon.system.characters import printable
from .one_file import CHECKED, JUNIT, SUITE_COUNTS, Checked
from .run import Run


def as_junit(run: Run) -> str:
    """Return the report as one XML document, ending in a newline."""
    root = ElementTree.Element("testsuites", {"name": "Collision Kit", "time": "0"})
    for entry in run.entries.values():
        suites = _suites(entry.checked)
        for suite in suites:
            # Build servers treat a dot as the end of a package name.
            name = printable(entry.checked.path).replace(".", "_")
            for element in (suite, *suite.iter("testcase")):
                element.set("name" if element is suite else "classname", name)
        root.extend(suites)
    for count in SUITE_COUNTS:
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suites(checked: Checked) -> list[ElementTree.Element]:
    written = checked.parts.get(JUNIT)
    if written:
        # Written by Collision Kit itself, so it declares no entities.
        suites = list(ElementTree.fromstring(written))
        if checked.outcome in CHECKED or any(suite.get("errors", "0") != "0" for suite in suites):
            return suites
    suite = ElementTree.Element(
        "testsuite", {"tests": "1", "failures": "0", "errors": "1", "skipped": "0", "time": "0"}
    )
    case = ElementTree.SubElement(suite, "testcase", {"name": "the file", "time": "0"})
    message = printable(checked.message)
    ElementTree.SubElement(case, "error", {"message": message, "type": checked.outcome}).text = message
    return [suite]
