#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_scripts.py SOURCES: what the scripts that build and test answer, in a copy of them, without a build: wrong words, missing
programs and packages, rights, other folders; and which files the gates take for changed."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

SOURCES = sys.argv[1]
problems = []


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: {found!r}, not {wanted!r}")


def expect_in(what, text, part):
    if part not in text:
        problems.append(f"{what}: no {part!r} in\n{text}")


def stub(folder, **programs):
    """A folder with these programs, each a line of sh, and a PATH where they come first."""
    os.makedirs(folder, exist_ok=True)
    for name, line in programs.items():
        path = os.path.join(folder, name.replace("_", "-"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{line}\n")
        os.chmod(path, 0o755)
    return folder + ":" + os.environ["PATH"]


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60,
                          env={**os.environ, **environment})


def copy_tree(folder):
    """The scripts and what they read, as from an archive."""
    for name in ("scripts", "bench", os.path.join("tests", "gates"), os.path.join("umd", "aclnn"), os.path.join("umd", "exports")):
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


def check_words(tree):
    """Help ends with 0, a wrong word with 2 and a sentence, and neither does anything else."""
    for name in ("arm64", "demo", "fresh", "fuzz", "packages", "test", "wheel"):
        script = os.path.join(tree, "scripts", name + ".sh")
        with open(script, encoding="utf-8") as file:
            lines = file.read().splitlines()
        done = run([script, "--help"], "/")
        expect(f"{name}.sh --help ends with", done.returncode, 0)
        shown = [line[2:].lstrip() for line in lines[2:lines.index('. "$(dirname "$0")/common.sh"')]]
        expect(f"{name}.sh --help", [line.lstrip() for line in done.stdout.splitlines()], shown)
        done = run([script, "--nonsense"], "/")
        expect(f"{name}.sh --nonsense ends with", done.returncode, 2)
        expect_in(f"{name}.sh --nonsense", done.stdout.splitlines()[-1], "option --nonsense")
    for words, sentence in ((("demo.sh", "nonsense"), "nonsense: there is no build"), (("demo.sh", "a", "b", "c"), "3 words are too many"),
                            (("fresh.sh", "--all", "b"), "2 words are too many"), (("test.sh", "nonsense"), "option nonsense"),
                            (("test.sh", "fast", "full"), "stand alone")):
        done = run([os.path.join(tree, "scripts", words[0]), *words[1:]], "/")
        expect(f"{words} ends with", done.returncode, 2)
        expect_in(f"{words}", done.stdout, sentence)
    expect("wrong words make a folder build", os.path.exists(os.path.join(tree, "build")), False)


def check_folders(tree, folder):
    """A script works on its own tree, whatever the shell's list of folders to look in."""
    other = os.path.join(folder, "other")
    os.makedirs(os.path.join(other, "scripts"))
    done = run(["sh", "-c", ". scripts/common.sh; pwd -P", "scripts/demo.sh"], tree, CDPATH=other)
    expect("the tree with CDPATH", done.stdout.strip(), os.path.realpath(tree))


def check_moved(tree, folder):
    """A build that knows the tree by another folder begins anew, another one does not."""
    made = os.path.join(tree, "build", "moved")
    os.makedirs(made)
    path = stub(os.path.join(folder, "cmake"), cmake='echo "$*"')
    for home, words in ((os.path.realpath(tree), "--preset moved -DX=1"), (os.path.realpath(tree) + "2", "--fresh --preset moved -DX=1")):
        with open(os.path.join(made, "CMakeCache.txt"), "w", encoding="utf-8") as file:
            file.write(f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
        done = run(["sh", "-c", ". scripts/common.sh; configure moved -DX=1", "scripts/demo.sh"], tree, PATH=path)
        expect(f"cmake in {tree} for a build of {home}", done.stdout.strip(), words)


def check_packages(tree, folder):
    """What is missing is listed where apt-get fails, and ends the script unless all of it is optional; also where even
    python3 is missing, which reads the words of bench.sh."""
    need = ["sh", "-c", ". scripts/common.sh; need test; echo goes on", "scripts/demo.sh"]
    for name, missing, status in (("all", "*", 2), ("optional ones", "spin", 0)):
        path = stub(os.path.join(folder, name), id="echo 0",
                    dpkg_query=f"case $4 in {missing}) exit 1 ;; *) echo install ok installed ;; esac")
        done = run(need, tree, PATH=path)
        expect(f"missing packages, {name}: the script ends with", done.returncode, status)
        expect_in(f"missing packages, {name}", done.stdout, "missing, and apt-get can't install them")
        expect(f"missing packages, {name}: the script goes on", "goes on" in done.stdout, status == 0)
    bare = os.path.join(folder, "bare")
    stub(bare, id="echo 1000", dpkg_query="exit 1", sudo="exit 1")
    for name in ("awk", "cat", "dirname", "grep", "mkdir", "nproc", "sed", "sh"):
        os.symlink(shutil.which(name), os.path.join(bare, name))
    done = run([os.path.join(tree, "scripts", "bench.sh"), "--quick"], tree, PATH=bare)
    expect("bench.sh without python3 ends with", done.returncode, 2)
    expect_in("bench.sh without python3", done.stdout, " python3 ")


def check_tracked(tree):
    """The files of a tree from an archive are all that no build has made."""
    os.makedirs(os.path.join(tree, "build", "unity"), exist_ok=True)
    shutil.copy(os.path.join(tree, "README.md"), os.path.join(tree, "build", "unity", "made"))
    done = run(["sh", "-c", ". scripts/common.sh; tracked", "scripts/demo.sh"], tree)
    wanted = sorted(os.path.relpath(os.path.join(where, name), tree) for where, _, names in os.walk(tree) for name in names)
    wanted = [name for name in wanted if not name.startswith("build/")]
    expect("the files of an archive", sorted(name.removeprefix("./") for name in done.stdout.split("\0") if name), wanted)


def check_rights(tree, folder):
    """Root without a right to namespaces, as in containers, skips what needs a system of its own."""
    for name in ("fresh.sh", "packages.sh"):
        done = run([os.path.join(tree, "scripts", name)], tree, PATH=stub(os.path.join(folder, "root"), id="echo 0"))
        expect(f"{name} without namespaces ends with", done.returncode, 77)
        expect_in(f"{name} without namespaces", done.stdout, "skipped: a system of its own needs namespaces")


TESTS = """add_test(good true)
add_test(left_out sh -c "echo skipped: a reason; exit 77")
set_tests_properties(left_out PROPERTIES SKIP_RETURN_CODE 77)
"""
BAD = """add_test(bad sh -c "echo it went wrong; exit 1")
add_test(gone /nowhere/at/all)
"""


def check_sum(tree, folder):
    """What test.sh says at its end, and its status, when tests pass, are skipped, fail or were not built, and when nothing can
    be built or configured."""
    for name, tests, status, lines in (
            ("good", TESTS, 0, ["skipped: 1, as left_out: a reason", "1 passed, 0 failed, 1 skipped"]),
            ("bad", TESTS + BAD, 1, ["failed: bad", "    it went wrong", "failed: Unable to find executable: /nowhere/at/all",
                                     "1 passed, 2 failed, 1 skipped"]),
            ("no tests", "", 1, ["0 passed, 1 failed, 0 skipped"]),
            ("no build", None, 1, ["check: the build failed", "0 passed, 1 failed, 0 skipped"])):
        place = os.path.join(folder, name)
        path = stub(place, dpkg_query="echo install ok installed",
                    cmake=f"[ $1 = --preset ] || exit {int(tests is None)}; mkdir -p build/$2; cp '{place}/tests' build/$2/CTestTestfile.cmake")
        with open(os.path.join(place, "tests"), "w", encoding="utf-8") as file:
            file.write(tests or "")
        done = run([os.path.join(tree, "scripts", "test.sh"), "check"], tree, PATH=path)
        expect(f"test.sh, {name}: it ends with", done.returncode, status)
        expect(f"test.sh, {name}: lines that are not in\n{done.stdout}", [line for line in lines if line not in done.stdout.splitlines()], [])
        expect(f"test.sh, {name}: the last line", done.stdout.splitlines()[-1], lines[-1])


def check_interrupted(tree, folder):
    """demo.sh that is ended while its firmware-sim runs takes that and its folder along."""
    place = os.path.join(folder, "demo")
    note = os.path.join(folder, "note")
    sleep = shutil.which("sleep")
    # The script sleeps when it waits for the socket of the firmware-sim that it has started.
    stub(os.path.join(place, "kept"), unpu_info="exit 0", firmware_sim=f"echo $$ $2 >'{note}.pid'; exec {sleep} 60",
         sleep=f"[ ! -s '{note}.pid' ] || mv '{note}.pid' '{note}'; exec {sleep} 0.1")
    os.makedirs(os.path.join(tree, "examples", "classify"))
    for name in ("make_model.py", "classify.expected"):
        with open(os.path.join(tree, "examples", "classify", name), "w", encoding="utf-8"):
            pass
    with open(os.path.join(folder, "cmake_install.cmake"), "w", encoding="utf-8"):
        pass
    path = stub(os.path.join(place, "stubs"), **{"g++": "exit 0"},
                cmake=f"mkdir '{place}/toolkit'; echo 'PATH={place}/kept:$PATH' >'{place}/toolkit/set_env.sh'")
    demo = subprocess.Popen([os.path.join(tree, "scripts", "demo.sh"), folder, place], env={**os.environ, "PATH": path},
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists(note) and demo.poll() is None:
        time.sleep(0.01)
    with open(note, encoding="utf-8") as file:
        firmware, socket = file.read().split()
    demo.terminate()
    expect("demo.sh that is ended ends with", demo.wait(), 143)
    deadline = time.monotonic() + 30
    while os.path.exists("/proc/" + firmware) and time.monotonic() < deadline:
        time.sleep(0.01)
    expect("its firmware-sim runs on", os.path.exists("/proc/" + firmware), False)
    expect("its folder stays", os.path.exists(os.path.dirname(socket)), False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        # Whatever a script does wrong, it changes nothing of this machine.
        fail = "echo $0 >&2; exit 100"
        os.environ["PATH"] = stub(os.path.join(folder, "stubs"), apt_get=fail, sudo=fail, cmake=fail, debootstrap=fail, unshare=fail)
        check_changed(folder)
        tree = copy_tree(os.path.join(folder, "a tree"))
        check_words(tree)
        check_folders(tree, folder)
        check_moved(tree, folder)
        check_packages(tree, folder)
        check_rights(tree, folder)
        check_sum(tree, folder)
        check_interrupted(tree, folder)
        check_tracked(tree)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
