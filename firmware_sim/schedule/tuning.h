// SPDX-License-Identifier: MIT
/**
 * DOC: Tuning of the device
 *
 * The constants by which the device's thread and its callers poll, pause, take turns and sleep. None of them
 * changes a result, only times. ADR 0260 has what was measured without them, and the rows of the bench that show
 * it.
 */
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace fw::tuning {

/* Polling: how long a channel is polled before it is armed.
 *
 * POLLS_PER_US turns a time into a number of empty polls. A longer time keeps a CPU busy, a shorter one makes
 * the next packet pay for a doorbell and a wake-up. The device string's poll_us= replaces USUAL_POLL_US. */
constexpr uint32_t POLLS_PER_US = 40;
constexpr uint32_t USUAL_POLL_US = 50;

/* Turns.
 *
 * BURST_STEPS, BURST_BYTES: the device's thread gives up the step token after so many turns, or so much long
 * work, so that requests, other threads and the end of the device get in.
 * LONE_TURNS: the most turns in a row of one runner while no other runner has work.
 * MANY_TURNS: the same for a caller that waits for many packets.
 * PUBLISH_BATCH: at most so many short packets share one store of the timeline.
 * QUEUE_FEW: at most so many channels are polled while no channel has work.
 * DOORBELLS_AT_ONCE: hints taken from one client before the next client has its turn.
 * HOUSEKEEPING_STEPS: time limits, finished jobs and doorbells are looked at once in so many turns.
 * COLLECT_STEPS: the same for kicks of clients that are not watched, and for the second look at channels that have
 * asked for a doorbell.
 * ASKED_MOST: that look follows at once when so many channels have asked.
 * TURNS_PER_CLOCK: a caller that runs the device measures one turn in so many. */
constexpr unsigned BURST_STEPS = 1024;
constexpr uint64_t BURST_BYTES = uint64_t{16} << 20;
constexpr unsigned LONE_TURNS = 8;
constexpr unsigned MANY_TURNS = 8;
constexpr uint64_t PUBLISH_BATCH = 8;
constexpr unsigned QUEUE_FEW = 4;
constexpr unsigned DOORBELLS_AT_ONCE = 64;
constexpr unsigned HOUSEKEEPING_STEPS = 64;
constexpr unsigned COLLECT_STEPS = 4 * HOUSEKEEPING_STEPS;
constexpr unsigned ASKED_MOST = 64;
constexpr unsigned TURNS_PER_CLOCK = 16;

/* The coarse clock is late by at most one tick of the kernel. A tick is 10 ms or less. */
constexpr uint64_t TICK_MOST_NS = 20 * base::NS_PER_MS;

/* Naps, while threads that wait run the device (ADR 0070).
 *
 * DOZE_NS: length of a nap. After it the thread polls for work that the callers left; once they stop coming,
 * it takes the device back.
 * EMPTY_NAPS: so many naps in a row without a caller and without work end in sleep. By one, a program that pauses for a
 * little longer than a nap would pay a kick after each pause.
 * RESTED_DOZE_NS: the first nap after a kick. The thread that kicked runs the device soon, or not at all. */
constexpr uint64_t DOZE_NS = 100000;
constexpr unsigned EMPTY_NAPS = 2;
constexpr uint64_t RESTED_DOZE_NS = 20000;

/* Devices that signal each other, where there are fewer CPUs than threads that poll: one thread moves them all
 * (Movers).
 *
 * MOVER_SIGNALS, MOVER_SIGNALS_NS: so many signals within this time make the thread of one device move the other one.
 * MOVED_DOZE_NS: a nap of a device that another thread moves.
 * MOVED_TURNS: the most turns of such a device in a row.
 * MOVED_ALONE_NS: a device for which engines have worked is not moved by another thread for so long. */
constexpr uint32_t MOVER_SIGNALS = 8;
constexpr uint64_t MOVER_SIGNALS_NS = 10 * base::NS_PER_MS;
constexpr uint64_t MOVED_DOZE_NS = base::NS_PER_MS;
constexpr unsigned MOVED_TURNS = 32;
constexpr uint64_t MOVED_ALONE_NS = 50 * base::NS_PER_MS;

/* Leaving the CPU of a thread that wakes the device: polling there would keep the producer off its CPU.
 *
 * SHARED_SOON_NS: a thread on the device's CPU that kicks twice within this time makes the device's thread move.
 * HOP_LEAST_NS, HOP_MOST_NS: the least time between two moves, each of which costs two system calls and cold
 * caches. It doubles from the one to the other while moves follow each other closely. */
constexpr uint64_t SHARED_SOON_NS = 10 * base::NS_PER_MS;
constexpr uint64_t HOP_LEAST_NS = base::NS_PER_MS;
constexpr uint64_t HOP_MOST_NS = 2 * base::NS_PER_MS;

/* A submit to a sleeping device may run it at once, instead of waking its thread.
 *
 * AT_ONCE_STEPS: the most turns in one such call.
 * AT_ONCE_APART_NS: the least time between two of them, so that submits stay short. */
constexpr unsigned AT_ONCE_STEPS = 16;
constexpr uint64_t AT_ONCE_APART_NS = 200000;

/* The step token: polls of a thread that wants it, then how long it sleeps before it polls again. */
constexpr unsigned TOKEN_LOOKS = 100;
constexpr uint64_t TOKEN_NAP_NS = 100000;

/* Waits for a word in memory: the first and the longest time between two looks. */
constexpr uint64_t FIRST_LOOK_NS = 10000;
constexpr uint64_t LAST_LOOK_NS = base::NS_PER_MS;

/* Long work goes to an engine.
 *
 * LONG_BYTES: work on this many bytes takes far longer than the wake-up of an engine's thread.
 * SHARED_BYTES: the same while several clients have work: such work takes about as long as a round trip.
 * SHARED_NS: after several clients had work at once, the device counts as shared for this time: a client without
 * work now may be waiting for an engine.
 * EXPLORED_BYTES: the pieces of a device that explores. Other commands may run between two pieces.
 * LONE_COPY_BYTES: a copy that is worth an engine even if no other client has work. The data of a smaller one
 * may be in the caches of this CPU. */
constexpr uint64_t LONG_BYTES = uint64_t{1} << 20;
constexpr uint64_t SHARED_BYTES = uint64_t{32} << 10;
constexpr uint64_t SHARED_NS = 100 * base::NS_PER_MS;
constexpr uint64_t EXPLORED_BYTES = uint64_t{64} << 10;
constexpr uint64_t LONE_COPY_BYTES = uint64_t{4} << 20;

} // namespace fw::tuning
