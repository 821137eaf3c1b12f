# SPDX-License-Identifier: GPL-3.0-or-later
"""Write docs/rules.md and docs/ko/rules.md: every rule that colliders are validated by, as the code has it.

    python scripts/rule_list.py

Needs bpy, as the add-on does. A test compares the files in the tree with what this makes.
"""

from collections.abc import Callable
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

HEAD_IN_KOREAN = """\
# 규칙 목록

`scripts/rule_list.py`가 코드와 한국어 번역에서 만든 목록입니다. 검사하는 방법은 [충돌체 검증](validation.md)에
있습니다. id의 뜻은 바뀌지 않습니다. "고치기"는 잃는 것이 없을 때 *모두 고치기*가 하는 일입니다. 줄표가 있는 규칙은
아티스트가 결정해야 합니다.

고도의 이름과 OMI_physics_shape에 대한 규칙은 `godot-shared-mesh`와 `godot-moving-mesh`를 빼고 고도 4.6과 3.2에서
시험했습니다. 다른 규칙이 엔진에 대해 말하는 것은 [이 자료](../validation.md#sources)(영어)에서 가져왔고, 시험하지
않았습니다.
"""

COLUMNS = ("id", "severity", "what is wrong", "what to do", "fix")
COLUMNS_IN_KOREAN = ("id", "심각도", "잘못된 것", "할 일", "고치기")

TITLES = {"any": "Any engine", "unreal": "Unreal", "godot": "Godot", "unity": "Unity", "gltf": "glTF", "usd": "USD"}
IN_KOREAN = {
    "Any engine": "모든 엔진",
    "Unreal": "언리얼",
    "Godot": "고도",
    "Unity": "유니티",
    "error": "오류",
    "warning": "경고",
    "info": "정보",
}


def page() -> str:
    """The whole page."""
    return _page(HEAD, COLUMNS, str)


def page_in_korean() -> str:
    """The whole page with the translations of the add-on."""
    from collision_kit.addon.i18n.catalogs import catalogs

    known = catalogs()["ko_KR"]
    return _page(HEAD_IN_KOREAN, COLUMNS_IN_KOREAN, lambda text: IN_KOREAN.get(text) or known.get(("*", text)) or text)


def _page(head: str, columns: tuple[str, ...], said: Callable[[str], str]) -> str:
    from collision_kit.addon.engines.rules import RULES
    from collision_kit.addon.i18n.rule_sentences import FIXED

    parts = [head]
    for engine, title in TITLES.items():
        rows = [
            (f"`{rule.id}`", *map(said, (rule.severity, rule.sentence, rule.advice, FIXED.get(rule.fix, "—"))))
            for rule in RULES
            if rule.engine == engine
        ]
        table = [columns, ("---",) * len(columns), *rows]
        address = "" if said(title) == title else f" {{ #{title.lower().replace(' ', '-')} }}"
        parts.append(f"## {said(title)}{address}\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in table))
    return "\n".join(parts)


PAGES = {"rules.md": page, "ko/rules.md": page_in_korean}

if __name__ == "__main__":
    for name, made in PAGES.items():
        (ROOT / "docs" / name).write_text(made(), encoding="utf-8")
