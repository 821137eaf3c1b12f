# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in Korean; English is in the code.

Words that Blender translates itself keep Blender's translation. What is in braces is filled in afterwards.
"""

from ..phrases import PHRASES
from . import CONTEXT as CONTEXT
from .camera import LABELS as CAMERA_LABELS
from .colliders import LABELS as COLLIDERS_LABELS
from .colliders import OPERATORS as COLLIDERS_OPERATORS
from .convexity import LABELS as CONVEXITY_LABELS
from .convexity import OPERATORS as CONVEXITY_OPERATORS
from .counted import SINGULAR
from .errors import LABELS as ERRORS_LABELS
from .explanation import LABELS as EXPLANATION_LABELS
from .explanation import OPERATORS as EXPLANATION_OPERATORS
from .fixes import LABELS as FIXES_LABELS
from .fixes import OPERATORS as FIXES_OPERATORS
from .gltf import LABELS as GLTF_LABELS
from .live import LABELS as LIVE_LABELS
from .motion import LABELS as MOTION_LABELS
from .motion import OPERATORS as MOTION_OPERATORS
from .obstacle import LABELS as OBSTACLE_LABELS
from .obstacle import OPERATORS as OBSTACLE_OPERATORS
from .planar import LABELS as PLANAR_LABELS
from .planar import OPERATORS as PLANAR_OPERATORS
from .results import LABELS as RESULTS_LABELS
from .results import OPERATORS as RESULTS_OPERATORS
from .settings import LABELS as SETTINGS_LABELS
from .settings import OPERATORS as SETTINGS_OPERATORS
from .validation import LABELS as VALIDATION_LABELS
from .validation import OPERATORS as VALIDATION_OPERATORS

LABELS = {
    # Panels
    "Collision": "충돌",
    "Collision Check": "충돌 검사",
    "Results": "결과",
    "Chosen Pair": "선택한 쌍",
    "Findings": "주의 사항",
    "Not Tested": "검사하지 않음",
    "Active Object": "활성 오브젝트",
    "Collision Shape": "충돌 모양",
    "Configuration Space": "구성 공간",
    "Convexity": "볼록성",
    # Scope
    "Scope": "범위",
    "Which objects are tested against which": "어떤 오브젝트를 어떤 오브젝트와 검사할지 정합니다",
    "Visible Objects": "보이는 오브젝트",
    "Every object that can be seen, against every other": "보이는 모든 오브젝트를 서로 검사합니다",
    "In Camera View": "카메라에 보이는 것",
    "Every visible object that is not outside the active camera's view, against every other": (
        "보이는 오브젝트 가운데 활성 카메라의 시야 밖에 있지 않은 것을 서로 검사합니다"
    ),
    "Selected Objects": "선택한 오브젝트",
    "Every selected object against every other selected one": "선택한 모든 오브젝트를 서로 검사합니다",
    "Active against Selected": "활성 대 선택",
    "The active object against each of the other selected ones": (
        "활성 오브젝트를 선택한 다른 오브젝트 각각과 검사합니다"
    ),
    "Whole Scene": "씬 전체",
    "Every object of the scene against every other; hidden ones are listed as not tested": (
        "씬의 모든 오브젝트를 서로 검사합니다. 숨긴 오브젝트는 검사하지 않은 것으로 표시됩니다"
    ),
    "One Collection": "컬렉션 하나",
    "Every object of one collection against every other in it": "한 컬렉션의 모든 오브젝트를 서로 검사합니다",
    "Two Collections": "컬렉션 둘",
    "Every object of one collection against every object of another, such as props against the level": (
        "한 컬렉션의 모든 오브젝트를 다른 컬렉션의 모든 오브젝트와 검사합니다. 예: 소품 대 레벨"
    ),
    "Collection": "컬렉션",
    "The objects to test, those of its child collections included": (
        "검사할 오브젝트입니다. 하위 컬렉션의 오브젝트도 포함됩니다"
    ),
    "Against": "상대",
    "The objects to test them against, those of its child collections included": (
        "상대가 되는 오브젝트입니다. 하위 컬렉션의 오브젝트도 포함됩니다"
    ),
    # Tolerances
    "Touching": "접촉",
    "How near or how deep two surfaces may be to count as touching: neither apart nor penetrating": (
        "두 표면이 얼마나 가깝거나 깊을 때까지 접촉으로 볼지 정합니다. 접촉은 떨어진 것도 관통한 것도 아닙니다"
    ),
    "Automatic": "자동",
    "Just above the rounding of coordinates as large as these objects'": (
        "오브젝트 좌표의 반올림 오차보다 조금 큰 값을 씁니다"
    ),
    "Manual": "수동",
    "A distance of your own": "직접 정한 거리를 씁니다",
    "Tolerance": "허용 오차",
    "Surfaces that are no further apart than this, and no deeper in each other, count as touching": (
        "이 값보다 멀지도 깊지도 않은 표면은 접촉으로 봅니다"
    ),
    "Clearance": "여유 거리",
    "Boolean Operands": "불리언 피연산자",
    "Test operands of Boolean modifiers that are displayed as wire or bounds, or not rendered, as well. Off: "
    "they are listed as not tested, unless their shape is set": (
        "와이어나 경계로 표시되거나 렌더링되지 않는 불리언 모디파이어 피연산자도 검사합니다. 끄면 모양을 설정하지 않은 "
        "한 검사하지 않은 것으로 나열됩니다"
    ),
    "List pairs that do not touch but are nearer than this, too. Zero lists only what touches": (
        "닿지 않더라도 이 거리보다 가까운 쌍도 표시합니다. 0이면 닿는 쌍만 표시합니다"
    ),
    # Shapes
    "Shape": "모양",
    "The shape that this object stands for when it is tested": "이 오브젝트를 검사할 때 대신하는 모양입니다",
    "Its rigid body's shape; without one, what its name says (UBX_, USP_, UCP_, UCX_); without that, its mesh": (
        "강체의 모양을 따르고, 강체가 없으면 이름(UBX_, USP_, UCP_, UCX_)을, 그것도 없으면 메쉬를 따릅니다"
    ),
    "Box": "박스",
    "The box around it, along its own axes": "오브젝트를 둘러싸는, 자신의 축에 나란한 박스입니다",
    "Sphere": "구체",
    "The sphere around it": "오브젝트를 둘러싸는 구체입니다",
    "Capsule": "캡슐",
    "The capsule around it, along its longest axis": "오브젝트를 둘러싸는, 가장 긴 축 방향의 캡슐입니다",
    "Cylinder": "원기둥",
    "The cylinder around it, along its longest axis": "가장 긴 축을 따라 오브젝트를 둘러싸는 원기둥입니다",
    "Triangle Mesh": "삼각형 메쉬",
    "Its mesh as it is, hollows and holes included": "오목한 곳과 구멍을 포함한 메쉬 그대로입니다",
    "Convex Hull": "볼록 껍질",
    "The tightest convex shape around it": "오브젝트를 가장 꼭 맞게 둘러싸는 볼록한 모양입니다",
    "Half-Space": "반공간",
    "Everything below its origin, against its own Z axis: a floor without end": (
        "원점 아래, 자신의 Z축 반대쪽 전부입니다. 끝없는 바닥과 같습니다"
    ),
    "Nothing": "없음",
    "It is not tested": "검사하지 않습니다",
    "Its mesh's hull": "메쉬의 볼록 껍질",
    "Its children's shapes": "자식들의 모양",
    "Read As": "인식",
    "According To": "근거",
    "its rigid body": "강체",
    "its name": "이름",
    "nothing else set": "다른 설정 없음",
    "its display": "표시 형태",
    "Not tested: {reason}": "검사하지 않음: {reason}",
    # Results
    "Pair": "쌍",
    "Click to select both objects, frame them and see how they stand to each other": (
        "클릭하면 두 오브젝트를 선택하고 화면에 맞춘 뒤 서로의 관계를 보여 줍니다"
    ),
    "Show in Viewport": "뷰포트에 표시",
    "Draw the chosen pair's shapes, the axis that parts them or is least penetrated, and its contacts": (
        "선택한 쌍의 모양과 분리축 또는 최소 관통축, 접촉점을 그립니다"
    ),
    "Result": "결과",
    "Number of the result, counted from zero at the worst; -1: the chosen one": (
        "결과의 번호입니다. 가장 심한 것이 0번이고, -1은 선택한 결과입니다"
    ),
    "One inside the other": "한쪽이 다른 쪽 안에 있음",
    "Penetrating": "관통",
    "Too near": "여유 거리 이내",
    "Apart": "떨어져 있음",
    "{count} contained": "포함 {count}",
    "{count} penetrating": "관통 {count}",
    "{count} touching": "접촉 {count}",
    "{count} too near": "여유 거리 이내 {count}",
    "{count} apart": "떨어져 있음 {count}",
    "No collisions": "충돌 없음",
    "{count} bodies tested": "물체 {count}개 검사함",
    "Fewer than two bodies could be tested: nothing to collide": (
        "검사할 수 있는 물체가 둘보다 적어 충돌할 것이 없습니다"
    ),
    "Depth": "깊이",
    "Interference": "간섭",
    "To Move Free": "빼내는 거리",
    "Gap": "간격",
    "These shapes part if “{name}” is moved by {length} along {direction}": (
        "“{name}”을(를) {direction} 방향으로 {length} 옮기면 두 모양이 떨어집니다"
    ),
    "Contacts": "접촉점",
    "and {count} more": "외 {count}개",
    # What has happened since
    "The scene has changed since this check": "검사한 뒤에 씬이 바뀌었습니다",
    "Undo or redo since this check": "검사한 뒤에 실행 취소나 다시 실행이 있었습니다",
    "The settings have changed since this check": "검사한 뒤에 설정이 바뀌었습니다",
    "These are the results of the scene “{name}”": "씬 “{name}”의 결과입니다",
    "Changed since this check: not drawn in the viewport": "검사한 뒤에 바뀌어 뷰포트에 그리지 않습니다",
    "It was deleted after this check": "검사한 뒤에 삭제되었습니다",
    # Operators
    "Test which objects of the scope penetrate, contain or touch each other, or come nearer than the "
    "clearance. Modifiers and instances count; nothing is changed. Esc stops": (
        "범위 안의 어떤 오브젝트가 서로 관통하거나 포함하거나 닿는지, 또는 여유 거리보다 가까운지 "
        "검사합니다. 모디파이어와 인스턴스도 반영되며 아무것도 바꾸지 않습니다. Esc를 누르면 멈춥니다"
    ),
    "Reading the scene": "씬을 읽는 중",
    "Cancel": "취소",
    "Testing pairs: {done} of {total}, {count} collisions so far": (
        "쌍을 검사하는 중: {total}개 가운데 {done}개, 지금까지 충돌 {count}개"
    ),
    "The scene has changed meanwhile: nothing was kept. Try again": (
        "그사이에 씬이 바뀌어 결과를 남기지 않았습니다. 다시 시도하세요"
    ),
    "Select both objects of this result, bring them into view, and draw the axis along which they are "
    "apart or penetrate least, with their contacts": (
        "이 결과의 두 오브젝트를 선택해 화면에 맞추고, 둘이 떨어져 있거나 가장 적게 관통하는 축과 접촉점을 그립니다"
    ),
    "Select everything that the last check tested. Choosing a result changes the selection; "
    "this brings it back, for example to check the same objects again": (
        "마지막 검사에서 검사한 모든 것을 선택합니다. 결과를 고르면 선택이 바뀌므로, "
        "같은 오브젝트를 다시 검사할 때 선택을 되돌리는 데 씁니다"
    ),
    "Empty the list of results and remove what is drawn of them. The scene is not changed": (
        "결과 목록을 비우고 그려진 것을 지웁니다. 씬은 바뀌지 않습니다"
    ),
    # What is missing, and what went wrong
    "Select the objects to check": "검사할 오브젝트를 선택하세요",
    "Select at least two objects": "오브젝트를 둘 이상 선택하세요",
    "Make an object the active one: it is tested against the others that are selected": (
        "오브젝트 하나를 활성화하세요. 선택한 나머지와 검사합니다"
    ),
    "Select at least one object besides the active one": "활성 오브젝트 외에 하나 이상을 더 선택하세요",
    "Choose the collection to check": "검사할 컬렉션을 고르세요",
    "Choose both collections": "컬렉션 둘을 모두 고르세요",
    "Choose two different collections": "서로 다른 컬렉션 둘을 고르세요",
    "There are no results: check for collisions first": "결과가 없습니다. 먼저 충돌을 검사하세요",
    "There are no results to clear": "지울 결과가 없습니다",
    "There is no result {row}": "{row}번 결과가 없습니다",
    "The results are of another scene or view layer": "다른 씬이나 뷰 레이어의 결과입니다",
    "“{name}” was deleted after this check": "“{name}”은(는) 검사한 뒤에 삭제되었습니다",
    "{count} objects selected": "오브젝트 {count}개 선택함",
    "Both objects are hidden: nothing was selected": ("두 오브젝트가 모두 숨겨져 있어 아무것도 선택하지 않았습니다"),
    # Preferences
    "First Object": "첫째 오브젝트",
    "Collision shape of the first object of the chosen pair": "선택한 쌍의 첫째 오브젝트의 충돌 모양입니다",
    "Second Object": "둘째 오브젝트",
    "Collision shape of the second object of the chosen pair": "선택한 쌍의 둘째 오브젝트의 충돌 모양입니다",
    "Axis": "축",
    "Axis along which the two are apart, or penetrate least": ("둘이 떨어져 있거나 가장 적게 관통하는 축입니다"),
    "How far the two penetrate": "둘이 서로 관통한 깊이입니다",
    "How far the two are apart": "둘이 떨어진 거리입니다",
    "Obstacle": "장애물",
    "Surface of the configuration space obstacle": "구성 공간 장애물의 표면입니다",
    "The origin that lies in the obstacle if the two collide": "둘이 충돌하면 장애물 안에 있는 오리진입니다",
    "Camera View": "카메라 시야",
    "Edges of what the active camera sees": "활성 카메라의 시야를 나타내는 모서리입니다",
    "Objects that lie inside the camera's view": "카메라의 시야 안에 있는 오브젝트입니다",
    "Objects that lie partly inside the camera's view": "일부가 카메라의 시야 안에 있는 오브젝트입니다",
    "Objects that lie outside the camera's view": "카메라의 시야 밖에 있는 오브젝트입니다",
    "Contact points and their normals": "접촉점과 그 노멀입니다",
    "Line Width": "선 굵기",
    "Thickness of lines and points, as a multiple of the usual one": (
        "선과 점의 굵기입니다. 보통 굵기의 배수로 정합니다"
    ),
}

# Blender looks the names of operators up in a context of their own.
OPERATORS = {
    "Check Collisions": "충돌 검사",
    "Select Colliding Pair": "충돌하는 쌍 선택",
    "Select Checked Objects": "검사한 오브젝트 선택",
    "Clear Collision Results": "충돌 결과 지우기",
    "Cull to Camera": "카메라로 컬링",
    "Select Outside Camera": "카메라 밖 선택",
    "Hide Outside Camera": "카메라 밖 숨기기",
    "Clear Camera Culling": "카메라 컬링 지우기",
}

KOREAN = {
    (context, english): korean
    for contexts, texts in (
        (
            ("*", CONTEXT),
            LABELS
            | CAMERA_LABELS
            | COLLIDERS_LABELS
            | CONVEXITY_LABELS
            | ERRORS_LABELS
            | EXPLANATION_LABELS
            | FIXES_LABELS
            | GLTF_LABELS
            | LIVE_LABELS
            | MOTION_LABELS
            | OBSTACLE_LABELS
            | PLANAR_LABELS
            | RESULTS_LABELS
            | SETTINGS_LABELS
            | VALIDATION_LABELS,
        ),
        (("*", CONTEXT), PHRASES),
        (
            ("Operator",),
            OPERATORS
            | COLLIDERS_OPERATORS
            | CONVEXITY_OPERATORS
            | EXPLANATION_OPERATORS
            | FIXES_OPERATORS
            | MOTION_OPERATORS
            | OBSTACLE_OPERATORS
            | PLANAR_OPERATORS
            | RESULTS_OPERATORS
            | SETTINGS_OPERATORS
            | VALIDATION_OPERATORS,
        ),
    )
    for context in contexts
    for english, korean in texts.items()
}

for (context, english), korean in tuple(KOREAN.items()):
    if english in SINGULAR:
        KOREAN.setdefault((context, SINGULAR[english]), korean)

# As `bpy.app.translations.register` takes it.
DICTIONARY = {"ko_KR": KOREAN}
