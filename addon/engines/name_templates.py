# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of colliders from a custom template, such as ``{prefix}_{mesh}_{index}``."""

import re
from string import Formatter

from ..model.errors import UserError
from .kinds import PREFIX_OF
from .levels import level_of

# Fields of a template, each with an example.
FIELDS = {
    "mesh": "Rock_LOD0",
    "base": "Rock",
    "lod": "LOD0",
    "kind": "box",
    "prefix": "UBX",
    "suffix": "convcolonly",
    "engine": "unreal",
    "index": "01",
}

_DIGITS = re.compile(r"0?\d?")


def lod_of(name: str) -> tuple[str, str, int]:
    """Return the name of a render mesh without its level of detail, the level as written, and its number.

    For a name without a level: the name, an empty text, and 0.
    """
    level = level_of(name)
    if level is None or level.after or not level.before.removesuffix("_") or not level.before.endswith("_"):
        return name, "", 0
    return level.before.removesuffix("_"), level.word, level.number


def check_template(template: str) -> None:
    """Raise an error for a template that makes no valid names.

    Raises
    ------
    UserError
        If its braces do not match, it has an unknown field, or it has no field for the render mesh.
    """
    try:
        found = [(name, width or "") for _, name, width, _ in Formatter().parse(template) if name is not None]
    except ValueError:
        raise UserError('Name template "{template}": braces do not match', template=template) from None
    for name, width in found:
        if name not in FIELDS or (width and (name != "index" or not _DIGITS.fullmatch(width))):
            raise UserError(
                'Name template "{template}": there is no field "{field}"; there are {fields}',
                template=template,
                field=f"{name}:{width}" if width else name,
                fields=", ".join(FIELDS),
            )
    if not {"mesh", "base"} & {name for name, _ in found}:
        raise UserError(
            'Name template "{template}" needs {mesh} or {base}', template=template, mesh="{mesh}", base="{base}"
        )


def name_by(template: str, engine: str, kind: str, owner: str, number: int) -> str:
    """Return the name of a collider from a template that `check_template` has accepted.

    Parameters
    ----------
    template : str
    engine, kind, owner : str
        As for `collider_names.Names.take`.
    number : int
        From 1. Without ``{index}``, numbers from 2 on are added at the end.
    """
    base, lod, _ = lod_of(owner)
    values = {
        "mesh": owner,
        "base": base,
        "lod": lod,
        "kind": kind.lower(),
        "prefix": PREFIX_OF.get(kind, ""),
        "suffix": "colonly" if kind == "MESH" else "convcolonly",
        "engine": engine.lower(),
    }
    parts = []
    numbered = False
    for text, field, width, _ in Formatter().parse(template):
        numbered |= field == "index"
        parts += [text, format(number, width or "02d") if field == "index" else values.get(field or "", "")]
    # Without a level of detail, its separator would be doubled or at an end.
    name = "".join(parts)
    if "{lod}" in template and not lod:
        name = re.sub(r"([_.-])[_.-]+", r"\1", name).strip("_.-")
    return name if numbered or number == 1 else f"{name}_{number:02d}"
