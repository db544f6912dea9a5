/* SPDX-License-Identifier: MIT */
/*
 * DOC: Stacks
 */
#ifndef UNPU_TESTS_STRESS_SOAK_STACKS_H
#define UNPU_TESTS_STRESS_SOAK_STACKS_H

#include <sys/types.h>

namespace soak {

/* print_stacks() - of all threads of a process, by gdb, where that is installed. */
void print_stacks(pid_t pid);

} // namespace soak

#endif
