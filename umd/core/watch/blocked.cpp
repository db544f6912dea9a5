// SPDX-License-Identifier: MIT
/**
 * DOC: What a stream waits for
 *
 * The oldest unfinished packet in a stream's ring tells what the stream waits for. The packet is still in the
 * ring, so the host can read it without a request to the device. From the semaphore of the packet the host
 * finds the event, the record of the event, and the stream of that record, which may itself wait.
 */
#include "blocked.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/handle/held.h"
#include "umd/core/object/event_object.h"
#include "umd/core/process/call.h"
#include "umd/core/process/collective.h"
#include "umd/core/process/opcode.h"
#include "umd/core/process/words.h"

namespace umd {

using drv::Fence;

namespace {

/* The most streams that a message names. */
constexpr unsigned MOST_STREAMS = 4;

/* class Explainer - makes one message. */
class Explainer {
public:
	explicit Explainer(OpenDevice &open) : open_(open), device_(*open.device) {}

	Blocked explain(const Fence &fence)
	{
		Blocked found;
		found.sentence = stream(fence);
		found.wake_source = found.sentence.empty() ? WakeSource::DONE : wake_source_;
		found.cookie = cookie_;
		return found;
	}

private:
	std::string stream(const Fence &fence);
	std::string what(const drv::OpenTask &task);
	std::string semaphore(const unpu_sem_wait &wait);
	std::string event(const Event &event);
	std::string record(const Event &event);
	std::string notify(uint64_t handle, const unpu_sem_wait &wait);
	const void *recorded_at(const Fence &fence);
	std::string fence(const Fence &fence);

	OpenDevice &open_;
	drv::Device &device_;
	std::vector<uint32_t> seen_; /* timelines of the streams that the message names already */
	WakeSource wake_source_ = WakeSource::WORKS;
	uint64_t cookie_ = 0;
};

std::string task_name(const drv::OpenTask &task)
{
	const auto call = static_cast<Call>(drv::decode_cookie(task.packet.cookie).call);
	return fmt::format("task {} of stream {} ({})", task.index, task.channel, call_name(call));
}

std::string wanted_word(const unpu_value_wait &wait)
{
	const auto is = [op = wait.op] {
		switch (op) {
		case UNPU_VALUE_EQ:
			return "is";
		case UNPU_VALUE_AND:
			return "has a bit of";
		case UNPU_VALUE_NOR:
			return "has a bit 0 that is also 0 in";
		default:
			return "is at least";
		}
	};
	return fmt::format(" waits until the word at {:#x} {} {:#x}", wait.address, is(),
			   wait.value);
}

const void *pointer(uint64_t handle)
{
	return reinterpret_cast<const void *>(handle);
}

std::string Explainer::stream(const Fence &fence)
{
	if (device_.done(fence) || seen_.size() == MOST_STREAMS)
		return {};
	const auto task = device_.oldest_task(fence.sem);
	if (!task)
		return {};
	if (std::find(seen_.begin(), seen_.end(), fence.sem) != seen_.end()) {
		wake_source_ = WakeSource::CALLER;
		return fmt::format("stream {} again, so the streams wait for each other",
				   task->channel);
	}
	seen_.push_back(fence.sem);
	return task_name(*task) + what(*task);
}

std::string Explainer::what(const drv::OpenTask &task)
{
	switch (opcode_row(task.packet).ended_by) {
	case EndedBy::SEMAPHORE:
		if (is_collective(drv::decode_cookie(task.packet.cookie).call)) {
			wake_source_ = WakeSource::RANKS;
			return " waits for other ranks";
		}
		return " waits for " + semaphore(task.packet.wait);
	case EndedBy::WORD:
		wake_source_ = WakeSource::WAITS;
		return wanted_word(task.packet.value_wait);
	case EndedBy::PROGRAM:
		wake_source_ = WakeSource::WAITS;
		if (drv::decode_cookie(task.packet.cookie).call ==
		    static_cast<uint8_t>(Call::CALLBACK))
			return fmt::format(" waits for a function of the program, which {} has not "
					   "run, or which has not returned",
					   name_of_word("$process_report"));
		return " waits for a function of the program, which has not returned";
	case EndedBy::KERNEL:
		wake_source_ = WakeSource::KERNEL;
		cookie_ = task.packet.cookie;
		return " is a kernel of the program that has not ended";
	case EndedBy::TASKS:
		wake_source_ = WakeSource::WAITS;
		return " runs tasks of a model that have not ended";
	case EndedBy::DEVICE:
		break;
	}
	wake_source_ = WakeSource::WORKS;
	return " has not ended";
}

std::string Explainer::semaphore(const unpu_sem_wait &wait)
{
	const uint64_t user = open_.users.find(wait.sem);
	wake_source_ = WakeSource::WAITS;
	if (const Held<Event> found{Event::table(), pointer(user)})
		return event(*found);
	if (user >> 56 == static_cast<uint8_t>(Kind::EVENT)) {
		wake_source_ = WakeSource::CALLER;
		return fmt::format("event {}, which was destroyed before a record of it has run",
				   pointer(user));
	}
	if (user != 0)
		return notify(user, wait);
	return fence({wait.sem, wait.value});
}

std::string Explainer::record(const Event &event)
{
	const Fence last = event.record.fence();
	const auto place = device_.place_of(last);
	const std::string where =
		place ? fmt::format("{} as task {} of stream {}", name_of_word("$record_event"),
				    place->index, place->channel)
		      : std::string(name_of_word("$record_event"));
	if (device_.done(last)) {
		wake_source_ = WakeSource::CALLER;
		return fmt::format(", which was reset after its last record ({})", where);
	}
	const std::string before = stream(last);
	return fmt::format(", whose last record ({}) has not run{}{}", where,
			   before.empty() ? "" : ": ", before);
}

std::string Explainer::event(const Event &event)
{
	std::string text = fmt::format("event {}", pointer(event.handle.now()));
	if (event.is_in_model.load())
		return text + ", whose last record is a task of a model";
	if (event.record.recorded())
		return text + record(event);
	wake_source_ = WakeSource::CALLER;
	return text + ", which no call has recorded";
}

std::string Explainer::notify(uint64_t handle, const unpu_sem_wait &wait)
{
	const uint64_t now = device_.value(wait.sem);
	const bool is_counter = handle >> 56 == static_cast<uint8_t>(Kind::COUNTER);
	return fmt::format("{} {}, which is {}", is_counter ? "counter" : "notify", pointer(handle),
			   now);
}

/* The event whose latest record is @fence; nullptr if there is none. */
const void *Explainer::recorded_at(const Fence &fence)
{
	const void *handle = Event::table().find_handle([&](const Event &event) {
		const Fence last = event.record.narrow_fence();
		return last.sem == fence.sem && last.value == fence.value;
	});
	const Held<Event> event(Event::table(), handle);
	return event && event->device.is(open_) ? handle : nullptr;
}

/* Describes a fence that tasks of a stream signal, or of another device or process. */
std::string Explainer::fence(const Fence &fence)
{
	const auto place = device_.place_of(fence);
	if (!place)
		return fmt::format("semaphore {}, which is {} and not yet {}", fence.sem,
				   device_.value(fence.sem), fence.value);
	const void *handle = recorded_at(fence);
	std::string text =
		handle ? fmt::format("event {}, recorded by {} behind task {} of stream {}", handle,
				     name_of_word("$record_event"), place->index, place->channel)
		       : fmt::format("task {} of stream {}", place->index, place->channel);
	const std::string before = stream(fence);
	return text + (before.empty() ? "" : ": ") + before;
}

} // namespace

Blocked blocked_by(OpenDevice &open, const Fence &fence)
{
	return Explainer(open).explain(fence);
}

std::string blocked_sentence(OpenDevice &open, const Fence &fence)
{
	const std::string sentence = blocked_by(open, fence).sentence;
	return sentence.empty() ? sentence : "; " + sentence;
}

} // namespace umd
