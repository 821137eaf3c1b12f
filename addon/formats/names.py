# SPDX-License-Identifier: GPL-3.0-or-later
"""What the verdicts are called on the command line and in files. Part of the contract with scripts: never changed."""

from ...core import Verdict
from ...core.frustum.planes import CROSSING, INSIDE, OUTSIDE

NAMES = {
    Verdict.CONTAINED: "contained",
    Verdict.PENETRATING: "penetrating",
    Verdict.TOUCHING: "touching",
    Verdict.WITHIN_CLEARANCE: "within_clearance",
    Verdict.SEPARATED: "separated",
}

CULL_NAMES = {INSIDE: "inside", CROSSING: "crossing", OUTSIDE: "outside"}
