# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about culling, in English and Korean."""

LABELS = {
    "Camera": "카메라",
    "The scene has no active camera": "씬에 활성 카메라가 없습니다",
    "There is no object “{name}” in the scene": "씬에 “{name}” 오브젝트가 없습니다",
    "“{name}” is not a camera": "“{name}”은(는) 카메라가 아닙니다",
    "“{name}” is a panoramic camera: what it sees is not bounded by planes": (
        "“{name}”은(는) 파노라마 카메라여서 시야의 경계가 평면이 아닙니다"
    ),
    "“{name}” is a camera with a projection of its own, which cannot be read": (
        "“{name}”은(는) 투영 방식을 직접 정한 카메라여서 읽을 수 없습니다"
    ),
    "“{name}” sees nothing: its clip range is empty, or it is scaled to nothing": (
        "“{name}”에는 아무것도 보이지 않습니다. 클립 범위가 비었거나 축척이 0입니다"
    ),
    "Objects": "오브젝트",
    "Which objects are held against the camera's view": "어떤 오브젝트를 카메라의 시야와 비교할지 정합니다",
    "Every object that can be seen": "보이는 모든 오브젝트입니다",
    "Every selected object": "선택한 모든 오브젝트입니다",
    "Frames": "프레임",
    "In which frames the camera looks": "카메라로 어떤 프레임을 볼지 정합니다",
    "This Frame": "현재 프레임",
    "Only the current frame": "현재 프레임만 봅니다",
    "Scene Range": "씬 범위",
    "Every frame of the scene: outside is what no frame shows. Afterwards the current frame is back": (
        "씬의 모든 프레임을 봅니다. 어느 프레임에도 보이지 않으면 밖입니다. 끝나면 현재 프레임으로 돌아옵니다"
    ),
    "Method": "방법",
    "How objects beside an edge or a corner of the camera's view are decided": (
        "카메라 시야의 모서리나 꼭짓점 곁에 있는 오브젝트를 어떻게 판정할지 정합니다"
    ),
    "Exact": "정확하게",
    "What is not inside and not crossing is outside": "안에 있지도 걸치지도 않은 것은 모두 밖입니다",
    "By Planes": "평면만으로",
    "Outside is what lies beyond one of the six planes, as engines cull; "
    "large objects beside a corner may count as crossing": (
        "엔진이 컬링하는 방식대로 여섯 평면 가운데 하나를 벗어난 것이 밖입니다. "
        "꼭짓점 곁의 큰 오브젝트는 걸친 것으로 칠 수 있습니다"
    ),
    "Draw the camera's view and what was classified against it, colored by where it is": (
        "카메라의 시야와 분류한 오브젝트를 위치에 따른 색으로 그립니다"
    ),
    "Find out which objects are inside the active camera's view, cross its boundary, or are outside, by "
    "the shapes that they are tested as, and draw them in three colors. Nothing is changed": (
        "어떤 오브젝트가 활성 카메라의 시야 안에 있는지, 경계에 걸치는지, 밖에 있는지 검사하는 모양으로 알아내어 "
        "세 가지 색으로 그립니다. 아무것도 바꾸지 않습니다"
    ),
    "Select the objects that are outside the active camera's view, or those that cross its boundary or are "
    "inside, by the shapes that they are tested as": (
        "검사하는 모양을 기준으로 활성 카메라의 시야 밖에 있는 오브젝트를, 또는 경계에 걸치거나 안에 있는 "
        "오브젝트를 선택합니다"
    ),
    "Where the objects are that are selected": "선택할 오브젝트가 있는 곳입니다",
    "Outside": "외부",
    "Crossing": "걸침",
    "Inside": "내부",
    "Objects of which the camera sees nothing": "카메라에 전혀 보이지 않는 오브젝트입니다",
    "Objects that the boundary of the camera's view cuts": "카메라 시야의 경계에 걸친 오브젝트입니다",
    "Objects that lie wholly in the camera's view": "전부 카메라의 시야 안에 있는 오브젝트입니다",
    "Hide the objects that are outside the active camera's view, by the shapes that they are tested as, in the "
    "viewport; renders are not changed. Undo, or Show Hidden Objects, brings them back": (
        "검사하는 모양을 기준으로 활성 카메라의 시야 밖에 있는 오브젝트를 뷰포트에서 숨깁니다. 렌더는 바뀌지 "
        "않으며, 실행 취소나 숨긴 오브젝트 표시로 되돌릴 수 있습니다"
    ),
    "Forget which objects the camera sees and remove the drawing. The scene is not changed": (
        "카메라에 보이는 오브젝트의 결과와 그림을 지웁니다. 씬은 바뀌지 않습니다"
    ),
    "There is nothing to clear: cull to the camera first": "지울 것이 없습니다. 먼저 카메라로 컬링하세요",
    "Go to object mode first": "먼저 오브젝트 모드로 가세요",
    "Canceled: nothing was changed": "취소했습니다. 아무것도 바뀌지 않았습니다",
    "Looking through the camera: {done} of {count} frames": ("카메라로 보는 중: 프레임 {count}개 가운데 {done}개"),
    "No such object: the selection is as it was": "그런 오브젝트가 없어 선택을 그대로 두었습니다",
    "Nothing is outside the camera's view": "카메라의 시야 밖에 아무것도 없습니다",
    "{count} objects hidden": "오브젝트 {count}개 숨김",
    "{count} inside": "내부 {count}",
    "{count} crossing": "걸침 {count}",
    "{count} outside": "외부 {count}",
    "Select Outside": "외부 선택",
    "Hide Outside": "외부 숨기기",
}
