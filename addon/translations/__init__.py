# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in Korean, feature by feature; `general` puts them together."""
