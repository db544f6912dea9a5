#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_page.py UNPU_SAN COMPILER INCLUDE LIBRARIES: the programs of Documentation/sanitizer.rst, and what the page shows of their
runs. Addresses, process numbers and lengths of schedules are those of a run, and compare equal."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect, expect_true, problems  # noqa: E402
from pages import read_blocks  # noqa: E402

SAN, COMPILER, INCLUDE, LIBRARIES = (os.path.abspath(word) if "/" in word else word for word in sys.argv[1:])
# What the page says of the program that checks its result, in C++.
FILL, CHECK = "memset(staging, 7, BYTES);", """
	static char back[BYTES];
	aclrtMemcpy(back, BYTES, result, BYTES, ACL_MEMCPY_DEVICE_TO_HOST);
	if (memcmp(back, staging, BYTES) != 0) {
		aclFinalize();
		return 1;
	}
"""
# The page shows its report, and says what it does.
STEPS = """#include <acl/acl.h>
#include <string.h>
static void *host, *device;
static aclrtStream stream;
static void step(int value)
{
	memset(host, value, 4096);
	aclrtMemcpyAsync(device, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream);
}
int main()
{
	aclInit(nullptr);
	aclrtSetDevice(0);
	aclrtCreateStream(&stream);
	aclrtMallocHost(&host, 4096);
	aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
	step(1);
	step(2);
	aclrtSynchronizeStream(stream);
	return aclFinalize();
}
"""


# A copy to pinned memory, for which the program waits with the whole device.
WAITS = STEPS.replace("static void step(int value)", "static void step(int)").replace("\tmemset(host, value, 4096);\n", "").replace(
    "device, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE", "host, 4096, device, 4096, ACL_MEMCPY_DEVICE_TO_HOST").replace(
    "\tstep(2);\n\taclrtSynchronizeStream(stream);", "\taclrtSynchronizeDevice();").replace(
    "\tstep(1);", "\taclrtMemset(device, 4096, 1, 4096);\n\tstep(1);")


def block(*beginnings):
    """The one block that begins with one of these."""
    found = [text for text in BLOCKS if text.lstrip().startswith(beginnings)]
    expect(f"blocks of the page that begin with {beginnings}", len(found), 1)
    return found[0] if found else ""


def same(text):
    """The text without what differs from run to run; lines of steps.cpp, which the page has not, are one."""
    for pattern, name in ((r"\b0x7[0-9a-f]+\b", "ADDRESS"), (r"steps=\d+", "steps=N"), (r"run-1/\d+-0", "run-1/PID-0"),
                          (r"replay '@[^']*'", "replay DECISIONS"), (r"steps\.cpp:\d+", "steps.cpp:N")):
        text = re.sub(pattern, name, text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def build(name, text):
    with open(name + ".cpp", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([COMPILER, "-g", "-o", name, name + ".cpp", "-I" + INCLUDE, "-L" + LIBRARIES, "-Wl,-rpath," + LIBRARIES,
                    "-lascendcl"], check=True)


def san(command):
    """Runs a command of the page. Return: what it printed, on both."""
    words = command.split()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNPU_")}
    done = subprocess.run([SAN, *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=120, env=environment)
    return done.stdout


def check_shown(text):
    """A block of a command and what it prints, but for the commands that only prepare others."""
    parts = re.split(r"^\$ ", text, flags=re.M)[1:]
    for part in parts:
        command, _, shown = part.partition("\n")
        printed = same(san(command))
        if shown.strip():
            # What follows the lines of the runs is not shown again.
            expect(command, printed[:len(same(shown))], same(shown))


def check_build(commands):
    """The commands for a build, with the program in place of ctest and its own report as the older one."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNPU_")}
    environment["PATH"] = os.path.dirname(SAN) + ":" + environment["PATH"]
    codes = []
    for line in commands.replace("-- ctest", "-- ./pipeline").splitlines():
        codes.append(subprocess.run(["bash", "-c", line], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
                                    check=False, timeout=60).returncode)
        shutil.copy("san.json", "main.json")
    expect("what the commands of a build end with", codes, [1, 1, 1, 1, 0])
    expect_true("they make their files", all(os.path.getsize(name) for name in ("san.json", "san.sarif", "san.html")))


def check_suppressions(lines):
    """Each line is one that the tool takes: none of them matches the pipeline, and each is named."""
    with open("suppressions", "w", encoding="utf-8") as file:
        file.write(lines)
    said = san("unpu-san report --suppressions suppressions san.json")
    rules = [line for line in lines.splitlines() if line and not line.startswith("#")]
    expect(f"suppressions that match nothing, in {said!r}", said.count("nothing matched this suppression"), len(rules))


def check_gtest(program):
    done = subprocess.run([COMPILER, "-std=c++17", "-fsyntax-only", "-x", "c++", "-I" + INCLUDE, "-"], input="#include <gtest/gtest.h>\n" + program,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    expect(f"the compiler, which says {done.stdout}, ends with", done.returncode, 0)


def main():
    pipeline = block("#include <acl/acl.h>")
    repair = next((text for text in BLOCKS if text.startswith("static void prefetch()")), "")
    wrong = re.search(r"static void prefetch\(\)\n\{.*?\n\}\n", pipeline, flags=re.S)
    expect_true("the page has the program and its repair", wrong and repair)
    if problems:
        return
    checked = "#include <string.h>\n" + pipeline.replace("\tprefetch();", f"\t{FILL}\n\tprefetch();").replace(
        "\treturn aclFinalize();", CHECK + "\treturn aclFinalize();")
    repaired = pipeline.replace(wrong.group(0), repair)
    build("pipeline", pipeline)
    check_shown(block("$ unpu-san run -- ./pipeline"))
    build("repaired", repaired)
    expect("the repaired program", same(san("unpu-san run -- ./repaired"))[-1:],
           same(block("unpu-san: 0 findings (armed, 2 commands checked")))
    build("steps", STEPS)
    check_shown(block("$ unpu-san run --host digest+late"))
    build("pipeline", checked)
    check_shown(block("$ unpu-san run --schedule portfolio"))
    # A busy machine may have made others in this run; the page tells those of the first one.
    shown = block("$ unpu-san replay")
    decisions = re.search(r"replay '(@[^']*)'", block("$ unpu-san run --schedule portfolio"))
    expect_true("the page has decisions", decisions)
    with open(shown.split()[3], "w", encoding="utf-8") as file:
        file.write(f"unpu-decisions 1 lazy\n{decisions.group(1) if decisions else ''}\n")
    check_shown(shown)
    check_shown(block("$ unpu-san run --log race.json"))
    build("pipeline", pipeline)
    check_build(block("unpu-san run --log san.json"))
    check_suppressions(block("# the collective library"))
    build("waits", WAITS)
    expect("the hint about a wait for the device", san("unpu-san run -- ./waits").splitlines()[1:2],
           block("unpu-san: 1 copy to pinned memory").splitlines())
    check_gtest(block("#include <unpu/san_gtest.h>"))


BLOCKS = read_blocks("sanitizer")
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    main()
    os.chdir("/")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
