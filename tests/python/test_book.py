# SPDX-License-Identifier: MIT
"""Each program, command and terminal excerpt of Documentation/python.rst does what the page shows."""
import os
import re
import subprocess
import sys

from unpu import places

SOURCE = os.environ["UNPU_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests", "common"))

from pages import read_blocks, read_page  # noqa: E402

SECONDS = 60
BLOCKS = read_blocks("python")


def block(beginning):
    found = [text for text in BLOCKS if text.startswith(beginning)]
    assert len(found) == 1, f"the page has {len(found)} blocks that begin with {beginning!r}"
    return found[0]


def run(*command, cwd):
    # pytest does not cut its lines where it finds the variables of a build machine.
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("UNPU_DEVICE", "ASCEND_HOME_PATH", "UNPU_SANITIZE", "CI", "BUILD_NUMBER", "COLUMNS")}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=SECONDS,
                          env=environment)


def run_suite(folder, text):
    with open(os.path.join(folder, "test_pipeline.py"), "w", encoding="utf-8") as file:
        file.write(text)
    return run(sys.executable, "-m", "pytest", "-p", "unpu.pytest", "-p", "no:cacheprovider", "--unpu-san",
               "test_pipeline.py", cwd=folder)


def neutral(text):
    """Without what differs from run to run."""
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def cut(text, first, last):
    """The lines from the one that has @first to the one that begins with @last."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if first in line), None)
    end = next((i for i, line in enumerate(lines) if line.startswith(last)), None)
    assert start is not None and end is not None, text
    return neutral("\n".join(lines[start:end + 1]))


# What each block of the page begins with. One that is not here has no test.
KNOWN = ("./scripts/demo.sh\n", "import acl\n", "# conftest.py, before\n", "/usr/bin/python3 -m pytest",
         "import pytest\n", "$ pytest --unpu-san", "unpu-san: 0 findings", "./scripts/wheel.sh\n",
         "PYTHONPATH=build/release/")


def test_each_block_is_known():
    assert [text for text in BLOCKS if not text.startswith(KNOWN)] == []
    for beginning in KNOWN:
        block(beginning)


def test_commands_name_files_of_the_tree():
    named = re.findall(r"(?:^|[ `]|\./)((?:scripts|bench|examples|python)/[\w./]*\w)", read_page("python"), re.MULTILINE)
    assert len(named) >= 5
    assert [name for name in named if not os.path.exists(os.path.join(SOURCE, name))] == []


def test_tutorial(tmp_path):
    program = block("import acl\n")
    wanted = re.findall(r"^print\(.*# (.*)$", program, re.MULTILINE)
    assert wanted == ["b'hello'", "107000", "what was wrong, with the numbers"]
    done = run(sys.executable, "-c", program, cwd=tmp_path)
    shown = done.stdout.splitlines()
    assert done.returncode == 0 and shown[:2] == wanted[:2], done.stdout + done.stderr
    assert "6" in shown[2] and "5" in shown[2] and len(shown) == 3, shown


def test_the_mock_that_the_plugin_replaces(tmp_path):
    before = block("# conftest.py, before\n")
    done = run(sys.executable, "-c", before + "import acl\nassert acl.rt.malloc(5, 2) is not None\n"
               "assert acl.is_not_there()\n", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_suite_that_lacks_synchronization(tmp_path):
    shown = block("$ pytest --unpu-san")
    done = run_suite(tmp_path, block("import pytest\n"))
    # The test itself may fail as well, which pytest shows behind that.
    ends = ("ERROR at teardown of test_step_gets_the_input", "           stream 1 |")
    assert cut(done.stdout, *ends) == cut(shown, *ends), done.stdout
    for line in ("unpu-san: 1 finding: 1 error (armed, 4 commands checked, 0 undecided, 0 suppressed)",
                 "ERROR test_pipeline.py::test_step_gets_the_input - unpu-san F1 error RACE-RAW..."):
        assert f"\n{line}\n" in shown and f"\n{line}\n" in done.stdout, done.stdout
    assert done.returncode == 1


def test_the_suite_with_an_event(tmp_path):
    fixed = block("import pytest\n").replace(
        "    step(rt, result, given, compute)\n",
        "    ready = rt.create_event()[0]\n"
        "    assert rt.record_event(ready, copies) == 0 and rt.stream_wait_event(compute, ready) == 0\n"
        "    step(rt, result, given, compute)\n")
    done = run_suite(tmp_path, fixed)
    assert block("unpu-san: 0 findings") in done.stdout + "\n", done.stdout
    assert done.returncode == 0 and "1 passed in" in done.stdout, done.stdout


def test_a_program_without_pytest(tmp_path):
    """``unpu-san run -- python3 program.py`` does the same for a program."""
    with open(tmp_path / "program.py", "w", encoding="utf-8") as file:
        file.write(block("import acl\n"))
    done = run(places.program("unpu-san"), "run", "--", sys.executable, "program.py", cwd=tmp_path)
    assert done.returncode == 0 and "unpu-san: 0 findings (armed" in done.stdout + done.stderr, done.stdout
