# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the user. Any other exception is a defect of Collision Kit and is shown as one."""


class UserError(ValueError):
    """Something that was asked for cannot be done. Scripts get it as the `ValueError` that it is.

    Parameters
    ----------
    message : str
        A sentence in English, with names in braces for what is filled in; `language.error_text` translates it.
    **values
        What is filled in.
    """

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message.format(**values) if values else message)
        self.message, self.values = message, values


class CommandError(Exception):
    """An error of the command line. Its message is one line of English, as all that the command line prints."""
