// SPDX-License-Identifier: MIT
/*
 * DOC: Shapes that misuse handles
 *
 * One thread destroys an object that another thread uses. Calls may then fail, each with a code and
 * a sentence. No call may crash, hang or harm another object.
 */
#include "soak_shape.h"

#include <unistd.h>

#include <set>
#include <thread>

namespace soak {

namespace {

/* class Beside - a function that runs in a thread of its own until the end of the scope. */
class Beside {
public:
	explicit Beside(std::function<void()> once)
		: thread_([this, once = std::move(once)] {
			  while (!ends_.load())
				  once();
		  })
	{
	}
	~Beside()
	{
		ends_ = true;
		thread_.join();
	}
	Beside(const Beside &) = delete;
	Beside &operator=(const Beside &) = delete;

private:
	std::atomic<bool> ends_{false};
	std::thread thread_;
};

/* Handles that are alive at the same time are different. */
void check_distinct(Seat &seat)
{
	std::vector<aclrtEvent> events;
	std::set<aclrtEvent> seen;
	bool is_distinct = true;

	for (int i = 0; i < 100; i++) {
		aclrtEvent event = nullptr;
		if (aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC) != ACL_SUCCESS)
			break;
		events.push_back(event);
		is_distinct = is_distinct && seen.insert(event).second;
	}
	if (!is_distinct)
		seat.fault("two live events have the same handle");
	for (aclrtEvent event : events)
		(void)aclrtDestroyEvent(event);
}

} // namespace

/* Two threads destroy one handle at once: one of them is refused. */
void destroy_twice(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	for (int i = 0; i < 20 && !seat.stops(); i++) {
		const bool is_stream = seat.draw(0, 1);
		void *handle = nullptr;
		aclError other_code = ACL_SUCCESS;
		SOAK_TRY(is_stream ? aclrtCreateStream(&handle)
				   : aclrtCreateEventExWithFlag(&handle, ACL_EVENT_SYNC));
		const auto destroy = [&] {
			return is_stream ? aclrtDestroyStreamForce(handle)
					 : aclrtDestroyEvent(handle);
		};
		std::thread other([&] { other_code = destroy(); });
		const aclError code = destroy();
		other.join();
		if (code == ACL_SUCCESS && other_code == ACL_SUCCESS)
			seat.fault("two destroys of one handle succeeded");
	}
	check_distinct(seat);
}

/* One thread destroys a stream that others submit to, record on, query and wait for. */
void use_dying_stream(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	aclrtContext context = nullptr;
	const Memory memory(seat, 4096);
	const Event event(seat);
	std::atomic<aclrtStream> shared{nullptr};
	if (!memory || !event)
		return;
	SOAK_TRY(aclrtGetCurrentContext(&context));
	const Beside submitter([&] {
		(void)aclrtSetCurrentContext(context);
		if (aclrtStream stream = shared.load()) {
			(void)aclrtMemsetAsync(memory.get(), 4096, 1, 4096, stream);
			(void)aclrtRecordEvent(event, stream);
			(void)aclrtStreamWaitEvent(stream, event);
		}
	});
	const Beside looker([&] {
		aclrtStreamStatus status;
		(void)aclrtSetCurrentContext(context);
		if (aclrtStream stream = shared.load()) {
			(void)aclrtStreamQuery(stream, &status);
			(void)aclrtSynchronizeStreamWithTimeout(stream, 1);
		}
	});
	for (int i = 0; i < 50 && !seat.stops(); i++) {
		aclrtStream stream = nullptr;
		SOAK_TRY(aclrtCreateStream(&stream));
		shared = stream;
		usleep(static_cast<useconds_t>(seat.draw(0, 500)));
		SOAK_TRY(seat.draw(0, 1) ? aclrtDestroyStream(stream)
					 : aclrtDestroyStreamForce(stream));
	}
}

/* One thread destroys an event that another one records. The next event stays untouched. */
void use_dying_event(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	aclrtContext context = nullptr;
	const Stream stream(seat);
	const Stream setter(seat);
	const Event flag(seat, Event::Kind::FLAG);
	std::atomic<aclrtEvent> shared{nullptr};
	if (!stream || !setter || !flag)
		return;
	SOAK_TRY(aclrtGetCurrentContext(&context));
	SOAK_TRY(aclrtStreamWaitEvent(stream, flag));
	{
		const Beside recorder([&] {
			(void)aclrtSetCurrentContext(context);
			if (aclrtEvent event = shared.load())
				(void)aclrtRecordEvent(event, stream);
		});
		for (int i = 0; i < 200 && !seat.stops(); i++) {
			aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
			aclrtEvent event = nullptr;
			SOAK_TRY(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
			SOAK_TRY(aclrtQueryEventStatus(event, &status));
			if (status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
				seat.fault("an event that was never recorded is pending");
			shared = event;
			usleep(static_cast<useconds_t>(seat.draw(0, 50)));
			SOAK_TRY(aclrtDestroyEvent(event));
		}
		shared = nullptr;
	}
	SOAK_TRY(aclrtRecordEvent(flag, setter));
	SOAK_TRY(aclrtSynchronizeStream(stream));
}

/* The device is reset by force while others submit, capture, copy and query. */
void reset_by_force(Seat &seat)
{
	usleep(static_cast<useconds_t>(seat.draw(0, 50000)));
	SOAK_TRY(aclrtSetDevice(seat.device()));
	usleep(static_cast<useconds_t>(seat.draw(0, 50000)));
	SOAK_TRY(aclrtResetDeviceForce(seat.device()));
}

/* The library is finalized while others use it, and initialised again. */
void finalize_all(Seat &seat)
{
	usleep(static_cast<useconds_t>(seat.draw(0, 200000)));
	SOAK_TRY(aclFinalize());
	SOAK_TRY(aclInit(nullptr));
}

} // namespace soak
