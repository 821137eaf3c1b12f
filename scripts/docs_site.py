# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks of MkDocs: pages of the reference, pages of the root of the tree, and sources that pages link to.

It is an extension of Griffe, too, which reads the docstrings of the reference.
"""

import ast
import posixpath
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parents[1]
# A folder with nothing but the package in it, for mkdocstrings to read.
PACKAGE = ROOT / "build" / "docs" / "collision_kit"

# The pages of files that are not in docs/. The README of a forge is the start page here.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
ADDED = {name: page for name, page in PAGES.items() if page != "index.md"}

# The reference: page, title, the file whose `__all__` is public, and the packages of `core` that it shows.
REFERENCE: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("shapes", "Shapes", "core/public.py", ("shapes",)),
    ("queries", "Queries", "core/public.py", ("query", "results", "constants", "numerics", "narrow_phase", "rays")),
    ("motion", "Motion", "core/public.py", ("continuous", "persistent_contacts")),
    ("worlds", "Worlds and broad phase", "core/public.py", ("world", "broad_phase")),
    ("walking", "Walking", "core/public.py", ("walking",)),
    ("geometry", "Geometry", "core/public.py", ("hull", "convex", "convexity", "geometry")),
    ("frustum", "Frustum", "core/public.py", ("frustum",)),
    ("planar", "The plane", "core/planar/__init__.py", ()),
    ("fit", "Fitting", "core/fit/__init__.py", ()),
    ("api", "Functions for scripts", "addon/api/__init__.py", ()),
)
# How a program imports what a file makes public.
IMPORT = {
    "core/public.py": "import collision_kit.core as ck",
    "core/planar/__init__.py": "import collision_kit.core.planar as planar",
    "core/fit/__init__.py": "from collision_kit.core import fit",
    "addon/api/__init__.py": "from collision_kit import api",
}
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
# The dash before the description of a parameter, where its type says enough.
_DASH = re.compile(r"\s+–\s*<div class=\"doc-md-description\">\s*</div>")
# The first lines of pages that a search does not find.
UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
# An example of a docstring that does not show what it prints.
_LITERAL = re.compile(r"^::\n\n((?: {4}.*\n?|\n)+)", re.MULTILINE)


def public_names(file: str) -> dict[str, str]:
    """Return where each name of a file's `__all__` is from, as the file's imports say; modules are left out.

    The file is not executed: that of the add-on needs Blender.
    """
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    package = ("collision_kit", *Path(file).parent.parts)
    found, listed = {}, []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level and node.module:
            module = ".".join([*package[: len(package) - node.level + 1], node.module])
            found |= {name.asname or name.name: f"{module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            listed = ast.literal_eval(node.value)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            found |= {name.id: ".".join([*package, name.id]) for name in names}
    return {name: found[name] for name in listed if name in found}


def reference_pages() -> Iterator[tuple[str, str]]:
    """The path and the text of each page of the reference.

    Raises
    ------
    PluginError
        If a public name is on no page.
    """
    taken: dict[str, set[str]] = defaultdict(set)
    place: dict[str, str] = {}
    for page, title, file, packages in REFERENCE:
        names = public_names(file)
        shown = {name: path for name, path in names.items() if not packages or path.split(".")[2] in packages}
        taken[file] |= {*shown}
        functions = sorted(name for name in shown if name[0].islower())
        types = sorted(name for name in shown if not name[0].islower())
        text = [f"# {title}", f"```python\n{IMPORT[file]}\n```"]
        for heading, group in (("Functions", functions), ("Types", types)):
            if group:
                text += [f"## {heading}", *(_entry(shown[name], page, place) for name in group)]
        yield f"reference/{page}.md", "\n\n".join(text) + "\n"
    for file, names in taken.items():
        if missing := set(public_names(file)) - names:
            raise PluginError(f"{file}: on no page of the reference: {', '.join(sorted(missing))}")


def _entry(path: str, page: str, place: dict[str, str]) -> str:
    """The entry of a name on a page: its documentation, or a link to the page that has it."""
    if place.setdefault(path, page) == page:
        return f"::: {path}"
    return f"### {path.rpartition('.')[2]}\n\n[The same as there]({place[path]}.md#{path})."


def target_of(page: str, link: str) -> str | None:
    """The file of the tree, as a path below its root, that a link of a page in docs/ leads to; None: in docs/."""
    if re.match(r"[a-z]+:", link):
        return None
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link))
    return None if path.startswith("docs/") else path


def address(path: str) -> str:
    """The page that shows a file of the tree."""
    return PAGES.get(path) or f"source/{path}.md"


def relinked(text: str, page: str) -> str:
    """The text of a page in docs/ with its links to other files of the tree leading to pages of the site."""

    def changed(match: re.Match[str]) -> str:
        path = target_of(page, match[2])
        if path is None:
            return match[0]
        return match[1] + posixpath.relpath(address(path), posixpath.dirname(page) or ".") + match[3]

    return _LINK.sub(changed, text)


def on_config(config: Any) -> Any:
    """Make the folder with the package: mkdocstrings would read the whole tree, with what is built in it.

    `core` loads its names when they are first used, which cannot be read from its source: here it has none of its own.
    """
    (PACKAGE / "core").mkdir(parents=True, exist_ok=True)
    for path in (
        ROOT / "__init__.py",
        ROOT / "_version.py",
        ROOT / "command",
        ROOT / "addon",
        *(ROOT / "core").iterdir(),
    ):
        link = PACKAGE / path.relative_to(ROOT)
        if path != ROOT / "core" / "__init__.py" and not link.is_symlink():
            link.symlink_to(path)
    (PACKAGE / "core" / "__init__.py").write_text('"""The collision library."""\n', encoding="utf-8")
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not in docs/."""
    added = dict(reference_pages())
    for name, page in ADDED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        # From the root to docs/ and out of it: links are as those of a page in docs/.
        added[page] = _LINK.sub(lambda match: match[1] + _from_root(match[2]) + match[3], text)
    texts = {file.src_uri: file.content_string for file in files if file.src_uri.endswith(".md")} | added
    for page, text in texts.items():
        for _, link, _ in _LINK.findall(text):
            path = target_of(page, link)
            if path and path not in PAGES and (ROOT / path).is_file():
                language = {".py": "python", ".toml": "toml", ".yml": "yaml"}.get(Path(path).suffix, "text")
                source = (ROOT / path).read_text(encoding="utf-8")
                added[address(path)] = f"{UNSEARCHED}# {path}\n\n````{language}\n{source}````\n"
    for page, text in added.items():
        shown = InclusionLevel.NOT_IN_NAV if page.startswith("source/") else InclusionLevel.UNDEFINED
        files.append(File.generated(config, page, content=text, inclusion=shown))
    return files


def _from_root(link: str) -> str:
    if re.match(r"[a-z]+:", link):
        return link
    return link.removeprefix("docs/") if link.startswith("docs/") else f"../{link}"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Make links to files outside docs/ lead to their pages."""
    return relinked(markdown, page.file.src_uri)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Leave out dashes with nothing behind them."""
    return _DASH.sub("", html) if page.file.src_uri.startswith("reference/") else html


def on_page_context(context: Any, page: Any, config: Any, nav: Any) -> Any:
    """Let what surrounds a page be in the language of the page."""
    config.theme["language"] = "ko" if page.file.src_uri.startswith("ko/") else "en"
    return context


class Examples(griffe.Extension):
    """Shows the examples of docstrings as Python."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Make a block of Markdown of each literal block."""
        if obj.docstring:
            text = obj.docstring.value + "\n"
            obj.docstring.value = _LITERAL.sub(lambda match: _as_python(match[1]), text).rstrip("\n")


def _as_python(code: str) -> str:
    return f"```python\n{textwrap.dedent(code).strip()}\n```\n"
