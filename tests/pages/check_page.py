#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_page.py PAGE BUILD COMPILER INCLUDE: each block of Documentation/PAGE.rst does what the page shows, with the programs of a
build. blocks.py says what each block is. The folder that the commands run in has the names that a page uses: ./program,
build/demo, build/toolkit; a socket of a page lies there, too."""
import errno
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from blocks import ELSEWHERE, FILES, PAGES, C, Data, Devices, Named, Part, Run, Skip, Text  # noqa: E402
from expectations import expect, expect_true, problems  # noqa: E402
from named import problems_of_names  # noqa: E402
from pages import DOCUMENTATION, read_blocks, read_page  # noqa: E402

PAGE = sys.argv[1]
BUILD, COMPILER, INCLUDE = (os.path.abspath(word) if "/" in word else word for word in sys.argv[2:])
SOURCES = os.path.realpath(os.path.join(DOCUMENTATION, ".."))
SECONDS = 60
LOG = re.compile(r"^\d{4}-\d\d-\d\dT\S+ firmware-sim\[\d+\] .*\n", re.M)
SOCKET = re.compile(r"/run/user/1000/npu|/tmp/npu")
# A firmware in the background is waited for, as a user does who types the next line, and ended behind the last one.
BEFORE = """ulimit -c 0
ulimit -S -l 8192 2>/dev/null
firmware=
status=0
trap 'status=$?' ERR
served() {
	firmware="$firmware $!"
	while [ ! -S "$1" ] && kill -0 $!; do sleep 0.02; done
}
"""
BEHIND = """trap - ERR
for each in $(jobs -p); do case " $firmware " in *" $each "*) ;; *) wait $each || status=$?; esac; done
kill $firmware 2>/dev/null
wait
exit $status
"""


def prepare(folder):
    os.makedirs(os.path.join(folder, "build"))
    os.symlink(os.path.join(BUILD, "examples"), os.path.join(folder, "build", "demo"))
    for name in ("producer", "consumer"):
        os.symlink(os.path.join(BUILD, "examples", name), os.path.join(folder, name))
    os.symlink(os.path.join(BUILD, "examples", "stream_sync"), os.path.join(folder, "program"))
    # $T, with the libraries of the build. Its own programs find these, and those that a page compiles are told.
    toolkit = os.path.join(folder, "build", "toolkit")
    os.makedirs(toolkit)
    os.symlink(INCLUDE, os.path.join(toolkit, "include"))
    os.symlink(os.path.join(BUILD, "lib64"), os.path.join(toolkit, "lib64"))
    with open(os.path.join(DOCUMENTATION, "..", "README.md"), encoding="utf-8") as file:
        program = re.search(r"^```c\+\+\n(.*?)^```", file.read(), re.M | re.S).group(1)
    os.symlink(os.path.join(SOURCES, "examples"), os.path.join(folder, "examples"))
    for name, text in {"build/toolkit/set_env.sh": "export LD_LIBRARY_PATH=$T/lib64:$T/lib64/cuda\n", "prog.cpp": program, **FILES}.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def place(text, folder):
    """The commands with sockets and files in the folder."""
    text = SOCKET.sub(os.path.join(folder, "npu"), text)
    text = re.sub(r"(?<=\s)/tmp(?=\s|$)", folder, text)
    return re.sub(r"^(firmware-sim .*--listen (\S+).*&)$", r"\1 served \2", text, flags=re.M)


def run(commands, folder, device=""):
    """Return: the exit status, and what was printed, without the firmware's log."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("UNPU_", "ASCEND_"))}
    environment["PATH"] = os.path.join(BUILD, "bin") + ":" + environment["PATH"]
    environment.update(T=os.path.join(folder, "build", "toolkit"), BUILD=BUILD, SOURCES=SOURCES, PYTHONPATH=os.path.join(
        BUILD, "python", "site-packages"))
    if device:
        environment["UNPU_DEVICE"] = device
    with subprocess.Popen(["bash", "-c", BEFORE + place(commands, folder) + "\n" + BEHIND], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          start_new_session=True) as shell:
        try:
            printed = shell.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            printed = shell.communicate()[0] + f"not at its end after {SECONDS} s"
    return shell.returncode, LOG.sub("", printed)


def neutral(text, vary):
    """The text without what differs from run to run, or between machines, and with one space between words."""
    for pattern in vary:
        text = re.sub(pattern, "~", text, flags=re.M)
    return "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


def pattern_of(text):
    """A ... of the page stands for anything."""
    return re.escape(text).replace(r"\.\.\.", r"[\s\S]*?")


def check_run(block, kind, folder):
    """Return: what was printed."""
    shown = ""
    commands = block
    if block.startswith("$ "):
        commands = "\n".join(line[2:] for line in block.splitlines() if line.startswith("$ "))
        shown = neutral("\n".join(line for line in block.splitlines() if not line.startswith("$ ")), kind.vary)
    for line, reason in kind.without.items():
        expect_true(f"the block of {commands!r} has the line {line!r} ({reason})", line in commands.splitlines())
    commands = "\n".join(line for line in commands.splitlines() if line not in kind.without)
    for words, others in kind.shorter.items():
        expect_true(f"the block of {commands!r} has the words {words!r}", words in commands)
        commands = commands.replace(words, others)
    commands = kind.before + "\n" + commands
    status, printed = run(commands, folder, kind.device)
    expect(f"{commands!r} prints {printed!r} and ends with", status, kind.ends)
    for name in kind.makes:
        expect_true(f"{commands!r} makes {name}", os.path.exists(os.path.join(folder, name)))
    if shown:
        found = neutral(printed, kind.vary)
        if kind.any_order:
            shown, found = ("\n".join(sorted(text.splitlines())) for text in (shown, found))
        expect_true(f"{commands!r} printed\n{found}\nand the page shows\n{shown}", re.fullmatch(pattern_of(shown), found))
    return printed


def check_part(block, kind, printed, folder):
    """What a block shows is a part of what was printed, whatever the breaks of its lines."""
    if kind.of:
        printed = run(kind.of, folder)[1]
    shown, found = (" ".join(neutral(text, kind.vary).split()) for text in (block, printed))
    expect_true(f"printed was\n{found}\nand the page shows\n{shown}", re.search(pattern_of(shown), found))


def check_c(block, kind):
    text = kind.before + "\nvoid example(void)\n{\n" + kind.variables + block + "}\n"
    done = subprocess.run([COMPILER, "-fsyntax-only", "-x", kind.language, "-I" + INCLUDE, "-"], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    expect(f"the compiler says {done.stdout} of {block} and ends with", done.returncode, 0)


def check_messages():
    """The messages that the tables of the page explain are in the sources, or the C library's. Numbers and names in them are any."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    text = "".join(os.strerror(number) for number in (errno.ENOENT, errno.ECONNREFUSED))
    for name in ("base", "drv", "firmware_sim", "hal", "include", "kernels", "umd", "tools"):
        for folder, _, files in os.walk(os.path.join(root, name)):
            for file in files:
                if file.endswith((".cpp", ".h")):
                    with open(os.path.join(folder, file), encoding="utf-8") as source:
                        text += source.read()
    text = re.sub(r'"\s*"', "", text)
    rows = re.findall(r"^   \* - (``.*)$", read_page(PAGE), flags=re.M)
    messages = [message for row in rows for message in re.findall(r"``(.*?)``", row)]
    expect_true(f"the page explains {len(messages)} messages, fewer than 20", len(messages) >= 20)
    for message in messages:
        for part in re.split(r"\.\.\.|: |\b[A-Z]+\b|\d+|\bacl\w+|'", message):
            words = part.strip(" :;,()-")
            if len(words) >= 8:
                expect_true(f"no source has {words!r} of the message {message!r}", words in text)


def check_all():
    """Each page with blocks is here, or has a test of its own."""
    pages = sorted(name[:-len(".rst")] for name in os.listdir(DOCUMENTATION) if name.endswith(".rst"))
    expect("pages with blocks that no test looks at",
           [page for page in pages if read_blocks(page) and page not in PAGES and page not in ELSEWHERE], [])


def main():
    if PAGE == "all":
        check_all()
        return
    blocks, known = read_blocks(PAGE), PAGES[PAGE]
    # Where they are not those that are known, the first lines say which is new.
    if len(blocks) != len(known) or not all(text.startswith(begins) for text, (begins, _) in zip(blocks, known)):
        expect(f"blocks of {PAGE}.rst", [text.partition("\n")[0] for text in blocks], [begins for begins, _ in known])
    if problems:
        return
    printed = ""
    counts, values = {}, {}
    with tempfile.TemporaryDirectory(prefix="unpu-") as folder:
        folder = os.path.realpath(folder)
        prepare(folder)
        for block, (begins, kind) in zip(blocks, known):
            counts[type(kind).__name__] = counts.get(type(kind).__name__, 0) + 1
            if isinstance(kind, Run):
                printed = check_run(block, kind, folder)
            elif isinstance(kind, Part):
                check_part(block, kind, printed, folder)
            elif isinstance(kind, C):
                check_c(block, kind)
            elif isinstance(kind, Devices):
                check_run("\n".join(f"{line} ./program" for line in block.splitlines()), Run(), folder)
            elif isinstance(kind, Data):
                json.loads(block)
            elif isinstance(kind, Text):
                with open(os.path.join(folder, kind.name), "w", encoding="utf-8") as file:
                    file.write(kind.before + block + kind.behind)
            elif isinstance(kind, Named):
                problems.extend(f"{begins}: {problem}" for problem in problems_of_names(block, SOURCES, BUILD, values))
                print(f"not run: {begins}: {kind.reason}")
            else:
                assert isinstance(kind, Skip)
                print(f"not run: {begins}: {kind.reason}")
    if PAGE == "troubleshooting":
        check_messages()
    print(f"{PAGE}.rst: {counts}")


main()
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
