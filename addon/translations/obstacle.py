# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration space obstacle in Korean."""

LABELS = {
    "Draw A − B, every difference between a point of A and a point of B. A is the active object, which "
    "stays; B is the other selected one, or both are those of the chosen result. They collide exactly if the "
    "origin that is drawn lies inside, and the arrow is the shortest way for B to touch or to get free": (
        "A − B, 곧 A의 점과 B의 점의 모든 차를 그립니다. A는 제자리에 있는 활성 오브젝트이고 B는 선택한 다른 "
        "오브젝트이며, 아니면 고른 결과의 둘입니다. 그려진 오리진이 안에 있으면 둘은 충돌하며, 화살표는 B가 닿거나 "
        "빠져나오는 가장 짧은 길입니다"
    ),
    "Remove the obstacle from the viewport, and draw the chosen pair of the results again": (
        "뷰포트에서 장애물을 지우고 결과에서 고른 쌍을 다시 그립니다"
    ),
    "Placement": "위치",
    "Where the obstacle is drawn": "장애물을 그릴 곳입니다",
    "Around A": "A 둘레에",
    "Around the object that stays: the space that the other's origin must keep out of": (
        "제자리에 있는 오브젝트 둘레에 그립니다. 다른 오브젝트의 오리진이 들어가면 안 되는 공간입니다"
    ),
    "At World Origin": "월드 오리진에",
    "As A − B is defined: around the world's origin, which lies in it if they collide": (
        "A − B의 정의대로 월드 오리진 둘레에 그립니다. 둘이 충돌하면 오리진이 그 안에 있습니다"
    ),
    "Select two objects, the one that stays last, or choose a result of a collision check": (
        "오브젝트 둘을, 제자리에 있을 것을 나중에 선택하거나 충돌 검사의 결과를 고르세요"
    ),
    "The chosen pair has changed since the check: select its two objects, or check again": (
        "고른 쌍이 검사한 뒤에 바뀌었습니다. 두 오브젝트를 선택하거나 다시 검사하세요"
    ),
    "No obstacle is drawn": "그려진 장애물이 없습니다",
    "“{name}” goes on without end, and so would the obstacle": "“{name}”은(는) 끝이 없어 장애물도 끝이 없게 됩니다",
    "“{name}” is tested as a shape that is not convex": "“{name}”은(는) 볼록하지 않은 모양으로 검사됩니다",
    "“{name}” has no collision shape": "“{name}”에 충돌 모양이 없습니다",
    "“{name}” has no collision shape: {reason}": "“{name}”에 충돌 모양이 없습니다. {reason}",
    "“{a}” and “{b}” are parts of one body": "“{a}”와(과) “{b}”은(는) 한 물체의 부분입니다",
    "The origin lies {length} deep in the obstacle: they collide": (
        "오리진이 장애물 안 {length} 깊이에 있습니다. 둘은 충돌합니다"
    ),
    "The origin is {length} away from the obstacle: they are apart": (
        "오리진이 장애물에서 {length} 떨어져 있습니다. 둘은 떨어져 있습니다"
    ),
    "{name}’s origin, {length} deep": "{name}의 오리진, 깊이 {length}",
    "{name}’s origin, {length} away": "{name}의 오리진, 거리 {length}",
    "Origin, {length} deep": "오리진, 깊이 {length}",
    "Origin, {length} away": "오리진, 거리 {length}",
    "Origin": "오리진",
    "A Stays": "고정 A",
    "B Moves": "이동 B",
    "inside the obstacle": "장애물 안",
    "outside the obstacle": "장애물 밖",
    "Distance": "거리",
    "Way": "길",
    "Of {count} pairs of parts only the one that decides is drawn": (
        "부분의 쌍 {count}개 가운데 결과를 정하는 하나만 그렸습니다"
    ),
}

OPERATORS = {
    "Show Configuration Space Obstacle": "구성 공간 장애물 보기",
    "Hide Configuration Space Obstacle": "구성 공간 장애물 숨기기",
}
