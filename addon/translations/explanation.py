# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about axes and what is drawn of a pair, in English and Korean."""

LABELS = {
    "Evidence": "근거",
    "What is drawn of the chosen pair": "선택한 쌍에서 무엇을 그릴지 정합니다",
    "Separating Axes": "분리축",
    "Viewport Drawing": "뷰포트 그리기",
    "Look at another axis along which the two shapes might be apart: what each covers of it, how much they have "
    "in common, and what made it. Two convex shapes collide exactly if they overlap along every one of them": (
        "두 모양이 떨어져 있을 수 있는 다른 축을 봅니다. 각 모양이 축에서 차지하는 구간, 겹치는 길이, 축을 만든 요소를 "
        "보여 줍니다. 두 볼록한 모양은 모든 축에서 겹칠 때에만 충돌합니다"
    ),
    "Step": "이동",
    "Which axis to look at": "어느 축을 볼지 정합니다",
    "Next": "다음",
    "The axis with the next smaller gap; after the last comes the first": (
        "간격이 다음으로 작은 축입니다. 마지막 다음은 첫 축입니다"
    ),
    "Previous": "이전",
    "The axis with the next larger gap": "간격이 다음으로 큰 축입니다",
    "Deciding": "결정 축",
    "The axis with the largest gap or the least overlap: the one that decides": (
        "간격이 가장 크거나 겹침이 가장 작은 축입니다. 이 축이 결과를 결정합니다"
    ),
    "Deciding Axis": "결정 축",
    "Next Axis": "다음 축",
    "Previous Axis": "이전 축",
    "Choose a pair in the results first": "먼저 결과에서 쌍을 선택하십시오",
    "Turn on the axis ruler first": "먼저 축 눈금자를 켜십시오",
    "A mesh that is not convex has no separating axes": "볼록하지 않은 메쉬에는 분리축이 없습니다",
    "Click to see what both shapes cover of this axis, and what made it": (
        "클릭하면 두 모양이 이 축에서 차지하는 구간과 축을 만든 요소를 보여 줍니다"
    ),
    "Axis Ruler": "축 눈금자",
    "Draw the axis beside the pair with the stretch that each shape covers of it, and their overlap or gap, "
    "and highlight the face, edges or vertex that made it": (
        "쌍 옆에 축을 그리고 각 모양이 차지하는 구간과 겹침 또는 간격을 표시하며, "
        "축을 만든 면, 에지, 버텍스를 강조합니다"
    ),
    "Draw the contact points with their normals and depths, and fill what they span": (
        "접촉점을 노멀, 깊이와 함께 그리고 접촉점이 이루는 면을 채웁니다"
    ),
    "All Arrows": "모든 화살표",
    "Draw normal and depth of every contact. Off: of many contacts only of those that have no deeper one beside them, "
    "so that arrows do not cover each other; all have their points": (
        "모든 접촉점의 노멀과 깊이를 그립니다. 끄면 접촉점이 많을 때 화살표가 서로 가리지 않도록 바로 곁에 더 깊은 "
        "것이 없는 접촉점에만 그립니다. 점은 모두 그립니다"
    ),
    "Crossing Curve": "교차 곡선",
    "Draw the lines in which the surfaces of the two cross": "두 표면이 교차하는 선을 그립니다",
    "Color by Verdict": "판정에 따라 색칠",
    "Color every tested object by the worst that was found about it": (
        "검사한 모든 오브젝트를 가장 나쁜 판정에 따라 색칠합니다"
    ),
    "Where the surfaces of the chosen pair cross": "선택한 쌍의 표면이 교차하는 곳입니다",
    "Contained": "포함됨",
    "Objects one of which is inside the other, colored by verdict": (
        "판정에 따라 색칠할 때 하나가 다른 하나 안에 있는 오브젝트입니다"
    ),
    "Objects that touch, colored by verdict": "판정에 따라 색칠할 때 서로 닿는 오브젝트입니다",
    "Too Near": "너무 가까움",
    "Objects that are within the clearance, colored by verdict": (
        "판정에 따라 색칠할 때 여유 거리 안에 있는 오브젝트입니다"
    ),
    "Clear": "여유 있음",
    "Objects that nothing comes near, colored by verdict": (
        "판정에 따라 색칠할 때 가까이에 아무것도 없는 오브젝트입니다"
    ),
    "no direction": "방향 없음",
    "parallel": "평행",
    "closest points": "가장 가까운 점",
    "least penetration": "최소 관통",
    "edges {a} × {b}": "에지 {a} × {b}",
    "face {a} of A": "A 면 {a}",
    "face {b} of B": "B 면 {b}",
    "side {a} of A": "A 변 {a}",
    "side {b} of B": "B 변 {b}",
    "Direction": "방향",
    "Overlap": "겹침",
    "Overlap {length}": "겹침 {length}",
    "Gap {length}": "간격 {length}",
    "A Covers": "A 구간",
    "B Covers": "B 구간",
    "Not tested: a face without area or an edge without length has no direction": (
        "검사하지 않음: 넓이 없는 면이나 길이 없는 에지에는 방향이 없습니다"
    ),
    "Not tested: the two edges are parallel, and have no common normal": (
        "검사하지 않음: 두 에지가 평행하여 공통 수직 방향이 없습니다"
    ),
    "It decides: along no other axis do they overlap less": "결정 축입니다. 이보다 적게 겹치는 축은 없습니다",
    "It decides: they touch along it, and are apart along no other axis": (
        "결정 축입니다. 이 축에서 맞닿아 있으며, 떨어져 있는 축은 없습니다"
    ),
    "It decides: they are apart along it, and along no other axis farther": (
        "결정 축입니다. 이 축에서 떨어져 있으며, 더 멀리 떨어진 축은 없습니다"
    ),
    "It does not decide: the deciding axis shows {length} more": (
        "결정 축이 아닙니다. 결정 축의 간격이 {length} 더 큽니다"
    ),
}

OPERATORS = {
    "Step Separating Axis": "분리축 넘기기",
}
