# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that are spelled otherwise in the United States. Blender's constants, in capitals, are none of them."""

import re

BRITISH = re.compile(
    r"\b[A-Za-z]?[a-z]*(?:olour|entre[ds]?\b|[lm]etres?\b|avour|eighbour|ehaviour|nalys(?:e[ds]?|ing)\b|ecognis|rganis"
    r"|ormalis|ptimis(?!m|t)|nitialis|isualis|ynchronis|inimis|aximis|ummaris|ustomis|ancell(?:ed|ing)|abell(?:ed|ing)"
    r"|odell(?:ed|ing)|avell(?:ed|ing)|rtefact|ialogue|\bgrey|icence)[a-z]*"
)
