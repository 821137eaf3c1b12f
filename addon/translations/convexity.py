# SPDX-License-Identifier: GPL-3.0-or-later
"""The convexity check in Korean."""

LABELS = {
    "Test whether the selected meshes are convex, as physics engines want their colliders, and select the "
    "edges that keep them from it, in edit mode. The mesh that you edit is tested, without its modifiers: "
    "apply them first to test what they make. Dents below the rounding of coordinates do not count": (
        "선택한 메쉬가 물리 엔진이 충돌체에 바라는 대로 볼록한지 검사하고, 그렇지 못하게 하는 에지를 에디트 "
        "모드에서 선택합니다. 모디파이어를 뺀 편집 중인 메쉬를 검사하므로, 모디파이어의 결과를 검사하려면 먼저 "
        "적용하세요. 좌표의 반올림 오차보다 얕게 팬 곳은 세지 않습니다"
    ),
    "Select": "선택",
    "Which of the edges that keep a mesh from being convex are selected": (
        "메쉬를 볼록하지 못하게 하는 에지 가운데 어떤 것을 선택할지 정합니다"
    ),
    "Reflex Edges": "오목한 에지",
    "Edges at which the surface folds inward; of a face that is bent inward, all its edges": (
        "표면이 안쪽으로 접히는 에지입니다. 안쪽으로 굽은 페이스는 그 에지 모두입니다"
    ),
    "Open Edges": "열린 에지",
    "Edges that only one face has: the rims of holes": "페이스가 하나뿐인 에지, 곧 구멍의 가장자리입니다",
    "Crowded Edges": "겹친 에지",
    "Edges that more than two faces have: where walls inside begin": (
        "페이스가 셋 이상인 에지입니다. 안쪽 벽이 여기서 시작됩니다"
    ),
    "Go to object mode or mesh edit mode first": "먼저 오브젝트 모드나 메쉬 에디트 모드로 가세요",
    "Select a mesh object": "메쉬 오브젝트를 선택하세요",
    "“{name}” has a vertex at an infinite place, or at none (not a number)": (
        "“{name}”의 버텍스 좌표가 무한대이거나 숫자가 아닙니다"
    ),
    "“{name}” has no vertices": "“{name}”에 버텍스가 없습니다",
    "“{name}” is convex": "“{name}”: 볼록함",
    "“{name}” is not convex": "“{name}”: 볼록하지 않음",
    "{count} of {total} meshes are not convex": "메쉬 {total}개 가운데 {count}개가 볼록하지 않습니다",
    "All {total} meshes are convex": "메쉬 {total}개가 모두 볼록합니다",
    "One edge selected": "에지 하나 선택함",
    "{count} edges selected": "에지 {count}개 선택함",
    "Modifiers were left out": "모디파이어는 뺐습니다",
    "It has no faces": "페이스가 없습니다",
    "It folds inward at one edge, by {length} and {angle}": "에지 하나에서 {length}, {angle} 안쪽으로 접힙니다",
    "It folds inward at {count} edges, by up to {length} and {angle}": (
        "에지 {count}개에서 최대 {length}, {angle} 안쪽으로 접힙니다"
    ),
    "It is open: {count} edges have one face only": "열려 있습니다. 에지 {count}개에 페이스가 하나뿐입니다",
    "It has walls inside: {count} edges have more than two faces": (
        "안쪽에 벽이 있습니다. 에지 {count}개에 페이스가 셋 이상입니다"
    ),
    "It is in {count} pieces": "{count}조각으로 나뉘어 있습니다",
    "It sinks in smoothly, {length} deep: too little at each edge to name one": (
        "{length} 깊이로 매끄럽게 패어 있어 에지 하나하나에서는 드러나지 않습니다"
    ),
    "Vertices without a face stand out of it": "페이스가 없는 버텍스가 밖으로 나와 있습니다",
    "Its faces cannot all face the same way, as on a Möbius strip": (
        "뫼비우스의 띠처럼 페이스의 방향을 하나로 맞출 수 없습니다"
    ),
    "It passes through itself or goes around more than once": "자신을 뚫고 지나가거나 한 바퀴보다 더 돕니다",
    "It is flat and does not fill the convex outline around it exactly once": (
        "납작하고, 둘러싼 볼록한 윤곽을 정확히 한 번 채우지 않습니다"
    ),
    "It may have changed since this check": "검사한 뒤에 바뀌었을 수 있습니다",
    "Its faces look inward: recalculate its normals": "페이스가 안쪽을 봅니다. 노멀을 다시 계산하세요",
    "Some of its faces look the wrong way: recalculate its normals": (
        "일부 페이스가 반대쪽을 봅니다. 노멀을 다시 계산하세요"
    ),
    "Its Convex Hull": "볼록 껍질",
    "Vertices": "버텍스",
    "Edges": "에지",
    "Faces": "페이스",
    "Area": "면적",
    "Volume": "볼륨",
    "Filled": "채운 비율",
    "{count} vertices": "버텍스 {count}",
    "{count} edges": "에지 {count}",
    "{count} faces": "페이스 {count}",
}

OPERATORS = {
    "Check Convexity": "볼록성 검사",
}
