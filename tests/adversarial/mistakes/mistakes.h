/* SPDX-License-Identifier: MIT */
#pragma once

#include <acl/acl.h>

#include <cstddef>

/* Prints the sentence of a call that failed, as a program would. Returns whether it failed. */
bool tell(const char *call, aclError status);
#define TELL(call) tell(#call, (call))

/* What the mistake needs has to work: else the program ends with 3. */
void need(const char *call, aclError status);
#define NEED(call) need(#call, (call))

/* aclInit() and device 0. */
void begin();
aclrtStream make_stream();
void *make_memory(size_t bytes);

/* struct Mistake - a small program. Those that hang are ended from outside. */
struct Mistake {
	const char *name;
	void (*run)();
};

/* The programs of one file, up to one without a name. */
extern const Mistake memory_mistakes[];
extern const Mistake stream_mistakes[];
extern const Mistake wait_mistakes[];
extern const Mistake other_mistakes[];
extern const Mistake model_mistakes[];
extern const Mistake picture_mistakes[];
