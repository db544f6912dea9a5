#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_layout.py BUILD SET_UP: the project of this folder, which is laid out as programs with kernels are and knows nothing
of unpu, builds, installs and runs by its own script in each run mode. BUILD is the build tree, SET_UP the folder of the
scripts that set up an environment."""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.realpath(__file__))


def make_toolkit(folder, build, set_up):
    """The toolkit of the build tree, at the places of an installed one."""
    for name in ("compiler", "tools", "include"):
        os.symlink(os.path.join(build, name), os.path.join(folder, name))
    for name in ("bin", "lib64"):
        os.makedirs(os.path.join(folder, name))
        for entry in os.listdir(os.path.join(build, name)):
            os.symlink(os.path.join(build, name, entry), os.path.join(folder, name, entry))
    os.makedirs(os.path.join(folder, "lib64", "pkgconfig"))
    shutil.copy(os.path.join(set_up, "set_env.sh"), folder)
    shutil.copy(os.path.join(set_up, "setenv.bash"), os.path.join(folder, "bin"))


def run(project, toolkit, mode, chip, *words):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("UNPU_", "ASCEND_", "CMAKE_"))}
    done = subprocess.run(["bash", os.path.join(project, "run.sh"), "-r", mode, "-v", chip, "-i", toolkit, *words],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
    if done.returncode != 0 or done.stdout.count("scaled 4 tiles") != 1 or not done.stdout.endswith("test pass\n") or \
            "[Error]" in done.stdout or "aclError" in done.stdout:
        sys.exit(f"run.sh -r {mode} -v {chip}: status {done.returncode}\n{done.stdout}")


def main():
    build, set_up = (os.path.abspath(path) for path in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        toolkit = os.path.join(folder, "toolkit")
        project = os.path.join(folder, "project")
        os.makedirs(toolkit)
        make_toolkit(toolkit, build, set_up)
        shutil.copytree(SOURCE, project)
        run(project, toolkit, "npu", "Ascend910B3")
        run(project, toolkit, "cpu", "Ascend310P3")
        run(project, toolkit, "sim", "Ascend310P3", "-b", "Release")


main()
