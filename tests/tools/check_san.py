#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_san.py UNPU_SAN MANUAL: what scripts rely on in unpu-san: its exit codes, where it writes, its formats.

The traces are written here, by the layout that san/trace/record.h documents, and programs under test are shell
scripts that leave a trace where the runtime would."""
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_in, problems  # noqa: E402

SAN, MANUAL = sys.argv[1:]
HOST = 0xFFFFFFFF
STRING, STREAM_CREATE, COMMAND, EVENT_CREATE, EVENT_RECORD, EVENT_WAIT, ALLOC = 1, 3, 5, 7, 8, 9, 18
READ, WRITE = 1, 2
FOUND = 1


class Trace:
    """The bytes of a trace, record by record. Each is of a process of its own, with objects of its own."""
    clients = 0

    def __init__(self):
        Trace.clients += 1
        self.client = Trace.clients
        self.bytes = b"UNPUSAN\0" + struct.pack("<II", 1, 16)
        self.texts = 0

    def record(self, kind, stream=HOST, number=0, address=0, size=0, label=0, site=0, operands=()):
        self.bytes += struct.pack("<HHIIIQQQQIIII", kind, 0, self.client, 1, stream, number, address, size, 0, label, site,
                                  len(operands), 0)
        for start, length, access in operands:
            self.bytes += struct.pack("<QQBBHIQ", start, length, access, 0, 0, 0, 0)

    def text(self, text):
        self.texts += 1
        data = text.encode()
        self.bytes += struct.pack("<HHIIIQQQQIIII", STRING, 0, self.client, 1, 0, self.texts, 0, 0, 0, 0, 0, len(data), 0)
        self.bytes += data + bytes(-len(data) % 8)
        return self.texts


def race(fixed=False, function="step", folder="/src/app", second="matmul"):
    trace = Trace()
    copy, matmul, ready = trace.text("copy"), trace.text(second), trace.text("ready")
    here = trace.text(f"{folder}/loader.cc:47 prefetch")
    there = trace.text(f"{folder}/model.cc:211 {function}")
    for stream in (1, 2):
        trace.record(STREAM_CREATE, stream)
    block, event = 1000 * trace.client, 1000 * trace.client + 1
    trace.record(ALLOC, number=block, address=0x10000, size=4096)
    trace.record(EVENT_CREATE, number=event, label=ready)
    trace.record(COMMAND, 1, 1, label=copy, site=here, operands=[(0x10000, 4096, WRITE)])
    if fixed:
        trace.record(EVENT_RECORD, 1, event, site=here)
        trace.record(EVENT_WAIT, 2, event, site=there)
    trace.record(COMMAND, 2, 2, label=matmul, site=there, operands=[(0x10000, 4096, READ)])
    return trace.bytes


def note():
    """A wait for an event without a record: a note, which decides nothing."""
    trace = Trace()
    trace.record(STREAM_CREATE, 1)
    trace.record(EVENT_CREATE, number=1)
    trace.record(EVENT_WAIT, 1, number=1)
    return trace.bytes


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return os.path.abspath(name)


def san(*arguments, **more):
    return subprocess.run([SAN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          **more)


def check_report():
    done = san("report", "race.unpusan")
    expect("report with an error ends with", done.returncode, FOUND)
    expect_in("its output", done.stdout, "F1 error RACE-RAW", "model.cc:211", "loader.cc:47", "hint")
    expect_in("its summary", done.stderr, "1 finding: 1 error (armed, 2 commands checked")
    expect("report without one ends with", san("report", "fixed.unpusan").returncode, 0)
    expect_in("its summary", san("report", "fixed.unpusan").stderr, "0 findings (armed, 2 commands checked")
    done = san("report", "note.unpusan")
    expect("report with a note ends with", done.returncode, 0)
    expect_in("its output", done.stdout, "note EVT-NOOP-WAIT")
    both = san("report", "race.unpusan", "race.unpusan", "fixed.unpusan")
    expect_in("two traces", both.stdout, "seen 2 times")
    expect("a folder", san("report", ".").returncode, FOUND)
    expect("a code of its own", san("report", "--exit-code", "66", "race.unpusan").returncode, 66)
    expect("a code that is none", san("report", "--exit-code", "0", "race.unpusan").returncode, 2)
    expect("--fail-on never", san("report", "--fail-on", "never", "race.unpusan").returncode, 0)
    expect("no such file", san("report", "absent").returncode, 2)
    expect("a file that is no trace", san("report", MANUAL).returncode, 2)
    expect("no command", san().returncode, 2)
    expect("an unknown format", san("report", "--format", "pdf", "race.unpusan").returncode, 2)
    expect_in("a trace that is cut", san("report", "cut.unpusan").stderr, "cut off")
    done = san("report", write("empty.json", b""))
    expect("an empty file", done.returncode, 2)
    expect_in("its sentence", done.stderr, "empty.json: the file is empty")


def check_formats():
    lines = san("report", "--format", "json", "race.unpusan").stdout.splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    expect("lines of JSON", kinds, ["unpu-san", "finding", "summary"])
    sarif = json.loads(san("report", "--format", "sarif", "--root", "/src", "race.unpusan").stdout)
    expect("SARIF", sarif["version"], "2.1.0")
    place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    expect("its place", (place["artifactLocation"]["uri"], place["region"]["startLine"]), ("app/model.cc", 211))
    expect_in("annotations", san("report", "--format", "github", "--root", "/src/app", "race.unpusan").stdout,
              "::error file=model.cc,line=211,title=unpu-san RACE-RAW::")
    for root in (".", "./", os.path.join("..", os.path.basename(os.getcwd()))):
        expect_in(f"annotations from {root}", san("report", "--format", "github", "--root", root, "here.unpusan").stdout,
                  "::error file=model.cc,line=211,")
    done = san("report", "--format", "html", "-o", "page.html", "race.unpusan")
    expect("a file for the page", (done.returncode, done.stdout), (FOUND, ""))
    with open("page.html", encoding="utf-8") as page:
        expect_in("the page", page.read(), "<!DOCTYPE html>", "RACE-RAW", "</html>")


def check_suppressions_and_baseline():
    write("quiet.txt", b"# known\nRACE-* function=prefetch\nUAF\n")
    done = san("report", "--suppressions", "quiet.txt", "race.unpusan")
    expect("a suppressed error", (done.returncode, done.stdout), (0, ""))
    expect_in("its summary", done.stderr, "1 suppressed", "quiet.txt:3: nothing matched")
    write("bare.txt", b"RACE-* function=prefetch\n")
    done = san("report", "--suppressions", "bare.txt", "race.unpusan")
    expect("a suppression without a reason", done.returncode, 2)
    expect_in("its sentence", done.stderr, "bare.txt:1: the rule has no reason; say it in a comment behind the rule or above it")
    write("wrong.txt", b"RACE-RAW color=red\n")
    done = san("report", "--suppressions", "wrong.txt", "race.unpusan")
    expect("a wrong suppression", done.returncode, 2)
    expect_in("its sentence", done.stderr, "wrong.txt:1")
    expect("merge", san("merge", "race.unpusan", "-o", "old.json").returncode, 0)
    done = san("report", "--suppressions", "quiet.txt", "old.json")
    expect("a suppressed error of a report", (done.returncode, done.stdout), (0, ""))
    expect_in("its summary", done.stderr, "1 suppressed", "quiet.txt:3: nothing matched")
    with open("old.json", encoding="utf-8") as file:
        write("host.json", file.read().replace("RACE-RAW", "HOST-READ-INFLIGHT").encode())
    done = san("confirm", "host.json", "--", "true")
    expect("a finding of the host", done.returncode, 2)
    expect_in("a finding of the host", done.stderr, "has no finding", "confirm looks at the host by its calls alone")
    done = san("report", "--baseline", "old.json", "race.unpusan")
    expect("what the baseline has", (done.returncode, done.stdout), (0, ""))
    expect_in("its summary", done.stderr, "1 in the baseline")
    expect("what it has not", san("report", "--baseline", "old.json", "other.unpusan").returncode, FOUND)


def check_merge_and_diff():
    expect("merge of reports", san("merge", "old.json", "other.unpusan", "-o", "new.json").returncode, 0)
    expect("diff with a new finding", san("diff", "old.json", "new.json").returncode, 1)
    expect_in("what is new", san("diff", "old.json", "new.json").stdout, "1 new, 0 gone, 1 in both", "other()")
    expect("diff without one", san("diff", "new.json", "old.json").returncode, 0)
    expect_in("what is gone", san("diff", "new.json", "old.json").stdout, "0 new, 1 gone, 1 in both")
    expect("diff of a trace", san("diff", "old.json", "race.unpusan").returncode, 2)


def shell(script):
    return ("--", "/bin/sh", "-c", script)


def check_reports_folder(leave_race):
    done = san("run", "--reports", "all/forms", *shell(f'echo "$UNPU_TRACE"; {leave_race}'))
    expect("run --reports ends with", done.returncode, FOUND)
    expect("where traces of the program go", done.stdout, os.path.abspath("all/forms/trace-%p.json") + "\n")
    expect_in("its standard error", done.stderr, "F1 error RACE-RAW", "1 finding: 1 error")
    with open("all/forms/report.txt", encoding="utf-8") as file:
        expect_in("report.txt", file.read(), "F1 error RACE-RAW", "1 finding: 1 error")
    with open("all/forms/report.sarif", encoding="utf-8") as file:
        expect("report.sarif", json.load(file)["version"], "2.1.0")
    done = san("run", "--baseline", "all/forms/report.json", "--reports", "later", *shell(leave_race))
    expect("a run with report.json as its baseline", done.returncode, 0)
    done = san("run", "--reports", "log.json/forms", *shell(f"touch ran; {leave_race}"))
    expect("a folder that can't be made", (done.returncode, os.path.exists("ran")), (2, False))
    expect_in("its sentence", done.stderr, "log.json/forms: no folder for reports can be made there")


def check_run():
    leave = 'cp {} "$UNPU_SANITIZE/1.unpusan"'
    leave_race, leave_fixed = leave.format(RACE), leave.format(FIXED)
    for what, script, code in (("an error", leave_race, FOUND), ("no error", leave_fixed, 0),
                               ("an error and a failure", f"{leave_race}; exit 3", 3),
                               ("a failure", f"{leave_fixed}; exit 3", 3),
                               ("an error and a signal", f"{leave_race}; kill -SEGV $$", -signal.SIGSEGV),
                               ("no trace", "true", 0), ("no trace and a failure", "exit 5", 5)):
        expect(f"run with {what} ends with", san("run", *shell(script)).returncode, code)
    sentence = "unpu-san: the program ended with 3, and so does unpu-san"
    for what, script, code, has_sentence in (("an error", leave_race, 66, False), ("a failure", f"{leave_fixed}; exit 3", 3, False),
                                             ("both", f"{leave_race}; exit 3", 3, True)):
        done = san("run", "--exit-code", "66", *shell(script))
        expect(f"run --exit-code with {what}", (done.returncode, sentence in done.stderr), (code, has_sentence))
    done = san("run", *shell(f"cat; echo to stderr >&2; {leave_race}"), input="to stdout")
    expect("the program's output", done.stdout, "to stdout")
    expect_in("the standard error", done.stderr, "unpu-san: watches /bin/sh", "to stderr", "F1 error RACE-RAW",
              "1 finding: 1 error (armed, 2 commands checked")
    expect_in("the summary without findings", san("run", *shell(leave_fixed)).stderr,
              "0 findings (armed, 2 commands checked")
    expect_in("the summary without a trace", san("run", *shell("true")).stderr, "not armed", "never used the runtime")
    done = san("run", "--log", "log.json", "--format", "json", *shell(leave_race))
    expect("with --log the report is not on stderr", "RACE-RAW" in done.stderr, False)
    with open("log.json", encoding="utf-8") as log:
        expect_in("it is in the file", log.read(), "RACE-RAW")
    check_reports_folder(leave_race)
    done = san("run", "--runs", "3", *shell(leave_race))
    expect("three runs", done.returncode, FOUND)
    expect_in("their report is one", done.stderr, "3 runs", "seen 3 times", "1 finding: 1 error")
    kernels = write("kernels.unpusan", race(fixed=True, second="kernel add"))
    hint = "unpu-san: kernels ran; what is missing within a kernel, as SyncAll or a queue, only UNPU_KERNEL_CHECK=3 finds"
    expect_in("a run of kernels", san("run", *shell(leave.format(kernels))).stderr, hint)
    expect("a hint without kernels", hint in san("run", *shell(leave_fixed)).stderr, False)
    expect("a program that is absent", san("run", "--", "/no/such/program").returncode, 127)
    expect("run without a program", san("run").returncode, 2)
    done = san("run", "--suppressons", "file", "--", "sh", "-c", "true")
    expect("an option that is none", (done.returncode, done.stderr),
           (2, "unpu-san: not expected: --suppressons; unpu-san run --help lists what is\n"))
    expect("--keep", san("run", "--keep", "kept", *shell(leave_race)).returncode, FOUND)
    expect("what it keeps", os.listdir("kept/run-1"), ["1.unpusan"])
    expect("a report of what it keeps", san("report", "kept").returncode, FOUND)
    expect("--keep of a program that goes elsewhere",
           san("run", "--keep", "kept2", *shell(f"cd /; {leave_race}")).returncode, FOUND)
    os.makedirs("runs/run-1-again")
    shutil.copy(RACE, "runs/run-1-again")
    expect("a report without repetitions", san("report", "runs").returncode, 0)
    done = san("run", *shell('echo "$UNPU_SANITIZE"'))
    expect("the folder is gone afterwards", os.path.exists(os.path.dirname(done.stdout.strip())), False)


def check_replay():
    """What is no decision is refused before the program starts."""
    write("bad.decisions", b"unpu-decisions 1 lazy\n@4w 1w\n! a remark with words\n0zz\n")
    write("text.decisions", b"something else\n")
    for decisions, why in (("@zz", "'@zz' is no decision"), ("@4w 1w 0g", "'0g' is no decision"),
                           ("bad.decisions", "bad.decisions: '0zz' is no decision"), ("text.decisions", "text.decisions is no file of decisions")):
        done = san("replay", decisions, "--", "touch", "started")
        expect(f"replay of {decisions}", (done.returncode, done.stderr, os.path.exists("started")), (2, f"unpu-san: {why}\n", False))


def check_signals():
    """A signal for the tool goes on to the program, and the report is still written."""
    script = f'cp {RACE} "$UNPU_SANITIZE/1.unpusan"; trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done'
    with subprocess.Popen([SAN, "run", *shell(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as tool:
        expect("the program", tool.stdout.readline(), "ready\n")
        tool.send_signal(signal.SIGTERM)
        text = tool.communicate(timeout=60)[1]
        expect("after SIGTERM it ends with", tool.returncode, 9)
        expect_in("and reports", text, "RACE-RAW")


def check_manual():
    """The manual names each option, and no other."""
    with open(MANUAL, encoding="utf-8") as file:
        manual = file.read().replace("\\-", "-")
    for command in ("run", "report", "merge", "diff", "selftest"):
        options = set(re.findall(r"--[a-z-]+", san(command, "--help").stdout)) - {"--help"}
        expect_in(f"the manual, {command}", manual, command, *sorted(options))


def main():
    expect("selftest", san("selftest").returncode, 0)
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([SAN, "selftest"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    expect("selftest on a full disk ends with", done.returncode, 2)
    expect_in("selftest on a full disk", done.stderr, "standard output can't be written: No space left on device")
    check_report()
    check_formats()
    check_suppressions_and_baseline()
    check_merge_and_diff()
    check_run()
    check_replay()
    check_signals()
    check_manual()
    if problems:
        sys.exit("\n".join(problems))
    print("unpu-san: all as documented")


with tempfile.TemporaryDirectory(prefix="unpu-check-san-") as folder:
    MANUAL = os.path.abspath(MANUAL)
    SAN = os.path.abspath(SAN)
    os.chdir(folder)
    RACE = write("race.unpusan", race())
    FIXED = write("fixed.unpusan", race(fixed=True))
    write("note.unpusan", note())
    write("other.unpusan", race(function="other"))
    write("cut.unpusan", race()[:-8])
    write("here.unpusan", race(folder=os.getcwd()))
    main()
