#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""backend.py RUNNER [--update]: the backend tests of the ONNX project, as Debian's libonnx-testdata has them.

Each one is compiled, written to a file, read from it, run and compared. refusals.txt lists those that the compiler
refuses, by operator; it may only become shorter. Every other test must pass. --update writes the list. Without the
package the script says so and ends with 77."""
import collections
import os
import pathlib
import re
import subprocess
import sys

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
FOLDERS = ("node", "simple", "pytorch-converted", "pytorch-operator")
LIST = pathlib.Path(__file__).parent / "refusals.txt"
# Their expected results are no others' either. In both, corners are aligned to a size that has a fraction.
DIFFER = {"node/test_resize_downsample_scales_cubic_align_corners", "node/test_resize_downsample_scales_linear_align_corners"}
# Their expected results were computed with a pi of 3.1415.
DIFFER |= {f"node/test_{name}window{form}" for name in ("blackman", "hamming", "hann")
           for form in ("", "_expanded", "_symmetric", "_symmetric_expanded")}
HEAD = """# SPDX-License-Identifier: MIT
# Backend tests that the compiler refuses: reason, then the tests. Written by backend.py --update; may only become shorter.
"""


def reason_of(text):
    """The sentence without the name of the node."""
    text = re.sub(r"^(\S+) \S* \(opset \d+\)", r"\1", text)
    return re.sub(r"\b\S*_test_\S*\b", "VALUE", text)[:100]


def run(runner):
    """Test -> (passed, refused or failed, why)."""
    folders = [str(folder) for kind in FOLDERS for folder in sorted((DATA / kind).iterdir())]
    found = {}
    for first in range(0, len(folders), 200):
        done = subprocess.run([runner, *folders[first:first + 200]], capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            what, name, why = line.split("\t", 2)
            found[name] = (what, why)
        if done.returncode != 0:
            print(f"the runner ended with {done.returncode} after {len(found)} tests: {done.stderr[-500:]}")
    return found, len(folders)


def listed():
    tests = {}
    if not LIST.exists():
        return tests
    reason = ""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("\t"):
            tests.update((name, reason) for name in line.split())
        elif not line.startswith("#"):
            reason = line
    return tests


def write(found):
    by_reason = collections.defaultdict(list)
    for name, (what, why) in sorted(found.items()):
        if what == "refused":
            by_reason[reason_of(why)].append(name)
    text = HEAD
    for reason, names in sorted(by_reason.items()):
        text += reason + "\n" + "".join(f"\t{name}\n" for name in names)
    LIST.write_text(text, encoding="utf-8")


def main():
    if not DATA.is_dir():
        print(f"skipped: there is no {DATA}; apt-get install libonnx-testdata")
        sys.exit(77)
    os.environ.setdefault("UNPU_DEVICE", "sim:")
    found, count = run(sys.argv[1])
    allowed = listed()
    if "--update" in sys.argv:
        write(found)
        allowed = listed()
    counts = collections.Counter(what for what, _ in found.values())
    problems = [f"{name}: {why}" for name, (what, why) in sorted(found.items()) if what == "failed" and name not in DIFFER]
    problems += [f"{name} passes; take it out of DIFFER" for name in sorted(DIFFER) if found.get(name, ("",))[0] == "passed"]
    problems += [f"{name} is refused and not listed: {why}" for name, (what, why) in sorted(found.items())
                 if what == "refused" and name not in allowed]
    problems += [f"{name} is listed in {LIST.name} and passes; take it out" for name, (what, _) in sorted(found.items())
                 if what == "passed" and name in allowed]
    if len(found) != count:
        problems.append(f"{count - len(found)} tests have no result")
    for problem in problems:
        print(problem)
    print(f"{counts['passed']} of {count} passed, {counts['refused']} refused, {counts['failed']} failed")
    sys.exit(bool(problems))


main()
