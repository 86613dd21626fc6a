"""Small statistics over lists of numbers."""


def mean(values):
    """The arithmetic mean; ValueError for an empty list."""
    if not values:
        raise ValueError("mean of nothing")
    return sum(values) / len(values)


def median(values):
    """The middle value; of an even count the mean of the two in the middle. ValueError for an empty list.

    The list that was given stays as it is.
    """
    raise NotImplementedError
