"""Durations as people write them: 90m, 2h, 1h30m."""

import re

FORM = re.compile(r"^(?:(\d+)h)?(?:(\d+)m)?$")


def minutes(text):
    """The whole minutes of a duration; ValueError for anything else."""
    match = FORM.match(text.strip())
    if not match or not text.strip():
        raise ValueError(f"not a duration: {text!r}")
    hours, rest = match.groups()
    if rest is not None:
        return int(rest)
    return int(hours) * 60
