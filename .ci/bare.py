"""An installation without extras: the library works, all is in the wheel, the command says what it lacks."""

import subprocess
import sys
import sysconfig
import zipfile
from importlib import metadata
from pathlib import Path

import iri_canon

names = set(zipfile.ZipFile(sys.argv[1]).namelist())
tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
assert tops == {"iri_canon", "scrapy_plugin", "sample_project"}, tops
assert {"iri_canon/py.typed", "scrapy_plugin/py.typed"} <= names
data = {name for name in names if name.startswith("iri_canon/data/")}
assert data, "no data files in the wheel"
assert any(name.endswith("/licenses/LICENSE") for name in names)

installed = {distribution.metadata["Name"].lower() for distribution in metadata.distributions()}
assert installed <= {"iri-canon", "idna", "pip", "setuptools"}, installed
assert metadata.version("iri-canon") == iri_canon.__version__
assert iri_canon.key("HTTP://B\u00fccher.example:80/%7e") == "http://xn--bcher-kva.example/~"
told = iri_canon.lint("http://p\u0430ypal.example/")
assert [(found.rule, found.offset) for found in told] == [("scripts-unchecked", 7)], told

script = Path(sysconfig.get_path("scripts")) / "iri-canon"
done = subprocess.run([script, "key", "http://h/"], capture_output=True, text=True, check=False)
assert done.returncode == 2, done
assert "pip install '.[cli]'" in done.stderr, done
print(f"{len(names)} files, {len(data)} of data; installed: {', '.join(sorted(installed))}")
