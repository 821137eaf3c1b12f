# SPDX-License-Identifier: GPL-3.0-or-later
"""The sentences of all rules and what they advise, in English and Korean; the English is that of the rules."""

SENTENCES = {
    "A coordinate of it, or its location, rotation or scale, is infinite or not a number.": (
        "좌표나 위치, 회전, 축척이 무한대이거나 숫자가 아닙니다."
    ),
    "It has no faces, so engines import nothing or a collider of nothing.": (
        "페이스가 없어 엔진이 아무것도 가져오지 않거나 빈 충돌체를 만듭니다."
    ),
    "It is scaled to nothing along at least one direction.": "적어도 한 방향의 축척이 0입니다.",
    "It is sheared (a parent is scaled unevenly): engines know location, rotation and scale only, and place it "
    "otherwise.": ("부모의 축척이 고르지 않아 기울어졌습니다. 엔진은 위치, 회전, 축척만 알기 때문에 다르게 놓습니다."),
    "It is mirrored by a negative scale, which turns it inside out in one engine and is ignored by another.": (
        "음수 축척으로 뒤집혀 있습니다. 어떤 엔진에서는 안팎이 바뀌고 어떤 엔진은 무시합니다."
    ),
    "Its scale is {scale} and not 1: physics engines ignore the scale of colliders, or lose time or shape to it.": (
        "축척이 1이 아니라 {scale}입니다. 물리 엔진은 충돌체의 축척을 무시하거나, 그 때문에 느려지거나 모양을 잃습니다."
    ),
    "It shares its mesh with “{other}” and has another scale: engines that keep one shape for a mesh give it the "
    "other's size.": (
        "“{other}”와(과) 메쉬를 공유하는데 축척이 다릅니다. 메쉬마다 모양 하나를 두는 엔진은 그쪽 크기로 만듭니다."
    ),
    "{count} of its triangles have no area.": "넓이가 없는 삼각형이 {count}개 있습니다.",
    "{count} of its vertices lie exactly on others.": "다른 버텍스와 정확히 겹치는 버텍스가 {count}개 있습니다.",
    "Some of its faces point in and some out: they change sides at {count} edges.": (
        "안쪽을 보는 페이스와 바깥쪽을 보는 페이스가 섞여 있습니다. 에지 {count}개에서 방향이 바뀝니다."
    ),
    "It is turned inside out: all of its faces point inward.": (
        "안팎이 뒤집혀 있습니다. 모든 페이스가 안쪽을 향합니다."
    ),
    "Its mesh is not closed ({count} open edges), so it has no inside: things can get in and stay there.": (
        "메쉬가 닫혀 있지 않아(열린 에지 {count}개) 안쪽이 없습니다. 물체가 들어가 갇힐 수 있습니다."
    ),
    "It is flat and has no volume: engines refuse it, or make it as thin as they can.": (
        "납작해서 부피가 없습니다. 엔진이 거부하거나 가능한 한 얇게 만듭니다."
    ),
    "It is to be convex and has {count} loose pieces, of which engines make one hull.": (
        "볼록해야 하는데 떨어진 조각이 {count}개입니다. 엔진은 전부를 껍질 하나로 만듭니다."
    ),
    "It is to be convex and is not: engines take its convex hull, {percent} % of which it leaves empty.": (
        "볼록해야 하는데 그렇지 않습니다. 엔진은 볼록 껍질을 쓰는데 그 가운데 {percent} %가 비어 있습니다."
    ),
    "Its convex hull has {count} vertices; the budget is {limit}.": (
        "볼록 껍질의 버텍스가 {count}개로 한도 {limit}개를 넘습니다."
    ),
    "It is tested triangle by triangle and has {count} of them; the budget is {limit}.": (
        "삼각형 단위로 검사하는데 삼각형이 {count}개로 한도 {limit}개를 넘습니다."
    ),
    "It is only {length} thick: what moves passes through it, and stacks of it shake.": (
        "두께가 {length}밖에 안 됩니다. 움직이는 물체가 뚫고 지나가고 쌓으면 흔들립니다."
    ),
    "There is no render mesh that it could stand for, by its name or as its parent.": (
        "이름으로도 부모로도 대신할 렌더 메쉬가 없습니다."
    ),
    "It has no collider, so that things pass through it.": "충돌체가 없어 물체가 통과합니다.",
    "It lies inside the collider “{other}”, where nothing ever reaches it.": (
        "충돌체 “{other}” 안에 있어 아무것도 닿지 않습니다."
    ),
    "It is {length} deep in the collider “{other}” of the same body: contacts are found twice there, and a mass "
    "computed from them is too large.": (
        "같은 물체의 충돌체 “{other}”에 {length} 깊이로 겹칩니다. 접촉이 두 번 나오고, 계산한 질량이 너무 커집니다."
    ),
    "It sticks out of its colliders by {length}: there things pass through what one sees.": (
        "충돌체 밖으로 {length}만큼 튀어나와 있습니다. 그곳에서는 물체가 보이는 것을 통과합니다."
    ),
    "It sticks out of “{other}” by {length}: there things are stopped by what nobody sees.": (
        "“{other}” 밖으로 {length}만큼 튀어나와 있습니다. 그곳에서는 물체가 보이지 않는 것에 막힙니다."
    ),
    "Unreal does not see from its name that it is a collider, and imports it as something that one sees.": (
        "언리얼은 이 이름으로는 충돌체인지 알지 못해 보이는 메쉬로 가져옵니다."
    ),
    "Unreal looks for a mesh called “{name}” and finds none, so it does not become a collider of “{other}”.": (
        "언리얼이 “{name}” 메쉬를 찾지만 없으므로 “{other}”의 충돌체가 되지 않습니다."
    ),
    "Unreal gives it to “{name}” because of its name, and not to “{other}”.": (
        "언리얼은 이름에 따라 “{other}”이(가) 아니라 “{name}”의 충돌체로 만듭니다."
    ),
    "Small and capital letters of its name are not those of “{other}” or of the prefix: only Unreal's older importer "
    "overlooks that.": ("이름의 대소문자가 “{other}”이나 접두사와 다릅니다. 언리얼의 예전 임포터만 이를 무시합니다."),
    "Its name fits “{name}” and, with a number, “{other}”: Unreal takes the first, as long as both are imported "
    "together.": (
        "이름이 “{name}”에 맞고 번호로 보면 “{other}”에도 맞습니다. 함께 가져오면 언리얼은 앞의 것을 고릅니다."
    ),
    "Its name says box (UBX_) and its mesh is none, so Unreal refuses it.": (
        "이름은 박스(UBX_)인데 메쉬가 박스가 아니어서 언리얼이 거부합니다."
    ),
    "Its name says sphere (USP_) and its mesh is none, so Unreal refuses it.": (
        "이름은 구체(USP_)인데 메쉬가 구체가 아니어서 언리얼이 거부합니다."
    ),
    "Its name says capsule (UCP_) and its mesh is none: Unreal makes a capsule between its two farthest vertices.": (
        "이름은 캡슐(UCP_)인데 메쉬가 캡슐이 아닙니다. 언리얼은 가장 먼 두 버텍스 사이에 캡슐을 만듭니다."
    ),
    "Godot does not see from its name that it is a collider, and imports it as something that one sees.": (
        "고도는 이 이름으로는 충돌체인지 알지 못해 보이는 메쉬로 가져옵니다."
    ),
    "Godot does not see the suffix {name} in its name: a number may follow it after _, not after -.": (
        "고도는 이 이름에서 접미사 {name}을(를) 알아보지 못합니다. 번호는 - 뒤가 아니라 _ 뒤에 와야 합니다."
    ),
    "Its name is a suffix and nothing else, and Godot leaves out what has no name without it.": (
        "이름이 접미사뿐입니다. 고도는 접미사를 빼고 남는 이름이 없으면 건너뜁니다."
    ),
    "The suffix {name} of its name has capitals, which older versions of Godot do not recognize.": (
        "접미사 {name}에 대문자가 있어 예전 고도에서는 알아보지 못합니다."
    ),
    "It shares its mesh with “{other}”, which asks for another kind of collider: Godot makes one kind for both.": (
        "“{other}”와(과) 메쉬를 공유하는데 충돌체 종류가 다릅니다. 고도는 둘 다 한 종류로 만듭니다."
    ),
    "It is tested triangle by triangle and moves: in Godot such a collider can only stand still.": (
        "삼각형 단위로 검사하는데 움직입니다. 고도에서 그런 충돌체는 멈춰 있어야 합니다."
    ),
    "Unity has no names for colliders: unless a script of the project (an AssetPostprocessor) knows it, it is "
    "imported as something that one sees.": (
        "유니티에는 충돌체 이름 규칙이 없습니다. 프로젝트의 스크립트(AssetPostprocessor)가 "
        "모르면 보이는 메쉬로 가져옵니다."
    ),
    "Its convex hull has {count} vertices; a convex mesh collider in Unity has at most {limit}.": (
        "볼록 껍질의 버텍스가 {count}개인데 유니티의 볼록 메쉬 충돌체는 최대 {limit}개입니다."
    ),
    "Its convex hull has {count} triangles; a convex mesh collider in Unity has at most {limit}.": (
        "볼록 껍질의 삼각형이 {count}개인데 유니티의 볼록 메쉬 충돌체는 최대 {limit}개입니다."
    ),
    "It is tested triangle by triangle and moves: in Unity a rigid body that is not kinematic needs convex "
    "colliders.": (
        "삼각형 단위로 검사하는데 움직입니다. 유니티에서 키네마틱이 아닌 강체에는 볼록 충돌체가 필요합니다."
    ),
    "It is called a box, a sphere or a capsule and is none: glTF knows such shapes by their size only, and its form "
    "is lost.": (
        "이름은 박스, 구체 또는 캡슐인데 메쉬가 그 모양이 아닙니다. glTF는 크기만 기록하므로 형태를 잃습니다."
    ),
    "Its scale is not the same in every direction, and glTF has no ellipsoids and no capsules with oval ends.": (
        "축척이 방향마다 다른데 glTF에는 타원체나 끝이 타원인 캡슐이 없습니다."
    ),
    "Its middle is {length} from its origin, and the shapes of glTF are about the origin of their node.": (
        "가운데가 오리진에서 {length} 떨어져 있는데 glTF의 모양은 노드의 원점을 중심으로 합니다."
    ),
    "It does not lie along its own Z axis, as the capsules of glTF do.": (
        "glTF의 캡슐과 달리 자신의 Z축을 따라 놓여 있지 않습니다."
    ),
    "A collection instance brings it in: an FBX file calls it {name}, and Unreal takes it for a mesh.": (
        "컬렉션 인스턴스로 들어왔습니다. FBX 파일에서는 이름이 {name}이(가) 되어 언리얼이 메쉬로 가져옵니다."
    ),
}

ADVICE = {
    "Delete the broken vertices, or reset the transform.": "잘못된 버텍스를 지우거나 변환을 초기화하세요.",
    "Model it, make a convex hull of its vertices, or delete it.": (
        "모델링하거나 버텍스로 볼록 껍질을 만들거나 지우세요."
    ),
    "Reset its scale, or that of its parent.": "자신이나 부모의 축척을 초기화하세요.",
    "Apply its transform, or the scale of its parent.": "변환을 적용하거나 부모의 축척을 적용하세요.",
    "Apply its scale.": "축척을 적용하세요.",
    "Give it a mesh of its own, and apply its scale.": "자신만의 메쉬를 주고 축척을 적용하세요.",
    "Dissolve its degenerate faces.": "퇴화한 페이스를 디졸브하세요.",
    "Merge its vertices by distance.": "버텍스를 거리로 병합하세요.",
    "Recalculate its normals, outward.": "노멀을 바깥쪽으로 다시 계산하세요.",
    "Flip its normals.": "노멀을 뒤집으세요.",
    "Fill its holes; a convex collider can be replaced by its convex hull.": (
        "구멍을 메우세요. 볼록 충돌체라면 볼록 껍질로 바꿀 수 있습니다."
    ),
    "Give it a thickness.": "두께를 주세요.",
    "Make an object of each piece.": "조각마다 오브젝트를 만드세요.",
    "Split it into convex parts, or replace it by its convex hull.": "볼록한 부분으로 나누거나 볼록 껍질로 바꾸세요.",
    "Simplify it; a hull of fewer vertices that holds all of it is made for you.": (
        "단순화하세요. 전체를 감싸면서 버텍스가 적은 껍질을 만들어 드립니다."
    ),
    "Decimate it, or use convex colliders.": "데시메이트하거나 볼록 충돌체를 쓰세요.",
    "Make it thicker, or leave it out.": "더 두껍게 하거나 빼세요.",
    "Name it after its render mesh, or make it a child of it.": "렌더 메쉬를 따라 이름을 짓거나 그 자식으로 만드세요.",
    "Add a collider, if anything is to stop at it.": "무언가가 막혀야 한다면 충돌체를 추가하세요.",
    "Delete it.": "지우세요.",
    "Move or shrink one of the two, or make one collider of them.": ("둘 중 하나를 옮기거나 줄이거나 하나로 합치세요."),
    "Add a collider there, or enlarge one.": "그곳에 충돌체를 추가하거나 키우세요.",
    "Make it smaller, or split it.": "줄이거나 나누세요.",
    "Make the instance real before the export (Object > Apply > Make Instances Real), or export glTF.": (
        "내보내기 전에 인스턴스를 실체화하거나(오브젝트 > 적용 > 인스턴스를 실제로 만들기) glTF로 내보내세요."
    ),
    "Begin its name with UBX_, USP_, UCP_ or UCX_ and the name of its render mesh.": (
        "이름을 UBX_, USP_, UCP_ 또는 UCX_와 렌더 메쉬의 이름으로 시작하세요."
    ),
    "Name it after its render mesh: UCX_, the mesh's name, and a number like _01.": (
        "렌더 메쉬를 따라 UCX_, 메쉬 이름, _01 같은 번호로 이름을 지으세요."
    ),
    "Write the prefix in capitals, and the name as the render mesh has it.": (
        "접두사는 대문자로, 이름은 렌더 메쉬와 똑같이 쓰세요."
    ),
    "Add a number like _01 to its name.": "이름에 _01 같은 번호를 붙이세요.",
    "Model it anew, or make it a convex collider: UCX_.": "다시 모델링하거나 볼록 충돌체(UCX_)로 만드세요.",
    "End its name with -convcolonly, or with -colonly for a triangle mesh.": (
        "이름 끝에 -convcolonly를, 삼각형 메쉬라면 -colonly를 붙이세요."
    ),
    "Put the number before the suffix, or an underscore before the number.": (
        "번호를 접미사 앞에 두거나 번호 앞에 밑줄을 쓰세요."
    ),
    "Give it a name before the suffix.": "접미사 앞에 이름을 쓰세요.",
    "Write the suffix in small letters.": "접미사를 소문자로 쓰세요.",
    "Give it a mesh of its own.": "자신만의 메쉬를 주세요.",
    "Use convex colliders, or make the rigid body passive.": "볼록 충돌체를 쓰거나 강체를 패시브로 바꾸세요.",
    "Have such a script, or add the colliders in Unity.": "그런 스크립트를 두거나 유니티에서 충돌체를 추가하세요.",
    "Scale it evenly, or make it a convex collider: UCX_.": (
        "모든 방향의 축척을 같게 하거나 볼록 충돌체(UCX_)로 만드세요."
    ),
    "Set its origin to the middle of its bounds.": "오리진을 경계의 가운데로 옮기세요.",
    "Turn it in edit mode so that it lies along Z, and the object the other way; or have the exporter add a node.": (
        "에디트 모드에서 Z축을 따라 눕히고 오브젝트를 반대로 돌리거나, 내보낼 때 노드를 추가하세요."
    ),
}
