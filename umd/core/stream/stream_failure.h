// SPDX-License-Identifier: MIT
#pragma once

#include "stream.h"

namespace umd {

/** refusal() - for a stream with the bit REFUSES: why it refuses work now; OK if it accepts work. */
base::Status refusal(Stream &stream);

/** report_stop() - returns the failure at which the stream's context stopped, and sets its error message; or
 * returns OK. After this report the streams of the context refuse work. */
base::Status report_stop(Stream &stream);

/** keep_failure() - called when @stream ends: if it was the stream that failed, its context stays stopped. */
void keep_failure(const Stream &stream);

/** check_accepts() - whether the stream takes new work.
 * Return: OK; the failure at which its context stopped, if that was reported; DEVICE_ABORTED; sets the error
 * message. */
inline base::Status check_accepts(Stream &stream)
{
	if (!(stream.attention.load() & Stream::REFUSES)) [[likely]]
		return base::Status::OK;
	return refusal(stream);
}

/** report_failure() - returns the first failure of a task since the last report, and sets its error message;
 * or returns OK. */
base::Status report_failure(Stream &stream);

/** note_failure() - the failure of a task of @context that no synchronisation has reported and this function has not
 * returned before, or OK. A synchronisation still reports it. */
base::Status note_failure(Context &context);

/** report_end() - the result of a synchronisation after the stream's fence @tail has passed: an abort that
 * no call has reported yet, else report_failure(). */
base::Status report_end(Stream &stream, const drv::Fence &tail);

/** may_have_failed() - false if report_failure() and refusal() would certainly return OK. */
bool may_have_failed(const Stream &stream);

/** stream_aborted() - the failure of a synchronisation during which @stream was aborted. */
base::Status stream_aborted(const Stream &stream);

/** set_failure_mode() - @stop: after a failed task no stream of the context runs further tasks.
 * Return: NOT_SUPPORTED for another mode than an earlier call has set, and for streams that collect. */
base::Status set_failure_mode(Stream &stream, bool stop);

/** abort_stream() - drops the tasks of the stream, the running one included.
 * Return: INVALID_ARGUMENT for streams that collect, STREAM_CAPTURED, DEVICE_LOST. */
base::Status abort_stream(Stream &stream);

/** drop_running() - as abort_stream(), without its checks. @stream may also be a stream that collects, if it
 * runs a model. */
base::Status drop_running(Stream &stream);

/** stop_task() - makes the running task of the stream fail. A stream with DEVICE_USE_ONLY runs no task.
 * Return: as abort_stream(). */
base::Status stop_task(Stream &stream);

} // namespace umd
