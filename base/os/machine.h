// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace base {

/** usable_cpus() - CPUs this process may run on, by affinity mask and cgroup quota; at least 1. */
unsigned usable_cpus();

/** host_memory_bytes() - physical memory of the host. */
uint64_t host_memory_bytes();

/** available_memory_bytes() - how much memory the process could get now without swapping, within the limit of
 * its cgroup. */
uint64_t available_memory_bytes();

/** process_cpu_ns() - how long the threads of process @pid have used a CPU so far; 0 if there is no such process. */
uint64_t process_cpu_ns(uint32_t pid);

/**
 * file_of() - the library or program whose code lies at an address
 *
 * The kernel names the file. So the name by which a program was started, and the working folder, do not
 * matter. A symbolic link to the file, for example in a folder of PATH, is followed: the other files of the
 * toolkit lie beside the file.
 *
 * Return: an absolute path; "" if the address has no file, or the file is gone.
 */
std::string file_of(const void *code);

/**
 * toolkit_folder() - the toolkit that has the code at an address
 * Return: an absolute path without a slash at its end; "" if file_of() returns "".
 */
std::string toolkit_folder(const void *code);

/**
 * toolkit_file() - a file of the toolkit that has the code at an address
 * @folder: where the toolkit has the file. In a folder of a build it may lie beside the code instead.
 *
 * Return: an absolute path, also if there is no such file, so that a sentence can name what was looked for;
 * "" if file_of() returns "". It is never relative to the working folder, where anybody may have put a file.
 */
std::string toolkit_file(const void *code, const char *folder, const char *name);

/**
 * toolkit_program() - a program of the toolkit, which a variable of the environment may replace
 * @given: the value of @variable; "": the program is toolkit_file() in bin
 * @why: receives an error message if the result is ""
 *
 * Return: an absolute path, also if there is no such file; "" if @given is relative, or if file_of() returns
 * "".
 */
std::string toolkit_program(const void *code, const char *name, const char *variable,
			    const std::string &given, std::string &why);

} // namespace base
