#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_project.py CMAKE BUILD RUNTIME EXAMPLE: the example builds and runs as a project outside of unpu, in all run
modes; a changed header builds again what includes it and nothing else; errors and symbols name the user's lines."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time


def run(*command, fails=False, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def make_toolkit(folder, build, runtime):
    """The toolkit of the build tree, but with a runtime that runs kernels in the process."""
    toolkit = os.path.join(folder, "toolkit")
    for name in ("bin", "lib64"):
        os.makedirs(os.path.join(toolkit, name))
    for name in ("compiler", "tools", "include", "bin/unpu-ascendcc", "lib64/libtikicpulib.so",
                 "lib64/libc_sec.so"):
        os.symlink(os.path.join(build, name), os.path.join(toolkit, name))
    for name in ("libunpu.so", "libascendcl.so", os.path.basename(runtime)):
        os.symlink(runtime, os.path.join(toolkit, "lib64", name))
    shutil.copy(os.path.join(os.path.dirname(__file__), "../../../kernels/compiler/ccec"), os.path.join(toolkit, "bin"))
    return toolkit


class Project:
    def __init__(self, cmake, toolkit, source, build, *options):
        self.cmake, self.source, self.build = cmake, source, build
        run(cmake, "-S", source, "-B", build, f"-DASCEND_CANN_PACKAGE_PATH={toolkit}", *options)

    def make(self, **options):
        return run(self.cmake, "--build", self.build, "--parallel", "2", **options)

    def expect(self, program, text):
        found = run(os.path.join(self.build, program))
        if found != text:
            sys.exit(f"{program} printed {found!r}, not {text!r}")


def changed_at(folder, ending):
    return {os.path.join(where, name): os.stat(os.path.join(where, name)).st_mtime_ns
            for where, _, names in os.walk(folder) for name in names if name.endswith(ending)}


def check_increments(project):
    """Only add.cpp and on_device.cpp include add_tiling.h."""
    before = changed_at(project.build, (".so", ".o"))
    project.make()
    if changed_at(project.build, (".so", ".o")) != before:
        sys.exit("a second build made something again")
    with open(os.path.join(project.source, "add_tiling.h"), "a", encoding="utf-8") as file:
        file.write("// changed\n")
    project.make()
    after = changed_at(project.build, (".so", ".o"))
    changed = sorted(os.path.basename(path) for path in after if after[path] != before.get(path))
    wanted = ["add_cpp.host.cpp.o", "add_cpp.so", "on_device.cpp.o"]
    if changed != wanted:
        sys.exit(f"after a change of add_tiling.h the build made {changed}, not {wanted}")


def check_error(project):
    """An error in a kernel is shown once, at its line."""
    path = os.path.join(project.source, "sum.cpp")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    number = next(i for i, line in enumerate(lines) if "T sum = 0" in line)
    good = "\n".join(lines) + "\n"
    lines[number] = "\tT sum = not_declared;"
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    text = project.make(fails=True)
    if text.count(f"sum.cpp:{number + 1}:") != 1 or text.count("error:") != 1:
        sys.exit(f"the error of line {number + 1} is not shown once:\n{text}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(good)


def check_headers(project):
    """The header of a kernel that is renamed goes away, so that another library can have one of its name."""
    path = os.path.join(project.source, "sum.cpp")
    folder = os.path.join(project.build, "include", "kernels")
    with open(path, encoding="utf-8") as file:
        good = file.read()
    before = set(os.listdir(folder))
    with open(path, "a", encoding="utf-8") as file:
        file.write('extern "C" __global__ __aicore__ void passing(GM_ADDR memory) {}\n')
    project.make()
    between = set(os.listdir(folder))
    with open(path, "w", encoding="utf-8") as file:
        file.write(good)
    project.make()
    after = set(os.listdir(folder))
    if between != before | {"aclrtlaunch_passing.h"} or after != before:
        sys.exit(f"headers: first {before}, with one more kernel {between}, without it {after}")


def check_clash(project):
    """Two sources with one kernel are refused, and both are named; so they are when one of them comes later."""
    path = os.path.join(project.source, "sum.cpp")
    with open(path, encoding="utf-8") as file:
        good = file.read()
    with open(path, "a", encoding="utf-8") as file:
        file.write('extern "C" __global__ __aicore__ void add(GM_ADDR memory) {}\n')
    text = " ".join(project.make(fails=True).split())
    if not re.search(r"two sources of a library have the kernel add: \S.*/add\.cpp and \S.*/sum\.cpp", text):
        sys.exit(f"two kernels of one name: {text}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(good)
    project.make()


def check_chips(cmake, toolkit, source, folder):
    """A chip or a mode that nobody knows is refused with those that are known."""
    for option, words in (("-DSOC_VERSION=Ascend910X", "SOC_VERSION is \"Ascend910X\", which is no chip; known are Ascend910B1 to Ascend910B4, "),
                          ("-DSOC_VERSION=Ascend31OP3", "Ascend310P1 to Ascend310P7"),
                          ("-DRUN_MODE=CPUs", "RUN_MODE is \"CPUs\"; it is npu, sim or cpu")):
        text = run(cmake, "-S", source, "-B", os.path.join(folder, "unknown"), f"-DASCEND_CANN_PACKAGE_PATH={toolkit}", option,
                   fails=True)
        if words not in " ".join(text.split()):
            sys.exit(f"{option}: {text}")
        shutil.rmtree(os.path.join(folder, "unknown"))


def check_symbols(toolkit, source, folder):
    """The image of a Debug build has the lines of the kernel."""
    image = os.path.join(folder, "add.debug.so")
    run(os.path.join(toolkit, "bin/unpu-ascendcc"), "-g", "-c", os.path.join(source, "add.cpp"), f"--image={image}",
        "-o", os.path.join(folder, "add.o"))
    address = next(line.split()[0] for line in run("nm", image).splitlines() if line.endswith(" add"))
    line = run("addr2line", "-e", image, address).strip()
    with open(os.path.join(source, "add.cpp"), encoding="utf-8") as file:
        wanted = next(i for i, text in enumerate(file, 1) if "void add(" in text)
    if not any(line.endswith(f"add.cpp:{wanted + more}") for more in (0, 1)):
        sys.exit(f"the kernel begins at {line}, not at line {wanted}")


CCE_LISTS = """
cmake_minimum_required(VERSION 3.16)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR})
project(cce LANGUAGES CCE CXX)
set_source_files_properties(one.cpp PROPERTIES LANGUAGE CCE)
add_executable(one_npu one.cpp)
set_target_properties(one_npu PROPERTIES LINKER_LANGUAGE CCE)
find_package(tikicpulib REQUIRED)
add_executable(one_cpu on_cpu.cpp)
target_link_libraries(one_cpu PRIVATE tikicpulib::${ASCEND_PRODUCT_TYPE})
"""
CCE_MODULES = {
    "CMakeDetermineCCECompiler.cmake": """
find_program(CMAKE_CCE_COMPILER NAMES ccec PATHS ${ASCEND_INSTALL_PATH}/bin NO_DEFAULT_PATH)
set(CMAKE_CCE_COMPILER_ENV_VAR CCE)
file(WRITE ${CMAKE_PLATFORM_INFO_DIR}/CMakeCCECompiler.cmake "
set(CMAKE_CCE_COMPILER ${CMAKE_CCE_COMPILER})
set(CMAKE_CCE_COMPILER_LOADED 1)
set(CMAKE_CCE_SOURCE_FILE_EXTENSIONS cce)
set(CMAKE_CCE_OUTPUT_EXTENSION .o)
set(CMAKE_CCE_COMPILER_ENV_VAR CCE)
")
""",
    "CMakeTestCCECompiler.cmake": "set(CMAKE_CCE_COMPILER_WORKS 1 CACHE INTERNAL \"\")\n",
    "CMakeCCEInformation.cmake": """
set(CMAKE_CCE_COMPILE_OBJECT "<CMAKE_CCE_COMPILER> -xcce <FLAGS> --cce-auto-sync -mllvm -api-deps-filter \
--cce-aicore-arch=dav-c220-vec -O2 -std=c++17 -o <OBJECT> -c <SOURCE>")
set(CMAKE_CCE_LINK_EXECUTABLE "<CMAKE_CCE_COMPILER> --cce-fatobj-link --cce-aicore-arch=dav-c220-vec <OBJECTS> \
-o <TARGET> -L${ASCEND_INSTALL_PATH}/lib64 -lstdc++ -lascendcl")
set(CMAKE_CCE_INFORMATION_LOADED 1)
""",
}
CCE_SOURCE = """#include <cstdio>
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void one(GM_ADDR x) { *(__gm__ int *)x = 1; }
#ifndef __CCE_KT_TEST__
int main() { int x = 0; one<<<1, nullptr, nullptr>>>((uint8_t *)&x); std::printf("%d\\n", x); }
#endif
"""
CPU_SOURCE = """#include <cstdio>
#include "tikicpulib.h"
#include "one.cpp"
#include "lib/matmul_intf.h"
using namespace AscendC;
typedef MatmulType<TPosition::GM, CubeFormat::ND, float> Floats;
extern "C" __global__ __aicore__ void two(GM_ADDR x)
{
	TPipe pipe;
	TCubeTiling tiling = {};
	Matmul<Floats, Floats, Floats> product;
	REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
	((__gm__ int *)x)[1 + GetBlockIdx()] = 1;
}
int main()
{
	auto *x = (int *)GmAlloc(32);
	ICPU_RUN_KF(one, 1, (uint8_t *)x);
	ICPU_RUN_KF(two, 1, (uint8_t *)x);
	std::printf("%d%d%d\\n", x[0], x[1], x[2]);
}
"""


def check_language(cmake, toolkit, folder):
    """A project with a language of CMake for kernels, and modules of its own for it, which call ccec."""
    source = os.path.join(folder, "cce")
    os.makedirs(source)
    for name, text in {"CMakeLists.txt": CCE_LISTS, "one.cpp": CCE_SOURCE, "on_cpu.cpp": CPU_SOURCE,
                       **CCE_MODULES}.items():
        with open(os.path.join(source, name), "w", encoding="utf-8") as file:
            file.write(text)
    project = Project(cmake, toolkit, source, os.path.join(folder, "cce.built"), f"-DASCEND_INSTALL_PATH={toolkit}",
                      "-DASCEND_PRODUCT_TYPE=Ascend910B1", f"-Dtikicpulib_DIR={toolkit}/tools/tikicpulib/lib/cmake")
    project.make(env={**os.environ, "CXX": "g++"})
    os.environ["LD_LIBRARY_PATH"] = os.path.join(toolkit, "lib64")
    project.expect("one_npu", "1\n")
    project.expect("one_cpu", "111\n")


def main():
    cmake, build, runtime, example = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        toolkit = make_toolkit(folder, build, runtime)
        source = os.path.join(folder, "the source")
        shutil.copytree(example, source)
        printed = "add: right, sum of a row: 32, product: right\n"
        npu = Project(cmake, toolkit, source, os.path.join(folder, "npu"), "-G", "Ninja", "-DRUN_MODE=npu")
        start = time.monotonic()
        npu.make()
        print(f"the example was built in {time.monotonic() - start:.1f} s")
        npu.expect("on_device", printed)
        check_increments(npu)
        check_error(npu)
        check_headers(npu)
        check_clash(npu)
        check_chips(cmake, toolkit, source, folder)
        check_symbols(toolkit, source, folder)
        sim = Project(cmake, toolkit, source, os.path.join(folder, "the sim"), "-G", "Unix Makefiles", "-DRUN_MODE=sim",
                      "-DSOC_VERSION=ascend910b1")
        sim.make()
        sim.expect("on_device", printed)
        check_increments(sim)
        cpu = Project(cmake, toolkit, source, os.path.join(folder, "cpu"), "-G", "Ninja", "-DRUN_MODE=cpu")
        cpu.make()
        check_language(cmake, toolkit, folder)
        cpu.expect("on_cpu", "add: right\n")


main()
