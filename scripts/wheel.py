#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wheel.py TOOLKIT FOLDER: packs an installed toolkit into wheels. Prints their names, and the glibc that they need.

The wheel of unpu has the libraries of Debian that ours need, but for those of the C and C++ compiler."""
import base64
import glob
import hashlib
import os
import re
import subprocess
import sys
import zipfile

PROGRAMS = ("firmware-sim", "npu-smi", "unpu-info", "unpu-san", "unpu-time")
LIBRARY = "libunpu.so.0"
# Every machine with a C++ program has these.
FROM_SYSTEM = re.compile(r"(ld-linux|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s)[.-]")
# Archives of one content are the same file.
MOMENT = (2020, 1, 1, 0, 0, 0)

SUMMARY = "A simulated NPU for Python programs and their tests"
UNPU = """Metadata-Version: 2.1
Name: unpu
Version: {version}
Summary: {summary}
License: MIT
Requires-Python: >=3.10
Provides-Extra: acl
Requires-Dist: unpu-acl (=={version}) ; extra == 'acl'

The simulated NPU of unpu: libraries, firmware, the package unpu with its pytest plug-in, and the module acl in the folder
that "python -m unpu" prints. It needs glibc {glibc} and the C++ library of gcc {gcc} or newer.
"""
UNPU_ACL = """Metadata-Version: 2.1
Name: unpu-acl
Version: {version}
Summary: Lets Python find the module acl of unpu
License: MIT
Requires-Python: >=3.10
Requires-Dist: unpu (=={version})
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: unpu scripts/wheel.py\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"
ENTRY_POINTS = "[pytest11]\nunpu = unpu.pytest\n"
# The least gcc whose library has these.
GCC_OF_GLIBCXX = {"3.4.29": 11, "3.4.30": 12, "3.4.31": 13, "3.4.32": 13, "3.4.33": 14}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries_of(path):
    """The paths of the libraries that a file needs and the system may lack."""
    found = {}
    for name, where in re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", path), re.M):
        if not FROM_SYSTEM.match(name):
            found[name] = os.path.realpath(where)
    return found


def newest(paths, prefix):
    """The newest version of a kind of symbol that the files need."""
    versions = set()
    for path in paths:
        versions |= set(re.findall(rf"\b{prefix}_([0-9.]+)", output("objdump", "-T", path)))
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


class Wheel:
    """An archive in the making."""

    def __init__(self, folder, name, version, tag, metadata):
        self.path = os.path.join(folder, f"{name}-{version}-{tag}.whl")
        self.info = f"{name}-{version}.dist-info"
        self.archive = zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED)
        self.records = []
        self.add_text(f"{self.info}/METADATA", metadata)
        self.add_text(f"{self.info}/WHEEL", WHEEL.format(pure=str(tag.endswith("any")).lower(), tag=tag))

    def add_text(self, name, text):
        self.add(name, text.encode(), 0o644)

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), 0o755 if os.access(path, os.X_OK) else 0o644)

    def add(self, name, data, mode):
        entry = zipfile.ZipInfo(name, MOMENT)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(data)}")

    def close(self):
        record = f"{self.info}/RECORD"
        self.add_text(record, "\n".join(self.records + [f"{record},,"]) + "\n")
        self.archive.close()
        return self.path


def contents(toolkit):
    """name in the wheel -> path of each file of unpu."""
    site = os.path.join(toolkit, "python", "site-packages")
    found = {"unpu/acl_path/acl.abi3.so": os.path.join(site, "acl.abi3.so")}
    for path in glob.glob(os.path.join(site, "acl-stubs", "*")):
        found[f"unpu/acl_path/acl-stubs/{os.path.basename(path)}"] = path
    for path in glob.glob(os.path.join(site, "unpu", "*")):
        if os.path.isfile(path):
            found[f"unpu/{os.path.basename(path)}"] = path
    for path in glob.glob(os.path.join(toolkit, "lib64", "lib*.so")):
        found[f"unpu/lib64/{os.path.basename(path)}"] = path
    # An archive has no links: the library is there once, by the name that programs and other libraries ask for.
    found[f"unpu/lib64/{LIBRARY}"] = found.pop("unpu/lib64/libunpu.so")
    for name in PROGRAMS:
        found[f"unpu/bin/{name}"] = os.path.join(toolkit, "bin", name)
    others = {}
    for path in list(found.values()):
        if path.endswith(("libunpu.so", "libunpu_operators.so", *PROGRAMS)):
            others.update(libraries_of(path))
    found.update({f"unpu/lib64/{name}": path for name, path in others.items() if not name.startswith("libunpu")})
    return found


def version_of(toolkit):
    with open(os.path.join(toolkit, "lib64", "pkgconfig", "unpu.pc"), encoding="utf-8") as file:
        return re.search(r"^Version: (\S+)", file.read(), re.M).group(1)


def main():
    toolkit, folder = sys.argv[1:]
    version, files = version_of(toolkit), contents(toolkit)
    binaries = [path for name, path in files.items() if ".so" in name or name.startswith("unpu/bin/")]
    glibc, glibcxx = newest(binaries, "GLIBC"), newest(binaries, "GLIBCXX")
    gcc = GCC_OF_GLIBCXX.get(glibcxx, f"with GLIBCXX_{glibcxx}")
    tag = f"py3-none-manylinux_{glibc.replace('.', '_')}_{os.uname().machine}"
    wheel = Wheel(folder, "unpu", version, tag,
                  UNPU.format(version=version, summary=SUMMARY, glibc=glibc, gcc=gcc))
    for name, path in sorted(files.items()):
        wheel.add_file(name, path)
    wheel.add_text(f"{wheel.info}/entry_points.txt", ENTRY_POINTS)
    print(wheel.close())
    small = Wheel(folder, "unpu_acl", version, "py3-none-any", UNPU_ACL.format(version=version))
    small.add_text("unpu_acl.pth", "unpu/acl_path\n")
    print(small.close())
    print(f"needs glibc {glibc} and the C++ library of gcc {gcc}, or newer; has "
          f"{', '.join(sorted(os.path.basename(n) for n in files if re.search(r'[.]so[.]', n)))} of Debian")


main()
