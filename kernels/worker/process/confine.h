// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace worker {

/** lay_out() - starts the program again with an address space that is filled from below, so that its own mappings
 * are far from those of programs. Does nothing in a program that was started so. */
void lay_out(char **argv);

/** close_files() - the program and all threads that it starts can open no file but by its descriptor.
 * Return: false: the kernel can't do that. */
bool close_files();

/** close_calls() - sets limits and gives up the system calls that images have no use for, in all threads.
 * @address_bytes: the most address space
 * Return: false: the kernel can't do that. */
bool close_calls(uint64_t address_bytes);

} // namespace worker
