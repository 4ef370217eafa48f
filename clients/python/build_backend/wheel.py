"""Builds the wheel and the source archive (PEP 517) with Python's standard library alone.

The package is a folder of Python files. With this, `pip install` needs no network and nothing else
to be installed.
"""

import base64
import hashlib
import io
import os
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
# Archives of the same files are the same bytes.
MOMENT = (2020, 1, 1, 0, 0, 0)


def project():
    with open(HERE / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def metadata(of):
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {of['name']}",
        f"Version: {of['version']}",
        f"Summary: {of['description']}",
        f"License: {of['license']['text']}",
        f"Requires-Python: {of['requires-python']}",
        *(f"Classifier: {each}" for each in of["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (HERE / of["readme"]).read_text(encoding="utf-8")


def sources():
    """The package's files: path in the wheel, and content."""
    for path in sorted((HERE / "src").rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            yield path.relative_to(HERE / "src").as_posix(), path.read_bytes()


def information(of):
    """The files of the wheel's folder about itself, except its list of files."""
    folder = f"{of['name']}-{of['version']}.dist-info"
    yield f"{folder}/METADATA", metadata(of).encode()
    wheel = "Wheel-Version: 1.0\nGenerator: modemd\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    yield f"{folder}/WHEEL", wheel.encode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    of = project()
    name = f"{of['name']}-{of['version']}-py3-none-any.whl"
    records = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in [*sources(), *information(of)]:
            put(archive, path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            records.append(f"{path},sha256={digest},{len(content)}")
        record = f"{of['name']}-{of['version']}.dist-info/RECORD"
        put(archive, record, "\n".join([*records, f"{record},,", ""]).encode())
    return name


def put(archive, path, content):
    entry = zipfile.ZipInfo(path, MOMENT)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def build_sdist(sdist_directory, config_settings=None):
    of = project()
    folder = f"{of['name']}-{of['version']}"
    files = [(f"src/{path}", content) for path, content in sources()]
    for path in ["pyproject.toml", "README.md", "build_backend/wheel.py"]:
        files.append((path, (HERE / path).read_bytes()))
    files.append(("PKG-INFO", metadata(of).encode()))
    with tarfile.open(os.path.join(sdist_directory, folder + ".tar.gz"), "w:gz") as archive:
        for path, content in files:
            entry = tarfile.TarInfo(f"{folder}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return folder + ".tar.gz"


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
