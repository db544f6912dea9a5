// SPDX-License-Identifier: MIT
/**
 * DOC: Tracing on demand
 */
#include "api.h"
#include "umd/core/process/process.h"
#include "umd/core/process/trace_control.h"

using base::Status;
using umd::Process;

unpu_result unpu_trace_begin(uint32_t entries)
{
	Status status = Process::begin_use();
	if (status == Status::OK)
		status = umd::trace::begin(entries);
	return umd::to_result(status);
}

unpu_result unpu_trace_end(void)
{
	Status status = Process::begin_use();
	if (status == Status::OK)
		umd::trace::end();
	return umd::to_result(status);
}

unpu_result unpu_trace_write(const char *path, uint64_t *overwritten)
{
	if (!path)
		return umd::to_result(umd::set_error(Status::NULL_POINTER, "path is NULL"));
	Status status = Process::begin_use();
	if (status == Status::OK)
		status = umd::trace::write(path, overwritten);
	return umd::to_result(status);
}
