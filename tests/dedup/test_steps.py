"""The steps that join two spellings: those that change them, each in its own way, and no more than the rung needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon import Rung, key
from iri_canon.dedup.steps import Joint, Used, explained, in_order, joining, place_of, used_by
from iri_canon.ladder import STEPS, Ladder

SCHEME = Ladder(Rung.SCHEME)


def names(url: str, other: str) -> tuple[str, list[str]]:
    joint = joining(url, other)
    return joint.rung.name.lower(), [step.name for step in joint.steps]


@pytest.mark.parametrize(
    ("url", "other", "rung", "steps"),
    [
        ("http://h/a", "http://h/a", "simple", []),
        ("http://h/a#b", "http://h/a", "syntax", ["drop_fragment"]),
        ("http://h/a#b", "http://h/a#c", "syntax", ["drop_fragment"]),
        ("http://h/a#\tb", "http://h/a", "syntax", ["remove_tabs_and_newlines", "drop_fragment"]),
        ("HTTP://H/a", "http://h/a", "syntax", ["lowercase_scheme", "lowercase_host"]),
        ("http://h/%7Ea", "http://h/~a", "syntax", ["decode_unreserved_triplets"]),
        ("http://h/b/../a", "http://h/a", "syntax", ["remove_dot_segments"]),
        # what both have alike joins nothing
        ("HTTP://h/%2fa", "http://h/%2fa", "syntax", ["lowercase_scheme"]),
        ("http://h:80/a", "http://h/a", "scheme", ["drop_default_port"]),
        ("HTTP://h:80/a", "http://h/a", "scheme", ["lowercase_scheme", "drop_default_port"]),
        ("http://h:80/a", "http://h:080/a", "scheme", ["drop_zeros_of_port"]),
        ("http://h", "http://h/", "scheme", ["root_empty_path"]),
        # what is one by neither is told how it comes to its key
        ("HTTP://h/a", "http://h/a/", "protocol", ["lowercase_scheme"]),
        ("http://h/a", "http://h/a/", "protocol", []),
        ("http://[", "http://[/", "protocol", []),
    ],
)
def test_the_steps_of_a_pair(url: str, other: str, rung: str, steps: list[str]) -> None:
    assert names(url, other) == (rung, steps)


PARTS = st.tuples(
    st.sampled_from(
        ["http://h", "HTTP://h", "http://H:80", "http://h:080", "https://h:443", "http://u@h", "h"]
    ),
    st.sampled_from(
        ["", "/", "/a", "/%7Ea", "/~a", "/b/../a", "/a?b", "/a?b/c", "/a?%7e", "//", "?/a", "/é", "/ "]
    ),
    st.sampled_from(["", "#", "#x", "#/y", "# ", "#\t"]),
).map("".join)


@given(url=PARTS, other=PARTS)
def test_the_short_ways_tell_what_the_long_one_tells(url: str, other: str) -> None:
    joint = joining(url, other)
    if url == other:
        assert joint == Joint(Rung.SIMPLE, (), None)
        return
    assert joint == joining(url, other, key(other))
    assert joint.syntax == (key(url, Rung.SYNTAX) if joint.rung > Rung.SYNTAX else None)
    if key(url, Rung.SYNTAX) == key(other, Rung.SYNTAX):
        assert joint[:2] == (Rung.SYNTAX, used_by(Ladder(Rung.SYNTAX), url, other))
    else:
        rung = Rung.SCHEME if key(url) == key(other) else Rung.PROTOCOL
        assert joint[:2] == (rung, used_by(SCHEME, url, other))


@given(text=PARTS)
def test_no_step_changes_what_is_its_own_key(text: str) -> None:
    assert explained(SCHEME, key(text)) == []


def test_steps_stand_in_the_order_of_the_ladder() -> None:
    walked = [Used(rung, step.__name__, clause) for rung in STEPS for step, clause in STEPS[rung].items()]
    assert list(in_order(reversed(walked))) == walked
    assert (
        place_of(walked[-1]) < place_of(Used(Rung.PROTOCOL, "a", "")) < place_of(Used(Rung.PROTOCOL, "b", ""))
    )
