#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_model.py MODEL: spin finds no error in the model as it stands.

A model may carry lines of the form

    /* MUTANT: NAME */

each of which names a macro that takes one step of the protocol away (#ifdef NAME). With that macro
defined spin has to find an error; a mutant that passes means that the model does not test the step.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def errors_of(model, mutant):
    """The number of errors spin's verifier counts, over the whole state space."""
    with tempfile.TemporaryDirectory() as folder:
        defines = [f"-D{mutant}"] if mutant else []
        run(["spin", *defines, "-a", model], folder)
        with open(os.path.join(folder, "pan.h"), encoding="utf-8") as file:
            has_claim = re.search(r"^#define\s+NCLAIMS\s+[1-9]", file.read(), re.M) is not None
        safety = [] if has_claim else ["-DSAFETY"]
        run(["gcc", "-O0", "-w", *safety, "-o", "pan", "pan.c"], folder)
        arguments = ["-m1000000"] + (["-a"] if has_claim else [])
        text = run(["./pan", *arguments], folder)
    counted = re.search(r"errors: (\d+)", text)
    if counted is None or "max search depth too small" in text:
        sys.exit(f"spin did not finish:\n{text}")
    print(f"{os.path.basename(model)} {mutant or 'as it stands'}: errors: {counted.group(1)}")
    if counted.group(1) != "0" and not mutant:
        print(text)
    return int(counted.group(1))


def main():
    if shutil.which("spin") is None:
        print("skipped: there is no spin")
        sys.exit(77)
    model = os.path.abspath(sys.argv[1])
    with open(model, encoding="utf-8") as file:
        mutants = re.findall(r"/\* MUTANT: (\w+) \*/", file.read())
    failed = errors_of(model, None) != 0
    for mutant in mutants:
        if errors_of(model, mutant) == 0:
            print(f"{mutant}: spin finds nothing wrong without this step")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
