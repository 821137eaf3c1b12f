# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms that iterate or branch, one pair at a time, in plain Python that can also be compiled.

The same files run interpreted, in any debugger, or are translated and compiled to one extension module for speed, with
bit-identical results. ``scripts/translate_kernels.py`` lists what they may contain. Functions with the decorator
`kernel` are called from outside. `loading` chooses between compiled and interpreted kernels.
"""
