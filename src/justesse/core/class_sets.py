"""Several right classes written as one text: `B|C`."""

from collections.abc import Iterable

from justesse.core.results import ClassName

SEPARATOR = "|"


def joined_classes(classes: Iterable[ClassName], separator: str = SEPARATOR) -> str:
    r"""Write several classes as one text; a separator that belongs to a name gets a backslash.

    >>> joined_classes(["B", "C"]), joined_classes([1, 2]), joined_classes(["a|b", "c"])
    ('B|C', '1|2', 'a\\|b|c')
    """
    return separator.join(str(name).replace(separator, f"\\{separator}") for name in classes)


def split_classes(text: str, separator: str = SEPARATOR) -> list[str]:
    r"""Read the names of several classes; a separator behind a backslash belongs to the name.

    >>> split_classes("B|C"), split_classes("B"), split_classes(r"a\|b | c")
    (['B', 'C'], ['B'], ['a|b', 'c'])
    """
    if not separator:
        return [text]
    mark = "\0"  # stands for an escaped separator meanwhile: no class name has it
    parts = text.replace(f"\\{separator}", mark).split(separator)
    return [part.replace(mark, separator).strip() for part in parts]
