# SPDX-License-Identifier: GPL-3.0-or-later
"""Write docs/rules.md: every rule that colliders are validated by, as the code has it.

    python scripts/rule_list.py [FILE]

Needs bpy, as the add-on does. A test compares the file in the tree with what this makes.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

HEAD = """\
# Rules

Generated from `addon/asset_rules` and `addon/engines/rules` by `scripts/rule_list.py`. [Validation](validation.md)
describes how to check them. An id never changes its meaning. "fix" is what *Fix All* does if nothing is lost by it.
Rules with a dash need a decision of the artist.

What the rules of Godot say about names and OMI_physics_shape is tried with the engine itself, Godot 4.6 and 3.2, except
`godot-shared-mesh` and `godot-moving-mesh`. What the other rules say about engines is taken from
[these sources](validation.md#sources), and was not tried.
"""

TITLES = {"any": "Any engine", "unreal": "Unreal", "godot": "Godot", "unity": "Unity", "gltf": "glTF", "usd": "USD"}


def page() -> str:
    """The whole page."""
    from collision_kit.addon.engines.rules import RULES
    from collision_kit.addon.i18n.rule_sentences import FIXED

    parts = [HEAD]
    for engine, title in TITLES.items():
        rows = [
            f"| `{rule.id}` | {rule.severity} | {rule.sentence} | {rule.advice} | {FIXED.get(rule.fix, '—')} |"
            for rule in RULES
            if rule.engine == engine
        ]
        parts.append(f"## {title}\n\n| id | severity | what is wrong | what to do | fix |\n|---|---|---|---|---|")
        parts[-1] += "\n" + "\n".join(rows) + "\n"
    return "\n".join(parts)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "rules.md"
    target.write_text(page(), encoding="utf-8")
