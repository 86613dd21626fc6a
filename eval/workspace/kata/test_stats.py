from stats import mean, median

assert mean([1, 2, 3]) == 2
assert median([3]) == 3
assert median([5, 1, 4]) == 4
assert median([4, 1, 3, 2]) == 2.5
assert median([-2, -8, -5]) == -5

given = [9, 7, 8]
assert median(given) == 8
assert given == [9, 7, 8], "the list was changed"

try:
    median([])
except ValueError:
    pass
else:
    raise AssertionError("an empty list has no median")

print("ok")
