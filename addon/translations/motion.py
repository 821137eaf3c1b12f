# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about the motion of objects, in English and Korean."""

LABELS = {
    "Motion": "움직임",
    "Chosen Contact": "선택한 접촉",
    "What a check of motion looks at": "움직임 검사의 설정입니다",
    "What the last check of motion found": "마지막 움직임 검사의 결과입니다",
    # Settings
    "Between which frames objects are followed": "어떤 프레임 사이에서 오브젝트를 따라갈지 정합니다",
    "From the first to the last frame of the scene": "씬의 첫 프레임부터 마지막 프레임까지입니다",
    "Preview Range": "미리보기 범위",
    "The frames of the timeline's preview range": "타임라인의 미리보기 범위에 있는 프레임입니다",
    "Own Range": "직접 정한 범위",
    "From and to frames of your own": "직접 정한 프레임부터 프레임까지입니다",
    "Start": "시작",
    "The first frame of the range": "범위의 첫 프레임입니다",
    "End": "종료",
    "The last frame of the range": "범위의 마지막 프레임입니다",
    "Deviation": "편차",
    "How far the motion that is followed may stray from the animation. It runs evenly between frames and, where "
    "that is not near enough, between parts of frames": (
        "따라가는 움직임이 애니메이션에서 얼마나 벗어나도 되는지 정합니다. 움직임은 프레임 사이를, 그것으로 "
        "충분히 가깝지 않은 곳에서는 프레임의 부분 사이를 고르게 지납니다"
    ),
    "A small share of the size of what moves": "움직이는 것의 크기에 비해 작은 값을 씁니다",
    "At Most": "최대",
    "Motion that strays further from the animation than this is followed in smaller parts of a frame": (
        "애니메이션에서 이보다 더 벗어나는 움직임은 프레임을 더 잘게 나누어 따라갑니다"
    ),
    # What is missing
    "The scene has no preview range: set one in the timeline": ("씬에 미리보기 범위가 없습니다. 타임라인에서 정하세요"),
    "The range ends in frame {end}, before its start in frame {start}": (
        "범위의 끝인 프레임 {end}이(가) 시작인 프레임 {start}보다 앞에 있습니다"
    ),
    "The range is one frame, in which nothing moves: check for collisions instead": (
        "범위가 한 프레임뿐이라 아무것도 움직이지 않습니다. 대신 충돌을 검사하세요"
    ),
    "There are no contacts: check motion first": "접촉이 없습니다. 먼저 움직임을 검사하세요",
    "There is no contact {row}": "{row}번 접촉이 없습니다",
    "There is nothing to clear: check motion first": "지울 것이 없습니다. 먼저 움직임을 검사하세요",
    # While it runs, and what was found
    "Following motion: frame {frame} of {end}, {count} contacts so far": (
        "움직임을 따라가는 중: 프레임 {frame} / {end}, 지금까지 접촉 {count}개"
    ),
    "Frames {start} to {end}": "프레임 {start}부터 {end}까지",
    "{count} contacts": "접촉 {count}개",
    "No contacts": "접촉 없음",
    "{count} begin to touch": "닿기 시작함 {count}",
    "{count} touch from the start": "처음부터 닿음 {count}",
    "{count} undecided": "판정하지 못함 {count}",
    "{bodies} bodies tested, {count} of them move": "물체 {bodies}개 검사함, 그 가운데 {count}개가 움직임",
    "“{name}”, frame {frame}": "“{name}”, 프레임 {frame}",
    "Deforming, so taken frame by frame: {names}": "변형되어 프레임마다 검사함: {names}",
    # The list
    "Contact": "접촉",
    "Click to go to the first moment of this contact, select both objects, frame them, and see both as they "
    "touch, the way that the point of contact takes, and the normal": (
        "클릭하면 이 접촉의 첫 순간으로 가서 두 오브젝트를 선택하고 화면에 맞춘 뒤, 닿는 순간의 두 모양과 접촉점의 "
        "경로, 노멀을 보여 줍니다"
    ),
    "Draw both objects of the chosen contact as they first touch, the way that the point of contact takes, and "
    "the normal": "선택한 접촉의 두 오브젝트가 처음 닿는 순간의 모양과 접촉점의 경로, 노멀을 그립니다",
    # The chosen contact
    "First": "첫 번째",
    "Deepest": "가장 깊음",
    "Last": "마지막",
    "{seconds} s": "{seconds}초",
    "Normal": "노멀",
    "Frame {frame}": "프레임 {frame}",
    "They touch in frame {frame} already, where the range begins": (
        "범위가 시작하는 프레임 {frame}에서 이미 닿아 있습니다"
    ),
    "Undecided: until frame {frame} they are proved apart; from there on they touch, or come so near that "
    "the search ended without an answer": (
        "판정하지 못함: 프레임 {frame}까지는 떨어져 있음이 증명되었습니다. 그 뒤로는 닿거나, 답을 얻지 못하고 "
        "탐색이 끝날 만큼 가까워집니다"
    ),
    "One of them deforms or is scaled, so their shapes are taken from frames and parts of frames and not "
    "followed in between: in frame {before} they are apart, in frame {first} they touch": (
        "하나가 변형되거나 크기가 바뀌어, 모양을 프레임과 프레임의 부분에서만 얻고 그 사이는 따라가지 않습니다. "
        "프레임 {before}에서는 떨어져 있고 프레임 {first}에서는 닿아 있습니다"
    ),
    # Operators
    "Find out when objects of the scope touch between two frames of the animation: the fraction of a frame at "
    "which each pair first does, where, how deep they get, and when they part. What happens between frames is not "
    "missed. Esc stops; afterwards the scene is as it was, the current frame too": (
        "범위의 오브젝트가 애니메이션에서 언제 닿는지 알아냅니다. 각 쌍이 처음 닿는 프레임의 소수 부분과 위치, 가장 "
        "깊은 깊이, 떨어지는 때를 찾으며 프레임 사이에서 일어나는 일도 놓치지 않습니다. Esc를 누르면 멈추고, 끝나면 "
        "현재 프레임까지 씬이 그대로입니다"
    ),
    "Set the current frame, with its fraction, to a moment of this contact, select both objects, and draw how they "
    "first touch": (
        "현재 프레임을 소수 부분까지 이 접촉의 한 순간으로 맞추고, 두 오브젝트를 선택하고, 처음 닿는 모습을 그립니다"
    ),
    "Number of the contact in the list, counted from zero; -1: the chosen one": (
        "목록에 있는 접촉의 번호입니다. 0부터 세며, -1은 선택한 접촉입니다"
    ),
    "Moment": "순간",
    "The moment of the contact to go to": "접촉의 어떤 순간으로 갈지 정합니다",
    "When the two first touch": "둘이 처음 닿을 때입니다",
    "When the two are deepest in each other": "둘이 서로 가장 깊이 들어가 있을 때입니다",
    "When the two touch last": "둘이 마지막으로 닿을 때입니다",
    "Frame Both": "둘 다 화면에 맞춤",
    "Bring both objects into view": "두 오브젝트를 화면에 맞춥니다",
    "Mark each contact in the timeline, at the whole frame nearest to its first moment, with both names and the "
    "frame. Markers that were added for an earlier check are removed; those that you have renamed or moved stay": (
        "각 접촉을 첫 순간에 가장 가까운 정수 프레임에서 두 이름과 프레임으로 타임라인에 표시합니다. 이전 검사에서 "
        "추가한 마커는 지우고, 이름을 바꾸거나 옮긴 마커는 그대로 둡니다"
    ),
    "{count} markers added": "마커 {count}개 추가함",
    "Remove the markers that were added for contacts from the timeline. Those that you have renamed or moved stay": (
        "접촉을 위해 추가한 마커를 타임라인에서 지웁니다. 이름을 바꾸거나 옮긴 마커는 그대로 둡니다"
    ),
    "The timeline has no markers that were added for contacts": "타임라인에 접촉을 위해 추가한 마커가 없습니다",
    "{count} markers removed": "마커 {count}개 지움",
    "Empty the list of contacts and remove what is drawn of them. The scene and the markers in the timeline are "
    "not changed": "접촉 목록을 비우고 그려진 것을 지웁니다. 씬과 타임라인의 마커는 바뀌지 않습니다",
    "Marker": "마커",
    "The name with which the marker was added": "마커를 추가했을 때의 이름입니다",
    "Frame": "프레임",
    "The frame in which the marker was added": "마커를 추가한 프레임입니다",
    # Preferences
    "Contact Path": "접촉점 경로",
    "Way of the point of contact over time": "시간에 따라 접촉점이 지나는 길입니다",
}

OPERATORS = {
    "Check Motion": "움직임 검사",
    "Jump to Contact": "접촉으로 이동",
    "Add Contact Markers": "접촉 마커 추가",
    "Remove Contact Markers": "접촉 마커 제거",
    "Clear Motion Results": "움직임 결과 지우기",
}

# What is found about how objects move, as `phrases` takes it.
PHRASES = {
    "between samples {step} of a frame apart it strays up to {distance} from the motion that is tested, most at "
    "frame {frame}; contacts shallower than that may be missed there": (
        "{step}프레임 간격의 표본 사이에서 검사하는 움직임과 최대 {distance}까지 벗어나며 프레임 {frame}에서 가장 "
        "큽니다. 그곳에서는 그보다 얕은 접촉을 놓칠 수 있습니다"
    ),
    "it jumps once, first after frame {frame}; nothing on the way is tested, only where it arrives": (
        "프레임 {frame} 뒤에 한 번 건너뜁니다. 도중은 검사하지 않고 도착한 곳만 검사합니다"
    ),
    "it jumps {count} times, first after frame {frame}; nothing on the way is tested, only where it arrives": (
        "프레임 {frame} 뒤를 처음으로 {count}번 건너뜁니다. 도중은 검사하지 않고 도착한 곳만 검사합니다"
    ),
}
