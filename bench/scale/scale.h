// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <sys/types.h>

#include "harness/round.h"

namespace bench {

/** memory_of() - what a process has of the machine's memory, in bytes; pages that several mappings
 * share are counted once. */
double memory_of(pid_t process);

/** scaled_measure() - one point of a series over the number of objects.
 * @series: its key without the number, as "streams.submit"; the first point is the base of the rest
 * @title: of the series
 * @count: objects
 * @first: of the series */
Measure scaled_measure(const std::string &series, const std::string &title, unsigned count,
		       unsigned first, const Summary &summary);

/* Each of them is the whole work of a process, which begins with nothing. */

/** measure_streams() - calls on one of 1 to 4096 streams, while the others have nothing to do or stand
 * still, and on all of them by turns. */
void measure_streams(const Effort &effort, Round &round);

/** measure_scaled_events() - calls on one of up to a million events. */
void measure_scaled_events(const Effort &effort, Round &round);

/** measure_buffers() - an allocation and its end beside up to 100,000 others. */
void measure_buffers(const Effort &effort, Round &round);

/** measure_first_touch() - the first time that a program writes to memory, with pages made present ahead
 * and without, beside the second time. */
void measure_first_touch(const Effort &effort, Round &round);

/** measure_devices() - calls on one of up to 16 devices. */
void measure_devices(const Effort &effort, Round &round);

/** measure_graphs() - capture, instantiation and replay of up to a million nodes. */
void measure_graphs(const Effort &effort, Round &round);

/** measure_clients() - calls of one of up to 64 processes on one device. */
void measure_clients(const Effort &effort, Round &round);

/** measure_engines() - round trips of small tasks beside a stream that copies 64 MiB without end. */
void measure_engines(const Effort &effort, Round &round);

} // namespace bench
