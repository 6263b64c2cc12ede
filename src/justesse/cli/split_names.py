"""Names in one option, separated by commas; a name that holds a comma stands in double quotes."""

from justesse.core.errors import OptionError


def split_names(text: str) -> list[str]:
    """Take names apart as a row of a CSV file: `a,"b,c"` is a and b,c; a quote within quotes is written twice.

    Quotes count at the beginning of a name and after a colon (`recall:"b,c"`); elsewhere they are part of the name.

    >>> split_names('a,"b,c", d'), split_names('recall:"b,c",f1:d'), split_names('5" pipe,"a ""b"" c"')
    (['a', 'b,c', 'd'], ['recall:b,c', 'f1:d'], ['5" pipe', 'a "b" c'])
    """
    names: list[str] = []
    name, quoted, at = "", False, 0
    while at < len(text):
        letter = text[at]
        if quoted:
            if letter == '"' and text[at + 1 : at + 2] == '"':
                name += '"'
                at += 1
            elif letter == '"':
                quoted = False
            else:
                name += letter
        elif letter == '"' and (not name.strip() or name.endswith(":")):
            quoted, name = True, name.lstrip()
        elif letter == ",":
            names.append(name.strip())
            name = ""
        else:
            name += letter
        at += 1
    if quoted:
        raise OptionError(
            f"A double quote is not closed in {text!r}. Write a name with a comma in double quotes, such as "
            "'a,\"b,c\"'."
        )
    return [*names, name.strip()]
