# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about settings of objects, presets and the pie menu, in English and Korean."""

LABELS = {
    # Objects
    "Margin": "여백",
    (
        "The shape is tested as if it were thicker by this on all sides, with round edges: a safety distance, or the "
        "skin that engines put around shapes. It does not grow with the object's scale"
    ): (
        "모양이 모든 쪽으로 이만큼 두껍고 모서리가 둥근 것처럼 검사합니다. 안전거리나 엔진이 모양에 두르는 껍질에 "
        "해당합니다. 오브젝트의 축척에 따라 커지지 않습니다"
    ),
    "Part Of": "소속 바디",
    (
        "This object belongs to the body of that one, and the two are never tested against each other. Of a collider: "
        "the object that it stands for, whatever its name says"
    ): (
        "이 오브젝트는 그 오브젝트의 바디에 속하며 둘은 서로 검사하지 않습니다. 충돌체라면 이름과 관계없이 그것이 "
        "대신하는 오브젝트입니다"
    ),
    "Collision Groups": "충돌 그룹",
    (
        "Give this object groups of its own. Off: it is in group 1 and meets all; two rigid bodies meet where they "
        "share a collision collection, as in Blender's simulation"
    ): (
        "이 오브젝트에 그룹을 따로 정합니다. 끄면 그룹 1에 속하고 모든 그룹과 만납니다. 두 강체는 Blender의 "
        "시뮬레이션에서처럼 충돌 컬렉션을 공유할 때 만납니다"
    ),
    "In Groups": "속한 그룹",
    "The groups that this object is in. Engines call them category or layer": (
        "이 오브젝트가 속한 그룹입니다. 엔진에서는 카테고리나 레이어라고 합니다"
    ),
    "Meets Groups": "만나는 그룹",
    (
        "The groups that this object is tested against. Two objects are tested if each of them is in a group that the "
        "other meets. Engines call it mask"
    ): (
        "이 오브젝트와 검사하는 그룹입니다. 두 오브젝트는 서로가 상대의 만나는 그룹에 속할 때 검사합니다. 엔진에서는 "
        "마스크라고 합니다"
    ),
    "It is in no group or meets none, and is not tested": "속한 그룹이나 만나는 그룹이 없어 검사하지 않습니다",
    "Meets rigid bodies of the same collision collections, and everything else": (
        "충돌 컬렉션이 같은 강체와 강체가 아닌 모든 것을 만납니다"
    ),
    "In group 1, and meets all groups": "그룹 1에 속하고 모든 그룹을 만납니다",
    "Surface": "표면",
    (
        "Give this object a friction and restitution of its own. Off: those of its rigid body or, without one, "
        "friction 0.5 and restitution 0"
    ): ("이 오브젝트에 마찰과 반발을 따로 정합니다. 끄면 강체의 값을 쓰고, 강체가 없으면 마찰 0.5와 반발 0을 씁니다"),
    "Friction": "마찰",
    (
        "How hard this surface is to slide on: 0 is ice, rubber is about 1. A contact has the geometric mean of its "
        "two surfaces"
    ): (
        "이 표면에서 얼마나 미끄러지기 어려운지 정합니다. 얼음은 0, 고무는 1쯤입니다. "
        "접촉은 두 표면의 기하 평균을 씁니다"
    ),
    "Restitution": "반발",
    (
        "How much of a blow this surface gives back: 0 is clay, 1 bounces for ever. A contact has the larger one of "
        "its two surfaces"
    ): "이 표면이 충격을 얼마나 돌려주는지 정합니다. 찰흙은 0, 끝없이 튀면 1입니다. 접촉은 두 표면 중 큰 값을 씁니다",
    # Copying and resetting
    (
        "Give the other selected objects the collision settings of the active one: shape, margin, groups and mask, "
        "friction and restitution and, if you want, the body that they are part of"
    ): (
        "활성 오브젝트의 충돌 설정을 선택한 다른 오브젝트에 복사합니다. 모양, 여백, 그룹과 마스크, 마찰과 반발을 "
        "복사하고 원하면 소속 바디도 복사합니다"
    ),
    "The shape that the object stands for": "오브젝트를 대신하는 모양입니다",
    "How much larger the shape is tested": "모양을 얼마나 크게 검사할지 정합니다",
    "The groups that it is in, and those that it meets": "속한 그룹과 만나는 그룹입니다",
    "Friction and restitution": "마찰과 반발입니다",
    "The object whose body it belongs to": "오브젝트가 속한 바디의 오브젝트입니다",
    "Make the object to copy from the active one": "복사할 오브젝트를 활성 오브젝트로 만드세요",
    "Select the objects to copy to as well": "복사받을 오브젝트도 함께 선택하세요",
    "Collision settings copied to: {count}": "충돌 설정을 {count}개에 복사했습니다",
    "Copy to Selected": "선택에 복사",
    (
        "Set the shape, margin, groups, surface and body of the selected objects back to automatic. What is known of "
        "colliders stays"
    ): (
        "선택한 오브젝트의 모양, 여백, 그룹, 표면, 소속 바디를 자동으로 되돌립니다. 충돌체에 대해 기록된 것은 남습니다"
    ),
    "Select the objects to reset": "되돌릴 오브젝트를 선택하세요",
    "No collision settings are set for the selected objects": "선택한 오브젝트에 설정된 충돌 설정이 없습니다",
    "Collision settings reset: {count}": "충돌 설정을 {count}개에서 되돌렸습니다",
    # Presets
    "Check Presets": "검사 프리셋",
    "Preset": "프리셋",
    "Which of the presets that come with the add-on": "애드온에 딸린 프리셋 중 어느 것인지 정합니다",
    "Take over the settings of a preset for checks of the scene": "씬 검사에 프리셋의 설정을 적용합니다",
    "File": "파일",
    "The file of a preset that you have added": "추가한 프리셋의 파일입니다",
    "Your Own": "사용자 프리셋",
    "A preset that you have added": "직접 추가한 프리셋입니다",
    "Game Level": "게임 레벨",
    (
        "What is put down by hand: up to a millimeter apart or deep is at rest, and only what is deeper penetrates"
    ): "손으로 배치한 것을 위한 설정입니다. 1밀리미터까지는 놓인 것으로 보고 더 깊은 것만 관통으로 봅니다",
    "Mechanical Clearance": "기계 여유",
    "What is printed or turns beside another part: all that leaves less than 0.3 millimeters is listed": (
        "인쇄하거나 다른 부품 곁에서 도는 것을 위한 설정입니다. 0.3밀리미터보다 가까운 것을 모두 표시합니다"
    ),
    "Touching Counts": "닿으면 관통",
    "No tolerance: what is any deeper than numbers are rounded penetrates": (
        "허용 오차가 없습니다. 수의 반올림보다 조금이라도 깊으면 관통으로 봅니다"
    ),
    "There is no such preset": "그런 프리셋이 없습니다",
    "Keep the settings of checks under a name, or remove what was kept": (
        "검사 설정을 이름을 붙여 저장하거나 저장한 것을 지웁니다"
    ),
    # Pie menu
    "Key of the Pie Menu": "파이 메뉴의 키",
    "Its entry was removed from the keymap of the 3D view": "3D 뷰의 키맵에서 항목이 제거되었습니다",
    "Previous Result": "이전 결과",
    "Next Result": "다음 결과",
    "Check": "검사",
    "Make Colliders": "충돌체 만들기",
    "Validate": "검증",
    "Clear Results": "결과 지우기",
    "Pie Menu": "파이 메뉴",
    # Results
    "Left Out": "제외됨",
    "{count} pairs by their groups": "그룹에 따라 {count}쌍",
}

OPERATORS = {
    "Copy Collision Settings to Selected": "선택에 충돌 설정 복사",
    "Reset Collision Settings": "충돌 설정 초기화",
    "Apply Check Preset": "검사 프리셋 적용",
    "Add Check Preset": "검사 프리셋 추가",
}

# What the report says, as `addon.phrases` has it.
PHRASES = {
    "It is said to be part of itself, which says nothing.": "자기 자신의 일부로 설정되어 있어 아무 뜻이 없습니다.",
    "It is said to be part of itself by way of others ({names}); all of them were tested as one body.": (
        "다른 오브젝트를 거쳐 자기 자신의 일부로 설정되어 있어({names}) 모두 한 바디로 검사했습니다."
    ),
    "It is said to be part of “{name}”, which is not in this scene; it was tested as a body of its own.": (
        "“{name}”의 일부로 설정되어 있지만 그것이 이 씬에 없어 별개의 바디로 검사했습니다."
    ),
}
