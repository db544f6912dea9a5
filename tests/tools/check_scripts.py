#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_scripts.py SOURCES: what the scripts that build and test answer, in a copy of them, without a build: wrong words, missing
programs and packages, rights, other folders; and which files the gates take for changed."""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCES = sys.argv[1]
problems = []


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: {found!r}, not {wanted!r}")


def expect_in(what, text, part):
    if part not in text:
        problems.append(f"{what}: no {part!r} in\n{text}")


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60,
                          env={**os.environ, **environment})


def copy_tree(folder):
    """The scripts and what they read, as from an archive."""
    for name in ("scripts", "bench", os.path.join("tests", "gates")):
        shutil.copytree(os.path.join(SOURCES, name), os.path.join(folder, name), ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(os.path.join(SOURCES, "README.md"), folder)
    return folder


def changed(folder):
    """What the gates take for changed, sorted; None is everything."""
    done = run([sys.executable, "-B", "-c", "import tree; paths = tree.changed_paths(); print(ascii(sorted(paths) if paths else paths))"], folder,
               PYTHONPATH=os.path.join(folder, "tests", "gates"), UNPU_GATES="changed")
    return done.stdout.strip()


def check_changed(folder):
    """A file differs from the branch that was left, before this one is pushed and afterwards."""
    if shutil.which("git") is None:
        print("left out: what is changed, without git")
        return
    clone = copy_tree(os.path.join(folder, "clone"))
    nobody = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        nobody[name] = "nobody"

    def git(*words, where=clone):
        done = run(["git", *words], where, **nobody)
        expect(f"git {words}: {done.stdout}", done.returncode, 0)

    git("init", "-q", "--bare", "-b", "main", os.path.join(folder, "origin"), where=folder)
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "all")
    git("remote", "add", "origin", os.path.join(folder, "origin"))
    git("push", "-q", "-u", "origin", "main")
    expect("changed in main, as pushed", changed(clone), "set()")
    git("checkout", "-q", "-b", "topic")
    with open(os.path.join(clone, "scripts", "tidy.sh"), "a", encoding="utf-8") as file:
        file.write("\n")
    git("commit", "-q", "-a", "-m", "one")
    with open(os.path.join(clone, "scripts", "\u00e4 new.sh"), "w", encoding="utf-8"):
        pass
    wanted = ascii(["scripts/tidy.sh", "scripts/\u00e4 new.sh"])
    expect("changed in a branch", changed(clone), wanted)
    git("push", "-q", "-u", "origin", "topic")
    expect("changed in a branch that is pushed", changed(clone), wanted)
    unpacked = copy_tree(os.path.join(clone, "unpacked"))
    with open(os.path.join(clone, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("unpacked\n")
    expect("changed in an archive in a folder of another repository", changed(unpacked), "None")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_changed(folder)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
