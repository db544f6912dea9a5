#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_reports.py UNPU_SAN EXECUTABLE...: the corpus under "unpu-san run" with no option, as CI runs it.

Each program with mistakes has a finding of each of its rules, and ends with 1 if one is an error; each repaired and
each correct one has none but notes. A finding has at most LINES lines, its sentence at most WORDS words, and one about order has a
hint; those of races that others reported (R) name the calls that mend them. Prints how many programs are found."""
import concurrent.futures
import os
import re
import subprocess
import sys

SAN, *EXECUTABLES = sys.argv[1:]
LINES, WORDS = 20, 10
# What a program ends with whose result was wrong (program.h).
WRONG = 5
# Programs whose mistake shows neither in a trace alone nor in contents; a plain run sees the host's access.
BY_GUARDS = {name: ["HOST-READ-INFLIGHT"] for name in (
    "H05_target_is_read_too_early", "H19_target_behind_a_task_is_read_too_early",
    "H26_result_is_waited_for_with_the_device_alone")}


def names_of(executable):
    """(name, rules) of each program."""
    text = subprocess.run([executable], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [(line.split()[0], line.split()[1:]) for line in text.splitlines() if line]


def run(job):
    executable, name, rules, variant = job
    done = subprocess.run([SAN, "run", "--", executable, name, variant], check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120)
    findings = [part.strip("\n") for part in re.split(r"(?m)^(?=unpu-san F\d+ )", done.stderr)[1:]]
    findings = [part.split("\n\n")[0] for part in findings]
    return job, done, findings


def form_of(finding):
    """What is wrong with the form of a finding."""
    lines = finding.splitlines()
    sentence = re.sub(r"^unpu-san F\d+ \w+ \S+  (.*)  \[.*", r"\1", lines[0])
    # "kernel NAME" is a name, and examples in parentheses are none of the sentence.
    sentence = re.sub(r" \(.*?\)", "", sentence.replace("kernel ", "kernel-"))
    if len(lines) > LINES:
        yield f"{len(lines)} lines"
    if len(sentence.split()) > WORDS:
        yield f"{len(sentence.split())} words: {sentence}"
    if re.match(r"unpu-san F\d+ error (RACE|GRAPH-RACE|UAF-STREAM|HOST)", lines[0]) and not any(
            line.startswith("  hint ") for line in lines):
        yield "no hint"


def main():
    jobs = []
    for executable in EXECUTABLES:
        for name, words in names_of(executable):
            rules = BY_GUARDS.get(name, []) + [
                word.rstrip("+") for word in words if word != "SHOWS" and ":" not in word and not word.endswith("?")]
            jobs.append((executable, name, rules, "bug"))
            if rules:
                jobs.append((executable, name, [], "fixed"))
    wrong, found, needed, longest = [], 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (_, name, rules, variant), done, findings in pool.map(run, jobs):
            seen = {finding.split()[3] for finding in findings}
            has_errors = any(finding.split()[2] == "error" for finding in findings)
            loud = {finding.split()[3] for finding in findings if finding.split()[2] != "note"}
            wrong += [f"{name}: {rule} is not found" for rule in rules if rule not in seen]
            if not rules and loud:
                wrong.append(f"{name} {variant}, which is correct: {loud}")
            if has_errors and done.returncode not in (1, WRONG) or not has_errors and done.returncode not in (0, WRONG):
                wrong.append(f"{name} {variant} ends with {done.returncode}")
            if rules and name.startswith("R"):
                wrong += [f"{name}: its hint does not name the calls\n{finding}" for finding in findings
                          if not re.search(r"(?m)^  hint .*call cuEventRecord.*cuStreamWaitEvent", finding)]
            needed += bool(rules)
            found += bool(rules) and set(rules) <= seen
            for finding in findings:
                longest = max(longest, len(finding.splitlines()))
                for what in form_of(finding):
                    wrong.append(f"{name} {variant}: {what}\n{finding}")
    print("\n".join(wrong))
    print(f"{found} of {needed} programs are found; the longest finding has {longest} lines")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
