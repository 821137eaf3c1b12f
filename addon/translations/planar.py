# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface and the report say about outlines in a plane, in English and Korean."""

LABELS = {
    # Settings
    "Planar": "평면",
    "In which plane the scene is checked, if not in space": "공간이 아니라면 어느 평면에서 검사할지 정합니다",
    "Dimension": "차원",
    "Whether objects are tested in space or as their outlines in a plane": (
        "오브젝트를 공간에서 검사할지, 평면에서 본 윤곽으로 검사할지 정합니다"
    ),
    "3D": "3차원",
    "Objects are tested in space": "오브젝트를 공간에서 검사합니다",
    "Objects are tested as their outlines in a plane, as 2D games and plan views have them: flat meshes and closed "
    "curves exactly, holes included, and everything else by its silhouette": (
        "2D 게임과 평면도처럼 오브젝트를 평면에서 본 윤곽으로 검사합니다. 납작한 메쉬와 닫힌 커브는 구멍까지 정확하게, "
        "나머지는 실루엣으로 검사합니다"
    ),
    "Plane": "평면",
    "The plane in which objects have their outlines": "오브젝트의 윤곽을 보는 평면입니다",
    "XY: Top View": "XY: 위쪽 뷰",
    "The ground plane, seen from above": "위에서 내려다본 바닥 평면입니다",
    "XZ: Front View": "XZ: 앞쪽 뷰",
    "The upright plane of side-scrollers, seen from the front": "앞에서 본, 횡스크롤 게임의 수직 평면입니다",
    "YZ: Right View": "YZ: 오른쪽 뷰",
    "The upright plane that is seen from the right": "오른쪽에서 본 수직 평면입니다",
    "Active Camera": "활성 카메라",
    "What the scene's active camera sees, which must be an orthographic one": (
        "씬의 활성 카메라에 보이는 대로 봅니다. 정사법 카메라여야 합니다"
    ),
    "“{name}” is not an orthographic camera: only what is seen in parallel has one outline": (
        "“{name}”은(는) 정사법 카메라가 아닙니다. 평행하게 보아야 윤곽이 하나로 정해집니다"
    ),
    "outlines in a plane are not followed live; check them by hand": (
        "평면의 윤곽은 실시간으로 따라가지 않습니다. 직접 검사하세요"
    ),
    "The chosen pair was checked in a plane: select its two objects": (
        "선택한 쌍은 평면에서 검사했습니다. 두 오브젝트를 선택하세요"
    ),
    # Convex pieces
    "Convex Pieces": "볼록 조각",
    "Show": "보기",
    "Make Objects": "오브젝트로 만들기",
    "Pieces": "조각",
    "Corners": "꼭짓점",
    "{corners} corners, {pieces} convex pieces, {area}": "꼭짓점 {corners}개, 볼록 조각 {pieces}개, {area}",
    "Draw the convex pieces that make up the active object's outline in the plane that is set: few of them, which "
    "cover it exactly and have corners of the outline only": (
        "설정한 평면에서 본 활성 오브젝트의 윤곽을 이루는 볼록 조각을 그립니다. 개수가 적고, 윤곽을 정확히 덮으며, "
        "윤곽의 꼭짓점만 씁니다"
    ),
    "Remove the convex pieces from the viewport, and draw the chosen pair of the results again": (
        "뷰포트에서 볼록 조각을 지우고 결과에서 선택한 쌍을 다시 그립니다"
    ),
    "Make a flat mesh object of each convex piece of the active object's outline in the plane that is set, for "
    "engines that take only convex polygons. They follow the object, are in a collection of their own, and are "
    "not tested themselves, since the object is": (
        "설정한 평면에서 본 활성 오브젝트의 윤곽을 볼록 조각으로 나누어 각각 납작한 메쉬 오브젝트로 만듭니다. 볼록 "
        "다각형만 받는 엔진에 씁니다. 조각은 오브젝트를 따라 움직이고 따로 컬렉션에 담기며, 오브젝트가 검사되므로 "
        "조각은 검사하지 않습니다"
    ),
    "Make an object the active one": "오브젝트 하나를 활성으로 만드세요",
    "No convex pieces are drawn": "그려진 볼록 조각이 없습니다",
    "“{name}” is hidden": "“{name}”이(가) 숨겨져 있습니다",
    "“{name}” has no outline: {reason}": "“{name}”에는 윤곽이 없습니다: {reason}",
    "The outline of “{name}” crosses itself at ({place})": "“{name}”의 윤곽이 ({place})에서 스스로 교차합니다",
    "The outline of “{name}” encloses nothing": "“{name}”의 윤곽이 아무것도 둘러싸지 않습니다",
    "“{name}”: {count} convex pieces": "“{name}”: 볼록 조각 {count}개",
    "“{name}”: {count} convex pieces made": "“{name}”: 볼록 조각 {count}개를 만들었습니다",
}

OPERATORS = {
    "Show Convex Pieces of Outline": "윤곽의 볼록 조각 보기",
    "Hide Convex Pieces of Outline": "윤곽의 볼록 조각 숨기기",
    "Make Convex Pieces of Outline": "윤곽의 볼록 조각 만들기",
}

# Of the report; see `phrases`.
PHRASES = {
    # The kinds of outlines
    "circle": "원",
    "rectangle": "직사각형",
    "polygon": "볼록 다각형",
    "region": "오목하거나 구멍 난 영역",
    # Why an object has its outline
    "flat mesh": "납작한 메쉬",
    "closed curve": "닫힌 커브",
    "open curve": "열린 커브",
    "text": "텍스트",
    "outline of its mesh": "메쉬의 실루엣",
    "seen edge-on": "옆에서 본 선",
    # Findings
    "Its outline has too many edges to be found; the outline of its hull was tested.": (
        "윤곽의 모서리가 너무 많아 볼록 껍질의 윤곽으로 검사했습니다."
    ),
    "It is seen edge-on and has no width; a line was tested.": "옆에서 보면 폭이 없어 선으로 검사했습니다.",
    "Its curve is open and encloses nothing; a line without width was tested.": (
        "커브가 열려 있어 둘러싸는 것이 없으므로 폭 없는 선으로 검사했습니다."
    ),
    "Its outline is round in parts; straight pieces were tested in their place, inside it by less than 0.04 % of the "
    "radius.": ("윤곽의 둥근 부분을 곧은 조각으로 바꾸어 검사했습니다. 반지름의 0.04 % 미만만큼 안쪽입니다."),
    "It is a half-space, which has no outline; it was not tested.": "반공간에는 윤곽이 없어 검사하지 않았습니다.",
    "Its outline crosses itself at {place}; the outline of its hull was tested.": (
        "윤곽이 {place}에서 스스로 교차하므로 볼록 껍질의 윤곽으로 검사했습니다."
    ),
    "Its outline goes out to {place} and back along the same line; what has no width there was left out.": (
        "윤곽이 {place}까지 나갔다가 같은 선을 따라 되돌아오므로 폭이 없는 그 부분을 제외했습니다."
    ),
}
