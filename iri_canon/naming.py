"""A character in a message: by its number and the name that Unicode gives it."""


def named(character: str) -> str:
    """The number and the name of a character, as Unicode writes them; the number alone where it has no name.

    >>> named("\\u200b"), named("\\x07")
    ('U+200B ZERO WIDTH SPACE', 'U+0007')
    """
    from unicodedata import name

    return f"U+{ord(character):04X} {name(character, '')}".rstrip()
