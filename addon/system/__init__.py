# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operating system gives: files, processes and their streams."""
