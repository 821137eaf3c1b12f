# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about live mode, in English and Korean."""

LABELS = {
    "Live": "실시간",
    "Keep the results up to date while objects move, are edited, added or deleted: only what has changed is "
    "tested again": (
        "오브젝트가 움직이거나 편집, 추가, 삭제되는 동안 결과를 최신으로 유지합니다. 바뀐 것만 다시 검사합니다"
    ),
    "Waiting for the scene": "씬을 기다리는 중입니다",
    "Catching up: {count} pairs left": "따라잡는 중: 쌍 {count}개 남음",
    "Catching up: reading the scene": "따라잡는 중: 씬을 읽고 있습니다",
    "Up to date": "최신 상태입니다",
    "last update {count} ms": "마지막 갱신 {count} ms",
    "Not up to date: {reason}": "최신 상태가 아님: {reason}",
    "Live Checking": "실시간 검사",
    "Milliseconds for an Update": "갱신 시간(밀리초)",
    "Time that live checking may take at a time; what takes longer is done in parts, between which Blender goes on": (
        "실시간 검사가 한 번에 쓸 수 있는 시간입니다. 더 걸리는 일은 나누어 하고, 그 사이에 Blender가 계속 돌아갑니다"
    ),
}
