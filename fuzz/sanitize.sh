#!/usr/bin/env bash
# The kernel, built with AddressSanitizer and UBSan, on texts mutated at random: fuzz/sanitize.sh [TEXTS [PYTHON]].
# With WITH=valgrind it is built without them and run under valgrind, which is some fifty times slower.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
texts="${1:-200000}" python="${2:-python3}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests"
cp -r "$root/iri_canon" "$root/fuzz" "$work"
cp -r "$root/tests/vectors" "$root"/tests/*.py "$work/tests"
rm -f "$work"/iri_canon/_kernel.*.so "$work"/iri_canon/_kernel.*.pyd
export IRI_CANON_SHARED="${IRI_CANON_SHARED:-$root/../shared}" PYTHONMALLOC=malloc PYTHONPATH="$work" PYTHONDONTWRITEBYTECODE=1

"$python" -m cython -3 "$work/iri_canon/_kernel.pyx" -o "$work/kernel.c"
suffix="$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"
headers="$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')"
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
if [ "${WITH:-}" = valgrind ]; then sanitizers=(); fi
"${CC:-cc}" -shared -fPIC -O1 -g ${sanitizers[@]+"${sanitizers[@]}"} -I"$headers" "$work/kernel.c" -o "$work/iri_canon/_kernel$suffix"

cd "$work"
if [ "${WITH:-}" = valgrind ]; then
    # CPython's own reads of what nothing has written are not looked at; anything else is, and all of the kernel's.
    for kind in Cond Value4 Value8; do
        for object in '*/libpython3*' '*/python3*'; do
            printf '{\n  CPython\n  Memcheck:%s\n  obj:%s\n}\n' "$kind" "$object"
        done
    done >"$work/suppressions"
    valgrind -q --error-exitcode=99 --leak-check=no --suppressions="$work/suppressions" \
        "$python" -m fuzz.kernel --texts "$texts"
    exit
fi
# Python is not built with the sanitizer: it comes first, and what Python leaves at its end is no leak of the kernel's.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=98 UBSAN_OPTIONS=print_stacktrace=1
LD_PRELOAD="$("${CC:-cc}" -print-file-name=libasan.so) $("${CC:-cc}" -print-file-name=libubsan.so)" "$python" -m fuzz.kernel --texts "$texts"
