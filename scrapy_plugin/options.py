"""Every setting is read here, once, and a wrong one is refused by its name before anything is sent."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any, Final, TypeAlias

from scrapy.http.headers import Headers
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object
from scrapy.utils.python import without_none_values

from iri_canon import ConventionError, IriError, Ladder

logger = logging.getLogger(__name__)

PREFIX: Final = "IRI_CANON_"
LEARN: Final = ("off", "observed", "audited")
SEEN_FILE: Final = "iri-canon-seen.sqlite"
PAIRS_FILE: Final = "iri-canon-pairs.sqlite"

Conventions: TypeAlias = tuple[str, ...] | Mapping[str, tuple[str, ...]]


_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 5.6.2


_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhdw]?)")
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


class OptionError(IriError):
    """A setting that cannot be used; the message names it and the values allowed."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the settings say; the defaults are those of a crawl that sets nothing."""

    enabled: bool = True
    conventions: Conventions = ()
    learn: str = "observed"
    learn_support: int = 4
    """How many times a site has to show a rule before it comes into force, with no contradiction."""
    audit_share: float = 0.1
    """The part of the skipped requests that is fetched all the same."""
    audit_minimum: int = 3
    """How many of a rule's skipped requests are fetched at least, in each section."""
    store: str = "memory:"
    keep_fragments: bool = False
    headers: tuple[tuple[bytes, tuple[bytes, ...]], ...] = ()
    """The headers that count, each with the values that Scrapy gives it where a request has none."""
    temporary_redirects: bool = False
    item_field: str | None = None
    retry_failed: bool = False
    delta: bool = False
    delta_ttl: float | None = None
    """Seconds after which a page that an earlier crawl has done is fetched again; None: never."""
    delta_items: bool = False
    job_dir: Path | None = None
    debug: bool = False
    http_cache: bool = False
    cookies: bool = True
    own_fingerprinter: str | None = None
    """The class that the user set in REQUEST_FINGERPRINTER_CLASS, where it is not this project's."""

    @property
    def seen_path(self) -> Path | None:
        """The file of the states; None: memory."""
        return None if self.job_dir is None else self.job_dir / SEEN_FILE


def read(settings: BaseSettings) -> Options:
    """Read the settings of a crawl. Raises ``OptionError``, after it is logged.

    >>> read(BaseSettings({"IRI_CANON_LEARN": "off", "IRI_CANON_CONVENTIONS": "https,www"})).conventions
    ('https', 'www')
    >>> read(BaseSettings({"IRI_CANON_LEARN": "yes"}))
    Traceback (most recent call last):
    scrapy_plugin.options.OptionError: IRI_CANON_LEARN: 'yes' is not one of: off, observed, audited
    """
    try:
        return _read(settings)
    except OptionError as error:
        logger.critical("%s", error)
        raise


def _read(settings: BaseSettings) -> Options:
    _refuse_unknown_names(settings)
    job_dir = _job_dir(settings)
    store = _store(settings, job_dir)
    return Options(
        enabled=_boolean(settings, "ENABLED", True),
        conventions=_conventions(settings),
        learn=_learn(settings),
        learn_support=_whole_number(settings, "LEARN_SUPPORT", 4, least=2, most=64),
        audit_share=_share(settings, "AUDIT_SHARE", 0.1),
        audit_minimum=_whole_number(settings, "AUDIT_MINIMUM", 3, least=1, most=1_000_000),
        store=store,
        keep_fragments=_boolean(settings, "KEEP_FRAGMENTS", False),
        headers=_headers(settings),
        temporary_redirects=_boolean(settings, "TEMPORARY_REDIRECTS", False),
        item_field=_item_field(settings),
        retry_failed=_boolean(settings, "RETRY_FAILED", False),
        delta=_delta(settings, store),
        delta_ttl=_delta_ttl(settings),
        delta_items=_boolean(settings, "DELTA_ITEMS", False),
        job_dir=None if job_dir is None else Path(job_dir),
        debug=settings.getbool("DUPEFILTER_DEBUG"),
        http_cache=settings.getbool("HTTPCACHE_ENABLED"),
        cookies=settings.getbool("COOKIES_ENABLED", True),
        own_fingerprinter=_own_fingerprinter(settings),
    )


NAMES: Final = frozenset(
    PREFIX + name
    for name in (
        "ENABLED",
        "CONVENTIONS",
        "LEARN",
        "LEARN_SUPPORT",
        "AUDIT_SHARE",
        "AUDIT_MINIMUM",
        "STORE",
        "KEEP_FRAGMENTS",
        "HEADERS",
        "TEMPORARY_REDIRECTS",
        "ITEM_FIELD",
        "RETRY_FAILED",
        "DELTA",
        "DELTA_TTL",
        "DELTA_ITEMS",
    )
)


def _job_dir(settings: BaseSettings) -> str | None:
    value = settings.get("JOBDIR") or None
    if value is not None and not isinstance(value, (str, PathLike)):
        raise OptionError(f"JOBDIR: {value!r} is not the path of a folder")
    return None if value is None else str(value)


def _refuse_unknown_names(settings: BaseSettings) -> None:
    for name in settings:
        if name in NAMES:
            continue
        if name.startswith(PREFIX):
            known = [one.removeprefix(PREFIX) for one in sorted(NAMES)]
            close = [PREFIX + one for one in get_close_matches(name.removeprefix(PREFIX), known, 1)]
        else:
            # "IRICANON_LEARN" and "IRI_CANNON_LEARN" are meant for us too.
            close = get_close_matches(name, NAMES, 1, 0.9)
            if not close:
                continue
        meant = f"did you mean {close[0]}?" if close else f"the settings are {', '.join(sorted(NAMES))}"
        raise OptionError(f"{name}: there is no such setting; {meant}")


def _wrong(name: str, value: object, allowed: str) -> OptionError:
    return OptionError(f"{PREFIX}{name}: {value!r} is not {allowed}")


def _boolean(settings: BaseSettings, name: str, default: bool) -> bool:
    value = settings.get(PREFIX + name)
    if value is None:
        return default
    word = str(value).strip().lower()
    if word in {"true", "1", "yes", "on"}:
        return True
    if word in {"false", "0", "no", "off"}:
        return False
    raise _wrong(name, value, "one of: True, False (or 1, 0, yes, no, on, off)")


def _whole_number(settings: BaseSettings, name: str, default: int, *, least: int, most: int) -> int:
    value = settings.get(PREFIX + name)
    if value is None:
        return default
    # int() takes True and 2.5 too, and neither is a count.
    if isinstance(value, int | str) and not isinstance(value, bool):
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if least <= number <= most:
            return number
    raise _wrong(name, value, f"a whole number from {least} to {most}")


def _share(settings: BaseSettings, name: str, default: float) -> float:
    value = settings.get(PREFIX + name)
    if value is None:
        return default
    if isinstance(value, float | int | str) and not isinstance(value, bool):
        try:
            share = float(value)
        except ValueError:
            share = 0.0
        if 0.001 <= share <= 1:  # which NaN is not
            return share
    raise _wrong(name, value, "a number from 0.001 to 1")


def _names(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping, Iterator)):
        names = tuple(value)
        if all(isinstance(one, str) for one in names):
            return tuple(one.strip() for one in names)
    raise _wrong(name, value, "a list of names")


def _conventions(settings: BaseSettings) -> Conventions:
    value: Any = settings.get(PREFIX + "CONVENTIONS")
    if value is None:
        return ()
    if isinstance(value, str) and value.lstrip()[:1] in {"[", "{"}:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise _wrong("CONVENTIONS", value[:80], f"JSON ({error})") from None
    conventions: Conventions
    if isinstance(value, Mapping):
        conventions = {str(host): _names("CONVENTIONS", names) for host, names in value.items()}
    else:
        conventions = _names("CONVENTIONS", value)
    try:
        Ladder(conventions=conventions)
    except ConventionError as error:
        raise OptionError(f"{PREFIX}CONVENTIONS: {error}") from None
    return conventions


def _learn(settings: BaseSettings) -> str:
    value = settings.get(PREFIX + "LEARN")
    if value is None:
        return "observed"
    # A bare `off` in a YAML or TOML source arrives as False.
    word = "off" if value is False else str(value).strip().lower()
    if word not in LEARN:
        raise _wrong("LEARN", value, f"one of: {', '.join(LEARN)}")
    return word


def _store(settings: BaseSettings, job_dir: str | None) -> str:
    value = settings.get(PREFIX + "STORE")
    if value is None or value == "":
        return "memory:" if job_dir is None else f"sqlite:{Path(job_dir) / PAIRS_FILE}"
    kind, colon, rest = str(value).partition(":")
    if kind in {"redis", "rediss", "valkey"} and colon:
        raise OptionError(f"{PREFIX}STORE: {value!r} is not in this version; use memory: or sqlite:PATH")
    if not ((kind == "memory" and colon and not rest) or (kind == "sqlite" and rest)):
        raise _wrong("STORE", value, "one of: memory:, sqlite:PATH")
    return str(value)


def _delta(settings: BaseSettings, store: str) -> bool:
    delta = _boolean(settings, "DELTA", False)
    if delta and store == "memory:":
        raise OptionError(
            f"{PREFIX}DELTA: memory: keeps no page for the next crawl; set {PREFIX}STORE to sqlite:PATH, or a JOBDIR"
        )
    return delta


def _delta_ttl(settings: BaseSettings) -> float | None:
    value = settings.get(PREFIX + "DELTA_TTL")
    if value is None or value == "":
        return None
    found = _DURATION.fullmatch(str(value).strip())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not 0 < seconds < float("inf"):
        raise _wrong(
            "DELTA_TTL", value, "a time: seconds, or a number with s, m, h, d or w, such as 12h or 7d"
        )
    return seconds


def _headers(settings: BaseSettings) -> tuple[tuple[bytes, tuple[bytes, ...]], ...]:
    value = settings.get(PREFIX + "HEADERS")
    if value is None:
        return ()
    names = {name.lower() for name in _names("HEADERS", value)}
    for name in names:
        if not _TOKEN.fullmatch(name):
            raise _wrong("HEADERS", value, "a list of header names")
    # Middlewares add these after the filter was asked, and a redirect copies them: with or without is the same.
    added = Headers({"User-Agent": settings.get("USER_AGENT")})
    added.update(without_none_values(settings.getdict("DEFAULT_REQUEST_HEADERS")))
    return tuple((name.encode("ascii"), tuple(added.getlist(name))) for name in sorted(names))


def _item_field(settings: BaseSettings) -> str | None:
    value = settings.get(PREFIX + "ITEM_FIELD")
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise _wrong("ITEM_FIELD", value, "the name of a field")
    return value


def _own_fingerprinter(settings: BaseSettings) -> str | None:
    value = settings.get("REQUEST_FINGERPRINTER_CLASS")
    if value is None or not settings.getpriority("REQUEST_FINGERPRINTER_CLASS"):
        return None
    # Imported here: the fingerprinter reads its options from this module.
    from scrapy_plugin.fingerprinter import CanonicalFingerprinter

    loaded = load_object(value)
    if isinstance(loaded, type) and issubclass(loaded, CanonicalFingerprinter):
        return None
    return f"{loaded.__module__}.{loaded.__qualname__}"
