# SPDX-License-Identifier: GPL-3.0-or-later
"""A report with names that are difficult for the formats, and readers of JUnit and HTML."""

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

from collision_kit.addon.model.report import Issue, Report, Skipped
from collision_kit.core import Verdict
from tests.helpers.blender.results_scene import pair, report

# Parts of names that have a meaning in some format, or that some format cannot represent.
NASTY = [
    "<script>alert('x')</script>",
    "A & B > C \"quoted\" 'too'",
    "]]> --> ]]>",
    "bell \a, escape \x1b, null \0",
    "\ud800 half a pair",
    "\N{RIGHT-TO-LEFT OVERRIDE}txt.exe",
    "크레이트 🧱 Ünïcode",
    "</td></tr></table>",
    "{braces} %s \\n",
    "not a character \ufffe",
]


def nasty_report() -> Report:
    """A report with a name of each type, and a pair with each verdict."""
    pairs = [
        pair(0, 1, -0.5, Verdict.CONTAINED),
        pair(2, 3, -0.25),
        pair(4, 5, -0.125),
        pair(6, 7, 0.0, Verdict.TOUCHING),
        pair(8, 9, 0.1, Verdict.WITHIN_CLEARANCE),
    ]
    found = report(NASTY, pairs)
    shapes = tuple(shape_of(index, name) for index, name in enumerate(NASTY))
    issues = (Issue("bad", "error", NASTY[0], NASTY[1]), Issue("odd", "warning", NASTY[2], NASTY[3]))
    changes = {
        "shapes": shapes,
        "issues": issues,
        "skipped": (Skipped(NASTY[7], NASTY[2]),),
        "file": "/a<b/c.d.blend",
    }
    return Report(**{**vars(found), **changes})


def shape_of(index: int, name: str) -> object:
    from collision_kit.addon.model.report import Shape

    return Shape(name, index, "box", "empty")


ALLOWED = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time"},
        {"name", "tests", "failures", "errors"},
        {"properties", "testcase"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": ({"name", "classname", "time"}, {"name"}, {"failure", "error", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set(), set()),
    "error": ({"message", "type"}, set(), set()),
    "skipped": ({"message", "type"}, set(), set()),
    "system-out": (set(), set(), set()),
}


TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?")


def assert_follows_the_schema(element: ElementTree.Element) -> None:
    attributes, required, children = ALLOWED[element.tag]
    assert required <= set(element.attrib) <= attributes, element.tag
    assert TIME.fullmatch(element.get("time", "0"))
    for child in element:
        assert child.tag in children, (element.tag, child.tag)
        assert_follows_the_schema(child)


def suite_of(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    assert_follows_the_schema(root)
    (suite,) = root
    cases = suite.findall("testcase")
    totals = {
        "tests": len(cases),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
    }
    for name, count in totals.items():
        assert root.get(name) == suite.get(name) == str(count)
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    return suite


def outcomes(suite: ElementTree.Element) -> list[str]:
    kinds = ("failure", "error", "skipped")
    return [next((child.tag for child in case if child.tag in kinds), "passed") for case in suite.findall("testcase")]


class Page(HTMLParser):
    """The page as a browser reads it: elements, attributes and text."""

    VOID = frozenset({"meta", "img", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]
