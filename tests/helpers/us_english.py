# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that are spelled otherwise in the United States. Blender's constants, in capitals, are none of them.

Nor is the name of an error of Python.
"""

import re

BRITISH = re.compile(
    r"\b[A-Za-z]?[a-z]*(?:olour|entre[ds]?\b|[lm]etres?\b|avour|eighbour|ehaviour|nalys(?:e[ds]?|ing)\b|ecognis|rganis"
    r"|ormalis|ptimis(?!m|t)|nitialis|isualis|ynchronis|inimis|aximis|ummaris|ustomis|ancell(?:ed(?!Error)|ing)|abell(?:ed|ing)"
    r"|odell(?:ed|ing)|avell(?:ed|ing)|rtefact|ialogue|\bgrey|icence)[a-z]*"
)
