# SPDX-License-Identifier: MIT
"""The wheels: made, installed into environments without a network, and used there."""
import glob
import os
import re
import subprocess
import sys
import zipfile

import pytest

SOURCE, BUILD = os.environ["UNPU_SOURCE"], os.environ["UNPU_BUILD"]
# Nothing of this build and of the user is seen in the environments.
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("PYTHON", "UNPU_", "LD_", "ASCEND", "PIP_"))}

pytestmark = pytest.mark.skipif("UNPU_SANITIZED" in os.environ, reason="what is installed has no sanitizer")

PROGRAM = """
import os, subprocess, sys
import unpu
assert "acl" not in sys.modules
with unpu.session(devices=2) as session:
    import acl
    assert acl.__file__.startswith(sys.prefix), acl.__file__
    assert acl.init() == 0 and acl.rt.set_device(1) == 0
    memory, ret = acl.rt.malloc(64, 2)
    assert ret == 0 and acl.rt.memset(memory, 64, 7, 64) == 0
with unpu.session("server"):
    assert acl.init() == 0 and acl.rt.set_device(0) == 0
    host, ret = acl.rt.malloc_host(64)
    data = b"x" * 64
    memory, ret = acl.rt.malloc(64, 2)
    assert acl.rt.memcpy(memory, 64, acl.util.bytes_to_ptr(data), 64, 1) == 0
    assert acl.rt.memcpy(host, 64, memory, 64, 2) == 0 and acl.util.ptr_to_bytes(host, 64) == data
with open("/proc/self/maps") as maps:
    ours = {line.split()[-1] for line in maps if "libunpu.so" in line or "libfmt" in line}
assert ours and all(path.startswith(sys.prefix) for path in ours), ours
print("ok")
"""

SUITE = """
import acl
def test(npu, npu_leaks, request):
    import sys
    assert acl.__file__.startswith(sys.prefix)
    memory, ret = npu.acl.rt.malloc(1 << 20, 2)
    assert ret == 0 and npu.acl.rt.free(memory) == 0
def test_server(npu_server):
    import os
    assert os.path.exists(npu_server.address)
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    done = subprocess.run([os.path.join(SOURCE, "scripts", "wheel.sh"), BUILD, str(folder)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder, done.stdout


def environment(folder, *options):
    """A new environment; returns a function that runs a program of it. pip is Debian's: one of its own takes longer to
    be unpacked than the rest of the test."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", *options, str(folder)], check=True, env=CLEAN)
    python = os.path.join(folder, "bin", "python")

    def run(name, *arguments, **options):
        command = [python] if name == "python" else [sys.executable, "-m", "pip", "--python", python]
        done = subprocess.run(command + list(arguments), env=CLEAN, capture_output=True, text=True, check=False,
                              **options)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    return run


def test_name_and_text_say_which_glibc_it_needs(wheels):
    folder, text = wheels
    path, = glob.glob(str(folder / "unpu-*.whl"))
    major, minor = re.search(r"manylinux_(\d+)_(\d+)_", path).groups()
    assert f"needs glibc {major}.{minor} " in text
    with zipfile.ZipFile(path) as wheel:
        assert wheel.testzip() is None
        metadata = wheel.read(next(n for n in wheel.namelist() if n.endswith("METADATA"))).decode()
        assert not [name for name in wheel.namelist() if name.startswith("acl")]
    assert f"It needs glibc {major}.{minor} " in metadata


def test_clean_environment_with_the_extra(wheels, tmp_path):
    run = environment(tmp_path / "venv")
    run("pip", "install", "--no-index", "--find-links", str(wheels[0]), "unpu[acl]")
    assert run("python", "-c", PROGRAM, cwd=tmp_path) == "ok\n"
    assert "acl_path" in run("python", "-m", "unpu")
    run("pip", "uninstall", "-y", "unpu", "unpu-acl")
    assert not glob.glob(str(tmp_path / "venv" / "lib" / "*" / "site-packages" / "*unpu*"))


def test_acl_is_found_by_path_alone_without_the_extra(wheels, tmp_path):
    run = environment(tmp_path / "venv")
    run("pip", "install", "--no-index", "--find-links", str(wheels[0]), "unpu")
    code = "import importlib.util; print(importlib.util.find_spec('acl'))"
    assert run("python", "-c", code, cwd=tmp_path) == "None\n"
    code = "import sys; sys.path.insert(0, sys.argv[1]); import acl; print(acl.init(), acl.finalize())"
    assert run("python", "-c", code, run("python", "-m", "unpu").strip(), cwd=tmp_path) == "0 0\n"


def test_plug_in_is_active_by_itself(wheels, tmp_path):
    run = environment(tmp_path / "venv", "--system-site-packages")
    run("pip", "install", "--no-index", "--find-links", str(wheels[0]), "unpu")
    (tmp_path / "test_it.py").write_text(SUITE)
    for options, line in ((), "2 passed"), (("--unpu-san",), "unpu-san: 0 findings (armed, "):
        assert line in run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_it.py", cwd=tmp_path)


def test_programs_find_their_libraries_in_the_wheel(wheels, tmp_path):
    run = environment(tmp_path / "venv")
    run("pip", "install", "--no-index", "--find-links", str(wheels[0]), "unpu")
    code = "from unpu import places; print(places.program('unpu-san'))"
    tool = run("python", "-c", code, cwd=tmp_path).strip()
    assert tool.startswith(str(tmp_path))
    done = subprocess.run([tool, "selftest"], env=CLEAN, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = dict(re.findall(r"(\S+) => (\S+)", subprocess.run(["ldd", tool], env=CLEAN, capture_output=True, text=True,
                                                             check=True).stdout))
    for name in ("libdw.so.1", "libelf.so.1", "libfmt.so.9"):
        assert found[name].startswith(str(tmp_path)), found
