# SPDX-License-Identifier: GPL-3.0-or-later
"""Words with a different spelling in the United States. Blender's constants, in capitals, are not included.

The name of a Python error is not included, either.
"""

import re

BRITISH = re.compile(
    r"\b[A-Za-z]?[a-z]*(?:olour|entre[ds]?\b|[lm]etres?\b|avour|eighbour|ehaviour|nalys(?:e[ds]?|ing)\b|ecognis|rganis"
    r"|ormalis|ptimis(?!m|t)|nitialis|isualis|ynchronis|inimis|aximis|ummaris|ustomis|ancell(?:ed(?!Error)|ing)|abell(?:ed|ing)"
    r"|odell(?:ed|ing)|avell(?:ed|ing)|rtefact|ialogue|\bgrey|icence)[a-z]*"
)
