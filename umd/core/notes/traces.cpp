// SPDX-License-Identifier: MIT
/**
 * DOC: Traces of a process
 *
 * This file begins the traces that the environment asks for, and handles them in a forked child.
 */
#include "hal/trace.h"
#include "umd/core/process/process.h"
#include "umd/core/process/trace_control.h"
#include "umd/core/record/recorder.h"

namespace umd {

void Process::begin_traces()
{
	trace::begin_if_asked();
	recorder::Recorder::begin_if_asked();
}

void Process::leave_traces_in_fork()
{
	hal::trace::refuse_in_fork();
	recorder::Recorder::forget_in_fork();
}

} // namespace umd
