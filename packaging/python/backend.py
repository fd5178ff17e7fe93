# SPDX-License-Identifier: BSD-3-Clause
"""Builds Carmine's wheel: the module carmine.py, and the program of `make node` where it was built.

    python3 packaging/python/backend.py FOLDER      # prints the wheel's path; pip calls build_wheel() instead

The program is build/carmine-node, or the file that CARMINE_PROGRAM names. It is static, so its wheel fits every Linux of
its architecture; without it the wheel has the module alone, for every system. The licences of the libraries in it are beside it, in
PROGRAM.notices. The same files make the same bytes.
"""
import base64
import hashlib
import os
import re
import struct
import sys
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF: the platform in tags
STATIC = "py3-none-manylinux2014_{0}.musllinux_1_1_{0}"  # no C library is looked for
METADATA = """Metadata-Version: 2.4
Name: carmine
Version: {}
Summary: Measures cache-aware rooflines, reads its result files, and draws them
License-Expression: {}
{}Requires-Python: >=3.9
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
Provides-Extra: pictures
Requires-Dist: matplotlib; extra == "pictures"
"""
LICENSE = "BSD-3-Clause"
BUNDLED = " AND MIT AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1"  # jansson, Zydis; glibc; libgomp
WHEEL = "Wheel-Version: 1.0\nGenerator: carmine\nRoot-Is-Purelib: {}\n{}"


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as why:
        raise SystemExit(f"carmine: {path}: {why.strerror}; build the wheel in a clone, with pip 21.3 or later")


def static_tags(elf):
    """Those of a program that no loader is asked for (no PT_INTERP); None: it is another file."""
    machine = elf[:5] == b"\x7fELF\x02" and MACHINES.get(struct.unpack_from("<H", elf, 18)[0])
    if not machine:
        return None
    start, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    if any(struct.unpack_from("<I", elf, start + i * size) == (3,) for i in range(count)):
        return None
    return STATIC.format(machine)


def read_program():
    """It and the licences of its libraries. None: there is none, and nobody asked for one."""
    named = os.environ.get("CARMINE_PROGRAM")
    path = named or os.path.join(SOURCE, "build", "carmine-node")
    if not named and not os.path.exists(path):
        return None, None
    program = read(path)
    if not static_tags(program):
        raise SystemExit(f"carmine: {path} is no static program for x86-64 or AArch64; `make node` builds one")
    if not os.path.exists(path + ".notices"):
        raise SystemExit(f"carmine: there is no {path}.notices, the licences of its libraries; `make node` writes it")
    return program, read(path + ".notices")


def contents(version, program, notices):
    """(path in the wheel, bytes, permissions) of each file but the list of them."""
    info = f"carmine-{version}.dist-info/"
    tags = [f"py3-none-{each}" for each in static_tags(program).split("-")[2].split(".")] if program else ["py3-none-any"]
    yield "carmine.py", read(os.path.join(SOURCE, "python", "carmine.py")), 0o644
    if program:
        yield f"carmine-{version}.data/scripts/carmine", program, 0o755
    licenses = {"LICENSE": read(os.path.join(SOURCE, "LICENSE")), **({"carmine-node.notices": notices} if program else {})}
    for name, text in licenses.items():
        yield f"{info}licenses/{name}", text, 0o644
    yield info + "METADATA", METADATA.format(version, LICENSE + (BUNDLED if program else ""),
                                             "".join(f"License-File: {name}\n" for name in licenses)).encode(), 0o644
    yield info + "WHEEL", WHEEL.format(str(not program).lower(), "".join(f"Tag: {each}\n" for each in tags)).encode(), 0o644


def build_wheel(folder, config_settings=None, metadata_directory=None):
    """Called by pip, or below: returns the file's name."""
    module = read(os.path.join(SOURCE, "python", "carmine.py")).decode()
    version = re.search(r'^__version__ = "(.*)"$', module, re.M).group(1)
    program, notices = read_program()
    name = f"carmine-{version}-{static_tags(program) if program else 'py3-none-any'}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(path, data, permissions):
            entry = zipfile.ZipInfo(path)  # of 1980: the same bytes each time
            entry.external_attr = (0o100000 | permissions) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}\n")
        for each in contents(version, program, notices):
            add(*each)
        path = f"carmine-{version}.dist-info/RECORD"
        add(path, "".join([*record, f"{path},,\n"]).encode(), 0o644)
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: packaging/python/backend.py FOLDER")
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
