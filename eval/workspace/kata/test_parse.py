from parse import minutes

assert minutes("45m") == 45
assert minutes("2h") == 120
assert minutes("1h30m") == 90, minutes("1h30m")
assert minutes(" 10h05m ") == 605

for wrong in ("", "h", "30", "1m2h", "x"):
    try:
        minutes(wrong)
    except ValueError:
        pass
    else:
        raise AssertionError(f"taken for a duration: {wrong!r}")

print("ok")
