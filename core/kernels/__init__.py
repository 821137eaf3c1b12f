# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms that iterate or branch, for one pair after the other, in plain Python that is also compiled.

The same files run as they are, in any debugger, and are translated and compiled to one extension module for speed, with
the same results to the last bit: ``scripts/translate_kernels.py`` says what they may contain. Functions with the
decorator `kernel` are called from outside. `loading` chooses which of both runs.
"""
