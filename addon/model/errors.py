# SPDX-License-Identifier: GPL-3.0-or-later
"""User errors. Any other exception is a defect of Collision Kit and is reported as such."""


class UserError(ValueError):
    """A request that cannot be carried out. In scripts it is a `ValueError`.

    Parameters
    ----------
    message : str
        A sentence in English, with fields in braces. `i18n.lookup.error_text` translates it.
    **values
        Values of the fields.
    """

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message.format(**values) if values else message)
        self.message, self.values = message, values


class CommandError(Exception):
    """A command line error. Its message is one line of English."""
