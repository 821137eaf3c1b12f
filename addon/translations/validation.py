# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface and the report say about validations of colliders, in English and Korean."""

from .rules import ADVICE, SENTENCES

LABELS = {
    # Panels
    "Validation": "충돌체 검증",
    "Limits": "한도",
    "Repaired": "고친 것",
    # Settings
    "What a validation of colliders looks at": "충돌체 검증이 무엇을 살펴볼지 정합니다",
    "Engine": "엔진",
    "The engine that the colliders are for: its own rules count as well": (
        "충돌체를 쓸 엔진입니다. 그 엔진의 규칙도 함께 적용합니다"
    ),
    "Any Engine": "모든 엔진",
    "Only the rules that hold in every engine": "모든 엔진에 통하는 규칙만 적용합니다",
    "Unreal": "언리얼",
    "Names and pairing as Unreal's importer reads them, and what it accepts as box or sphere": (
        "언리얼의 임포터가 읽는 대로 이름과 짝을 확인하고, 박스나 구체로 받아들이는지 확인합니다"
    ),
    "Godot": "고도",
    "Suffixes as Godot's scene importer reads them, and what it makes of shared meshes": (
        "고도의 씬 임포터가 읽는 대로 접미사를 확인하고, 공유된 메쉬를 어떻게 다루는지 확인합니다"
    ),
    "Unity": "유니티",
    "How large convex mesh colliders may be in Unity, and which of them may move": (
        "유니티에서 볼록 메쉬 충돌체가 얼마나 클 수 있고 어떤 것이 움직일 수 있는지 확인합니다"
    ),
    "glTF": "glTF 형식",
    "What the physics extensions of glTF can express": "glTF의 물리 확장이 나타낼 수 있는 것인지 확인합니다",
    "Whose colliders are validated": "어떤 오브젝트의 충돌체를 검증할지 정합니다",
    "All objects of the scene, hidden ones too: they are exported all the same": (
        "씬의 모든 오브젝트를 봅니다. 숨긴 것도 내보내지므로 포함합니다"
    ),
    "Objects that can be seen, with all of their colliders": "보이는 오브젝트와 그 충돌체를 모두 봅니다",
    "Selected objects, with all of their colliders": "선택한 오브젝트와 그 충돌체를 모두 봅니다",
    "Least Thickness": "최소 두께",
    "Colliders that are thinner than this are reported": "이보다 얇은 충돌체를 알립니다",
    "Hull Vertices": "껍질 버텍스",
    "The most vertices that a convex collider may have": "볼록 충돌체가 가질 수 있는 최대 버텍스 수입니다",
    "Mesh Triangles": "메쉬 삼각형",
    "The most triangles that a collider may have which is tested triangle by triangle": (
        "삼각형 단위로 검사하는 충돌체가 가질 수 있는 최대 삼각형 수입니다"
    ),
    "Sticking Out": "튀어나옴",
    "How far a mesh may stick out of its colliders, and they out of it, before it is reported: a share of the "
    "diagonal of the mesh's bounds": (
        "메쉬와 충돌체가 서로의 밖으로 얼마나 튀어나오면 알릴지 정합니다. 메쉬 경계 대각선에 대한 비율입니다"
    ),
    "Overlap": "겹침",
    "How deep two colliders of one body may be in each other before it is reported: a share of the diagonal of "
    "the smaller one's bounds": (
        "한 물체의 두 충돌체가 서로 얼마나 깊이 겹치면 알릴지 정합니다. 작은 쪽 경계 대각선에 대한 비율입니다"
    ),
    # Buttons
    "Fix": "고치기",
    "Fix All": "모두 고치기",
    "Validating: {done} of {total} tests, {count} findings so far": (
        "검증하는 중: 검사 {total}개 가운데 {done}개, 지금까지 찾은 항목 {count}개"
    ),
    "Find out what the engine will make of the colliders: whether their names are read, their shapes accepted and "
    "their scales kept, and whether they hold what one sees. Hidden colliders count, too. Nothing is changed. "
    "Esc stops": (
        "엔진이 충돌체를 어떻게 받아들일지 알아봅니다. 이름을 읽는지, 모양을 받아들이는지, 축척을 지키는지, "
        "보이는 것을 감싸는지 확인합니다. 숨긴 충돌체도 포함하며 아무것도 바꾸지 않습니다. Esc를 누르면 멈춥니다"
    ),
    "Repair what this finding is about, and validate again. One step to undo": (
        "이 항목이 가리키는 문제를 고치고 다시 검증합니다. 한 번에 실행 취소할 수 있습니다"
    ),
    "Repair everything that can be repaired without a decision of yours: apply scale, turn normals outward, merge "
    "and dissolve, split into pieces, replace by convex hulls, simplify, rename. What was done is listed. One step "
    "to undo": (
        "사용자의 결정이 필요 없는 문제를 모두 고칩니다. 축척 적용, 노멀 바깥쪽으로 돌리기, 병합과 디졸브, "
        "조각 나누기, 볼록 껍질로 바꾸기, 단순화, 이름 바꾸기를 합니다. "
        "한 일은 목록에 남고 한 번에 실행 취소할 수 있습니다"
    ),
    "Select the object that this finding is about, and bring it into view. A hidden one is shown": (
        "이 항목이 가리키는 오브젝트를 선택하고 화면에 맞춥니다. 숨겨져 있으면 보이게 합니다"
    ),
    "Finding": "항목",
    "Number of the finding, counted from zero; -1: the first about the object after the active one": (
        "항목의 번호이며 0부터 셉니다. -1은 활성 오브젝트 다음 오브젝트의 첫 항목입니다"
    ),
    "Number of the finding, counted from zero; -1: the first about the active object that can be fixed": (
        "항목의 번호이며 0부터 셉니다. -1은 활성 오브젝트의 항목 가운데 고칠 수 있는 첫 항목입니다"
    ),
    "Nothing about the active object can be fixed automatically": (
        "활성 오브젝트에 자동으로 고칠 수 있는 항목이 없습니다"
    ),
    # States
    "The scene has no objects": "씬에 오브젝트가 없습니다",
    "Validate the colliders first": "먼저 충돌체를 검증하세요",
    "The last validation found nothing": "마지막 검증에서 찾은 것이 없습니다",
    "Nothing that was found can be repaired without you": "사용자 없이 고칠 수 있는 항목이 없습니다",
    "The scene has changed since: validate again": "그 뒤로 씬이 바뀌었습니다. 다시 검증하세요",
    "{count} colliders validated": "충돌체 {count}개 검증",
    "Nothing to report": "알릴 것이 없습니다",
    "{count} errors": "오류 {count}개",
    "{count} warnings": "경고 {count}개",
    "{count} notes": "알림 {count}개",
    "There is no finding {row}": "{row}번 항목이 없습니다",
    "This finding takes a decision: nothing was changed": (
        "사용자의 결정이 필요한 항목이라 아무것도 바꾸지 않았습니다"
    ),
    "“{name}” was changed or deleted: validate again": "“{name}”이(가) 바뀌었거나 삭제되었습니다. 다시 검증하세요",
    "“{name}” cannot be selected: it is gone or hidden": "“{name}”은(는) 없거나 숨겨져 있어 선택할 수 없습니다",
    "{count} repairs": "{count}건 고침",
    "{count} findings left": "항목 {count}개 남음",
}

OPERATORS = {
    "Validate Colliders": "충돌체 검증",
    "Fix Collider Finding": "충돌체 문제 고치기",
    "Fix All Collider Findings": "충돌체 문제 모두 고치기",
    "Select Collider of Finding": "항목의 충돌체 선택",
}

# Of the rules and of what repairs do; looked up by what stands in `addon.asset_rules`, `rules` and `validation.texts`.
PHRASES = {
    "Errors": "오류",
    "Warnings": "경고",
    "Notes": "알림",
    "given a mesh of its own": "자신만의 메쉬를 주었습니다",
    "scale applied": "축척을 적용했습니다",
    "merged and dissolved": "병합하고 디졸브했습니다",
    "normals turned outward": "노멀을 바깥쪽으로 돌렸습니다",
    "split into its pieces": "조각으로 나누었습니다",
    "replaced by its convex hull": "볼록 껍질로 바꾸었습니다",
    "simplified to the budget": "한도에 맞게 단순화했습니다",
    "origin set to the middle": "오리진을 가운데로 옮겼습니다",
    "made a convex collider": "볼록 충돌체로 만들었습니다",
    "renamed": "이름을 바꾸었습니다",
    **SENTENCES,
    **ADVICE,
}
