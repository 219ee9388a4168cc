"""RFC 3986 section 5.2, for IRIs as for URIs (RFC 3987 6.5): a reference against its base, to the letter."""

from iri_canon.iri import IRI
from iri_canon.parse import parse
from iri_canon.path import keep_from_authority, keep_from_scheme, remove_dot_segments


def resolve(base: str, reference: str, *, strict: bool = True) -> str:
    """RFC 3986 5.2.2: the target of *reference* found in a document at *base*.

    With ``strict=False`` a reference that repeats the base's scheme is read as relative, as old documents mean
    it ("http:g"). A base without a scheme gives a reference again. Raises `IriSyntaxError`.

    >>> resolve("http://a/b/c/d;p?q", "../g"), resolve("http://a/b/c/d;p?q", "?y")
    ('http://a/b/g', 'http://a/b/c/d;p?y')
    >>> resolve("http://example.com/a//b/c", "d"), resolve("http://a/b", "http:g", strict=False)
    ('http://example.com/a//b/d', 'http://a/g')
    """
    return str(transform(parse(base), parse(reference), strict=strict))


def transform(base: IRI, reference: IRI, *, strict: bool = True) -> IRI:
    """RFC 3986 5.2.2 "Transform References", on values."""
    if (
        not strict
        and reference.scheme is not None
        and reference.scheme.lower() == (base.scheme or "").lower()
    ):
        reference = reference.replace(scheme=None)
    if reference.scheme is not None:
        target = reference.replace(path=remove_dot_segments(reference.path))
    elif reference.host is not None:
        target = reference.replace(scheme=base.scheme, path=remove_dot_segments(reference.path))
    elif reference.path == "":
        query = base.query if reference.query is None else reference.query
        target = base.replace(query=query, fragment=reference.fragment)
    else:
        path = reference.path if reference.path.startswith("/") else _merge(base, reference.path)
        target = base.replace(
            path=remove_dot_segments(path), query=reference.query, fragment=reference.fragment
        )
    if target.host is not None:
        return target
    path = keep_from_authority(target.path)
    return target.replace(path=path if target.scheme is not None else keep_from_scheme(path))


def _merge(base: IRI, path: str) -> str:
    """RFC 3986 5.2.3."""
    if base.host is not None and base.path == "":
        return f"/{path}"
    directory, slash, _ = base.path.rpartition("/")
    return f"{directory}{slash}{path}"
