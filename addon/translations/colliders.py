# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about making colliders, in English and Korean."""

LABELS = {
    # Settings
    "Colliders": "충돌체",
    "How colliders of this scene are made": "이 씬의 충돌체를 만드는 방법입니다",
    "Collider": "충돌체",
    "What is known of it if it was made as a collider": "충돌체로 만든 오브젝트라면 그에 관해 알려진 것입니다",
    "Engine": "엔진",
    "The engine whose rules the names of colliders follow": "충돌체의 이름이 어느 엔진의 규칙을 따를지 정합니다",
    "Unreal": "언리얼",
    "UBX_Name_01, USP_Name_01, UCP_Name_01 and UCX_Name_01, as Unreal's importer pairs them": (
        "UBX_이름_01, USP_이름_01, UCP_이름_01, UCX_이름_01로, 언리얼의 임포터가 짝짓는 대로입니다"
    ),
    "Godot": "고도",
    "Name_01-convcolonly: the mesh of each becomes one convex shape": (
        "이름_01-convcolonly로, 각 메쉬가 볼록 모양 하나가 됩니다"
    ),
    "Unity": "유니티",
    "Name_collider: what a script of the project makes of it is up to that script": (
        "이름_collider로, 무엇이 될지는 프로젝트의 스크립트가 정합니다"
    ),
    "glTF": "glTF 형식",
    "Name_collider: a child of the mesh that it stands for": "이름_collider로, 나타내는 메쉬의 자식이 됩니다",
    "Around": "둘러쌀 것",
    "What each collider is made around": "충돌체 하나하나가 무엇을 둘러쌀지 정합니다",
    "Each Object": "오브젝트마다",
    "A collider for each selected object; in edit mode, for each object's selected faces": (
        "선택한 오브젝트마다, 에디트 모드에서는 오브젝트마다 선택한 페이스에 충돌체를 하나씩 만듭니다"
    ),
    "All Together": "모두 함께",
    "One collider around everything that is selected; it belongs to the active object": (
        "선택한 모두를 둘러싸는 충돌체 하나를 만듭니다. 활성 오브젝트에 딸립니다"
    ),
    "Each Loose Part": "분리된 부분마다",
    "A collider for each connected part of what is selected": "선택한 것의 이어진 부분마다 충돌체를 만듭니다",
    "How many vertices a simple hull, or a hull of a convex piece, may have": (
        "단순한 껍질이나 볼록 조각의 껍질이 가질 수 있는 버텍스의 수입니다"
    ),
    "Least Thickness": "최소 두께",
    "Boxes of flat things are made this thick, since engines have no use for a box without a volume": (
        "볼륨이 없는 박스는 엔진에 쓸모가 없으므로, 납작한 것의 박스를 이 두께로 만듭니다"
    ),
    "How many convex pieces a concave mesh may become": "오목한 메쉬가 될 수 있는 볼록 조각의 수입니다",
    # Kinds
    "Kind": "종류",
    "What the colliders are": "어떤 충돌체인지 정합니다",
    "The smallest box along the object's own axes": "오브젝트의 축을 따르는 가장 작은 박스입니다",
    "Oriented Box": "기울인 박스",
    "The box of least volume, however it is turned": "어느 쪽으로 돌리든 볼륨이 가장 작은 박스입니다",
    "The smallest sphere": "가장 작은 구체입니다",
    "The smallest capsule that many searches find": "여러 번 찾아 얻은 가장 작은 캡슐입니다",
    "The smallest cylinder that many searches find": "여러 번 찾아 얻은 가장 작은 원기둥입니다",
    "The tightest convex shape": "가장 꼭 맞는 볼록 모양입니다",
    "Simple Hull": "단순한 껍질",
    "A convex hull of few vertices that still holds everything": "버텍스가 적으면서도 모두를 담는 볼록 껍질입니다",
    "Best Primitive": "알맞은 모양",
    "The simplest of sphere, capsule, box, cylinder and hull whose volume is at most 10 % more than the least": (
        "구체, 캡슐, 박스, 원기둥, 껍질 가운데 볼륨이 가장 작은 것보다 10 % 넘게 크지 않은 가장 단순한 모양입니다"
    ),
    "Convex Piece": "볼록 조각",
    "One of several hulls that follow a concave mesh": "오목한 메쉬를 따르는 여러 껍질 가운데 하나입니다",
    "None": "없음",
    "It was not made as a collider": "충돌체로 만들지 않았습니다",
    "Made As": "만든 종류",
    "The kind of collider that this object was made as": "이 오브젝트를 어떤 충돌체로 만들었는지입니다",
    "Record": "기록",
    "How well this collider fitted when it was made, and what it was": (
        "이 충돌체를 만들 때 얼마나 맞았고 어떤 것이었는지입니다"
    ),
    # Making
    "Make a collider around each selected object, around all of them, or around each of their loose parts; in edit "
    "mode around the selected faces. It holds every vertex, modifiers included, is named as the engine wants it, "
    "and follows the object that it stands for": (
        "선택한 오브젝트마다, 모두 함께, 또는 분리된 부분마다 충돌체를 만듭니다. 에디트 모드에서는 선택한 페이스를 "
        "둘러쌉니다. 모디파이어까지 포함해 모든 버텍스를 담고, 엔진이 바라는 이름이 붙으며, 나타내는 오브젝트를 따라 "
        "움직입니다"
    ),
    "Select faces that the collider is to hold": "충돌체가 담을 페이스를 선택하세요",
    "Select objects that have a surface and are no colliders themselves": (
        "표면이 있고 충돌체가 아닌 오브젝트를 선택하세요"
    ),
    "Fitting collider {number} of {total}": "충돌체 {total}개 가운데 {number}번째를 맞추는 중",
    "There is nothing to hold any more": "담을 것이 더는 없습니다",
    "“{name}” is flat: no hull of it has a volume, but a box can have a thickness": (
        "“{name}”은(는) 납작해서 껍질에 볼륨이 없습니다. 박스에는 두께를 줄 수 있습니다"
    ),
    "“{name}” is longer than Blender keeps names: shorten the object’s": (
        "“{name}”은(는) 블렌더의 이름으로 너무 깁니다. 오브젝트의 이름을 줄이세요"
    ),
    "Colliders made: {count}": "만든 충돌체: {count}",
    "The loosest is": "가장 헐거운 것은",
    "it is flat and has no volume": "납작해서 볼륨이 없습니다",
    "{ratio} × the volume of the hull": "볼륨이 껍질의 {ratio}배",
    "largest gap {length}": "최대 틈 {length}",
    "the mesh sticks out by {length}": "메쉬가 {length} 삐져나옴",
    "{kind}, the simplest that is nearly the smallest": "{kind}, 가장 작은 것에 가까운 가장 단순한 모양",
    # Convex pieces
    "Make several convex hulls that together follow a concave mesh and hold every vertex of it: by approximate "
    "convex decomposition if the Python library CoACD is installed, else one for each loose part. Esc stops": (
        "오목한 메쉬를 함께 따르며 모든 버텍스를 담는 볼록 껍질을 여럿 만듭니다. 파이썬 라이브러리 CoACD가 설치되어 "
        "있으면 근사 볼록 분해로, 없으면 분리된 부분마다 하나씩 만듭니다. Esc로 멈춥니다"
    ),
    "Cutting up mesh {number} of {total}": "메쉬 {total}개 가운데 {number}번째를 나누는 중",
    "One for each loose part: the Python library CoACD, which cuts up more, is not there": (
        "분리된 부분마다 하나입니다. 더 잘게 나누는 파이썬 라이브러리 CoACD가 없습니다"
    ),
    "“{name}” has more loose parts than pieces are allowed": "“{name}”의 분리된 부분이 허용한 조각보다 많습니다",
    "“{name}” is flat: it has no convex pieces with a volume": "“{name}”은(는) 납작해서 볼륨 있는 볼록 조각이 없습니다",
    "CoACD could not cut up “{name}”: {reason}": "CoACD가 “{name}”을(를) 나누지 못했습니다: {reason}",
    "Without CoACD, one for each loose part": "CoACD가 없어 분리된 부분마다 하나",
    # Changing
    "Make another kind of collider of each selected one. It holds the same vertices of its mesh; if it was changed "
    "by hand, or made around several objects, it holds the collider as it is now": (
        "선택한 충돌체를 다른 종류로 바꿉니다. 메쉬의 같은 버텍스를 담습니다. 손으로 고쳤거나 여러 오브젝트를 둘러싸 "
        "만든 것이면 지금의 충돌체를 담습니다"
    ),
    "Select colliders that stand for another object": "다른 오브젝트를 나타내는 충돌체를 선택하세요",
    "Convert Collider": "충돌체 바꾸기",
    "Convert To": "다른 종류로",
    "Make a copy of each selected collider on the other side of the object that it stands for, across a plane "
    "through that object's origin. The mesh is mirrored, not the scale, which engines do not like negative": (
        "선택한 충돌체의 사본을, 나타내는 오브젝트의 오리진을 지나는 평면 반대쪽에 만듭니다. 엔진이 꺼리는 음의 "
        "스케일을 쓰지 않고 메쉬를 뒤집습니다"
    ),
    "Mirror": "대칭",
    "Across which plane of the object the collider is mirrored": "오브젝트의 어느 평면에 대해 뒤집을지 정합니다",
    "X": "X축",
    "Y": "Y축",
    "Z": "Z축",
    "Across the plane that the object's own X axis is normal to": "오브젝트의 X축이 노멀인 평면에 대해 뒤집습니다",
    "Across the plane that the object's own Y axis is normal to": "오브젝트의 Y축이 노멀인 평면에 대해 뒤집습니다",
    "Across the plane that the object's own Z axis is normal to": "오브젝트의 Z축이 노멀인 평면에 대해 뒤집습니다",
    "Copy": "복사",
    "Leave the collider where it is, and mirror a copy of it": "충돌체를 제자리에 두고 사본을 뒤집습니다",
    "Colliders mirrored: {count}": "뒤집은 충돌체: {count}",
    "Settings": "설정",
    "Which settings are copied": "복사할 설정을 정합니다",
    "Display": "표시",
    "How they are drawn and whether they are rendered": "그려지는 방식과 렌더링 여부입니다",
    "Collections": "컬렉션",
    "The collections that they are in": "들어 있는 컬렉션입니다",
    "The collision shape that is set for them": "설정한 충돌 모양입니다",
    "Make the other selected colliders like the active one: how they are drawn, which collections they are in and, "
    "if you want, which collision shape is set for them": (
        "선택한 다른 충돌체를 활성 충돌체와 같게 합니다. 그려지는 방식과 컬렉션, 원하면 설정한 충돌 모양까지 복사합니다"
    ),
    "Make the collider to copy from the active object": "복사할 충돌체를 활성 오브젝트로 만드세요",
    "Select the colliders to copy to as well": "복사받을 충돌체도 선택하세요",
    "Colliders copied to: {count}": "복사받은 충돌체: {count}",
    "Copy Settings": "설정 복사",
    # Finding
    "Select the colliders that stand for the selected objects, whether they are paired by name or by parent. With "
    "a collider selected, all colliders of the same object": (
        "선택한 오브젝트를 나타내는 충돌체를, 이름으로 짝지은 것이든 자식이든 선택합니다. 충돌체를 선택했으면 같은 "
        "오브젝트의 모든 충돌체를 선택합니다"
    ),
    "Select an object": "오브젝트를 선택하세요",
    "Its colliders are hidden": "충돌체가 숨겨져 있습니다",
    "No colliders stand for it": "나타내는 충돌체가 없습니다",
    "Colliders selected: {count}": "선택한 충돌체: {count}",
    "Its Colliders": "딸린 충돌체",
    "Select the objects that the selected colliders stand for: by name, as Unreal's importer pairs them, else by "
    "what they are parented to": (
        "선택한 충돌체가 나타내는 오브젝트를 선택합니다. 언리얼의 임포터처럼 이름으로, 안 되면 부모로 찾습니다"
    ),
    "Select a collider": "충돌체를 선택하세요",
    "The mesh is hidden": "메쉬가 숨겨져 있습니다",
    "No mesh of this name, and none above it": "이 이름의 메쉬도, 부모인 메쉬도 없습니다",
    "Its Mesh": "원래 메쉬",
    # The active collider
    "Stands For": "나타내는 것",
    "It has changed since it was made, when it was like this": "만든 뒤에 바뀌었습니다. 만들 때는 이랬습니다",
    "It is flat and has no volume": "납작해서 볼륨이 없습니다",
    "Over Its Hull": "껍질 대비",
    "Over the Mesh": "메쉬 대비",
    "Largest Gap": "최대 틈",
    "Sticks Out": "삐져나옴",
    "Volume over the least of all kinds:": "가장 작은 종류에 대한 볼륨:",
}

OPERATORS = {
    "Make Collider": "충돌체 만들기",
    "Make Colliders of Convex Pieces": "볼록 조각으로 충돌체 만들기",
    "Convert Collider": "충돌체 바꾸기",
    "Mirror Collider": "충돌체 뒤집기",
    "Copy Collider Settings": "충돌체 설정 복사",
    "Select Colliders": "충돌체 선택",
    "Select Render Mesh": "렌더 메쉬 선택",
}
