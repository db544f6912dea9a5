#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_gdb.py UNPU PROGRAM SHARED SOURCES: "unpu kernel debug" stops at a kernel's name and at a line of it, shows
tensors, and steps one block: the commands of Documentation/kernels.rst, with the answers that the page shows. SHARED is
the program with its kernels in a shared library."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect, expect_in, expect_true, problems  # noqa: E402

UNPU, PROGRAM, SHARED, SOURCES = sys.argv[1:]
KERNELS = os.path.join(SOURCES, "tests", "kernels", "bounds", "kernels.cpp")
PAGE = os.path.join(SOURCES, "Documentation", "kernels.rst")
TEST = "--gtest_filter=*WriteInTheNextAllocation"
COMMAND = "unpu kernel debug "


def line_of(text):
    with open(KERNELS, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def debug(options, *commands, device="sim:", program=PROGRAM):
    """What gdb prints, without its breaks of long lines. It has no terminal, and nothing of the user's home."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([UNPU, "kernel", "debug", *options, "--", program, TEST], input="\n".join(commands) + "\n",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=240,
                              env=dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, UNPU_DEVICE=device))
    done.stdout = re.sub(r" ?\n {4}(?=\S)", " ", re.sub(r"\(\n {4}", "(", done.stdout))
    return done


def excerpt():
    """The lines of the page from the command on."""
    with open(PAGE, encoding="utf-8") as file:
        block = re.search(rf"^\t\$ {COMMAND}.*\n(?:\t.*\n)+", file.read(), re.M).group(0)
    return [line[1:] for line in block.splitlines()]


def pattern_of(line):
    """The page's ... stands for anything, and threads of a block have any number."""
    pattern = re.escape(line).replace(r"\.\.\.", ".*")
    return re.sub(r"(Thread\\ 2\\\.)\d+", r"\1\\d+", pattern)


def check_page():
    first, *lines = excerpt()
    options = first.removeprefix("$ " + COMMAND).partition(" -- ")[0].split()
    commands = [line.removeprefix("(gdb) ") for line in lines if line.startswith("(gdb) ")]
    text = debug(options, *commands, "show scheduler-locking", "kill").stdout
    rest = text
    for wanted in [pattern_of(line) for line in lines if not line.startswith("(gdb) ")] + [r'locking scheduler.* is "step"']:
        found = re.search(wanted, rest)
        expect_true(f"no line matches {wanted!r} in:\n{text}", found)
        rest = rest[found.end():] if found else rest
    expect_true(f"it stopped in the program first:\n{text}", '"unpu_kernel_deb" hit' not in text)


def stops_of(text):
    """The functions and lines where it stopped; main is in a library that has no lines."""
    stops = re.findall(r'^(?:Thread [\d.]+ "\S+" hit )?Breakpoint \d, (?:0x\w+ in )?(\w+) (?:\(.*:(\d+))?', text, re.M)
    return [(name, at) for name, at in stops if name != "main" or not at]


def check_commands():
    """Breakpoints of the user's own: one that the program has no code for, the program's main, and one in the worker alone."""
    line = line_of("/* writes */")
    text = debug((), f"break kernels.cpp:{line}", "break main", "kernel-break move_floats", "run", "continue", "continue",
                 "kill").stdout
    expect(f"where it stops in:\n{text}", stops_of(text),
           [("main", ""), ("move_floats", str(line_of("TPipe pipe"))), ("move_floats", str(line))])


def check_shared():
    """A program whose kernels are in a shared library. gdb knows no place in them until the program runs."""
    line = line_of("/* writes */")
    stops = [("move_floats", str(line_of("TPipe pipe"))), ("move_floats", str(line))]
    text = debug(("--break", "move_floats", "--break", f"kernels.cpp:{line}"), "continue", "kill", program=SHARED).stdout
    expect(f"where --break stops in:\n{text}", stops_of(text), stops)
    text = debug((), "break move_floats", f"break kernels.cpp:{line}", "run", "continue", "kill", program=SHARED).stdout
    expect(f"where break stops in:\n{text}", stops_of(text), stops)


def check_time():
    """The watchdog's limit does not count while the kernel stands in gdb."""
    text = debug(("--break", "move_floats"), "shell sleep 1.5", "continue", "continue", device="sim:watchdog_ms=500").stdout
    expect_in("a kernel that stands for longer than it may", text, "hit Breakpoint 1", "[  PASSED  ] 1 test")


def check_failure():
    """It stops where a check fails, in the user's frame, and knows the block; a place that is nowhere is named at the end."""
    line = line_of("/* writes */")
    text = debug(("--break", f"kernels.cpp:{line} if count == 0", "--break", "move_float"), "print $_block()", "set print elements 3",
                 "print t", "continue").stdout
    expect_in("a kernel whose check fails", text, "unpu: the kernel fails in this call: ", f"kernels.cpp:{line}",
              '$1 = "vector block 0"', "[  PASSED  ] 1 test", "unpu: no kernel had move_float; ")
    expect_true(f"three elements in:\n{text}", re.search(r"LocalTensor<float> of \d+ \{[^,]+, [^,]+, [^,]+, \.\.\.\}", text))
    expect_true(f"a condition is kept in:\n{text}", "hit Breakpoint 1" not in text)


def check_refusals():
    done = debug((), device="unix:/nowhere")
    expect("kernels of a daemon end with", done.returncode, 2)
    expect_in("kernels of a daemon", done.stdout, "a process of its daemon", "--device sim:")
    done = debug((), device="sim+proc:")
    expect("kernels of another process end with", done.returncode, 2)
    expect_in("kernels of another process", done.stdout, "a process of its firmware", "--device sim:")
    done = debug(("--break",))
    expect("a place that is missing ends with", (done.returncode, done.stdout), (2, "--break: a value is missing before --\n"
                                                                               "Run with --help for more information.\n"))


def main():
    check_page()
    check_commands()
    check_shared()
    check_time()
    check_failure()
    check_refusals()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
