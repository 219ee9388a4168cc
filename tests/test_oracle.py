"""The code and the oracle say the same of thousands of generated references: resolution, 3.1 and 3.2.

A generator with a fixed seed, not Hypothesis: it mutates real URLs, and 50,000 inputs take seconds. The "ci"
profile of Hypothesis (see conftest.py) asks for 50,000 inputs on which code and oracle agree, for each of the three;
any other run for 2,000.
"""

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator

import oracle
import pytest
from folders import NO_SHARED_FOLDER, shared_folder
from hypothesis import settings
from test_vectors import load

import iri_canon
from iri_canon import IriSyntaxError

AGREEING = 50_000 if settings().max_examples >= 20_000 else 2_000

# Characters at the borders of what UTF-8, 2.2, 4.1 and 6.1 say, and some between.
CHARACTERS = [
    chr(code)
    for low, high in [
        *oracle.UCSCHAR,
        *oracle.IPRIVATE,
        *oracle.ALSO_INAPPROPRIATE,
        (0x80, 0x7FF),
        (0x800, 0xD7FF),
        (0xFDD0, 0xFDEF),
        (0x10000, 0x10FFFF),
        (0x2FF0, 0x2FFB),
        (0x200B, 0x200F),
        (0x206A, 0x206F),
        (0x0340, 0x0341),
        (0xE0001, 0xE007F),
    ]
    for code in (low - 1, low, low + 1, high - 1, high, high + 1)
    if 0x80 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
] + list("éüßא納豆アＡ\u0301\u00ad\u3000") * 20
# Octets that begin, continue and break sequences, at each border of RFC 3629 4.
BORDERS = [0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF]
BORDERS += [0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE, 0xFF]
LEADS = [octet for octet in BORDERS if octet >= 0xC0]
DOTS = [
    "/./",
    "/../",
    "/..",
    "/.",
    "./",
    "../",
    "..",
    ".",
    "/...",
    "/.a/",
    "//",
    "/",
    "/%2e/",
    "/%2E%2e/",
    "/.//",
]
PIECES = [
    *"?#:@;=&+!$'()*,~-_",
    "a",
    "g",
    "http:",
    "?y",
    "#s",
    "//h",
    "@",
    ":80",
    "%25",
    "%2F",
    "%2f",
    "%41",
    "%7e",
]


def real_urls() -> list[str]:
    """The texts of the vectors, and of the public lists where they are."""
    rows = [
        row
        for name in ("mapping", "resolve", "parse", "canonical")
        for table in load(name).values()
        for row in table
    ]
    texts = [row[name] for row in rows for name in ("uri", "iri", "base", "reference", "text") if name in row]
    folder = shared_folder()
    for path in sorted((folder / "urls").glob("*.txt.gz")) if folder is not None else ():
        with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape") as file:
            texts += [line.rstrip("\n") for line, _ in zip(file, range(400), strict=False)]
    return texts


def triplets(random_: random.Random) -> str:
    """A run of triplets: characters in UTF-8, broken at any octet, or octets at the borders of legal sequences."""
    octets = bytearray()
    for _ in range(random_.randint(1, 4)):
        octets += random_.choice(CHARACTERS).encode()
    if random_.random() < 0.4:
        octets = bytearray([random_.choice(LEADS), random_.choice(BORDERS[:8])])
        octets += bytes(random_.choice([0x80, 0xBF]) for _ in range(random_.randint(0, 3)))
    elif random_.random() < 0.6:
        at = random_.randrange(len(octets))
        change = random_.randrange(4)
        if change == 0:
            del octets[at]
        elif change == 1:
            octets[at] = random_.choice(BORDERS)
        elif change == 2:
            octets.insert(at, random_.choice(BORDERS))
        else:
            del octets[at:]
    form = random_.choice(("%{:02X}", "%{:02x}"))
    run = [form.format(octet) for octet in octets]
    if run and random_.random() < 0.2:  # something unreserved, reserved or raw inside the run
        run.insert(random_.randrange(len(run)), random_.choice(["%41", "%2f", "a", "/", "?", "#", "é"]))
    return "".join(run)


def mutated(text: str, random_: random.Random) -> str:
    for _ in range(random_.randint(0, 3)):
        at = random_.randint(0, len(text))
        kind = random_.random()
        if kind < 0.4:
            text = text[:at] + triplets(random_) + text[at:]
        elif kind < 0.6:
            text = text[:at] + random_.choice(DOTS) + text[at:]
        elif kind < 0.75:
            text = text[:at] + random_.choice(PIECES) + text[at:]
        elif kind < 0.85:
            text = text[:at] + random_.choice(CHARACTERS) + text[at:]
        else:
            text = text[:at] + text[min(len(text), at + random_.randint(1, 12)) :]
    return text


def references(random_: random.Random) -> Iterator[str]:
    """Valid IRI references without end, short and hard more often than long."""
    real = real_urls()
    while True:
        kind = random_.random()
        if kind < 0.5:
            text = mutated(random_.choice(real)[:200], random_)
        elif kind < 0.8:
            text = "".join(random_.choice([*DOTS, *PIECES, *DOTS]) for _ in range(random_.randint(0, 7)))
        else:
            text = random_.choice(["/", "/?", "/#", "", "http://", "//h/a?b#", "foo:"]) + triplets(random_)
        if oracle.is_iri_reference(text):
            yield text


def is_wrong_port(error: IriSyntaxError) -> bool:
    """Whether a port is above 65535, which the grammar lets pass, and so does the oracle."""
    return error.component == "port"


@pytest.mark.timeout(900)
def test_resolution_agrees() -> None:
    random_ = random.Random(3986)
    texts = references(random_)
    seen: Counter[str] = Counter()
    bases = ["http://a/b/c/d;p?q", "http://h", "foo:a/b", "foo:/a/b", "file:///a"]
    while seen["agreed"] < AGREEING:
        reference = next(texts)
        base = next(texts) if random_.random() < 0.5 else random_.choice(bases)
        if oracle.parse(base).scheme is None:
            base = f"foo:{base}"
        if not oracle.is_iri_reference(base):
            continue
        strict = random_.random() < 0.7
        try:
            target = iri_canon.resolve(base, reference, strict=strict)
        except IriSyntaxError as error:
            if not is_wrong_port(error):
                raise
            continue
        assert target == oracle.resolve(base, reference, strict=strict), (base, reference, strict)
        assert oracle.is_iri_reference(target), (base, reference, strict)
        seen["agreed"] += 1
        seen["dots"] += "/." in base + reference
        seen["relative"] += oracle.parse(reference).scheme is None
        seen["legacy"] += not strict and oracle.parse(reference).scheme == oracle.parse(base).scheme
        seen["no authority"] += oracle.parse(target).authority is None
        seen["kept from authority"] += "/.//" in target
    for hard in ("dots", "relative", "legacy", "no authority", "kept from authority"):
        assert seen[hard] > AGREEING / 100, seen


@pytest.mark.timeout(900)
def test_iri_to_uri_agrees() -> None:
    texts = references(random.Random(31))
    seen: Counter[str] = Counter()
    while seen["agreed"] < AGREEING:
        iri = next(texts)
        uri = iri_canon.to_uri(iri)
        assert uri == oracle.to_uri(iri) == iri_canon.to_uri(uri) == iri_canon.to_uri(iri, strict=True), iri
        assert oracle.is_uri_reference(uri), iri
        seen["agreed"] += 1
        seen["changed"] += uri != iri
    assert seen["changed"] > AGREEING / 20, seen


@pytest.mark.timeout(900)
def test_uri_to_iri_agrees_and_keeps_its_laws() -> None:
    texts = references(random.Random(32))
    seen: Counter[str] = Counter()
    while seen["agreed"] < AGREEING:
        uri = oracle.to_uri(next(texts))
        iri = iri_canon.to_iri(uri)
        assert iri == oracle.to_iri(uri), uri
        assert oracle.is_iri_reference(iri), uri
        assert iri_canon.to_iri(iri) == iri, uri
        back = iri_canon.to_uri(iri)
        assert oracle.normalise_triplets(back) == oracle.normalise_triplets(uri), uri
        try:
            assert iri_canon.canonicalize(iri) == iri_canon.canonicalize(uri), uri
        except IriSyntaxError as error:
            if not is_wrong_port(error):
                raise
        seen["agreed"] += 1
        seen["decoded"] += not iri.isascii()
        seen["kept"] += any(f"%{octet:X}" in iri for octet in range(0x8, 0x10))
        seen["both"] += not iri.isascii() and any(f"%{octet:X}" in iri for octet in range(0x8, 0x10))
        seen["case changed"] += back != uri and oracle.normalise_triplets(back) == back
    for hard in ("decoded", "kept", "both", "case changed"):
        assert seen[hard] > AGREEING / 50, seen


@pytest.mark.skipif(shared_folder() is None, reason=NO_SHARED_FOLDER)
def test_real_references_agree() -> None:
    folder = shared_folder()
    assert folder is not None
    seen: Counter[str] = Counter()
    with gzip.open(folder / "urls" / "cc_relative_10k.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            base, reference = row["base"], row["ref"]
            valid = oracle.is_iri_reference(base) and oracle.is_iri_reference(reference)
            seen["valid" if valid else "not valid"] += 1
            if valid:
                assert iri_canon.resolve(base, reference) == oracle.resolve(base, reference), row
                assert iri_canon.to_uri(reference) == oracle.to_uri(reference), row
                uri = oracle.to_uri(reference)
                assert iri_canon.to_iri(uri) == oracle.to_iri(uri), row
    assert seen["valid"] > 9_000, seen
