# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about fixes and crossing faces, in English and Korean."""

OPERATORS = {
    "Separate": "분리",
    "Rest On": "내려놓기",
    "Snap to Contact": "접촉시키기",
    "Select Crossing Faces": "교차하는 페이스 선택",
}

LABELS = {
    "Fixes": "고치기",
    "Separate": "분리",
    "Rest On": "내려놓기",
    "Snap": "접촉",
    # Separate
    "Move the active object, with its children and colliders, out of everything it penetrates in the scope of the "
    "check, as little as possible: afterwards they touch. What is locked, animated, constrained or linked is not "
    "moved, and neither are floors without end and accepted pairs": (
        "활성 오브젝트를 자식 및 충돌체와 함께, 검사 범위에서 관통하는 모든 것 밖으로 되도록 조금만 "
        "옮깁니다. 옮긴 뒤에는 서로 닿습니다. 잠겼거나 애니메이션이나 제약이 있거나 링크된 것, 끝없는 바닥과 "
        "허용한 쌍은 옮기지 않습니다"
    ),
    "Move": "이동",
    "What is moved": "무엇을 옮길지 정합니다",
    "Move the active object out of everything else": "활성 오브젝트를 나머지 모든 것 밖으로 옮깁니다",
    "Move every selected object until none penetrates anything": (
        "선택한 모든 오브젝트를 아무것도 관통하지 않을 때까지 옮깁니다"
    ),
    "Who Gives Way": "비키는 쪽",
    "Which of two selected objects that penetrate each other is moved": (
        "선택한 두 오브젝트가 서로 관통할 때 어느 쪽을 옮길지 정합니다"
    ),
    "Each in Turn": "차례로",
    "The smallest gives way first, then the next": "가장 작은 것부터 차례로 비킵니다",
    "By Halves": "반씩",
    "Two selected objects that penetrate each other both give way, each by half": (
        "서로 관통하는 선택한 두 오브젝트가 반씩 비킵니다"
    ),
    "Select the objects to move": "옮길 오브젝트를 선택하세요",
    "Moving objects: {count} of {total}": "오브젝트를 옮기는 중: {total}개 중 {count}개",
    # Rest On
    "Move each selected object, with its children and colliders, along a direction until it touches the first thing "
    "in its way: exactly, however far it is. The frontmost goes first, so that stacks come down whole. What "
    "penetrates something at the start, is held, or would meet nothing stays where it is": (
        "선택한 각 오브젝트를 자식 및 충돌체와 함께, 정한 방향으로 처음 만나는 것에 닿을 때까지 옮깁니다. 아무리 "
        "멀어도 정확합니다. 가장 앞선 것부터 옮기므로 쌓인 것이 그대로 내려옵니다. 처음부터 관통하거나 고정되어 "
        "있거나 만날 것이 없는 오브젝트는 그대로 둡니다"
    ),
    "Where the objects are moved": "오브젝트를 어느 쪽으로 옮길지 정합니다",
    "Down": "아래로",
    "Along the world's −Z axis": "월드의 −Z축 방향입니다",
    "Gravity": "중력",
    "Along the gravity of the scene": "씬의 중력 방향입니다",
    "View": "뷰",
    "Away from the viewer, into the picture": "보는 쪽에서 화면 안쪽으로 향하는 방향입니다",
    "Local X": "로컬 X",
    "Along the X axis of each object": "각 오브젝트의 X축 방향입니다",
    "Local Y": "로컬 Y",
    "Along the Y axis of each object": "각 오브젝트의 Y축 방향입니다",
    "Local Z": "로컬 Z",
    "Along the Z axis of each object": "각 오브젝트의 Z축 방향입니다",
    "Local −X": "로컬 −X",
    "Against the X axis of each object": "각 오브젝트의 X축 반대 방향입니다",
    "Local −Y": "로컬 −Y",
    "Against the Y axis of each object": "각 오브젝트의 Y축 반대 방향입니다",
    "Local −Z": "로컬 −Z",
    "Against the Z axis of each object": "각 오브젝트의 Z축 반대 방향입니다",
    "Separate First": "먼저 분리",
    "Move what penetrates something out of it before, as little as possible; else it stays": (
        "관통하는 것을 먼저 되도록 조금만 밖으로 옮깁니다. 끄면 그대로 둡니다"
    ),
    "The scene has no gravity": "씬에 중력이 없습니다",
    "There is no 3D view to look along": "방향을 정할 3D 뷰가 없습니다",
    "“{name}” is scaled to nothing along that axis": "“{name}”은(는) 그 축의 축척이 0입니다",
    # Snap to Contact
    "Move one object of the chosen pair along the shortest way to the other, until the two touch: the active object "
    "if it is one of them, else the first that is no floor": (
        "고른 쌍의 한 오브젝트를 다른 쪽으로 가장 짧은 길을 따라 닿을 때까지 옮깁니다. 활성 오브젝트가 그 쌍에 있으면 "
        "그것을, 아니면 바닥이 아닌 첫째를 옮깁니다"
    ),
    "The results are of outlines in a plane: check in space first": (
        "평면 윤곽을 검사한 결과입니다. 먼저 공간에서 검사하세요"
    ),
    "The chosen pair touches or penetrates: there is no gap to close": (
        "고른 쌍이 닿았거나 관통하고 있어 메울 간격이 없습니다"
    ),
    # What has come of it
    "“{name}” moved by {length} along {direction}": "“{name}”을(를) {direction} 방향으로 {length} 옮겼습니다",
    "“{name}” moved by {length} along {direction}: it touches “{other}”": (
        "“{name}”을(를) {direction} 방향으로 {length} 옮겨 “{other}”에 닿았습니다"
    ),
    "{count} objects moved, the farthest by {length}": "오브젝트 {count}개를 옮겼습니다. 가장 멀리는 {length}입니다",
    "Nothing is penetrated: nothing was moved": "관통하는 것이 없어 아무것도 옮기지 않았습니다",
    "“{name}” still penetrates “{other}” by {length}": "“{name}”이(가) 아직 “{other}”을(를) {length} 관통합니다",
    "More than {count} objects are moved one by one, not by halves": (
        "오브젝트가 {count}개를 넘어 반씩이 아니라 하나씩 옮겼습니다"
    ),
    "“{name}” is or has a floor without end, which is never moved": (
        "“{name}”은(는) 끝없는 바닥이거나 그런 바닥을 포함하여 옮기지 않습니다"
    ),
    "“{name}” would meet nothing that way: it was not moved": (
        "“{name}”은(는) 그 방향에서 만날 것이 없어 옮기지 않았습니다"
    ),
    "“{name}” touches “{other}” already": "“{name}”은(는) 이미 “{other}”에 닿아 있습니다",
    "“{name}” penetrates “{other}” by {length}: separate the two first": (
        "“{name}”이(가) “{other}”을(를) {length} 관통합니다. 먼저 둘을 분리하세요"
    ),
    "No way out was found for “{name}”": "“{name}”이(가) 빠져나올 길을 찾지 못했습니다",
    "“{name}” cannot be moved in that direction: {reason}": "“{name}”을(를) 그 방향으로 옮길 수 없습니다: {reason}",
    "“{name}” was not moved: {reason}": "“{name}”을(를) 옮기지 않았습니다: {reason}",
    "it is linked from another file": "다른 파일에서 링크되었습니다",
    "a constraint holds it": "제약이 걸려 있습니다",
    "its parent leaves it no such way": "부모 때문에 그쪽으로 움직일 수 없습니다",
    "its location is locked": "위치가 잠겨 있습니다",
    "its location is animated": "위치에 애니메이션이 있습니다",
    "its rigid body is being simulated": "강체를 시뮬레이션하고 있습니다",
    # Select Crossing Faces
    "Select the faces of the active mesh that cross the other selected objects or, if none are, everything in the "
    "scope of the check that can be seen. The mesh that you edit is tested without its modifiers, the others with "
    "theirs. Surfaces that only touch do not cross": (
        "선택한 다른 오브젝트와, 없으면 검사 범위에서 보이는 모든 것과 교차하는 활성 메쉬의 페이스를 "
        "선택합니다. 편집하는 메쉬는 모디파이어 없이, 나머지는 모디파이어를 반영해 검사합니다. "
        "닿기만 한 표면은 교차한 것이 아닙니다"
    ),
    "Inside Too": "안쪽도",
    "Select faces that lie wholly inside another closed mesh, too": (
        "닫힌 다른 메쉬 안에 온전히 들어 있는 페이스도 선택합니다"
    ),
    "Touching Too": "닿은 것도",
    "Select faces that touch surfaces which do not penetrate the mesh, too": (
        "메쉬를 관통하지 않고 닿기만 한 표면에 닿은 페이스도 선택합니다"
    ),
    "Extend": "확장",
    "Keep what is selected already": "이미 선택한 것을 그대로 둡니다",
    "Make a mesh object the active one": "메쉬 오브젝트 하나를 활성화하세요",
    "The active mesh is linked from another file: it cannot be edited": (
        "활성 메쉬는 다른 파일에서 링크되어 편집할 수 없습니다"
    ),
    "“{name}” has no faces": "“{name}”에 페이스가 없습니다",
    "Faces of “{name}” that cross other surfaces: {count}": "“{name}”에서 다른 표면과 교차하는 페이스: {count}",
    "No face of “{name}” crosses another surface": "“{name}”에 다른 표면과 교차하는 페이스가 없습니다",
    "faces that only touch: {count}": "닿기만 한 페이스: {count}",
    "faces inside other objects: {count}": "다른 오브젝트 안의 페이스: {count}",
}
