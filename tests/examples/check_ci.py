#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ci.py CMAKE BUILD: the commands of contrib/ci's workflows, in a project outside of the tree that is made of
examples. Its tests pass; with a test that makes a mistake they fail."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLES = ("stream_sync", "stream_wait")
PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(outside CXX)
enable_testing()
find_package(unpu REQUIRED)
foreach(name IN ITEMS {names})
	add_executable(${{name}} ${{name}}.cpp)
	target_link_libraries(${{name}} unpu::toolkit)
	add_test(NAME ${{name}} COMMAND ${{name}})
endforeach()
"""
# The kind says that the source is device memory.
MISTAKE = """
#include <acl/acl.h>
int main()
{
	char text[8] = "wrong";
	void *device = nullptr;
	aclInit(nullptr);
	aclrtSetDevice(0);
	aclrtMalloc(&device, sizeof(text), ACL_MEM_MALLOC_NORMAL_ONLY);
	const aclError error = aclrtMemcpy(device, sizeof(text), text, sizeof(text), ACL_MEMCPY_DEVICE_TO_DEVICE);
	aclrtFree(device);
	aclFinalize();
	return error != ACL_SUCCESS;
}
"""


def read(name):
    with open(os.path.join(ROOT, "contrib", "ci", name), encoding="utf-8") as file:
        return file.read()


def workflow_commands():
    """name -> script of each step of github.yml that runs one."""
    found = {}
    for name, line, block in re.findall(r"- name: (.*)\n +run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", read("github.yml")):
        found[name] = re.sub(r"^ {10}", "", line, flags=re.M) or block
    return found


def job_commands():
    """The lines of the script of gitlab.yml."""
    return re.findall(r"^    - (.*)$", re.search(r"^  script:\n((?:    - .*\n)+)", read("gitlab.yml"), re.M).group(1), re.M)


class Outside:
    """A project in a folder of its own, with unpu's checkout in .unpu as the workflows put it."""

    def __init__(self, folder, names):
        os.mkdir(folder)
        os.symlink(ROOT, os.path.join(folder, ".unpu"))
        for name in names:
            if name != "mistake":
                shutil.copy(os.path.join(ROOT, "examples", name + ".cpp"), folder)
        if "mistake" in names:
            with open(os.path.join(folder, "mistake.cpp"), "w", encoding="utf-8") as file:
                file.write(MISTAKE)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(PROJECT.format(names=" ".join(names)))
        self.folder = folder

    def run(self, command, fails=False, **environment):
        done = subprocess.run(["sh", "-e", "-c", command], cwd=self.folder, env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if (done.returncode != 0) != fails:
            sys.exit(f"'{command}' ended with {done.returncode}:\n{done.stdout}")
        return done.stdout


def check_usage():
    """A job whose command is an empty variable is not green."""
    for words in (["test.sh"], ["test.sh", "/nowhere"], ["install.sh"], ["install.sh", ROOT]):
        done = subprocess.run(["sh", os.path.join(ROOT, "contrib", "ci", words[0]), *words[1:]], stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 2 or "usage: " + words[0] not in done.stderr:
            sys.exit(f"{words} ends with {done.returncode} and says {done.stderr!r}")


def main():
    cmake, build = sys.argv[1:]
    check_usage()
    with tempfile.TemporaryDirectory() as folder:
        toolkit = os.path.join(folder, "toolkit")
        subprocess.run([cmake, "--install", build, "--prefix", toolkit], stdout=subprocess.PIPE, check=True)

        steps = {name: text.replace("/opt/unpu", toolkit) for name, text in workflow_commands().items()}
        project = Outside(os.path.join(folder, "workflow"), EXAMPLES)
        for name in ("Install unpu", "Build", "Test", "Order between streams"):
            project.run(steps[name])
        reports = os.listdir(os.path.join(project.folder, "unpu-san"))
        missing = {"report.txt", "report.json", "report.sarif"}.difference(reports)
        if missing or not any(name.startswith("trace-") for name in reports):
            sys.exit(f"the workflow leaves {reports} in its folder of reports")
        project.run(steps["Order between streams"], UNPU_CI_BASELINE="unpu-san/report.json", UNPU_CI_REPORTS="later")
        if "report.sarif" not in os.listdir(os.path.join(project.folder, "later")):
            sys.exit("UNPU_CI_REPORTS is not the folder of the reports")

        project = Outside(os.path.join(folder, "job"), ("mistake",))
        os.symlink(toolkit, os.path.join(project.folder, ".unpu-toolkit"))
        configure, compile_, test, judge = job_commands()
        project.run(configure)
        project.run(compile_)
        text = project.run(test, fails=True)
        if "ACL_MEMCPY_DEVICE_TO_DEVICE" not in text:
            sys.exit(f"the log of the failed test does not name the mistake:\n{text}")
        project.run(test, UNPU_CHECK="off")
        if "UNPU_CI_SAN=1" not in judge:
            sys.exit("gitlab.yml does not judge the order between streams")
    print("good")


main()
