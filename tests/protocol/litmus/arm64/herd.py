# SPDX-License-Identifier: MIT
"""The litmus tests in the format of herd7, as instructions of AArch64, and its verdict on them.

The instructions are those that gcc makes of the functions of base/sync/ordering.h without the atomics of Armv8.1;
instructions.py checks that. A read-modify-write is one pass through its loop, and the condition says that it succeeded.
"""
import os
import re
import shutil
import subprocess
import tempfile

import program

HERE = os.path.dirname(os.path.abspath(__file__))
UNPACKED = os.path.join(HERE, *[os.pardir] * 4, "build", "arm64-tools", "herd7")
LOADS = {"load": "LDR", "load_relaxed": "LDR", "load_acquire": "LDAPR", "load_seq": "LDAR"}
STORES = {"store": "STR", "store_relaxed": "STR", "store_release": "STLR", "store_seq": "STLR"}
FENCES = {"full_fence": "DMB ISH", "store_fence": "DMB ISH", "load_fence": "DMB ISHLD"}


def word(where):
    """The name of a word in herd7's format, which has names of its own, such as "fault"."""
    return f"at_{where}"


class Thread:
    """The instructions of one thread."""

    def __init__(self, number):
        self.number, self.lines, self.set_up = number, [], []
        self.registers, self.bases, self.tried = {}, {}, []
        self.free, self.labels = iter(range(31)), 0

    def base(self, where):
        if where not in self.bases:
            self.bases[where] = next(self.free)
            self.set_up.append(f"{self.number}:X{self.bases[where]}={word(where)};")
        return f"[X{self.bases[where]}]"

    def change(self, step):
        """A pass through the loop of a read-modify-write."""
        old, new, failed = next(self.free), next(self.free), next(self.free)
        self.registers[step[1]] = old
        self.tried.append(failed)
        where = self.base(step[2])
        label = f"L{self.number}{self.labels}"
        self.labels += 1
        self.lines.append(f"MOV W{failed},#0")
        if step[0] != "fetch_add":
            self.lines.append(f"MOV W{new},#{step[-1]}")
        self.lines.append(f"LDAXR W{old},{where}")
        if step[0] == "fetch_add":
            self.lines.append(f"ADD W{new},W{old},#{step[3]}")
        elif step[0] == "compare_exchange":
            self.lines += [f"CMP W{old},#{step[3]}", f"B.NE {label}"]
        self.lines.append(f"STLXR W{failed},W{new},{where}")
        if step[0] == "compare_exchange":
            self.lines.append(f"{label}:")

    def add(self, step):
        if step[0] in LOADS:
            self.registers[step[1]] = next(self.free)
            self.lines.append(f"{LOADS[step[0]]} W{self.registers[step[1]]},{self.base(step[2])}")
        elif step[0] in STORES:
            value = next(self.free)
            self.lines += [f"MOV W{value},#{step[2]}", f"{STORES[step[0]]} W{value},{self.base(step[1])}"]
        elif step[0] in FENCES:
            self.lines.append(FENCES[step[0]])
        else:
            self.change(step)


def text_of(name, threads, init, condition):
    """One variant of a test; @condition has the names of the test's registers."""
    made = [Thread(number) for number in range(len(threads))]
    for thread, steps in zip(made, threads):
        for step in steps:
            thread.add(step)
    places = {register: f"{t.number}:X{place}" for t in made for register, place in t.registers.items()}
    condition = re.sub(r"\b(\w+)=", lambda m: f"{places[m.group(1)]}=", condition)
    condition = re.sub(r"\[(\w+)\]", lambda m: f"[{word(m.group(1))}]", condition)
    condition = condition.replace("&", "/\\").replace("|", "\\/")
    for thread in made:
        for failed in thread.tried:
            condition += f" /\\ {thread.number}:X{failed}=0"
    rows = [[f"P{thread.number}" for thread in made]]
    for row in range(max(len(thread.lines) for thread in made)):
        rows.append([thread.lines[row] if row < len(thread.lines) else "" for thread in made])
    widths = [max(len(row[i]) for row in rows) for i in range(len(made))]
    body = "".join(" " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths)) + " ;\n" for row in rows)
    head = "".join(f"{word(where)}={value};\n" for where, value in init.items())
    head += "".join(" ".join(thread.set_up) + "\n" for thread in made)
    return f"AArch64 {name}\n{{\n{head}}}\n{body}exists ({condition})\n"


def short_name(*parts):
    return re.sub(r"\W+", "-", " ".join(parts)).strip("-")


def texts(test, mode, threads, condition, name):
    """(name, text) of each variant."""
    for number, (made, extra) in enumerate(program.variants(test, mode, threads)):
        full = short_name(name, mode, str(number))
        yield full, text_of(full, made, test.init, " & ".join([f"({condition})", *extra]))


def found():
    """herd7: the installed one, or what scripts/arm64.sh --herd has unpacked, or None."""
    return shutil.which("herd7") or shutil.which(UNPACKED)


def judge(test, mode, threads, condition):
    """Whether herd7 finds a result with @condition in a variant of @test."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, text in texts(test, mode, threads, condition, test.name):
            names.append(os.path.join(folder, name + ".litmus"))
            with open(names[-1], "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([found(), "-model", "aarch64.cat", *names], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    verdicts = re.findall(r"^Observation \S+ (\w+)", done.stdout, re.M)
    if done.returncode != 0 or len(verdicts) != len(names):
        raise program.Bad(f"{test.name}: herd7 ended with {done.returncode}:\n{done.stdout}")
    return any(verdict != "Never" for verdict in verdicts)


def write_all(tests, folder):
    """Writes each variant of each test, and of its mutants, as a file of its own."""
    os.makedirs(folder, exist_ok=True)
    count = 0
    for test in tests:
        for mode in test.modes():
            made = [(test.name, None)]
            made += [(f"{test.name} mutant {number}", test.mutated(mutant))
                     for number, mutant in enumerate(test.mutants)]
            for name, threads in made:
                for full, text in texts(test, mode, threads, test.never or test.allowed, name):
                    with open(os.path.join(folder, full + ".litmus"), "w", encoding="utf-8") as file:
                        file.write(text)
                    count += 1
    print(f"{count} files in {folder}")
    return 0
