# SPDX-License-Identifier: GPL-3.0-or-later
"""The report's sentences in the language of the interface.

The report is plain English, the same in every file; its sentences hold names and numbers, so they are looked
up by their pattern. `{phrase}` stands for another phrase or a word of Blender's interface, other braces for
what stays as it is.
"""

import re
from functools import cache

from .language import label_
from .translations.gltf import PHRASES as GLTF_PHRASES
from .translations.motion import PHRASES as MOTION_PHRASES
from .translations.planar import PHRASES as PLANAR_PHRASES
from .translations.settings import PHRASES as SETTINGS_PHRASES
from .translations.validation import PHRASES as VALIDATION_PHRASES

# English and Korean.
PHRASES = {
    # The kinds of shapes
    "box": "박스",
    "sphere": "구체",
    "capsule": "캡슐",
    "cylinder": "원기둥",
    "cone": "원뿔",
    "hull": "볼록 껍질",
    "convex hull": "볼록 껍질",
    "half-space": "반공간",
    # Why an object has its shape
    "setting": "설정",
    "rigid body": "강체",
    "name {prefix}_": "이름 {prefix}_",
    "convex mesh": "볼록한 메쉬",
    "mesh": "메쉬",
    "mesh, its hull": "메쉬의 볼록 껍질",
    "empty": "엠프티",
    # Why an object was not tested
    "it is {phrase}": "{phrase}",
    "disabled in viewports": "뷰포트에서 비활성화되어 있습니다",
    "hidden in the viewport": "뷰포트에서 숨겨져 있습니다",
    "in a hidden collection": "숨긴 컬렉션에 있습니다",
    "hidden": "숨겨져 있습니다",
    "not shown itself, only what it instances": "자신은 보이지 않고 인스턴스만 보입니다",
    "disabled in viewports in the instanced collection {name}": (
        "인스턴스로 쓰인 컬렉션 {name}에서 비활성화되어 있습니다"
    ),
    "hidden in the instanced collection {name}": "인스턴스로 쓰인 컬렉션 {name}에서 숨겨져 있습니다",
    "not in the view layer {name}: its collection is excluded or not in the scene": (
        "뷰 레이어 {name}에 없습니다. 컬렉션이 제외되었거나 씬에 없습니다"
    ),
    "its collision shape is set to nothing": "충돌 모양이 없음으로 설정되어 있습니다",
    "an empty shown as {phrase} has no shape": "{phrase}(으)로 표시되는 엠프티에는 모양이 없습니다",
    "an object of type {phrase} has no surface to test": ("{phrase} 유형의 오브젝트에는 검사할 표면이 없습니다"),
    "a compound rigid body has the shapes of its children, and no child here has one": (
        "복합 강체는 자식들의 모양을 쓰는데, 여기에는 모양이 있는 자식이 없습니다"
    ),
    "it has no vertices": "버텍스가 없습니다",
    "this curve has no surface": "이 커브에는 표면이 없습니다",
    "its mesh has no faces": "메쉬에 페이스가 없습니다",
    "it is a Boolean operand that is displayed as wire": "와이어로 표시되는 불리언 피연산자입니다",
    "it is a Boolean operand that is displayed as bounds": "경계로 표시되는 불리언 피연산자입니다",
    "it is a Boolean operand that is not rendered": "렌더링되지 않는 불리언 피연산자입니다",
    "it adds to the surface of another metaball, which is tested with it": (
        "다른 메타볼의 표면에 더해져 그것과 함께 검사됩니다"
    ),
    "none of its colliders could be tested": "검사할 수 있는 충돌체가 하나도 없습니다",
    # Findings
    "Its location, rotation or scale is infinite or not a number; it was not tested.": (
        "위치, 회전 또는 축척이 무한대이거나 숫자가 아니어서 검사하지 않았습니다."
    ),
    "A vertex of it is at an infinite place or at none (not a number); it was not tested.": (
        "버텍스의 좌표가 무한대이거나 숫자가 아니어서 검사하지 않았습니다."
    ),
    "It is scaled to nothing, so its XY plane bounds no half-space; it was not tested.": (
        "축척이 0이어서 XY 평면이 반공간을 이루지 못하므로 검사하지 않았습니다."
    ),
    "It has vertices but no faces; the convex hull of its vertices was tested.": (
        "버텍스만 있고 페이스가 없어 버텍스의 볼록 껍질로 검사했습니다."
    ),
    "It is scaled to nothing along at least one direction; its flat hull was tested.": (
        "적어도 한 방향의 축척이 0이어서 납작한 볼록 껍질로 검사했습니다."
    ),
    "Its name says capsule (UCP_), but its vertices are more than 5 % off one; "
    "the capsule between its two farthest vertices was tested, as Unreal would make it.": (
        "이름은 캡슐(UCP_)이지만 버텍스가 캡슐에서 5 % 넘게 벗어납니다. "
        "언리얼이 만드는 대로 가장 먼 두 버텍스 사이의 캡슐로 검사했습니다."
    ),
    "Its scale is not the same in every direction, which makes its sphere an ellipsoid; it was not tested.": (
        "축척이 방향마다 달라 구체가 타원체가 되므로 검사하지 않았습니다."
    ),
    "Its matrix is sheared (a parent scaled unevenly), so its box has no right angles; its convex hull was tested.": (
        "부모의 축척이 고르지 않아 행렬이 기울어졌으므로 박스가 직각이 아닙니다. 볼록 껍질로 검사했습니다."
    ),
    "Its scale is not the same in every direction, so it is no {phrase} any more; its convex hull was tested.": (
        "축척이 방향마다 달라 더는 {phrase} 모양이 아니므로 볼록 껍질로 검사했습니다."
    ),
    "Its name says {phrase} ({prefix}_), but its mesh is none, and Unreal would refuse it; "
    "its convex hull was tested.": (
        "이름은 {phrase}({prefix}_)이지만 메쉬가 그런 모양이 아니어서 언리얼이 거부합니다. 볼록 껍질로 검사했습니다."
    ),
    "It is set to {phrase}, but has no surface to make one of; it was not tested.": (
        "{phrase}(으)로 설정되었지만 그 모양을 만들 표면이 없어 검사하지 않았습니다."
    ),
    "Its rigid body is a cone, which cannot be tested as such yet; the convex hull of its mesh was tested.": (
        "강체가 원뿔 모양인데 아직 그대로는 검사할 수 없어 메쉬의 볼록 껍질로 검사했습니다."
    ),
    "What is linked from {file} for it is not there; it was not tested.": (
        "{file}에서 연결된 데이터를 찾을 수 없어 검사하지 않았습니다."
    ),
    "Its mesh is not closed; it was tested as a surface, which has no inside and no thickness.": (
        "메쉬가 닫혀 있지 않아 안쪽도 두께도 없는 표면으로 검사했습니다."
    ),
    "Blender's simulation puts its {phrase} on its origin, {distance} (before scaling) from the middle of "
    "its mesh; the shape was tested there.": (
        "블렌더 시뮬레이션은 {phrase} 모양을 원점에 두는데, 메쉬의 중심에서 {distance}(축척 적용 전)만큼 "
        "떨어져 있습니다. 그 자리에서 검사했습니다."
    ),
    "Its rigid body has a collision margin of {margin}; the shape was tested without it.": (
        "강체에 충돌 여백 {margin}이(가) 있지만 여백 없이 검사했습니다."
    ),
    "Its name says convex (UCX_), but its mesh is not; {phrase} was tested.": (
        "이름은 볼록(UCX_)이지만 메쉬가 볼록하지 않아 {phrase} 검사했습니다."
    ),
    "its convex hull, with every opening and hollow filled,": "모든 구멍과 오목한 곳을 메운 볼록 껍질로",
    "its convex hull, with every hollow filled,": "오목한 곳을 모두 메운 볼록 껍질로",
    "its convex hull, {factor} times its volume with every hollow filled,": (
        "오목한 곳을 모두 메워 부피가 {factor}배인 볼록 껍질로"
    ),
    "Its name says that it is the collider of {name}, but there is no such object; "
    "it was tested as a body of its own.": (
        "이름으로는 {name}의 충돌체이지만 그런 오브젝트가 없어 따로 떨어진 물체로 검사했습니다."
    ),
    "It was made as a collider, but the object that it was made for is gone; it was tested as a body of its own.": (
        "충돌체로 만들었지만 대상 오브젝트가 없어 따로 떨어진 물체로 검사했습니다."
    ),
    "Its collider is hidden; its own mesh was tested.": "충돌체가 숨겨져 있어 자신의 메쉬로 검사했습니다.",
    "All {total} of its colliders are hidden; its own mesh was tested.": (
        "충돌체 {total}개가 모두 숨겨져 있어 자신의 메쉬로 검사했습니다."
    ),
    "{hidden} of its {total} colliders is hidden; only the others were tested.": (
        "충돌체 {total}개 가운데 {hidden}개가 숨겨져 있어 나머지로만 검사했습니다."
    ),
    "{hidden} of its {total} colliders are hidden; only the others were tested.": (
        "충돌체 {total}개 가운데 {hidden}개가 숨겨져 있어 나머지로만 검사했습니다."
    ),
    "This script was not run because scripts are disabled; it might move objects.": (
        "스크립트가 비활성화되어 이 스크립트를 실행하지 않았습니다. 오브젝트를 움직이는 스크립트일 수 있습니다."
    ),
    "Its Python driver of {path} was not run because scripts are disabled; positions and shapes might be wrong.": (
        "스크립트가 비활성화되어 {path}의 Python 드라이버를 실행하지 않았습니다. 위치와 모양이 다를 수 있습니다."
    ),
    **PLANAR_PHRASES,
    **SETTINGS_PHRASES,
    **GLTF_PHRASES,
    **MOTION_PHRASES,
    **VALIDATION_PHRASES,
}


def translated(sentence: str) -> str:
    """Return a sentence of the report in the interface's language; one that is unknown, as it is."""
    for phrase, pattern in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            parts = {name: translated(part) if name == "phrase" else part for name, part in match.groupdict().items()}
            return label_(phrase, **parts)
    return label_(sentence)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((phrase, re.compile(_pattern(phrase))) for phrase in PHRASES)


def _pattern(phrase: str) -> str:
    """`in {where}` as the regular expression `in (?P<where>.+)`."""
    return "".join(
        f"(?P<{part[1:-1]}>.+)" if part.startswith("{") else re.escape(part)
        for part in re.split(r"(\{[a-z]+\})", phrase)
    )
