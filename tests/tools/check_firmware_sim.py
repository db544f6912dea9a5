#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_firmware_sim.py FIRMWARE_SIM MAN_PAGE: the device alone keeps to the wire; how the program ends;
the manual page has every option and every exit code."""
import re
import subprocess
import sys

PROGRAM, MAN_PAGE = sys.argv[1:]
problems = []


def run(*words):
    return subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)


def expect(code, *words, out="", err=""):
    done = run(*words)
    if done.returncode != code or out not in done.stdout or err not in done.stderr:
        problems.append(f"{' '.join(words)}: ended with {done.returncode}, wanted {code} with "
                        f"{out or err!r}:\n{done.stdout}{done.stderr}")


expect(0, out="ok release")
expect(0, "--self-test", "--engines", "0", "--memory", "32M", "--soc", "alone", out="ok graph")
expect(0, "--engines", "3", "--memory", "1G", out=" 0 checks failed")
expect(0, "--help", out="Ends with 0")
expect(0, "--version", out="wire ")
expect(2, "--nonsense")
expect(2, "--memory", "1M", err="--memory")
expect(2, "--soc", "x" * 32, err="--soc")
expect(2, "--engines", "-1")
expect(2, "--listen", "socket", "--self-test", err="excludes")
expect(2, "--quota-memory", "1M", err="--quota-memory")
expect(2, "--quota-channels", "0", err="--quota-channels")
expect(2, "--quota-semaphores", "8", err="--quota-semaphores")
expect(2, "--quota-semaphores", "100000", "--quota-memory", "8M", err="half of --quota-memory")
expect(2, "--numa-node", "-2", err="--numa-node")
expect(2, "--devices", "17", err="--devices")
expect(2, "--event-loop", "epoll", err="--event-loop")
expect(2, "--faults", "explode", err="explode")
expect(2, "--faults", "fail;delay:op=copy", err="us or ms")

with open(MAN_PAGE, encoding="utf-8") as page:
    manual = page.read().replace("\\-", "-")
told = set(re.findall(r"(?m)^\.B[IR]* (--[a-z-]+)", manual))
offered = set(re.findall(r"(?m)^ +(?:-h,)?(--[a-z-]+)", run("--help").stdout))
if told != offered or len(offered) < 15:
    problems.append(f"the manual page has {sorted(told - offered)} and lacks {sorted(offered - told)}")
if re.findall(r"(?m)^\.B (\d)$", manual) != list("012345"):
    problems.append("the manual page has other exit codes")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
