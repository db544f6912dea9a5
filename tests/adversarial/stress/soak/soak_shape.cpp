// SPDX-License-Identifier: MIT
/*
 * DOC: Shape
 *
 * The table of shapes, and what the rounds share.
 */
#include "soak_shape.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <utility>

namespace soak {

namespace {

/* A stream that a program only queries has to be done within this time. */
constexpr uint64_t kPatienceMs = 30000;

int64_t now_ms()
{
	return std::chrono::duration_cast<std::chrono::milliseconds>(
		       Clock::now().time_since_epoch())
		.count();
}

const char *sentence()
{
	const char *text = aclGetRecentErrMsg();

	return text ? text : "";
}

} // namespace

const std::vector<Shape> &shapes()
{
	static const std::vector<Shape> table = {
		{"copy_and_query", copy_and_query, false, false, 1},
		{"wait_with_limits", wait_with_limits, false, false, 1},
		{"use_events", use_events, false, false, 1},
		{"make_streams", make_streams, false, false, 1},
		{"copy_now", copy_now, false, false, 2},
		{"run_host_functions", run_host_functions, false, false, 1},
		{"cycle_device", cycle_device, false, false, 2},
		{"allocate", allocate, false, false, 1},
		{"free_after_reset", free_after_reset, false, true, 1},
		{"handle_faults", handle_faults, false, false, 1},
		{"fork_children", fork_children, false, false, 1},
		{"capture_alone", capture_alone, false, false, 1},
		{"share_model", share_model, false, false, 1},
		{"query_gated_stream", query_gated_stream, false, false, 1},
		{"destroy_twice", destroy_twice, true, false, 1},
		{"use_dying_stream", use_dying_stream, true, false, 1},
		{"use_dying_event", use_dying_event, true, false, 1},
		{"reset_by_force", reset_by_force, true, false, 1},
		{"finalize_all", finalize_all, true, false, 1},
	};
	return table;
}

bool Seat::check(aclError code, const char *call)
{
	if (code == ACL_SUCCESS)
		return true;
	if (episode_.has_misuse) {
		episode_.refusals++;
		return false;
	}
	fault(std::string(call) + " -> " + std::to_string(code) + " " + sentence());
	return false;
}

bool Seat::expect(bool good, const char *what)
{
	if (!good && !episode_.has_misuse)
		fault(what);
	return good;
}

void Seat::fault(const std::string &what)
{
	if (episode_.faults.fetch_add(1) < 10)
		fprintf(stderr, "fault: %s on device %d: %s\n", shape_, device_, what.c_str());
}

void Seat::begin_round()
{
	begun_ms_ = now_ms();
	episode_.rounds++;
}

uint64_t Seat::round_age_ms() const
{
	const int64_t begun = begun_ms_.load();

	return begun ? static_cast<uint64_t>(now_ms() - begun) : 0;
}

DeviceUse::DeviceUse(Seat &seat)
	: seat_(seat), is_set_(seat.check(aclrtSetDevice(seat.device()), "aclrtSetDevice"))
{
}

DeviceUse::~DeviceUse()
{
	if (is_set_)
		seat_.check(aclrtResetDevice(seat_.device()), "aclrtResetDevice");
}

Stream::Stream(Seat &seat) : seat_(seat)
{
	if (!seat.check(aclrtCreateStream(&stream_), "aclrtCreateStream"))
		stream_ = nullptr;
}

Stream::~Stream()
{
	if (stream_)
		seat_.check(aclrtDestroyStream(stream_), "aclrtDestroyStream");
}

aclrtStream Stream::release()
{
	return std::exchange(stream_, nullptr);
}

Event::Event(Seat &seat, Kind kind) : seat_(seat)
{
	const uint32_t flags =
		kind == Kind::TIME ? ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE : ACL_EVENT_SYNC;
	const aclError code = kind == Kind::FLAG ? aclrtCreateEventWithFlag(&event_, flags)
						 : aclrtCreateEventExWithFlag(&event_, flags);

	if (!seat.check(code, "aclrtCreateEvent"))
		event_ = nullptr;
}

Event::~Event()
{
	if (event_)
		seat_.check(aclrtDestroyEvent(event_), "aclrtDestroyEvent");
}

Memory::Memory(Seat &seat, size_t bytes) : seat_(seat), bytes_(bytes)
{
	if (!seat.check(aclrtMalloc(&address_, bytes, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc"))
		address_ = nullptr;
}

Memory::~Memory()
{
	if (address_)
		seat_.check(aclrtFree(address_), "aclrtFree");
}

bool await_stream(Seat &seat, aclrtStream stream)
{
	const auto end = Clock::now() + std::chrono::milliseconds(kPatienceMs);

	for (;;) {
		aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;

		if (!seat.check(aclrtStreamQuery(stream, &status), "aclrtStreamQuery"))
			return false;
		if (status == ACL_STREAM_STATUS_COMPLETE)
			return true;
		if (Clock::now() > end) {
			seat.fault("a stream that is only queried is still busy after 30 s");
			return false;
		}
		usleep(200);
	}
}

aclError synchronise_device(int32_t timeout_ms, aclError refused)
{
	const aclError code = aclrtSynchronizeDeviceWithTimeout(timeout_ms);

	return code == ACL_ERROR_RT_STREAM_CAPTURED ? refused : code;
}

bool holds_only(Seat &seat, const Memory &memory, unsigned char value)
{
	std::vector<unsigned char> host(memory.bytes(), static_cast<unsigned char>(~value));

	if (!seat.check(aclrtMemcpy(host.data(), host.size(), memory.get(), host.size(),
				    ACL_MEMCPY_DEVICE_TO_HOST),
			"aclrtMemcpy to the host"))
		return false;
	/* Each byte equals the next one, and the first is right. */
	return seat.expect(host.front() == value &&
				   memcmp(host.data(), host.data() + 1, host.size() - 1) == 0,
			   "device memory holds a wrong value");
}

} // namespace soak
