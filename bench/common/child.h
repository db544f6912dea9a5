// SPDX-License-Identifier: MIT
#pragma once

#include "round.h"

namespace bench {

/**
 * enum class Part - what this process measures
 *
 * How a device waits is settled when it is opened, so what differs from the default runs in a
 * process of its own.
 */
enum class Part {
	ALL,	  /* the parent: everything, with the default device */
	BLOCKING, /* neither host nor device polls */
	ONE_CPU,  /* host and device share one CPU */
};

/** part_name() - as --part takes it. */
const char *part_name(Part part);

/** run_child() - runs this program again for @part and adds what it measured. */
void run_child(Part part, const Effort &effort, Round &round);

/** answer_parent() - the child's half: measures and writes to standard output. */
int answer_parent(Part part, const Effort &effort);

} // namespace bench
