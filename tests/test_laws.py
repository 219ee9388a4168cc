"""Laws that hold for any text: Hypothesis tries structured junk, the oracle says what the RFCs say."""

import contextlib
from collections.abc import Callable
from itertools import pairwise

import oracle
import pytest
from hypothesis import assume, example, given, note
from hypothesis import strategies as st

import iri_canon
from iri_canon import IriError, IriSyntaxError, Ladder, Rung

pytestmark = pytest.mark.timeout(900)  # of the "ci" profile

# ------------------------------------------------------------------------------------------------ junk

# Few draws make a text: one sample a piece, so that 20,000 examples a law stay a matter of minutes.
TRIPLET_LIST = [f"%{octet:02X}" for octet in range(256)] + [f"%{octet:02x}" for octet in range(0x2A, 256)]
TRIPLET_LIST += ["%2541", "%C3%A9", "%c3%a9", "%E2%80%AE", "%ED%A0%80", "%aF"]
STRAYS = ["%", "%%", "%4", "%zz", "%%30", "%4%31", "%\u0664\u0661", "%\n41"]
ASCII = list("abzAZ09-._~!$&'()*+,;=:@/?#[]<>\"{}|\\^` \t\r\n\x00\x7f")
OTHERS = [
    "é",
    "e\u0301",
    "ß",
    "℀",
    "＃",
    "\u200d",
    "\u00ad",
    "。",
    "😀",
    "\ue000",
    "\uffff",
    "א",
    "\u202e",
    "\u00a0",
]
SURROGATES = ["\udc80", "\udce9", "\udcff", "\ud800", "\udfff"]
TRIPLETS = st.sampled_from(TRIPLET_LIST)
PIECES = st.one_of(
    st.sampled_from(ASCII * 6 + TRIPLET_LIST + STRAYS * 8 + OTHERS * 6 + SURROGATES * 6), st.characters()
)
JUNK = st.lists(PIECES, max_size=6).map("".join)
SEGMENTS = st.one_of(
    st.sampled_from(["", ".", "..", "%2e", "%2E.", "a", "b:c", "A%2fb", "...", ".a", "%61:b"]), JUNK
)
PATHS = st.lists(SEGMENTS, max_size=4).map("/".join)
ROOTED = PATHS.map("/{}".format)
LABELS = st.sampled_from(
    [
        "example",
        "EXAMPLE",
        "www",
        "xn--a",
        "xn--9ca",
        "XN--LS8H",
        "xn--",
        "my_shop",
        "-",
        "",
        "faß",
        "É",
        "☃",
        "a\u200db",
        "%45x",
        "%c3%a9",
    ]
)
ADDRESSES = st.sampled_from(
    [
        "127.0.0.1",
        "0x7f.1",
        "127.1.",
        "4294967296",
        "010.0.0.1",
        "1.2.3.4.5",
        "１.1",
        "256.1",
        "0x",
        "08.1",
        "1..2",
        "0x7f.0.0.0x1.",
        "1\xad.1",
        "[::1]",
        "[2001:DB8:0:0::1]",
        "[::ffff:1.2.3.4]",
        "[fe80::1%25Eth0]",
        "[fe80::1%2537]",
        "[v1.A:b]",
        "[gg::]",
        "[::1",
        "[",
        "]",
        "[]",
        "[::%25a%7e]",
    ]
)
HOSTS = st.one_of(
    st.lists(LABELS, min_size=1, max_size=4).map(".".join), ADDRESSES, JUNK, st.just("localhost")
)
PORTS = st.sampled_from(
    [
        "",
        ":",
        ":80",
        ":080",
        ":443",
        ":21",
        ":0",
        ":00",
        ":65535",
        ":65536",
        ":8x",
        ":-1",
        ":\u0668",
        ":80:80",
    ]
)
USERINFOS = st.sampled_from(["", "@", ":@", "u@", "u:p@", "a@b@", "%40@", "[@", "é%41@", "U%3a@"])
AUTHORITIES = st.builds("//{}{}{}".format, USERINFOS, HOSTS, PORTS)
SCHEMES = st.sampled_from(
    [
        "http",
        "HTTP",
        "https",
        "ftp",
        "ws",
        "file",
        "FILE",
        "foo",
        "urn",
        "URN",
        "mailto",
        "ldap",
        "sip",
        "go",
        "coap",
        "msrp",
        "stun",
        "h%74tp",
        "1a",
        "",
    ]
)
TAILS = st.builds(
    "{}{}".format,
    st.one_of(st.just(""), JUNK.map("?{}".format)),
    st.one_of(st.just(""), JUNK.map("#{}".format)),
)
ABSOLUTE = st.builds(
    "{}:{}{}{}".format,
    SCHEMES,
    st.one_of(AUTHORITIES, st.just("")),
    st.one_of(ROOTED, PATHS, st.just("")),
    TAILS,
)
REFERENCES = st.builds(
    "{}{}{}".format, st.one_of(AUTHORITIES, st.just("")), st.one_of(ROOTED, PATHS, st.just("")), TAILS
)
OPAQUE = st.builds(
    "{}:{}".format,
    st.sampled_from(["urn", "URN", "mailto", "sip", "tel", "news"]),
    st.one_of(
        st.sampled_from(["ISBN:0451", "Ex-Ample:A%2f", "Joe@Example.COM", "A@B.C,d@E.%46?to=X@Y"]), JUNK
    ),
)
OUTER = st.sampled_from(["", "", "", " ", "\t", "\n", "\x00"])
TEXTS = st.builds("{}{}{}".format, OUTER, st.one_of(ABSOLUTE, REFERENCES, OPAQUE, JUNK), OUTER)

# valid IRIs, from the grammar
_PCHARS = st.one_of(
    st.sampled_from(list("aZ0-._~!$&'()*+,;=:@")),
    TRIPLETS,
    st.sampled_from(["é", "ü", "\u1100", "\U00010300", "א", "\u00a0", "\U000efffd"]),
)
_VALID_SEGMENTS = st.one_of(
    st.sampled_from(["", ".", "..", "%2e", "%2E%2e", "a"]), st.lists(_PCHARS, max_size=5).map("".join)
)
_VALID_NAMES = st.lists(
    st.one_of(st.sampled_from(list("aZ0-._~!$&'()*+,;=")), TRIPLETS, st.sampled_from(["é", "Ü", "א"])),
    max_size=6,
).map("".join)
_VALID_AUTHORITIES = st.builds(
    "//{}{}{}".format,
    st.sampled_from(["", "@", "u:P@", "%41%2f@", "é@"]),
    st.one_of(
        _VALID_NAMES,
        st.sampled_from(["example.com", "EXAMPLE.com", "[::1]", "[2001:DB8::A]", "[v1.A:b]", "10.0.0.1"]),
    ),
    st.sampled_from(["", ":", ":80", ":0080"]),
)
_VALID_PATHS = st.lists(_VALID_SEGMENTS, max_size=6).map("/".join)
_VALID_QUERIES = st.one_of(
    st.just(""),
    st.lists(st.one_of(_PCHARS, st.sampled_from(["/", "?", "\ue000"])), max_size=6).map(
        lambda p: "?" + "".join(p)
    ),
)
_VALID_FRAGMENTS = st.one_of(
    st.just(""),
    st.lists(st.one_of(_PCHARS, st.sampled_from(["/", "?"])), max_size=4).map(lambda p: "#" + "".join(p)),
)
IRI_REFERENCES = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "http:", "HTTP:", "foo:", "a+-.1:", "file:", "urn:", "mailto:"]),
    st.one_of(_VALID_AUTHORITIES, st.just("")),
    st.one_of(_VALID_PATHS, _VALID_PATHS.map("/{}".format), st.just("")),
    _VALID_QUERIES,
    _VALID_FRAGMENTS,
).filter(oracle.is_iri_reference)

# ------------------------------------------------------------------------------------------------ helpers


def canonical(text: str, rung: Rung = Rung.SCHEME) -> str | None:
    try:
        return iri_canon.canonicalize(text, rung)
    except IriSyntaxError:
        return None


def hard(*texts: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Texts that are tried in every run."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        for text in texts:
            test = example(text)(test)
        return test

    return decorate


HARD = (
    "file:/..//b",
    "file:/.//b",
    "urn://h/A:b",
    "mailto://h/a@B.com",
    "URN:%41%3aB:c",
    "mailto:%41@B.%43om",
    "foo:a/../b",
    "%61:b?#",
    "http://%5B::1]/",
    "http://é%",
    "http://[::%25%7e]/",
    "http://a%2Cb.example/",
    'http://a"b.example:80',
    "http://xn--é/",
    "http://1.%65xample.０x7f/",
    "//h/..//",
    "/..//a",
    "http:////a/..",
    "\x00%\n4\t1 ",
)

HARD_TO_PREPARE = (
    "&#" + "9" * 5000 + ";",
    "&#x" + "f" * 5000 + ";",
    "\\ud800",
    "\\xed\\xa0\\x80",
    "&#55296;",
    "&#0;",
)

# ------------------------------------------------------------------------------------------------ laws


def parse_is_lossless(text: str) -> None:
    try:
        iri = iri_canon.parse(text)
    except IriSyntaxError as error:
        offset = error.offset
    else:
        assert str(iri) == text
        assert iri == iri_canon.parse(str(iri))
        offset = 0
    assert 0 <= offset <= len(text)


def canonicalization_is_idempotent(text: str) -> None:
    for rung in Rung:
        once = canonical(text, rung)
        assert once is None or iri_canon.canonicalize(once, rung) == once
        for rung_again in Rung:
            key = iri_canon.key(text, rung)
            assert iri_canon.key(iri_canon.key(key, rung_again), rung_again) == iri_canon.key(key, rung_again)


def a_rung_never_splits_what_a_lower_one_joined(text: str) -> None:
    # Each key is a function of the one below: then what is one below is one above, whatever the pair.
    for lower, higher in pairwise(Rung):
        assert iri_canon.key(iri_canon.key(text, lower), higher) == iri_canon.key(text, higher)


@given(TEXTS, IRI_REFERENCES, st.data())
def test_key_equality_is_an_equivalence_relation(junk: str, iri: str, data: st.DataObject) -> None:
    a, b, c = iri, data.draw(respelled(iri)), data.draw(st.sampled_from([junk, iri, iri + "#", iri + "/"]))
    for rung in Rung:
        assert iri_canon.equivalent(a, a, rung)
        assert iri_canon.equivalent(a, b, rung) == iri_canon.equivalent(b, a, rung)
        if iri_canon.equivalent(a, b, rung) and iri_canon.equivalent(b, c, rung):
            assert iri_canon.equivalent(a, c, rung)
        assert iri_canon.equivalent(a, b, rung) == (iri_canon.key(a, rung) == iri_canon.key(b, rung))
    lowest = iri_canon.lowest_rung(a, b)
    assert [rung for rung in Rung if iri_canon.equivalent(a, b, rung)] == [
        rung for rung in Rung if lowest is not None and rung >= lowest
    ]


@st.composite
def respelled(draw: st.DrawFn, text: str) -> str:
    """Another spelling that the syntax rung joins with *text*, where *text* parses and has a rooted path."""
    try:
        iri = iri_canon.parse(text)
    except IriSyntaxError:  # nothing, or what does once spaces and tabs are away
        return text
    encode = draw(st.booleans())
    if encode:  # letters of the query as triplets
        query = iri.query and "".join(
            f"%{ord(c):02x}" if c in "xyzXYZ~" and not draw(st.booleans()) else c for c in iri.query
        )
        if query is not None and "%" not in (iri.query or ""):
            iri = iri.replace(query=query)
    if iri.host is not None and iri.path.startswith("/"):
        iri = iri.replace(path="/./x/.." + iri.path)
    if iri.scheme is not None:
        iri = iri.replace(scheme=iri.scheme.swapcase())
    return draw(OUTER) + str(iri)


@given(TEXTS, st.data())
def test_other_spellings_are_joined(text: str, data: st.DataObject) -> None:
    assume(canonical(text) is not None)
    other = data.draw(respelled(text.strip(" \t\r\n\x00")))
    assert iri_canon.key(text) == iri_canon.key(other)
    assert iri_canon.key(text, Rung.SYNTAX) == iri_canon.key(other, Rung.SYNTAX)


def the_canonical_form_is_a_uri(text: str) -> None:
    for rung in (Rung.SYNTAX, Rung.SCHEME, Rung.PROTOCOL):
        form = canonical(text, rung)
        if form is not None:
            assert form.isascii()
            # A zone is kept, though no RFC in force has one: without it two interfaces would be one.
            host = iri_canon.parse(form).host or ""
            without_zone = host.partition("%")[0] + "]" if host.startswith("[") and "%" in host else host
            assert oracle.is_uri_reference(form.replace(host, without_zone, 1))
            assert oracle.parse(form).scheme == (iri_canon.parse(form).scheme)


def key_and_canonicalize_agree(text: str) -> None:
    octets = text.encode("utf-8", "surrogatepass")
    assert iri_canon.key(octets) == iri_canon.key(octets.decode("utf-8", "surrogateescape"))
    for rung in Rung:
        form = canonical(text, rung)
        if form is None:
            assert iri_canon.key(text, rung) == text
            continue
        assert iri_canon.key(form, rung) == (text if rung is Rung.SIMPLE else iri_canon.key(text, rung))
        if rung is not Rung.SIMPLE:
            assert iri_canon.key(text, rung) == form.partition("#")[0]
            assert iri_canon.canonicalize(text, rung, keep_fragment=False) == form.partition("#")[0]
    assert Ladder(keep_fragment=True).key(text) == (text if canonical(text) is None else canonical(text))


def explain_walks_to_the_canonical_form(text: str) -> None:
    form = canonical(text)
    if form is None:
        with pytest.raises(IriSyntaxError):
            iri_canon.explain(text)
        return
    steps = iri_canon.explain(text)
    assert ([text] + [step.after for step in steps])[-1] == form
    before, rung = text, Rung.SYNTAX
    for step in steps:
        assert step.before == before != step.after
        assert step.name
        assert step.clause
        assert step.rung >= rung
        before, rung = step.after, step.rung
    below = [text] + [step.after for step in steps if step.rung is Rung.SYNTAX]
    assert below[-1] == canonical(text, Rung.SYNTAX)


def to_uri_is_the_mapping_of_the_rfc_and_the_identity_on_uris(iri: str) -> None:
    uri = oracle.to_uri(iri)
    assert oracle.is_uri_reference(uri)
    assert iri_canon.to_uri(iri) == iri_canon.to_uri(uri) == uri


def to_iri_loses_nothing(iri: str) -> None:
    uri = oracle.to_uri(iri)
    iri = iri_canon.to_iri(uri)
    assert oracle.is_iri_reference(iri)
    assert iri_canon.canonicalize(iri_canon.to_uri(iri), Rung.SYNTAX) == iri_canon.canonicalize(
        uri, Rung.SYNTAX
    )
    assert iri_canon.to_iri(iri_canon.to_uri(iri)) == iri
    shown = iri_canon.to_iri(uri, tounicode=True)
    assert iri_canon.key(shown) == iri_canon.key(uri)


def only_iri_errors_escape(text: str) -> None:
    def attempt(call: Callable[[], object]) -> None:
        with contextlib.suppress(IriError):
            call()

    for rung in Rung:
        assert isinstance(iri_canon.key(text, rung), str)
    attempt(lambda: iri_canon.parse(text))
    attempt(lambda: iri_canon.canonicalize(text))
    attempt(lambda: iri_canon.explain(text))
    attempt(lambda: iri_canon.to_uri(text))
    attempt(lambda: iri_canon.to_uri(text, toascii=True))
    attempt(lambda: iri_canon.to_iri(text))
    attempt(lambda: iri_canon.to_iri(text, tounicode=True))
    attempt(lambda: iri_canon.resolve("http://example.com/a/b?c#d", text))
    attempt(lambda: iri_canon.resolve(text, "../g?y#s"))
    attempt(lambda: iri_canon.resolve(text, text, strict=False))
    attempt(lambda: iri_canon.canonicalize(text.encode("utf-8", "surrogatepass"), encoding="windows-1258"))
    for carrier in ("html", "xml", "json", "apache", "plain"):
        assert isinstance(iri_canon.prepare(text, carrier), str)  # type: ignore[arg-type]
    assert iri_canon.prepare(text, "plain") == text


# ------------------------------------------------------------------------------------------------ the oracle


def parts_are_those_of_appendix_b(iri: str) -> None:
    value = iri_canon.parse(iri)
    assert (value.scheme, value.authority, value.path, value.query, value.fragment) == oracle.parse(iri)
    assert oracle.recompose(oracle.parse(iri)) == iri


def the_syntax_form_is_the_oracles(iri: str) -> None:
    assert iri_canon.canonicalize(iri, Rung.SYNTAX) == oracle.syntax_form(iri)


@given(IRI_REFERENCES.filter(lambda iri: oracle.parse(iri).scheme is not None), IRI_REFERENCES, st.booleans())
def test_resolution_is_the_oracles(base: str, reference: str, strict: bool) -> None:
    assert iri_canon.resolve(base, reference, strict=strict) == oracle.resolve(base, reference, strict=strict)


@given(st.lists(st.sampled_from(["", ".", "..", "...", "a", "%2e", ".b"]), max_size=9).map("/".join))
def test_dot_segments_are_removed_as_the_loop_of_the_rfc_does(path: str) -> None:
    assert iri_canon.canonicalize(f"x://h/{path}", Rung.SYNTAX) == (
        "x://h" + oracle.remove_dot_segments(oracle.normalise_triplets(f"/{path}"))
    )
    assert iri_canon.resolve("x:z", f"a{path}") == oracle.resolve("x:z", f"a{path}")


# ------------------------------------------------------------------------------------------------ together

# One text serves all the laws: it takes longer to make than to judge.
LAWS_OF_TEXTS = (
    parse_is_lossless,
    canonicalization_is_idempotent,
    a_rung_never_splits_what_a_lower_one_joined,
    the_canonical_form_is_a_uri,
    key_and_canonicalize_agree,
    explain_walks_to_the_canonical_form,
    only_iri_errors_escape,
)
LAWS_OF_VALID_IRIS = (
    to_uri_is_the_mapping_of_the_rfc_and_the_identity_on_uris,
    parts_are_those_of_appendix_b,
    the_syntax_form_is_the_oracles,
    to_iri_loses_nothing,
)


@given(TEXTS)
@hard(*HARD, *HARD_TO_PREPARE)
def test_any_text_keeps_the_laws(text: str) -> None:
    for law in LAWS_OF_TEXTS:
        note(law.__name__)
        law(text)


@given(IRI_REFERENCES)
def test_any_valid_iri_is_what_the_rfcs_say(iri: str) -> None:
    for law in LAWS_OF_VALID_IRIS:
        note(law.__name__)
        law(iri)


def test_the_oracle_says_what_rfc3986_says() -> None:
    assert oracle.remove_dot_segments("/a/b/c/./../../g") == "/a/g"
    assert oracle.remove_dot_segments("mid/content=5/../6") == "mid/6"
    assert oracle.resolve("http://a/b/c/d;p?q", "../../../g;x=1/../y?z#s") == "http://a/y?z#s"
    assert (
        oracle.syntax_form("eXAMPLE://a/./b/../b/%63/%7bfoo%7d/rosé") == "example://a/b/c/%7Bfoo%7D/ros%C3%A9"
    )
    assert oracle.is_uri_reference("//u@[::1]:80/a?b#c")
    assert not oracle.is_uri_reference("//[::g]")
    assert oracle.is_iri_reference("é")
    assert not oracle.is_uri_reference("é")
    assert not oracle.is_uri_reference("a%zz")
    assert not oracle.is_uri_reference("1:b")
