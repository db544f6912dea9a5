# SPDX-License-Identifier: MIT
"""The tests of a googletest program."""
import subprocess


def list_tests(executable, pattern):
    """By the program's own list. @pattern: as --gtest_filter takes it. Returns pairs: the suite with its dot, the test."""
    text = subprocess.run([executable, "--gtest_list_tests", "--gtest_filter=" + pattern], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    suite, tests = "", []
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        if line and not line.startswith(" "):
            suite = line
        elif line:
            tests.append((suite, line.strip()))
    return tests
