# SPDX-License-Identifier: GPL-3.0-or-later
"""No module of the add-on needs one that needs it, not even through imports inside functions."""

from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from tests.core.test_layering import ROOT, imports, sources


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def needs(path: Path, modules: set[str]) -> Iterator[str]:
    """The modules of the add-on that a file imports; of `from a import b`, `b` if that is one and else `a`."""
    for _, name in imports(path):
        while name and name not in modules:
            name = name.rpartition(".")[0]
        if name and name != module_name(path):
            yield name


def test_modules_of_the_add_on_make_no_circle() -> None:
    paths = {module_name(path): path for path in sources("addon")}
    # That a package is imported with its modules is no need of theirs.
    graph = {name: set(needs(path, set(paths))) - {"addon"} for name, path in paths.items()}
    assert sum(map(len, graph.values())) > len(graph), "imports are found"
    TopologicalSorter(graph).prepare()
