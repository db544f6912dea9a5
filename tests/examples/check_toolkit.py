#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_toolkit.py CMAKE BUILD COMPILER: the installed toolkit has the places, names and variables that
programs' build scripts look for, also after it was moved."""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
VARIABLES = {"ASCEND_TOOLKIT_HOME": "", "ASCEND_HOME_PATH": "", "ASCEND_INSTALL_PATH": "", "DDK_PATH": "",
             "NPU_HOST_LIB": "/lib64", "ASCEND_OPP_PATH": "/opp", "ASCEND_AICPU_PATH": ""}
PROGRAM = """
#include <stdio.h>
#include "acl/acl.h"
#include "mstx/ms_tools_ext.h"
#include "profiling/aprof_pub.h"
#include "securec.h"
int main(void)
{
	char text[8];
	mstxMarkA("unheard", NULL);
	return sprintf_s(text, sizeof(text), "%d", 12) != 2 || aclrtGetSocName() == NULL || MsprofSysCycleTime() == 0;
}
"""

LINK_PROGRAM = """
#include "acl/acl.h"
int main(void)
{
	char name[] = "cann", version[ACL_PKG_VERSION_MAX_SIZE];
	return aclInit(NULL) != 0 || aclrtSetDevice(0) != 0 || aclsysGetVersionStr(name, version) != 0;
}
"""

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(program C)
find_package(unpu REQUIRED)
add_executable(program program.c)
target_link_libraries(program unpu::toolkit)
"""


# As build scripts of samples are written: {headers} and {libraries} are where they look.
SAMPLE = """
cmake_minimum_required(VERSION 3.5.1)
project(ACL_SAMPLE C)
set(INC_PATH $ENV{{DDK_PATH}})
if(NOT DEFINED ENV{{DDK_PATH}})
	set(INC_PATH "/usr/local/Ascend")
endif()
set(LIB_PATH $ENV{{NPU_HOST_LIB}})
if(NOT DEFINED ENV{{NPU_HOST_LIB}})
	set(LIB_PATH "${{INC_PATH}}/{libraries}")
endif()
include_directories(${{INC_PATH}}/{headers})
link_directories(${{LIB_PATH}})
add_executable(program program.c)
target_link_libraries(program ascendcl stdc++)
"""
MACHINE = os.uname().machine
SAMPLES = (("runtime/include/", "runtime/lib64/stub"), ("latest/runtime/include", "runtime/lib64"), ("atc/include/", "atc/lib64"), ("acllib/include/", "acllib/lib64/stub"),
           (f"{MACHINE}-linux/include/", f"{MACHINE}-linux/lib64"), ("latest/include", f"latest/{MACHINE}-linux/devlib"),
           ("latest/runtime/include", "latest/acllib/lib64/stub"), ("fwkacllib/include", "fwkacllib/lib64"),
           ("compiler/include/", "compiler/lib64/stub/"))


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}")
    return done.stdout


def check_environment(toolkit, script, shell="bash"):
    """What a program finds after the script was sourced in an empty environment."""
    line = f". '{toolkit}/{script}' && env"
    text = run(shell, "-c", line, env={"PATH": os.environ["PATH"]})
    found = dict(entry.split("=", 1) for entry in text.splitlines() if "=" in entry)
    wrong = [name for name, below in VARIABLES.items() if found.get(name) != toolkit + below]
    if wrong:
        sys.exit(f"{script} does not set {', '.join(wrong)} to {toolkit}:\n{text}")
    for name, folder in (("LD_LIBRARY_PATH", "lib64"), ("PATH", "bin"), ("PKG_CONFIG_PATH", "lib64/pkgconfig")):
        if found[name].split(":")[0] != f"{toolkit}/{folder}":
            sys.exit(f"{script}: {name} is {found[name]}")
    return found


# Each is the only place where some build scripts look.
RULES = ("tools/tikcpp/ascendc_kernel_cmake", "compiler/tikcpp/ascendc_kernel_cmake", "ascendc_devkit/tikcpp/samples/cmake",
         "tikcpp/ascendc_kernel_cmake", f"{os.uname().machine}-linux/tikcpp/ascendc_kernel_cmake")


def check_places(toolkit):
    for place in ("include/securec.h", "lib64/libacl_rt_impl.so", "bin/setenv.bash"):
        if not os.path.exists(os.path.join(toolkit, place)):
            sys.exit(f"the toolkit has no {place}")
    with open(os.path.join(toolkit, "include/acl/acl_rt.h"), encoding="utf-8") as file:
        if "aclrtMemRetainAllocationHandle" not in file.read():
            sys.exit("acl_rt.h does not name a function that one of its parts declares")


def check_debian(toolkit):
    """Each file of the toolkit is in a package, or left out by name. dh_missing ends a build of the packages otherwise."""
    patterns = []
    for path in glob.glob(os.path.join(ROOT, "debian", "*.install")) + [os.path.join(ROOT, "debian", "not-installed")]:
        with open(path, encoding="utf-8") as file:
            patterns += [line.split()[0].partition("/unpu/")[2] for line in file if line.startswith("usr/lib/")]
    wanted = {name for pattern in patterns for name in glob.glob(os.path.join(toolkit, pattern))}
    for folder, folders, names in os.walk(toolkit):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in wanted]
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        left = [os.path.join(folder, name) for name in names + links if os.path.join(folder, name) not in wanted]
        if left:
            sys.exit(f"no package of debian/*.install has {', '.join(left)}")


def check_unit(toolkit, prefix):
    """The unit starts the program of the prefix, with quotas, and takes others from a file."""
    with open(os.path.join(toolkit, "lib/systemd/system/unpu-firmware.service"), encoding="utf-8") as file:
        unit = file.read()
    for line in (f"ExecStart={prefix}/bin/firmware-sim .* \\$UNPU_FIRMWARE_OPTIONS", 'Environment="UNPU_FIRMWARE_OPTIONS=.*--quota-memory',
                 "EnvironmentFile=-/etc/default/unpu-firmware"):
        if not re.search("^" + line, unit, re.M):
            sys.exit(f"no line of the unit matches {line}:\n{unit}")
    options = re.search('^Environment="UNPU_FIRMWARE_OPTIONS=(.*)"', unit, re.M).group(1)
    known = run(os.path.join(toolkit, "bin", "firmware-sim"), "--help")
    for option in re.findall("--[a-z-]+", options):
        if option not in known:
            sys.exit(f"firmware-sim has no {option}")


def check_rules(toolkit, folder, cmake):
    """The rules find the toolkit that they lie in, at each place."""
    for place in RULES:
        script = os.path.join(folder, "rules.cmake")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'include("{toolkit}/{place}/ascendc.cmake")\nmessage("toolkit ${{UNPU_TOOLKIT}}")\n')
        said = run(cmake, "-P", script, env={"PATH": os.environ["PATH"]})
        if f"toolkit {toolkit}\n" not in said:
            sys.exit(f"{place}/ascendc.cmake finds another toolkit than {toolkit}:\n{said}")


def check_run_paths(folder, *names):
    """An empty part of a run path is the working directory, where anybody may have put a library."""
    count = 0
    for name in names:
        for file in sorted(os.listdir(os.path.join(folder, name))):
            path = os.path.join(folder, name, file)
            if not os.path.isfile(path) or os.path.islink(path):
                continue
            text = subprocess.run(("readelf", "-d", path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  check=False).stdout
            found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", text)
            count += found is not None
            if found and not all(part.startswith("$ORIGIN") for part in found.group(1).split(":")):
                sys.exit(f"{path} has the run path [{found.group(1)}]")
    if count < 10:
        sys.exit(f"{folder} has {count} files with a run path, fewer than 10")


def check_package(toolkit, environment, folder, cmake):
    """find_package() finds the toolkit by CMAKE_PREFIX_PATH alone."""
    project, build = os.path.join(folder, "project"), os.path.join(folder, "project_build")
    os.mkdir(project)
    with open(os.path.join(project, "program.c"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(PROJECT)
    run(cmake, "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={toolkit}")
    run(cmake, "--build", build)
    run(os.path.join(build, "program"), env=environment)


def check_samples(toolkit, environment, folder, cmake):
    """Each with the variables of the script, and with the folder of headers alone."""
    with open(os.path.join(folder, "program.c"), "w", encoding="utf-8") as file:
        file.write(LINK_PROGRAM)
    for headers, libraries in SAMPLES:
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(SAMPLE.format(headers=headers, libraries=libraries))
        for variables in ({}, {"NPU_HOST_LIB": environment["NPU_HOST_LIB"]}):
            known = {"PATH": os.environ["PATH"], "DDK_PATH": environment["DDK_PATH"], **variables}
            with tempfile.TemporaryDirectory() as build:
                run(cmake, "-S", folder, "-B", build, env=known)
                run(cmake, "--build", build, env=known)
                run(os.path.join(build, "program"), env={"LD_LIBRARY_PATH": toolkit + "/lib64"})


def check_program(toolkit, environment, folder, compiler):
    """One that links the libraries of profiling, and no other."""
    source, program = os.path.join(folder, "program.c"), os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    run(compiler, source, "-o", program, f"-I{toolkit}/include", f"-L{toolkit}/lib64",
        "-lacl_rt_impl", "-lmsprofiler", "-lc_sec", f"-Wl,-rpath-link,{toolkit}/lib64")
    run(program, env=environment)


def check_pkg_config(toolkit, folder, compiler):
    """pkg-config of Debian looks into lib of its prefix; the program needs no environment."""
    found = run("pkg-config", "--cflags", "--libs", "unpu",
                env={"PATH": os.environ["PATH"], "PKG_CONFIG_PATH": os.path.join(toolkit, "lib", "pkgconfig")})
    program = os.path.join(folder, "by_pkg_config")
    run(compiler, os.path.join(folder, "program.c"), "-o", program, *found.split(), "-lmsprofiler", "-lc_sec",
        f"-Wl,-rpath-link,{toolkit}/lib64")
    run(program, env={})
    needed = run("readelf", "-d", os.path.join(toolkit, "lib64", "libunpu.so"))
    if "Library soname: [libunpu.so.0]" not in needed:
        sys.exit(f"libunpu.so has another SONAME:\n{needed}")


def check_link(toolkit, folder, compiler):
    """A link to the library, in a folder that the loader searches, leads to the other files of the toolkit."""
    public, program = os.path.join(folder, "public"), os.path.join(folder, "by_link")
    os.mkdir(public)
    os.symlink(os.path.join(toolkit, "lib64", "libunpu.so.0"), os.path.join(public, "libunpu.so.0"))
    source = os.path.join(folder, "by_link.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LINK_PROGRAM)
    run(compiler, source, "-o", program, f"-I{toolkit}/include", f"-L{toolkit}/lib64", "-lunpu")
    run(program, env={"LD_LIBRARY_PATH": public, "UNPU_DEVICE": "sim+proc:"})


def check_tutorial(toolkit, environment, folder):
    """What the tutorial says to type to build its programs, and to run them. debian/tests/tutorial does the same, and more."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    place = os.path.join(folder, "tutorial")
    os.makedirs(place)
    os.symlink(os.path.realpath(os.path.join(root, "examples")), os.path.join(place, "examples"))
    with open(os.path.join(root, "Documentation", "tutorial.rst"), encoding="utf-8") as file:
        page = file.read().replace("\\\n", " ")
    commands = re.findall(r"^\t(g\+\+ .*-o (\w+))\n\t((?:UNPU_DEVICE=\S+ )?\./\2)$", page, re.M)
    if len(commands) != 5:
        sys.exit(f"the tutorial builds and runs {len(commands)} programs, not 5")
    for build, _, program in commands:
        run("sh", "-c", f"{build} && {program}", cwd=place, env=dict(environment, T=toolkit))
    # Those of its table that have no command of their own are built as the first program.
    others = [name for name in re.findall(r"``(\w+)\.cpp``", page[page.index("\nMore programs\n"):])
              if not any(f"examples/{name}.cpp" in build for build, _, _ in commands) and name != "operators"]
    if "errors" not in others:
        sys.exit(f"the table of the tutorial has {others}, without errors")
    for name in others:
        first = commands[0][0].replace("stream_sync.cpp", f"{name}.cpp").replace("-o first", f"-o {name}")
        run("sh", "-c", first, cwd=place, env=dict(environment, T=toolkit))


def check_uninstall(cmake, build, folder):
    """Nothing is left of what was installed, and a file of somebody else stays."""
    place = os.path.join(folder, "to_remove")
    run(cmake, "--install", build, "--prefix", place)
    strange = os.path.join(place, "lib64", "strange.txt")
    with open(strange, "w", encoding="utf-8"):
        pass
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cmake", "uninstall.cmake")
    run(cmake, f"-DMANIFEST={build}/install_manifest.txt", "-P", script)
    left = [os.path.join(where, name) for where, _, names in os.walk(place) for name in names]
    if left != [strange]:
        sys.exit(f"the uninstall left {left}, not {strange} alone")
    os.remove(strange)
    run(cmake, f"-DMANIFEST={build}/install_manifest.txt", "-P", script)
    if os.path.exists(place):
        sys.exit(f"the uninstall left the folder {place}")


def main():
    cmake, build, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        run(cmake, "--install", build, "--prefix", os.path.join(folder, "installed"))
        toolkit = os.path.join(folder, "moved")
        os.rename(os.path.join(folder, "installed"), toolkit)
        check_places(toolkit)
        check_unit(toolkit, os.path.join(folder, "installed"))
        check_debian(toolkit)
        check_rules(toolkit, folder, cmake)
        check_run_paths(toolkit, "bin", "lib64", "lib64/cuda")
        check_run_paths(build, "lib64", "lib64/cuda")
        for script in ("set_env.sh", "bin/setenv.bash"):
            environment = check_environment(toolkit, script)
        # Another toolkit is where this one was.
        os.symlink(toolkit, os.path.join(folder, "installed"))
        for shell in ("sh", "dash", "bash"):
            check_environment(toolkit, "set_env.sh", shell)
        check_program(toolkit, environment, folder, compiler)
        check_package(toolkit, environment, folder, cmake)
        check_samples(toolkit, environment, folder, cmake)
        check_pkg_config(toolkit, folder, compiler)
        check_link(toolkit, folder, compiler)
        check_tutorial(toolkit, environment, folder)
        check_uninstall(cmake, build, folder)


main()
