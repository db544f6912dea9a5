// SPDX-License-Identifier: MIT
/*
 * DOC: Shapes with captured models
 */
#include "soak_shape.h"

#include <unistd.h>

#include <thread>

namespace soak {

namespace {

/* class Model - what a function captures into a stream, until the end of the scope. */
class Model {
public:
	Model(Seat &seat, aclrtStream stream, const std::function<void()> &record) : seat_(seat)
	{
		if (!seat.check(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED),
				"aclmdlRICaptureBegin"))
			return;
		record();
		if (!seat.check(aclmdlRICaptureEnd(stream, &model_), "aclmdlRICaptureEnd"))
			model_ = nullptr;
	}
	~Model()
	{
		if (model_)
			seat_.check(aclmdlRIDestroy(model_), "aclmdlRIDestroy");
	}
	Model(const Model &) = delete;
	Model &operator=(const Model &) = delete;
	explicit operator bool() const { return model_ != nullptr; }
	operator aclmdlRI() const { return model_; }

private:
	Seat &seat_;
	aclmdlRI model_ = nullptr;
};

void fill(Seat &seat, const Memory &memory, unsigned char value, aclrtStream stream)
{
	SOAK_TRY(aclrtMemsetAsync(memory.get(), memory.bytes(), value, memory.bytes(), stream));
}

} // namespace

/* Captures of several threads do not disturb each other, and replays give the captured results. */
void capture_alone(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const Memory memory(seat, 16 << 10);
	const Stream stream(seat);
	const Stream side(seat);
	const Event fork(seat);
	const Event join(seat);
	if (!memory || !stream || !side || !fork || !join)
		return;

	for (int i = 0; i < 10 && !seat.stops(); i++) {
		const auto value = static_cast<unsigned char>(seat.draw(0, 255));
		const Model model(seat, stream, [&] {
			fill(seat, memory, static_cast<unsigned char>(~value), stream);
			SOAK_TRY(aclrtRecordEvent(fork, stream));
			SOAK_TRY(aclrtStreamWaitEvent(side, fork));
			fill(seat, memory, value, side);
			SOAK_TRY(aclrtRecordEvent(join, side));
			SOAK_TRY(aclrtStreamWaitEvent(stream, join));
		});
		if (!model)
			return;
		for (uint64_t k = seat.draw(1, 5); k > 0; k--) {
			fill(seat, memory, 0, stream);
			SOAK_TRY(aclmdlRIExecuteAsync(model, stream));
		}
		SOAK_TRY(aclrtSynchronizeStream(stream));
		if (!holds_only(seat, memory, value))
			return;
	}
}

/* Two threads execute one model on streams of their own. Its destruction waits for both. */
void share_model(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	aclrtContext context = nullptr;
	const Memory memory(seat, 4096);
	const Stream origin(seat);
	const Stream first(seat);
	const Stream second(seat);
	const Stream setter(seat);
	const Event flag(seat, Event::Kind::FLAG);
	if (!memory || !origin || !first || !second || !setter || !flag)
		return;
	SOAK_TRY(aclrtGetCurrentContext(&context));

	for (int i = 0; i < 10 && !seat.stops(); i++) {
		aclError codes[5] = {};
		std::thread later;
		SOAK_TRY(aclrtResetEvent(flag, setter));
		SOAK_TRY(aclrtSynchronizeStream(setter));
		{
			const Model model(seat, origin, [&] { fill(seat, memory, 1, origin); });
			if (!model)
				return;
			SOAK_TRY(aclrtStreamWaitEvent(second, flag));
			std::thread other([&] {
				codes[0] = aclrtSetCurrentContext(context);
				codes[1] = aclmdlRIExecuteAsync(model, second);
			});
			codes[2] = aclmdlRIExecuteAsync(model, first);
			other.join();
			/* The model is destroyed while one of its executions waits for the flag. */
			later = std::thread([&, delay = seat.draw(0, 3000)] {
				usleep(static_cast<useconds_t>(delay));
				codes[3] = aclrtSetCurrentContext(context);
				codes[4] = aclrtRecordEvent(flag, setter);
			});
		}
		later.join();
		for (const aclError code : codes)
			SOAK_TRY(code);
		SOAK_TRY(aclrtSynchronizeStream(second));
		SOAK_TRY(aclrtSynchronizeStream(first));
	}
}

/* A stream of a model is full, and its first task waits for a flag. Calls that need the stream's end
 * neither block nor keep other threads from making streams. */
void query_gated_stream(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const Memory memory(seat, 4096);
	const Stream origin(seat);
	const Stream full(seat);
	const Event fork(seat);
	const Event join(seat);
	const Event flag(seat, Event::Kind::FLAG);
	if (!memory || !origin || !full || !fork || !join || !flag)
		return;
	const Model model(seat, origin, [&] {
		fill(seat, memory, 1, origin);
		SOAK_TRY(aclrtRecordEvent(fork, origin));
		SOAK_TRY(aclrtStreamWaitEvent(full, fork));
		fill(seat, memory, 2, full);
		SOAK_TRY(aclrtRecordEvent(join, full));
		SOAK_TRY(aclrtStreamWaitEvent(origin, join));
	});
	if (!model)
		return;

	SOAK_TRY(aclrtStreamWaitEvent(full, flag));
	for (int i = 0; i < 1023; i++)
		fill(seat, memory, 3, full);
	SOAK_TRY(aclmdlRIExecuteAsync(model, origin));
	aclrtStreamStatus status;
	SOAK_TRY(aclrtStreamQuery(full, &status));
	seat.expect(status == ACL_STREAM_STATUS_NOT_READY,
		    "a stream whose flag is not set was complete");
	aclError code = aclrtSynchronizeStreamWithTimeout(full, 5);
	seat.expect(code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
		    "a wait with a limit did not end by it");
	code = synchronise_device(5, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
	seat.expect(code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
		    "a wait for the device with a limit did not end by it");
	const Stream setter(seat);
	if (!setter)
		return;
	SOAK_TRY(aclrtRecordEvent(flag, setter));
	SOAK_TRY(aclrtSynchronizeStream(origin));
	SOAK_TRY(aclrtSynchronizeStream(full));
}

} // namespace soak
