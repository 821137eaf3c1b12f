# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when properties are read or changed, feature by feature; `scene` says why they are apart."""
