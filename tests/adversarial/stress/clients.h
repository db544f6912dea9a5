// SPDX-License-Identifier: MIT
/*
 * DOC: clients of the stress test
 */
#ifndef UNPU_TESTS_STRESS_CLIENTS_H
#define UNPU_TESTS_STRESS_CLIENTS_H

#include "board.h"

namespace stress {

/* Works until the parent kills it. @ready: gets a byte once the device is open; @kind: the kind of
 * work. */
[[noreturn]] void be_victim(int ready, unsigned kind, unsigned seed);

/* Works and checks its results until the board says stop. If the firmware is killed, it continues with
 * the next one. Return: the exit code. */
int stay(Board &board, unsigned number, unsigned seed);
int stay_with_cuda(Board &board, unsigned number, unsigned seed);

constexpr unsigned kVictimKinds = 9;

} // namespace stress

#endif
