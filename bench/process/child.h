// SPDX-License-Identifier: MIT
#pragma once

#include "harness/round.h"

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
	SPINNING, /* both poll, the device on another CPU */
	CALLERS,  /* the thread that waits runs the device */
	ONE_CPU,  /* host and device share one CPU */
	CALLERS_ONE_CPU,
	PROCESS,  /* the device is a firmware-sim of its own */
	START,	  /* from exec to the first result, the device inside */
	SPAWN,	  /* from exec to the first result, a firmware-sim of its own */
	ATTACH,	  /* from exec to the first result, a firmware-sim that runs already */
	IDLE,	  /* nothing, and what comes after it */
	RECORDED, /* calls that UNPU_SANITIZE records */
};

/* PARTS - all but the parent's. */
constexpr Part PARTS[] = {Part::BLOCKING,	 Part::SPINNING, Part::CALLERS, Part::ONE_CPU,
			  Part::CALLERS_ONE_CPU, Part::PROCESS,	 Part::START,	Part::SPAWN,
			  Part::ATTACH,		 Part::IDLE,	 Part::RECORDED};

/** part_name() - as --part takes it. */
const char *part_name(Part part);

/** run_child() - runs this program again for @part and adds what it measured. */
void run_child(Part part, const Effort &effort, Round &round);

/** measure_start() - the parts START, SPAWN and ATTACH, several times each. */
void measure_start(const Effort &effort, Round &round);

/** answer_parent() - the child's half: measures and writes to standard output.
 * @since_ns: when the parent started it */
int answer_parent(Part part, const Effort &effort, uint64_t since_ns);

} // namespace bench
