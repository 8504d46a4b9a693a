"""An instance on which something is wrong, made smaller as long as something stays wrong.

An instance is a dictionary of lists, dictionaries and integers. Lists lose entries and integers move towards 0; text,
flags and `None` stay as they are.
"""


def smaller(value):
    """Everything that is one step smaller: a list without a part of it, a number nearer to 0, an entry made smaller."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int):
        yield from sorted({0, 1, value // 2, value - 1 if value > 0 else value + 1} - {value}, key=abs)
    elif isinstance(value, list):
        for part in (len(value) // 2, len(value) // 4, 1):
            for at in range(0, len(value), part) if part else ():
                yield value[:at] + value[at + part :]
        for at, entry in enumerate(value):
            yield from ([*value[:at], less, *value[at + 1 :]] for less in smaller(entry))
    else:
        for key, entry in value.items():
            yield from ({**value, key: less} for less in smaller(entry))


def size(value):
    """How large an instance is: four for every entry, and the bits of its numbers."""
    if isinstance(value, (list, dict)):
        return 4 + sum(map(size, value.values() if isinstance(value, dict) else value))
    return 1 + value.bit_length() + (value < 0) if isinstance(value, int) and not isinstance(value, bool) else 0


def shrunk(instance, wrong, tries=3000):
    """The smallest instance that steps lead to on which something is still wrong, and what."""
    what = wrong(instance)
    progress = True
    while progress and tries > 0:
        progress = False
        for less in smaller(instance):
            tries -= 1
            if tries <= 0:
                break
            if size(less) < size(instance) and (still := wrong(less)):
                instance, what, progress = less, still, True
                break
    return instance, what
