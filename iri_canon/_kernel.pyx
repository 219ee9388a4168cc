# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""The key at the scheme rung in one pass over octets; equal to `iri_canon.quick`, or it leaves the text to Python.

A text is UTF-8: each octet beyond ASCII becomes a triplet, so that none has to be understood. `read_site` takes the
scheme and the authority, `read_tail` the path and the query. Both read the octets from left to right, write no more
than three for one, and call nothing of Python's, so that a column needs no lock. What they do not know they name:

    NOT_MINE   no scheme with an authority behind it: the steps of the ladder, one by one
    COMPACT    a tab, CR or LF: the text is to be read again without them
    ASK        an authority that is more than a plain host name and port: `quick.site` knows it
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport (
    PyUnicode_AsEncodedString, PyUnicode_Check, PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH, PyUnicode_New
)
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

import re

from iri_canon import grammar, percent, quick, schemes

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    void *PyUnicode_DATA(object text)
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from *:
    """
    #define EACH UINT64_C(0x0101010101010101)
    """
    const uint64_t EACH

# ------------------------------------------------------------------------------------------ tables

cdef enum:
    NOT_MINE = -1
    COMPACT = -2
    ASK = -3
    LARGEST_PORT = 65535
    NO_DIGIT = 255
    MOST_SCHEMES = 8
    ON_THE_STACK = 4096

# What an octet is in a path or a query: it stays, it parts or ends something, it is taken out, or it is a "%" or else
# becomes a triplet.
cdef enum:
    PLAIN
    SLASH
    QUESTION_MARK
    NUMBER_SIGN
    REMOVED
    OTHER

cdef struct Scheme:
    uint64_t prefix    # the first octets of a text, of which there are at least eight: "http://", under a mask
    uint64_t mask
    Py_ssize_t length  # of the prefix
    int port           # that goes without saying; -1: none
    Py_ssize_t elided  # so long is a host that goes without saying, too; -1: none
    bint needs_host

cdef uint8_t IN_PATH[256]
cdef uint8_t IN_QUERY[256]
cdef uint8_t IN_SCHEME[256]
cdef uint8_t IN_NAME[256]       # in lower case; 0: not in a registered name, triplets aside
cdef uint8_t UNRESERVED[256]
cdef uint8_t DIGIT_VALUE[256]   # of a hexadecimal digit
cdef const char *DIGITS = b"0123456789ABCDEF"
cdef Scheme SCHEMES[MOST_SCHEMES]
cdef int SCHEME_COUNT = 0
cdef object SITE = quick.site
cdef Py_ssize_t LONGEST_ASKED = quick.LONGEST_CACHED


cdef int fill_tables() except -1:
    global SCHEME_COUNT
    scheme, name = re.compile(grammar.SCHEME), re.compile(f"[{grammar.REG_NAME}]")
    path, query = re.compile(f"[{grammar.PATH}]"), re.compile(f"[{grammar.QUERY}]")
    unreserved, digit = re.compile(f"[{grammar.UNRESERVED}]"), re.compile(f"[{grammar.HEXDIG}]")
    for octet in range(256):
        c = chr(octet)
        kind = REMOVED if octet in grammar.WITHOUT_TAB_OR_NEWLINE else NUMBER_SIGN if c == "#" else OTHER
        IN_QUERY[octet] = PLAIN if query.match(c) else kind
        kind = QUESTION_MARK if c == "?" else kind
        IN_PATH[octet] = SLASH if c == "/" else PLAIN if path.match(c) else kind
        IN_SCHEME[octet] = scheme.fullmatch(f"a{c}") is not None
        IN_NAME[octet] = ord(c.lower()) if name.match(c) else 0
        UNRESERVED[octet] = unreserved.match(c) is not None
        DIGIT_VALUE[octet] = int(c, 16) if digit.match(c) else NO_DIGIT
    for row in map(schemes.lookup, ("https", "http", "file", "ftp", "ws", "wss")):
        add_scheme(&SCHEMES[SCHEME_COUNT], row)
        SCHEME_COUNT += 1
    return 0


cdef int add_scheme(Scheme *scheme, object row) except -1:
    """A scheme in which a plain host whose last label is no number needs nothing but lower case."""
    cdef bytes prefix = f"{row.name}://".encode("ascii"), mask = b"\xff" * len(prefix)
    assert len(prefix) <= 8 and row.host in ("dns", "web")
    prefix, mask = prefix.ljust(8, b"\0"), mask.ljust(8, b"\0")
    memcpy(&scheme.prefix, <const char *> prefix, 8)
    memcpy(&scheme.mask, <const char *> mask, 8)
    scheme.length = len(row.name) + 3
    scheme.port = -1 if row.elided_port is None else int(row.elided_port)
    scheme.elided = -1 if row.default_host is None else len(row.default_host)
    scheme.needs_host = row.needs_host
    return 0


fill_tables()

# ------------------------------------------------------------------------------------------ octets


cdef Py_ssize_t read_site(
    const uint8_t *text, Py_ssize_t n, uint8_t *out, Py_ssize_t *begin, Py_ssize_t *end
) noexcept nogil:
    """The scheme and the authority into *out*: how many octets that are, or a code.

    *begin* and *end* are of the authority, where there is one, ASK included.
    """
    cdef Py_ssize_t i, w, label, port
    cdef uint64_t first
    cdef int value = 0, s
    cdef uint8_t c
    cdef Scheme *scheme = NULL
    if n < 8:
        return find_site(text, n, begin, end)
    memcpy(&first, text, 8)
    for s in range(SCHEME_COUNT):
        if first & SCHEMES[s].mask == SCHEMES[s].prefix:
            scheme = &SCHEMES[s]
            break
    if scheme == NULL:
        return find_site(text, n, begin, end)
    memcpy(out, text, 8)
    begin[0] = i = label = scheme.length
    while i < n:
        c = IN_NAME[text[i]]
        if not c:
            break
        out[i] = c
        i += 1
        if c == 46:  # "."
            label = i
    w = i
    if i == begin[0]:
        if scheme.needs_host or not ends_authority(text, i, n):
            return find_site(text, n, begin, end)
    elif label == i or is_decimal(out[label]) or i == scheme.length + scheme.elided:
        return find_site(text, n, begin, end)
    elif i < n and text[i] == 58:  # ":"
        i += 1
        port = i
        while i < n and i - port < 6 and is_decimal(text[i]):
            value = 10 * value + (text[i] - 48)
            i += 1
        if i > port and (value > LARGEST_PORT or text[port] == 48):
            return find_site(text, n, begin, end)
        if i > port and value != scheme.port:
            memcpy(out + w, text + w, i - w)
            w = i
    if not ends_authority(text, i, n):
        return find_site(text, n, begin, end)
    end[0] = i
    return w


cdef Py_ssize_t find_site(const uint8_t *text, Py_ssize_t n, Py_ssize_t *begin, Py_ssize_t *end) noexcept nogil:
    """Where the authority begins and ends: ASK, or another code."""
    cdef Py_ssize_t i = 0, j
    while i < n and IN_SCHEME[text[i]]:
        i += 1
    for j in range(i, i + 3):
        if j >= n:
            return NOT_MINE
        if text[j] != (58 if j == i else 47):  # ":", "/"
            return COMPACT if IN_QUERY[text[j]] == REMOVED else NOT_MINE
    if i == 0 or not (97 <= text[0] | 32 <= 122):
        return NOT_MINE
    begin[0] = i = i + 3
    while not ends_authority(text, i, n):
        if IN_QUERY[text[i]] == REMOVED:
            return COMPACT
        i += 1
    end[0] = i
    return ASK


cdef inline bint is_decimal(uint8_t c) noexcept nogil:
    return 48 <= c <= 57


cdef inline bint ends_authority(const uint8_t *text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return i >= n or SLASH <= IN_PATH[text[i]] <= NUMBER_SIGN


cdef Py_ssize_t read_tail(const uint8_t *text, Py_ssize_t i, Py_ssize_t n, uint8_t *out, Py_ssize_t w) noexcept nogil:
    """The path and the query of text[i:n] to out[w:]: where they end there, or COMPACT."""
    cdef uint8_t kind
    if may_have_dots(text, i, n):
        w = read_path(text, &i, n, out, w)
        if w < 0:
            return w
    elif i == n or text[i] != 47:
        out[w] = 47
        w += 1
    # A path without dot-segments is no other than a query: "?" is PLAIN there.
    while True:
        w = copy_plain(IN_QUERY, text, &i, n, out, w)
        kind = IN_QUERY[text[i]] if i < n else NUMBER_SIGN
        if kind == NUMBER_SIGN:
            return w
        if kind == REMOVED:
            return COMPACT
        w = write_octet(text, &i, n, out, w)


cdef Py_ssize_t read_path(const uint8_t *text, Py_ssize_t *i, Py_ssize_t n, uint8_t *out, Py_ssize_t w) noexcept nogil:
    """RFC 3986 5.2.4: the path, rooted or empty, to out[w:], where "." and ".." are followed as segments end."""
    cdef Py_ssize_t root = w, slash = w
    cdef bint is_dot
    cdef uint8_t kind
    while True:
        w = copy_plain(IN_PATH, text, i, n, out, w)
        kind = IN_PATH[text[i[0]]] if i[0] < n else NUMBER_SIGN
        if kind == OTHER:
            w = write_octet(text, i, n, out, w)
            continue
        if kind == REMOVED:
            return COMPACT
        is_dot = w - slash == 2 and out[w - 1] == 46
        if w - slash == 3 and out[w - 1] == 46 and out[w - 2] == 46:
            is_dot = True
            while slash > root:
                slash -= 1
                if out[slash] == 47:
                    break
        if is_dot:
            w = slash
        if kind == SLASH or is_dot or w == root:
            slash = w
            out[w] = 47
            w += 1
        if kind != SLASH:
            return w
        i[0] += 1


cdef inline bint may_have_dots(const uint8_t *text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Whether a segment begins with "." or with "%", which may be one; seldom a wrong yes, never a wrong no."""
    cdef uint64_t here, behind, found = 0
    cdef Py_ssize_t j
    while i < n - 1:
        if n < 9:
            return True
        j = min(i, n - 9)
        memcpy(&here, text + j, 8)
        memcpy(&behind, text + j + 1, 8)
        found |= zeros(here ^ EACH * 0x2F) & (zeros(behind ^ EACH * 0x2E) | zeros(behind ^ EACH * 0x25))
        i += 8
    return found != 0


cdef inline uint64_t zeros(uint64_t octets) noexcept nogil:
    """The highest bit of each octet that is 0, and maybe of those that are 1 beside one."""
    return (octets - EACH) & ~octets & (EACH << 7)


cdef inline Py_ssize_t copy_plain(
    const uint8_t *kinds, const uint8_t *text, Py_ssize_t *i, Py_ssize_t n, uint8_t *out, Py_ssize_t w
) noexcept nogil:
    """The octets from *i* on that are PLAIN, to out[w:]: where they end there."""
    cdef Py_ssize_t begin = i[0], j = begin
    while n - j >= 8 and are_plain(kinds, text + j):
        j += 8
    if 0 < n - j < 8 <= n and are_plain(kinds, text + n - 8):
        j = n  # eight that overlap those before
    while j < n and kinds[text[j]] == PLAIN:
        j += 1
    if j > begin:
        memcpy(out + w, text + begin, j - begin)
    i[0] = j
    return w + j - begin


cdef inline bint are_plain(const uint8_t *kinds, const uint8_t *text) noexcept nogil:
    """Whether eight octets are."""
    return not (
        kinds[text[0]] | kinds[text[1]] | kinds[text[2]] | kinds[text[3]]
        | kinds[text[4]] | kinds[text[5]] | kinds[text[6]] | kinds[text[7]]
    )


cdef inline Py_ssize_t write_octet(
    const uint8_t *text, Py_ssize_t *i, Py_ssize_t n, uint8_t *out, Py_ssize_t w
) noexcept nogil:
    """A triplet, a "%" that begins none, or an octet that is to become one, which ends before out[w + 3]."""
    cdef uint8_t c = text[i[0]], high, low
    if c == 37 and n - i[0] >= 3:
        high, low = DIGIT_VALUE[text[i[0] + 1]], DIGIT_VALUE[text[i[0] + 2]]
        if high < 16 and low < 16:
            c = 16 * high + low
            i[0] += 2
            if UNRESERVED[c]:
                i[0] += 1
                out[w] = c
                return w + 1
    i[0] += 1
    out[w] = 37
    out[w + 1] = DIGITS[c >> 4]
    out[w + 2] = DIGITS[c & 15]
    return w + 3


cdef Py_ssize_t read(
    const uint8_t **text, Py_ssize_t *n, uint8_t *out, Py_ssize_t *begin, Py_ssize_t *end
) noexcept nogil:
    """The key into *out*, the text without what surrounds it into *text*: how many octets the key has, or a code."""
    cdef Py_ssize_t w
    while n[0] and text[0][n[0] - 1] <= 32:  # C0 controls and spaces
        n[0] -= 1
    while n[0] and text[0][0] <= 32:
        text[0] += 1
        n[0] -= 1
    w = read_site(text[0], n[0], out, begin, end)
    return w if w < 0 else read_tail(text[0], end[0], n[0], out, w)


# ------------------------------------------------------------------------------------------ one text


cdef Py_ssize_t compact(const uint8_t *text, Py_ssize_t n, uint8_t *out) noexcept nogil:
    """The text without tabs, CR and LF; *out* may be where it is, or before."""
    cdef Py_ssize_t i, w = 0
    for i in range(n):
        if IN_QUERY[text[i]] != REMOVED:
            out[w] = text[i]
            w += 1
    return w


def scheme_key(object text):
    """As `iri_canon.quick.scheme_key`: the key, or None for what takes the steps one by one.

    The same object where the text is its own key. None, too, for an authority of many octets.

    >>> scheme_key("HTTP://Example.com:80/%7Ea/../b#c"), scheme_key("mailto:a@b"), scheme_key("http:///")
    ('http://example.com/b', None, None)
    """
    cdef uint8_t on_stack[ON_THE_STACK]
    cdef uint8_t *block = on_stack
    cdef const uint8_t *octets
    cdef Py_ssize_t n
    cdef bytes encoded
    if not PyUnicode_Check(text):
        return None
    if PyUnicode_IS_COMPACT_ASCII(text):
        octets, n = <const uint8_t *> PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
    else:
        try:
            encoded = PyUnicode_AsEncodedString(text, b"utf-8", b"surrogateescape")
        except UnicodeEncodeError:  # a lone surrogate that is no octet
            encoded = percent.octets(text)
        octets, n = <const uint8_t *> PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded)
    if n > ON_THE_STACK // 4 - 1:
        if n > PY_SSIZE_T_MAX // 4 - 1:
            return None
        block = <uint8_t *> PyMem_Malloc(4 * n + 1)
        if block == NULL:
            raise MemoryError
    try:
        return key_in(text, octets, n, block, block + n)
    finally:
        if block != on_stack:
            PyMem_Free(block)


cdef object key_in(object text, const uint8_t *octets, Py_ssize_t n, uint8_t *scratch, uint8_t *out):
    """*scratch* has room for the octets, *out* for three times as many and one more."""
    cdef const uint8_t *site_octets = NULL
    cdef uint8_t *into
    cdef Py_ssize_t w, begin = 0, end = 0, site_length = 0
    cdef object site = None, key
    w = read(&octets, &n, out, &begin, &end)
    if w == COMPACT:
        n = compact(octets, n, scratch)
        octets = scratch
        w = read(&octets, &n, out, &begin, &end)
    if w == ASK:
        if end > LONGEST_ASKED:
            return None
        site = SITE(
            PyUnicode_DecodeUTF8(<const char *> octets, begin - 3, NULL),
            PyUnicode_DecodeUTF8(<const char *> octets + begin, end - begin, b"surrogateescape"),
        )
        if site is None or not PyUnicode_IS_COMPACT_ASCII(site):
            return None
        site_octets, site_length = <const uint8_t *> PyUnicode_DATA(site), PyUnicode_GET_LENGTH(site)
        w = read_tail(octets, end, n, out, 0)
        if w == COMPACT:
            n = compact(octets, n, scratch)  # there is none before the end of the authority
            w = read_tail(scratch, end, n, out, 0)
    if w < 0:
        return None
    octets = <const uint8_t *> PyUnicode_DATA(text)
    if (
        site_length + w == PyUnicode_GET_LENGTH(text)
        and PyUnicode_IS_COMPACT_ASCII(text)
        and memcmp(octets + site_length, out, w) == 0
        and (site is None or memcmp(octets, site_octets, site_length) == 0)
    ):
        return text
    key = PyUnicode_New(site_length + w, 127)
    into = <uint8_t *> PyUnicode_DATA(key)
    if site is not None:
        memcpy(into, site_octets, site_length)
    memcpy(into + site_length, out, w)
    return key


# ------------------------------------------------------------------------------------------ a column


cdef inline int64_t offset_at(const uint8_t *offsets, Py_ssize_t row, bint wide) noexcept nogil:
    """An offset of a string array, or a large one; they need not be aligned."""
    cdef int64_t wide_one
    cdef int32_t narrow_one
    if wide:
        memcpy(&wide_one, offsets + 8 * row, 8)
        return wide_one
    memcpy(&narrow_one, offsets + 4 * row, 4)
    return narrow_one


cdef inline void set_offset(uint8_t *offsets, Py_ssize_t row, bint wide, int64_t value) noexcept nogil:
    cdef int32_t narrow_one
    if wide:
        memcpy(offsets + 8 * row, &value, 8)
    else:
        narrow_one = <int32_t> value
        memcpy(offsets + 4 * row, &narrow_one, 4)


cdef inline bint bit(const uint8_t *bits, Py_ssize_t index) noexcept nogil:
    return bits[index >> 3] >> (index & 7) & 1


cdef inline const uint8_t *at(const uint8_t[::1] octets) noexcept nogil:
    return &octets[0] if octets.shape[0] else NULL


def fill(
    bint wide,
    const uint8_t[::1] offsets not None,
    const uint8_t[::1] data not None,
    const uint8_t[::1] validity,
    Py_ssize_t first,
    Py_ssize_t rows,
    uint8_t[::1] key_offsets not None,
    uint8_t[::1] keys not None,
    uint8_t[::1] others not None,
    Py_ssize_t row,
):
    """The keys of the rows from *row* on, of *rows* rows behind the *first* one, as far as *keys* has room.

    How many rows have keys now, how many of those behind *row* are left to Python, which have a bit in *others* and
    an empty key for the time being, and whether all others are their own keys. The octets may be any; offsets that do
    not fit the data raise `ValueError`. Without the lock of Python.
    """
    cdef Py_ssize_t width = 8 if wide else 4, size = data.shape[0], room = keys.shape[0], used, w, n, begin, end, asked = 0
    cdef int64_t start, stop
    cdef bint all_same = True, fits
    cdef const uint8_t *octets
    cdef const uint8_t *valid = NULL
    if validity is not None:
        valid = at(validity)
    if (
        not 0 <= row <= rows
        or first < 0
        or rows > PY_SSIZE_T_MAX // 8 - 1 - first
        or offsets.shape[0] < width * (first + rows + 1)
        or key_offsets.shape[0] < width * (rows + 1)
        or others.shape[0] < (rows + 8) // 8
        or validity is not None and validity.shape[0] < (first + rows + 7) // 8
    ):
        raise ValueError("a column with less octets than its rows need")
    with nogil:
        if row == 0:
            set_offset(&key_offsets[0], 0, wide, 0)
            memset(&others[0], 0, (rows + 7) // 8)
        used = offset_at(&key_offsets[0], row, wide)
        fits = 0 <= used <= room
        while fits and row < rows:
            start = offset_at(&offsets[0], first + row, wide)
            stop = offset_at(&offsets[0], first + row + 1, wide)
            if not 0 <= start <= stop <= size:
                fits = False
                break
            n = stop - start
            if used == room or n > (room - used - 1) // 3 or (not wide and used + 3 * <int64_t> n >= INT32_MAX):
                break
            w = 0
            if valid == NULL or bit(valid, first + row):
                octets = at(data) + start if n else NULL
                w = read(&octets, &n, &keys[used], &begin, &end)
                if w < 0:
                    w = 0
                    asked += 1
                    others[row >> 3] |= 1 << (row & 7)
                elif w != stop - start or memcmp(&keys[used], at(data) + start, w) != 0:
                    all_same = False
            used += w
            row += 1
            set_offset(&key_offsets[0], row, wide, used)
    if not fits:
        raise ValueError("a column whose offsets do not fit its data")
    return row, asked, all_same


def insert(
    bint wide,
    uint8_t[::1] key_offsets not None,
    uint8_t[::1] keys not None,
    Py_ssize_t rows,
    const uint8_t[::1] others not None,
    const uint8_t[::1] found_offsets not None,
    const uint8_t[::1] found not None,
):
    """Give the rows of *others*, whose keys are empty, the texts *found*, in their order; in place, from the last on.

    Raises `ValueError` where there is no room for them, or where they are not as many.
    """
    cdef Py_ssize_t width = 8 if wide else 4, row = rows, count = found_offsets.shape[0] // width - 1, length, begin, end
    cdef Py_ssize_t shift
    cdef bint fits = True
    if rows < 0 or key_offsets.shape[0] // width <= rows or others.shape[0] < (rows + 7) // 8 or count < 0:
        raise ValueError("a column with less octets than its rows need")
    end = offset_at(&key_offsets[0], rows, wide)
    shift = offset_at(&found_offsets[0], count, wide)
    if not (0 <= end <= keys.shape[0] and 0 <= shift <= found.shape[0] and shift <= keys.shape[0] - end):
        raise ValueError("no room for the keys")
    with nogil:
        while fits and row > 0 and count > 0:
            row -= 1
            begin = offset_at(&key_offsets[0], row + 1, wide)
            fits = 0 <= begin <= end
            if not fits:
                break
            set_offset(&key_offsets[0], row + 1, wide, begin + shift)
            if bit(&others[0], row):
                memmove(&keys[0] + begin + shift, &keys[0] + begin, end - begin)
                end = begin
                count -= 1
                length = shift - offset_at(&found_offsets[0], count, wide)
                fits = 0 <= length <= shift
                if fits and length:
                    shift -= length
                    memcpy(&keys[0] + begin + shift, &found[0] + shift, length)
    if not fits or count:
        raise ValueError("keys that do not fit the rows that are left")
