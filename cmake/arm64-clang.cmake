# SPDX-License-Identifier: MIT
# The toolchain of the preset arm64-clang: as arm64, but by clang, which is a cross compiler anyway. It takes the
# libraries of C++ and the linker of Debian's cross compiler.

include(${CMAKE_CURRENT_LIST_DIR}/arm64.cmake)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)

# The runtimes of sanitizers are beside the compiler for this machine alone.
file(GLOB unpu_clang_resources ${unpu_root}/usr/lib/llvm-14/lib/clang/*)
set(CMAKE_EXE_LINKER_FLAGS_INIT -resource-dir=${unpu_clang_resources})
set(CMAKE_SHARED_LINKER_FLAGS_INIT -resource-dir=${unpu_clang_resources})
set(CMAKE_MODULE_LINKER_FLAGS_INIT -resource-dir=${unpu_clang_resources})
