# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids of pairs, which are the same in every report, on each run and each computer."""

import hashlib
from collections import Counter
from json.encoder import encode_basestring_ascii as quoted

from ..system.late import np
from .report import Report

# Bytes of an id, with two digits each. In one of ten million reports with a million pairs, two ids are equal by chance.
_BYTES = 8


def pair_ids(report: Report) -> list[str]:
    """Return the id of each pair of a report, from its test, and the names and libraries of its two bodies.

    Neither the order of the two nor their placement matters. Renaming an object changes the ids of its pairs. Pairs
    with otherwise equal ids are numbered in the order of their bodies.
    """
    names = [f"[{quoted(body.library)}, {quoted(body.name)}]" for body in report.bodies]
    # The JSON text of a list with the test and the two names, joined from parts that the pairs share.
    written = [quoted(name) for name in names]
    tests = [*(quoted(test.name) for test in report.tests), "null"]  # a pair without a test has the index -1
    texts = []
    rows = np.stack([report.column(name) for name in ("body_a", "body_b", "test")], axis=1).tolist()
    for first, second, test in rows:
        if names[first] > names[second]:
            first, second = second, first
        texts.append(f"[{tests[test]}, {written[first]}, {written[second]}]")
    if len(set(texts)) < len(texts):
        seen: Counter[str] = Counter()
        for row in sorted(range(len(texts)), key=lambda row: rows[row][:2]):
            text = texts[row]
            seen[text] += 1
            if seen[text] > 1:
                texts[row] += str(seen[text])
    return [hashlib.blake2s(text.encode("ascii"), digest_size=_BYTES).hexdigest() for text in texts]
