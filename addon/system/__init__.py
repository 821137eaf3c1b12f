# SPDX-License-Identifier: GPL-3.0-or-later
"""Services of the operating system: files, processes and their streams."""
