"""Every error that leaves this package is an `IriError`."""


class IriError(ValueError):
    """The base of all errors of this package.

    >>> issubclass(IriSyntaxError, IriError)
    True
    """


class IriSyntaxError(IriError):
    """Text that does not parse, with the component, the offset in the text (code points) and the reason.

    >>> error = IriSyntaxError("port", 9, "not a number from 0 to 65535")
    >>> str(error)
    'port at offset 9: not a number from 0 to 65535'
    """

    def __init__(self, component: str, offset: int, reason: str) -> None:
        super().__init__(component, offset, reason)
        self.component = component
        self.offset = offset
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.component} at offset {self.offset}: {self.reason}"


class IriEncodingError(IriError):
    """Octets that cannot be read as text: the encoding is unknown, or they are not in it."""


class HostError(IriError):
    """A host name that cannot be looked up: its URI form stays as it is written."""


class ConventionError(IriError):
    """An unknown convention, or a host pattern that matches no host."""


class StoreError(IriError):
    """A store that cannot be used; the message names it and the way out."""


class LogError(IriError):
    """A log that cannot be read, or not to its end."""
