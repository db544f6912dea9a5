// SPDX-License-Identifier: MIT
#pragma once

#include "umd/stream.h"

namespace umd {

/** refusal() - why a stream with REFUSES takes no work now, or OK. */
base::Status refusal(Stream &stream);

/** report_stop() - the failure that the stream's context stopped at, with its sentence, or OK. From then
 * on the streams of the context refuse work. */
base::Status report_stop(Stream &stream);

/** check_accepts() - whether the stream takes new work.
 * Return: the failure its context stopped at, once it was reported; DEVICE_ABORTED, with the sentence
 * set. */
inline base::Status check_accepts(Stream &stream)
{
	if (!(stream.attention.load() & Stream::REFUSES)) [[likely]]
		return base::Status::OK;
	return refusal(stream);
}

/** report_failure() - the first failure of a task since the last report, with its sentence. */
base::Status report_failure(Stream &stream);

/** report_end() - what a synchronisation says after the stream's fence @tail has passed: an abort
 * that nobody was told of, else report_failure(). */
base::Status report_end(Stream &stream, const drv::Fence &tail);

/** may_have_failed() - whether report_failure() or refusal() has something to tell. */
bool may_have_failed(const Stream &stream);

/** stream_aborted() - the failure of a synchronisation that met an abort of @stream. */
base::Status stream_aborted(const Stream &stream);

/** set_failure_mode() - @stop: once a task fails, no stream of the context runs further tasks.
 * Return: NOT_SUPPORTED for back again, and for streams that collect. */
base::Status set_failure_mode(Stream &stream, bool stop);

/** abort_stream() - drops the tasks of the stream, the running one included.
 * Return: INVALID_ARGUMENT for streams that collect, STREAM_CAPTURED, DEVICE_LOST. */
base::Status abort_stream(Stream &stream);

/** drop_running() - the same for whatever a stream runs; also one that collects, for its model. */
base::Status drop_running(Stream &stream);

/** stop_task() - ends the running task of the stream as a failure. A stream with DEVICE_USE_ONLY has none.
 * Return: as abort_stream(). */
base::Status stop_task(Stream &stream);

} // namespace umd
