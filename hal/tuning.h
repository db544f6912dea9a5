// SPDX-License-Identifier: MIT
/**
 * DOC: Tuning of threads that wait
 *
 * The constants by which a waiting thread chooses between polling, sleeping and running the device itself. None of
 * them changes a result, only times. ADR 0260 has what was measured without them.
 */
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace hal::tuning {

/* How long a wait polls before it sleeps; spin_us= of the device string replaces it. A wake-up costs about
 * half of it. */
constexpr uint64_t USUAL_SPIN_US = 50;
/* Polls between two reads of the clock, which costs about as much as ten polls. */
constexpr unsigned POLLS_PER_CLOCK = 32;
/* Turns between two checks of the deadline, for a thread that runs turns without a pause. */
constexpr unsigned TURNS_PER_CLOCK = 64;
/* The budget for polls in vain. A poll in vain costs POLL_COST. A wait that may not poll, because less is left, gives
 * back 1, and one whose end polling meets gives back all. So after four polls in vain every 16th wait polls. */
constexpr uint32_t POLL_COST = 16;
constexpr uint32_t BUDGET_MOST = 4 * POLL_COST;

/* A wait is short if it waits for at most FEW_TASKS and ends within SHORT_POLLS or SHORT_SLEEP_NS. After
 * STREAK short waits in a row, callers run the device (ADR 0070). Each time that callers could not finish in
 * time, the length of the streak doubles, up to STREAK_MOST. */
constexpr uint64_t FEW_TASKS = 4;
constexpr unsigned SHORT_POLLS = 256;
constexpr uint64_t SHORT_SLEEP_NS = 50000;
constexpr uint32_t STREAK = 16;
constexpr uint32_t STREAK_MOST = 4096;
/* More open tasks than this are a batch, which the device's own thread runs beside the host. */
constexpr uint64_t MANY_TASKS = 32;

/* After a thread has helped with long work, it polls this long for the pieces of other threads (ADR 0142). */
constexpr uint64_t HELPED_SPIN_NS = 200000;
/* On a stepped device: how long a thread sleeps before it tries again to take the step token. */
constexpr uint64_t STEP_RETRY_NS = base::NS_PER_MS / 2;

/* A submit to a full ring waits this long for a quarter of the ring, which small tasks leave in less time, before
 * it waits for just the slots that it needs. */
constexpr uint64_t RING_QUARTER_NS = base::NS_PER_MS / 2;

/* How often a thread that polls to the end of its wait checks whether other threads have wanted its CPU. */
constexpr uint64_t POLITE_LOOK_NS = base::NS_PER_MS;

/* How long a waiting thread sleeps before it checks whether the device is alive. */
constexpr uint64_t ALIVE_CHECK_NS = base::NS_PER_S / 4;
/* A device whose heartbeat has stopped for this long is kicked, in case it sleeps. */
constexpr uint64_t QUIET_NS = base::NS_PER_S;

/* How long a submit to a device that explores sleeps before it checks that an answer can come. */
constexpr uint64_t REST_LOOK_NS = base::NS_PER_S / 10;

} // namespace hal::tuning
