# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of colliders in glTF files, in English and Korean."""

LABELS = {
    # Settings
    "Colliders in glTF files": "glTF 파일의 충돌체를 어떻게 다룰지 정합니다",
    "Read Colliders": "충돌체 읽기",
    "Colliders and triggers that the file declares become colliders here": (
        "파일에 선언된 충돌체와 트리거를 여기의 충돌체로 만듭니다"
    ),
    "Write Colliders": "충돌체 쓰기",
    "Colliders, and objects with a collision shape or a rigid body, are declared in the file, for engines that know "
    "KHR_physics_rigid_bodies; others ignore it": (
        "충돌체와, 충돌 모양이나 강체가 있는 오브젝트를 파일에 선언합니다. KHR_physics_rigid_bodies를 아는 엔진이 읽고 "
        "다른 엔진은 무시합니다"
    ),
    "Their Meshes": "충돌체의 메쉬",
    "Whether colliders that are there for collisions only keep the meshes by which one sees them": (
        "충돌에만 쓰는 충돌체가 눈에 보이는 메쉬를 파일에서도 가질지 정합니다"
    ),
    "Meshes of colliders that were made for glTF are left out; those that an engine knows by name are kept": (
        "glTF용으로 만든 충돌체의 메쉬는 빼고, 엔진이 이름으로 아는 충돌체의 메쉬는 둡니다"
    ),
    "Leave Out": "빼기",
    "No mesh of a collider is seen in the file; what reads the shapes needs none": (
        "파일에서 충돌체의 메쉬가 보이지 않습니다. 모양을 읽는 쪽에는 필요 없습니다"
    ),
    "Keep": "두기",
    "Every collider keeps its mesh, which is seen by whatever does not know what it is for": (
        "모든 충돌체의 메쉬를 둡니다. 용도를 모르는 프로그램에서는 그대로 보입니다"
    ),
    "Draft": "초안",
    "How the file names the mesh of a collider that is a convex hull or a triangle mesh": (
        "볼록 껍질이나 삼각형 메쉬인 충돌체의 메쉬를 파일에서 어떻게 가리킬지 정합니다"
    ),
    "2026: Mesh": "2026: 메쉬",
    "As the draft has it since January 2026": "2026년 1월부터의 초안대로 씁니다",
    "2025: Node": "2025: 노드",
    "As the draft had it before; older readers know nothing else": (
        "그 이전의 초안대로 씁니다. 오래된 프로그램은 이것만 압니다"
    ),
    "Trigger": "트리거",
    "It tells what is in it and stops nothing, so it is not tested; glTF files say it is a trigger": (
        "안에 무엇이 있는지 알릴 뿐 아무것도 막지 않으므로 검사하지 않습니다. glTF 파일에는 트리거로 씁니다"
    ),
    "A mesh as it is, hollows and holes included": "오목한 곳과 구멍까지 있는 그대로의 메쉬입니다",
    # Reports
    "Colliders read: {count}, triggers: {triggers}": "읽은 충돌체: {count}, 트리거: {triggers}",
    "{count} more": "외 {count}개",
    "Nodes of the file form a cycle: {names}": "파일의 노드가 순환합니다: {names}",
    "It names something that the file does not have: {what} {index}": "파일에 없는 것을 가리킵니다: {what} {index}",
    "It has node {node} more than once": "노드 {node}이(가) 두 번 이상 들어 있습니다",
    "Its child {child} has a parent already, {parent}": "자식 {child}에 이미 부모 {parent}이(가) 있습니다",
    "Its data are not in the file: {where}": "데이터가 파일에 없습니다: {where}",
    "Its {field} is not of the type that it has in glTF, and is not read": (
        "{field}의 형식이 glTF의 것과 달라 읽지 않습니다"
    ),
    "Its {field} is not a number of at least 0 that Blender can hold, and is read as {usual}": (
        "{field}이(가) Blender가 다룰 수 있는 0 이상의 수가 아니어서 {usual}(으)로 읽습니다"
    ),
    "Its collider is too large for the numbers of Blender": "충돌체가 Blender의 수로 나타내기에는 너무 큽니다",
    "Its joint is not read": "조인트는 읽지 않습니다",
    "Physics moves it; not read: {fields}": "물리로 움직입니다. 읽지 않은 것: {fields}",
    "Its triggers are read each by itself, not as one": "트리거를 하나로 묶지 않고 각각 읽습니다",
    "It declares a collider without a geometry": "모양이 없는 충돌체를 선언합니다",
    "Its collider names a {what} that the file does not have": "충돌체가 파일에 없는 {what}을(를) 가리킵니다",
    "Its shape cannot be read: {why}": "모양을 읽을 수 없습니다: {why}",
    "Of its two frictions, {static} at rest and {dynamic} moving, the latter counts": (
        "마찰이 멈춰 있을 때 {static}, 움직일 때 {dynamic}입니다. 뒤의 것을 씁니다"
    ),
    "How its material combines with others is not read: {fields}": (
        "재질이 다른 재질과 섞이는 방식은 읽지 않습니다: {fields}"
    ),
    "Its restitution is {value} and is read as 1": "반발이 {value}이어서 1로 읽습니다",
    "There is no group left for systems of its filter: {names}": "필터의 시스템에 줄 그룹이 남지 않았습니다: {names}",
    "It is a bone, whose collider is not read": "본의 충돌체는 읽지 않습니다",
    "Its collider is a plane with two sides and no end, which is not read": (
        "충돌체가 끝이 없는 양면 평면이어서 읽지 않습니다"
    ),
    "Its plane has one side and is read as a rectangle with two": "한쪽 면만 있는 평면을 양면 사각형으로 읽습니다",
    "Its two ends have different radii; it is read as the convex hull of its mesh": (
        "양 끝의 반지름이 달라 메쉬의 볼록 껍질로 읽습니다"
    ),
    "Its scale distorts its shape, which is read as the convex hull of its mesh": (
        "축척 때문에 모양이 일그러져 메쉬의 볼록 껍질로 읽습니다"
    ),
    "The mesh of its collider has no faces": "충돌체의 메쉬에 페이스가 없습니다",
    "Its name is too long for one of its collider, which is not read": (
        "이름이 길어 충돌체의 이름을 지을 수 없으므로 읽지 않습니다"
    ),
    "Another add-on has declared its collider already": "다른 애드온이 이미 충돌체를 선언했습니다",
    "It has no mesh in the file, and so no collider": "파일에 메쉬가 없어 충돌체도 없습니다",
    "Its collider is its mesh without its modifiers: they are not applied on export": (
        "내보낼 때 모디파이어를 적용하지 않으므로 모디파이어가 없는 메쉬가 충돌체입니다"
    ),
    "It is scaled to nothing, and has no shape in the file": "축척이 0이어서 파일에 모양이 없습니다",
    "Its scale distorts its shape, which is written as the convex hull of its mesh": (
        "축척 때문에 모양이 일그러져 메쉬의 볼록 껍질로 씁니다"
    ),
    "Its shape has no volume, and glTF allows none without": (
        "모양에 부피가 없는데 glTF는 그런 모양을 허용하지 않습니다"
    ),
    "Its margin is not written: glTF has none": "glTF에는 여유가 없어 쓰지 않습니다",
    "It is part of “{body}”, which is not above it: glTF has bodies by parents": (
        "“{body}”의 일부이지만 그 자식이 아닙니다. glTF의 몸체는 부모로 정해집니다"
    ),
}

PHRASES = {"as a trigger it stops nothing": "아무것도 막지 않는 트리거입니다"}
