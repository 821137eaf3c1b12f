# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about the list of results and its reports, in English and Korean."""

LABELS = {
    # What is listed
    "Listed Results": "표시할 결과",
    "Which results are listed, and in which order": "어떤 결과를 어떤 순서로 표시할지 정합니다",
    "One Inside the Other": "한쪽이 다른 쪽 안에 있음",
    "List pairs of which one is inside the other": "한쪽이 다른 쪽 안에 있는 쌍을 표시합니다",
    "List pairs that penetrate": "관통하는 쌍을 표시합니다",
    "List pairs that touch": "닿는 쌍을 표시합니다",
    "Too Near": "여유 거리 이내",
    "List pairs that are nearer than the clearance": "여유 거리보다 가까운 쌍을 표시합니다",
    "Accepted": "승인됨",
    "List pairs that were accepted, dimmed. They are counted apart and never fail a build": (
        "승인한 쌍을 흐리게 표시합니다. 따로 세며 빌드를 실패시키지 않습니다"
    ),
    "Only New": "새것만",
    "List only pairs that the check before did not list; in live mode, since it was switched on": (
        "이전 검사에 없던 쌍만 표시합니다. 실시간 검사에서는 켠 뒤에 생긴 쌍입니다"
    ),
    "Search": "검색",
    "List pairs in whose names all of these words appear": "이름에 이 단어가 모두 들어 있는 쌍을 표시합니다",
    "Minimum Depth": "최소 깊이",
    "List only pairs that penetrate at least this deep. Zero lists all": (
        "적어도 이만큼 깊이 관통하는 쌍만 표시합니다. 0이면 모두 표시합니다"
    ),
    "Sort By": "정렬 기준",
    "In which order results are listed": "결과를 표시할 순서를 정합니다",
    "Worst First": "심한 것부터",
    "What is inside first, then what penetrates, the deepest first": (
        "안에 있는 것을 먼저, 그다음 관통하는 것을 깊은 것부터 표시합니다"
    ),
    "Deepest First": "깊은 것부터",
    "By depth alone; what is apart follows, the nearest first": (
        "깊이만으로 정렬합니다. 떨어진 것은 그 뒤에 가까운 것부터 표시합니다"
    ),
    "Least First": "작은 것부터",
    "The smallest depth or gap first: what takes the least to mend": (
        "깊이나 간격이 가장 작은 것, 곧 가장 조금만 고치면 되는 것부터 표시합니다"
    ),
    "By Name": "이름순",
    "By the names of the objects; numbers in them count as numbers": (
        "오브젝트의 이름순으로 정렬합니다. 이름 속의 숫자는 수로 비교합니다"
    ),
    "Reverse": "반전",
    "The last first": "마지막 것부터 표시합니다",
    "Group by Object": "오브젝트별로 묶기",
    "List each pair under both its objects, with how many each has. Click an object to fold it away": (
        "쌍을 두 오브젝트 아래에 각각 표시하고 개수를 보여 줍니다. 오브젝트를 클릭하면 접힙니다"
    ),
    "{count} of {total} listed": "{total}개 가운데 {count}개 표시",
    "{count} new": "새것 {count}",
    "{count} gone": "사라짐 {count}",
    "{new} new, {gone} gone": "새것 {new}, 사라짐 {gone}",
    "Gone": "사라진 쌍",
    "New: the check before did not list it": "새것: 이전 검사에는 없었습니다",
    "Accepted: {reason}": "승인됨: {reason}",
    # What a scene remembers
    "Objects": "오브젝트",
    "The two objects by name and library, as the file is to know them": (
        "파일에 저장되는, 이름과 라이브러리로 나타낸 두 오브젝트입니다"
    ),
    "Objects in Memory": "메모리의 오브젝트",
    "The two objects as this run of Blender knows them, whatever their names": (
        "이름과 상관없이 실행 중인 Blender가 아는 두 오브젝트입니다"
    ),
    "Reason": "이유",
    "Why the two may be as they are": "둘이 이대로여도 되는 이유입니다",
    # Operators
    "Choose the result below the chosen one in the list, select its objects and frame them; after the last comes "
    "the first": "목록에서 아래에 있는 결과를 골라 두 오브젝트를 선택하고 화면에 맞춥니다. 마지막 다음은 처음입니다",
    "Choose the result above the chosen one in the list, select its objects and frame them; before the first comes "
    "the last": "목록에서 위에 있는 결과를 골라 두 오브젝트를 선택하고 화면에 맞춥니다. 처음의 앞은 마지막입니다",
    "Show the objects of the chosen result alone in this 3D view, or again what was shown before. Nothing is "
    "hidden: checks test what they tested": (
        "이 3D 뷰에 고른 결과의 오브젝트만 보이거나 이전에 보이던 것을 다시 보입니다. 아무것도 숨기지 않으므로 "
        "검사 대상은 그대로입니다"
    ),
    "Take a pair as it is: the file remembers it, with a reason. Accepted pairs are listed dimmed, counted apart, "
    "and fail no check on the command line": (
        "쌍을 이대로 받아들이고 이유와 함께 파일에 기억합니다. 승인한 쌍은 흐리게 표시하고 따로 세며 명령줄 검사를 "
        "실패시키지 않습니다"
    ),
    "Count a pair as a collision again, as it was before it was accepted; its reason is forgotten": (
        "승인하기 전처럼 쌍을 다시 충돌로 셉니다. 이유는 지워집니다"
    ),
    "Pairs": "쌍",
    "What is accepted": "무엇을 승인할지 정합니다",
    "What is no longer accepted": "무엇의 승인을 취소할지 정합니다",
    "The pair that is highlighted in the list": "목록에서 강조된 쌍입니다",
    "All Listed": "표시된 것 모두",
    "Every pair that the list shows now": "지금 목록에 표시된 모든 쌍입니다",
    "All of the Scene": "씬 전체",
    "Every pair that the scene remembers, collisions that are gone among them": (
        "사라진 충돌을 포함해 씬이 기억하는 모든 쌍입니다"
    ),
    "List every result again: whatever its verdict, depth and names, accepted and old ones among them": (
        "판정, 깊이, 이름과 상관없이 승인한 것과 예전 것까지 모든 결과를 다시 표시합니다"
    ),
    "Copy the results as text, in English as in files, to paste them elsewhere": (
        "다른 곳에 붙여 넣을 수 있게 결과를 텍스트로 복사합니다. 파일에서처럼 영어로 씁니다"
    ),
    "Copy": "복사",
    "What is copied": "무엇을 복사할지 정합니다",
    "Report": "보고서",
    "All that the check found, as the command line prints it": "명령줄이 출력하는 대로, 검사한 결과 전부입니다",
    "Listed Pairs": "표시된 쌍",
    "A line for each pair that the list shows now, in its order": (
        "지금 목록에 표시된 쌍을 그 순서대로 한 줄씩 복사합니다"
    ),
    "The line of the pair that is highlighted in the list": "목록에서 강조된 쌍의 한 줄입니다",
    "Save the results to a file: a page with pictures (.html), data for programs (.json), tests for build servers "
    "(.xml, JUnit) or text (.txt)": (
        "결과를 파일로 저장합니다. 그림이 있는 페이지(.html), 프로그램용 데이터(.json), 빌드 서버용 테스트"
        "(.xml, JUnit), 텍스트(.txt) 가운데 고를 수 있습니다"
    ),
    "File Path": "파일 경로",
    "The file to write; its ending says in which format": "쓸 파일입니다. 확장자가 형식을 정합니다",
    "Shown Files": "표시할 파일",
    "Which files the file browser shows": "파일 브라우저에 표시할 파일을 정합니다",
    "Pictures": "그림",
    "How many of the worst pairs a page shows pictures of": "가장 심한 쌍 몇 개의 그림을 페이지에 넣을지 정합니다",
    "Isolate": "쌍만 보기",
    "Accept": "승인",
    "Copy Chosen Pair": "선택한 쌍 복사",
    "Copy Report": "보고서 복사",
    "Copy Listed Pairs": "표시된 쌍 복사",
    "Accept Listed Pairs": "표시된 쌍 승인",
    "Stop Accepting All": "모두 승인 취소",
    # What is missing, and what was done
    "Choose a result first": "먼저 결과를 고르세요",
    "There is no 3D view": "3D 뷰가 없습니다",
    "No result is listed: the filter hides them all": "표시된 결과가 없습니다. 필터가 모두 숨깁니다",
    "Both objects are hidden: there is nothing to show": "두 오브젝트가 모두 숨겨져 있어 보여 줄 것이 없습니다",
    "The scene is linked from another file, which is where pairs are accepted": (
        "다른 파일에서 링크한 씬입니다. 그 파일에서 쌍을 승인하세요"
    ),
    "No pair of this scene is accepted": "이 씬에 승인한 쌍이 없습니다",
    "The chosen pair is not accepted": "선택한 쌍은 승인되지 않았습니다",
    "{count} accepted": "승인 {count}",
    "{count} no longer accepted": "승인 취소 {count}",
    "Report copied": "보고서를 복사했습니다",
    "{count} copied": "쌍 {count}개 복사함",
    "Drawing pictures: {done} of {total}": "그림을 그리는 중: {total}개 가운데 {done}개",
    "The name must end in .html, .json, .xml or .txt: “{name}”": (
        "이름은 .html, .json, .xml, .txt 가운데 하나로 끝나야 합니다: “{name}”"
    ),
    "The results have changed meanwhile: nothing was written": "그사이 결과가 바뀌어 아무것도 쓰지 않았습니다",
    "“{name}” cannot be written: {reason}": "“{name}”에 쓸 수 없습니다. {reason}",
    "Report saved: “{name}”": "보고서 저장함: “{name}”",
}

OPERATORS = {
    "Next Collision": "다음 충돌",
    "Previous Collision": "이전 충돌",
    "Isolate Colliding Pair": "충돌하는 쌍만 보기",
    "Accept Collision": "충돌 승인",
    "Stop Accepting Collision": "충돌 승인 취소",
    "Show All Collision Results": "충돌 결과 모두 표시",
    "Copy Collision Report": "충돌 보고서 복사",
    "Save Collision Report": "충돌 보고서 저장",
}
