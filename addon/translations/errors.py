# SPDX-License-Identifier: GPL-3.0-or-later
"""What a `UserError` says, in English and Korean."""

LABELS = {
    "no object is active": "활성 오브젝트가 없습니다",
    "there is no scope {name}": "검사 범위 {name}은(는) 없습니다",
    "there is no collection {name}": "컬렉션 {name}이(가) 없습니다",
    "there is no plane {name}: it is one of {names}": "평면 {name}은(는) 없습니다. {names} 중 하나여야 합니다",
    "there is no engine {name}": "엔진 {name}은(는) 없습니다",
    "frames go from −{end} to {end}": "프레임은 −{end}부터 {end}까지만 있습니다",
}
