// SPDX-License-Identifier: MIT
/**
 * DOC: Call history of handles
 *
 * Another thread may destroy an object, or the stream of an event's record, while this code describes
 * it. For streams that the call itself does not use, it therefore reads only the history that is kept
 * here and counters of the device.
 */
#include "history.h"

#include <cstring>
#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <unistd.h>

#include "base/sync/mutex.h"
#include "drv/device.h"
#include "thread.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/stream.h"

namespace umd::cuda {

namespace {

/* A call that used a stream. The packets of the call come after packet @after. */
struct Use {
	uint64_t after;
	CallName call;
};

struct HandleRecord {
	CallName made;
	CallName recorded;
	uint64_t stream = 0; /* handle of the stream that the event's record was made in */
	CallName joined;
	CallName left;
	CallName destroyed;
	std::deque<Use> uses;
};

/* Number of destroyed handles whose history is kept. */
constexpr size_t GONE = 4096;

struct History {
	base::Mutex mutex{"History::mutex"};
	uint64_t calls GUARDED_BY(mutex) = 0;
	std::unordered_map<uint64_t, HandleRecord> records GUARDED_BY(mutex);
	std::deque<uint64_t> gone GUARDED_BY(mutex);
};

History &history()
{
	return Process::own<History>();
}

/* In the header, newer versions of a function, and versions for the thread's own stream, have other symbols.
 * This removes their suffixes. */
std::string_view name_in_source(std::string_view symbol)
{
	for (const char *form : {"_ptds", "_ptsz"}) {
		if (symbol.ends_with(form))
			symbol.remove_suffix(strlen(form));
	}
	const size_t version = symbol.rfind("_v");
	return version == symbol.npos ? symbol : symbol.substr(0, version);
}

std::string text(const CallName &call)
{
	return fmt::format("{} (call {}, thread {})", name_in_source(call.name), call.number,
			   call.thread);
}

std::string since(const CallName &call)
{
	return call.name ? ", since " + text(call) : "";
}

/* Names the call that submitted the first unfinished packet. */
std::string busy_since(const HandleRecord &record, uint64_t done)
{
	CallName call;
	for (const Use &use : record.uses) {
		if (use.after <= done)
			call = use.call;
	}
	return since(call);
}

std::string stream_state(const HandleRecord &record, const Stream *stream)
{
	if (!stream || !stream->context)
		return record.destroyed.name ? "was destroyed" + since(record.destroyed)
		       : record.made.name    ? "lost its context" + since(record.made)
					     : "is none that was made here";
	if (capturing(*stream))
		return "captures" + since(record.joined);
	if (record.left.name)
		return fmt::format("captured{} until {}", since(record.joined), text(record.left));
	drv::Fence last = stream->channel->last();
	uint64_t done = stream->context->device().value(last.sem);
	if (done >= last.value)
		return "has nothing to do";
	return fmt::format("has done {} of {} packets{}", done, last.value,
			   busy_since(record, done));
}

std::string pending_state(History &all, const HandleRecord &record, const Event &event)
	REQUIRES(all.mutex)
{
	const drv::Fence fence = event.record.fence();
	const DeviceHold device = event.device.hold();
	if (!device || device->done(fence))
		return "is recorded, and the record is done" + since(record.recorded);
	uint64_t done = device->value(fence.sem);
	std::string state = fmt::format("marks packet {} of a stream that has done {}{}",
					fence.value, done, since(record.recorded));
	auto stream = all.records.find(record.stream);
	if (stream != all.records.end())
		state += fmt::format("; stream {:#x} is busy{}", record.stream,
				     busy_since(stream->second, done));
	return state;
}

std::string event_state(History &all, const HandleRecord &record, const Event *event)
	REQUIRES(all.mutex)
{
	if (!event)
		return record.destroyed.name ? "was destroyed" + since(record.destroyed)
					     : "is none that was made here";
	if (event->capture.load())
		return "is part of a capture" + since(record.recorded);
	if (event->is_last_captured.load())
		return "was part of a capture that has ended" + since(record.recorded);
	if (is_ipc(*event))
		return "is shared by processes" +
		       since(record.recorded.name ? record.recorded : record.made);
	if (!event->record.recorded())
		return "has no record" + since(record.made);
	return pending_state(all, record, *event);
}

std::string handle_state(History &all, uint64_t handle) REQUIRES(all.mutex)
{
	const auto *pointer = reinterpret_cast<const void *>(handle);
	const HandleRecord &record = all.records[handle];
	switch (static_cast<Kind>(handle >> 56)) {
	case Kind::STREAM:
		return fmt::format("stream {:#x} {}", handle,
				   stream_state(record, Stream::table().get(pointer)));
	case Kind::EVENT:
		return fmt::format("event {:#x} {}", handle,
				   event_state(all, record, Event::table().get(pointer)));
	default:
		return fmt::format("{:#x} is no handle of an event or a stream", handle);
	}
}

bool is_about_handles(CUresult code)
{
	return code == CUDA_ERROR_INVALID_HANDLE || code == CUDA_ERROR_NOT_READY ||
	       (code >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
		code <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
}

CallName &place_of(HandleRecord &record, Action action)
{
	switch (action) {
	case Action::MADE:
		return record.made;
	case Action::RECORDED:
		return record.recorded;
	case Action::JOINED:
		return record.joined;
	case Action::LEFT:
		return record.left;
	case Action::DESTROYED:
		break;
	}
	return record.destroyed;
}

} // namespace

void begin_call(const char *name)
{
	ThreadCall &mine = thread_objects().call;
	History &all = history();
	std::lock_guard lock(all.mutex);
	mine.name = {name, ++all.calls, gettid()};
	mine.handles.clear();
}

void mention_handle(uint64_t handle)
{
	auto &handles = thread_objects().call.handles;
	for (uint64_t known : handles) {
		if (known == handle)
			return;
	}
	if (handle != 0)
		handles.push_back(handle);
}

void note_action(uint64_t handle, Action action, uint64_t stream)
{
	History &all = history();
	std::lock_guard lock(all.mutex);
	HandleRecord &record = all.records[handle];
	place_of(record, action) = thread_objects().call.name;
	if (action == Action::RECORDED)
		record.stream = stream;
	if (action == Action::JOINED)
		record.left = {};
	if (action != Action::DESTROYED)
		return;
	all.gone.push_back(handle);
	if (all.gone.size() > GONE) {
		all.records.erase(all.gone.front());
		all.gone.pop_front();
	}
}

void note_use(const Stream &stream)
{
	mention_handle(stream.handle);
	drv::Fence last = stream.channel->last();
	uint64_t done = stream.context->device().value(last.sem);
	History &all = history();
	std::lock_guard lock(all.mutex);
	auto &uses = all.records[stream.handle].uses;
	while (uses.size() > 1 && uses[1].after <= done)
		uses.pop_front();
	/* The last call submitted no packet, so this call replaces it. */
	if (!uses.empty() && uses.back().after == last.value)
		uses.pop_back();
	uses.push_back({last.value, thread_objects().call.name});
}

void note_joined(const Stream &stream)
{
	bool captures = capturing(stream);
	{
		History &all = history();
		std::lock_guard lock(all.mutex);
		const HandleRecord &record = all.records[stream.handle];
		if (!captures || (record.joined.name && !record.left.name))
			return;
	}
	note_action(stream.handle, Action::JOINED, 0);
}

std::string call_text()
{
	return text(thread_objects().call.name);
}

std::string story(CUresult code)
{
	if (!is_about_handles(code))
		return "";
	const ThreadCall &mine = thread_objects().call;
	std::string told = text(mine.name);
	History &all = history();
	std::lock_guard lock(all.mutex);
	for (uint64_t handle : mine.handles)
		told += (handle == mine.handles.front() ? ": " : "; ") + handle_state(all, handle);
	return told;
}

} // namespace umd::cuda
