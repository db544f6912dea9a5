// SPDX-License-Identifier: MIT
/**
 * DOC: What a program tells the sanitizer
 */
#include "unpu/sanitizer.h"

#include <cstddef>

#include "umd/core/process/mode.h"
#include "umd/core/record/observer.h"
#include "umd/core/recorder/recorder.h"

using umd::recorder::Recorder;
using umd::recorder::ReportedStack;

static_assert(sizeof(unpu_san_stack) == sizeof(ReportedStack));
static_assert(offsetof(unpu_san_stack, key) == offsetof(ReportedStack, key));
static_assert(offsetof(unpu_san_stack, frames) == offsetof(ReportedStack, frames));

int unpu_san_records(void)
{
	return umd::recorder::is_on() || umd::check::is_on();
}

const unpu_san_stack *unpu_san_set_stack(const unpu_san_stack *stack)
{
	const ReportedStack *&mine = ReportedStack::mine();
	const ReportedStack *before = mine;
	mine = reinterpret_cast<const ReportedStack *>(stack);
	return reinterpret_cast<const unpu_san_stack *>(before);
}

void unpu_san_mark(const char *part)
{
	Recorder::mark_now(part ? part : "");
}

void unpu_san_acquire(const void *address, size_t bytes)
{
	umd::recorder::observer.note_acquire(address, bytes);
}
