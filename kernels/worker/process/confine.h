// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace worker {

/** lay_out() - executes the program again, with an address space that the kernel fills from the lowest address. So the
 * mappings of the worker are far from the addresses that clients use. Does nothing if the program was started in this
 * way. */
void lay_out(char **argv);

/** close_files() - the program and all threads that it starts can open no file, have no capabilities, and
 * no other process of the user looks into it, but a debugger that already does. Context: there are no other threads.
 * Return: false: the kernel can't do that. */
bool close_files();

/** prepare_filters() - makes the filters of system calls. Return: false: no memory is left. */
bool prepare_filters();

/** close_calls_of_thread() - gives up the system calls that images have no use for, in the calling thread. It ends the
 * process if the kernel can't do that. Context: after prepare_filters(); a thread on which kernels run. */
void close_calls_of_thread();

/** close_calls() - sets limits, and gives up the system calls in the thread that reads messages.
 * @address_bytes: the most address space
 * @heap_bytes: private memory besides that of the cores
 * Return: false: the kernel can't do that. */
bool close_calls(uint64_t address_bytes, uint64_t heap_bytes);

} // namespace worker
