// SPDX-License-Identifier: MIT
/**
 * DOC: Traces of a process
 *
 * This file begins the traces that the environment asks for, and handles them in a forked child.
 */
#include "base/sync/ordering.h"
#include "drv/memory/pages_apart.h"
#include "hal/trace.h"
#include "notes.h"
#include "umd/core/process/process.h"
#include "umd/core/process/trace_control.h"
#include "umd/core/recorder/recorder.h"

namespace umd {

/* Fills the table of the observer. */
static void begin_observing()
{
	recorder::observe_streams();
	recorder::observe_events();
	recorder::observe_memory();
	recorder::observe_comparisons();
	recorder::observe_submits();
	recorder::observe_graphs();
	recorder::observe_kernels();
	base::store_release(recorder::observer.is_recording, uint32_t{1});
}

void Process::begin_traces()
{
	trace::begin_if_asked();
	recorder::Recorder::begin_if_asked();
	if (const recorder::Recorder *recorder = recorder::Recorder::get()) {
		begin_observing();
		if (recorder->host_checks() == recorder::HOST_DIGEST)
			drv::PagesApart::begin();
	}
}

void Process::leave_traces_in_fork()
{
	hal::trace::refuse_in_fork();
	recorder::Recorder::forget_in_fork();
}

} // namespace umd
