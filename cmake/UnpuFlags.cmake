# SPDX-License-Identifier: MIT
# The compilers' settings, the same for every target. The instruction set stays the baseline of the
# architecture: code that wants more asks the CPU at run time.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

# Every library and program of a build tree stands where the installed toolkit has it, so that
# $ORIGIN paths are true in both.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib64)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# No object holds the path of the tree.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
find_program(UNPU_CCACHE ccache)
if(UNPU_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
	set(launcher ${PROJECT_SOURCE_DIR}/cmake/compile.sh ${PROJECT_SOURCE_DIR} ${UNPU_CCACHE})
	set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
	set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
# Else clang takes a precompiled header of another folder, or from a cache, for an old one.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
	list(APPEND CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH -Xclang -fno-pch-timestamp)
endif()

# Warnings are errors where a preset says so. Other compilers than those of the presets may warn of more.
add_compile_options(-Wall -Wextra $<$<BOOL:${UNPU_WERROR}>:-Werror> -Wshadow -Wvla -fno-strict-aliasing -ffp-contract=off)
add_compile_definitions(_GNU_SOURCE)
# A thread's own words at a fixed offset: no call to find them. They are few.
add_compile_options(-ftls-model=initial-exec)
# gcc clears and copies structs of a few hundred bytes by string instructions, which take 25 ns to begin. The C library
# takes 8 ns for the 480 bytes of a descriptor.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
	add_compile_options(-mmemset-strategy=libcall:-1:noalign -mmemcpy-strategy=libcall:-1:noalign)
endif()

if(UNPU_LOCK_CHECK)
	add_compile_definitions(UNPU_LOCK_CHECK UNPU_CHECKS)
endif()

if(UNPU_SANITIZE)
	# Enumerators come from C programs: numbers outside the list are what the library has to refuse.
	add_compile_options(-fsanitize=${UNPU_SANITIZE} -fno-sanitize=enum -fno-sanitize-recover=all
		-fno-omit-frame-pointer)
	add_link_options(-fsanitize=${UNPU_SANITIZE})
	# What the code asks; each compiler has another word for it.
	if(UNPU_SANITIZE MATCHES thread)
		add_compile_definitions(UNPU_TSAN)
	endif()
	if(UNPU_SANITIZE MATCHES address)
		add_compile_definitions(UNPU_ASAN)
	endif()
endif()
