# SPDX-License-Identifier: MIT
# The toolchain of the preset arm64: Debian's cross compiler, and the libraries that scripts/arm64.sh unpacks. Tests run
# under qemu-user.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
# Of kernels, by clang too: unpu-ascendcc names no target to it, so clang would take this machine.
set(unpu_kernel_compiler aarch64-linux-gnu-g++-12)

get_filename_component(unpu_root "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root" ABSOLUTE)
set(CMAKE_SYSROOT ${unpu_root})
set(CMAKE_FIND_ROOT_PATH ${unpu_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} ${unpu_root}/usr/lib/aarch64-linux-gnu/pkgconfig:${unpu_root}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${unpu_root})

find_program(unpu_qemu qemu-aarch64-static HINTS ${CMAKE_CURRENT_LIST_DIR}/../build/arm64-tools NO_CACHE)
if(unpu_qemu)
	set(CMAKE_CROSSCOMPILING_EMULATOR ${unpu_qemu} -L ${unpu_root})
endif()
