// SPDX-License-Identifier: MIT
/**
 * DOC: Report threads
 *
 * A thread of the program can run a stream's functions instead of the runtime's callback thread. When a
 * stream reaches a function, the callback thread gets the call from the device and queues it for the
 * program's thread. That thread runs it in process(); then the stream continues.
 */
#include "report_threads.h"

#include <fmt/format.h>
#include <pthread.h>

#include "drv/device.h"
#include "stream.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;

/* How long a thread sleeps before it checks that the device is alive, or steps a stepped device. */
static constexpr uint64_t IDLE_LOOK_NS = base::NS_PER_S / 2;
static constexpr uint64_t STEP_NS = base::NS_PER_MS / 2;

static Status taken(const Stream &stream)
{
	return set_error(Status::STREAM_SUBSCRIBED,
			 fmt::format("stream {} has a thread for its functions already; "
				     "unsubscribe that one first",
				     stream.id));
}

Result<ReportThreads::MemberPtr> ReportThreads::join(uint64_t thread, const Stream &stream,
						     Scheme scheme)
{
	auto &threads = threads_of(scheme);
	auto found = threads.find(thread);
	if (found != threads.end()) {
		if (found->second->device.is(*stream.context->open))
			return found->second;
		return set_error(Status::THREAD_SUBSCRIBED,
				 "the thread runs functions of streams on another device; use a "
				 "thread for each device");
	}
	if (threads.size() == MAX_THREADS)
		return set_error(Status::INTERNAL,
				 fmt::format("{} threads run functions of streams, which is the "
					     "most; unsubscribe all streams of one of them",
					     MAX_THREADS));
	auto member = std::make_shared<Member>();
	member->thread = thread;
	member->device = DeviceRef(*stream.context->open);
	threads.emplace(thread, member);
	return member;
}

Status ReportThreads::subscribe(uint64_t thread, Stream &stream, Scheme scheme)
{
	std::lock_guard lock(mutex_);
	if (streams_of(scheme).count(stream.serial))
		return taken(stream);
	auto member = TRY(join(thread, stream, scheme));
	member->streams++;
	streams_of(scheme).emplace(stream.serial, member);
	stream.has_threads = true;
	return Status::OK;
}

/* Unsubscribes a stream from its thread. Return: the tokens of the functions that will not run. */
std::vector<uint64_t> ReportThreads::leave(Scheme scheme, Streams::iterator entry)
{
	MemberPtr member = entry->second;
	uint64_t stream = entry->first;
	std::vector<uint64_t> tokens;
	std::erase_if(member->pending, [&](const Delivery &delivery) {
		if (delivery.stream == stream)
			tokens.push_back(delivery.token);
		return delivery.stream == stream;
	});
	streams_of(scheme).erase(entry);
	if (--member->streams == 0)
		threads_of(scheme).erase(member->thread);
	member->changed.ring();
	return tokens;
}

static void let_go(const Stream &stream, const std::vector<uint64_t> &tokens)
{
	for (uint64_t token : tokens)
		stream.context->open->calls.finish(token);
}

Status ReportThreads::unsubscribe(uint64_t thread, Stream &stream, Scheme scheme)
{
	std::unique_lock lock(mutex_);
	auto found = streams_of(scheme).find(stream.serial);
	if (found == streams_of(scheme).end())
		return set_error(Status::STREAM_SUBSCRIBED,
				 fmt::format("stream {} has no thread for its functions; "
					     "$subscribe_report gives it one",
					     stream.id));
	if (found->second->thread != thread)
		return set_error(Status::THREAD_SUBSCRIBED,
				 fmt::format("another thread runs the functions of stream {}; "
					     "unsubscribe it with the id of that thread",
					     stream.id));
	MemberPtr member = found->second;
	uint64_t handle = stream.serial;
	auto tokens = leave(scheme, found);
	/* A function that unsubscribes its own stream must not wait for itself. */
	if (thread != static_cast<uint64_t>(pthread_self()))
		while (member->running == handle)
			member->changed.wait(lock, base::NO_DEADLINE);
	lock.unlock();
	let_go(stream, tokens);
	return Status::OK;
}

bool ReportThreads::subscribed(const Stream &stream, Scheme scheme)
{
	std::lock_guard lock(mutex_);
	return streams_of(scheme).count(stream.serial) > 0;
}

bool ReportThreads::deliver(Scheme scheme, const Delivery &delivery)
{
	std::lock_guard lock(mutex_);
	auto found = streams_of(scheme).find(delivery.stream);
	if (found == streams_of(scheme).end())
		return false;
	found->second->pending.push_back(delivery);
	found->second->changed.ring();
	return true;
}

/* Return: whether a function is pending. False: time-out, the device is lost, or no stream is left. */
bool ReportThreads::await(std::unique_lock<base::Mutex> &lock, Member &member, uint64_t deadline_ns)
{
	const DeviceHold device = member.device.hold();
	while (member.pending.empty() && member.streams > 0) {
		if (!device || !device->hal().alive() || base::now_ns() >= deadline_ns)
			break;
		bool stepped = device->hal().stepped();
		if (stepped) {
			bool moved;
			{
				const base::Unlocked unlocked(mutex_);
				moved = device->hal().stepper().step(base::NO_DEADLINE);
			}
			if (moved || !member.pending.empty())
				continue;
		}
		uint64_t look_ns = base::deadline_after(stepped ? STEP_NS : IDLE_LOOK_NS);
		member.changed.wait(lock, std::min(deadline_ns, look_ns));
	}
	return !member.pending.empty();
}

/* Calls @visit with the device if that is open. The hold ends before the program's function runs, so closing
 * the device does not wait for that function. */
template <class Visit> static void visit(const DeviceRef &ref, const Visit &visit)
{
	if (const DeviceHold device = ref.hold())
		visit(device);
}

void ReportThreads::run_all(Member &member)
{
	while (!member.pending.empty()) {
		Delivery delivery = member.pending.front();
		member.pending.pop_front();
		member.running = delivery.stream;
		{
			const base::Unlocked unlocked(mutex_);
			hal::Device::acquire_host_work();
			recorder::observer.note_callback(san::Kind::CALLBACK_BEGIN,
							 delivery.traced);
			ThreadState::mine().host_stream = delivery.blocks;
			delivery.fn(delivery.args);
			ThreadState::mine().host_stream = 0;
			recorder::observer.note_callback(san::Kind::CALLBACK_END, delivery.traced);
			hal::Device::release_host_work();
			visit(member.device, [&](const DeviceHold &device) {
				device.open().calls.finish(delivery.token);
			});
		}
		member.running = 0;
		member.changed.ring();
	}
}

Status ReportThreads::process(Scheme scheme, uint64_t deadline_ns)
{
	std::unique_lock lock(mutex_);
	auto found = threads_of(scheme).find(static_cast<uint64_t>(pthread_self()));
	if (found == threads_of(scheme).end())
		return set_error(Status::THREAD_SUBSCRIBED,
				 "no stream has the calling thread for its functions, so "
				 "$process_report has "
				 "nothing to run; call $subscribe_report with the number of this "
				 "thread first");
	MemberPtr member = found->second;
	if (await(lock, *member, deadline_ns)) {
		run_all(*member);
		return Status::OK;
	}
	bool lives = false;
	visit(member->device, [&](const DeviceHold &device) { lives = device->hal().alive(); });
	if (!lives)
		return set_error(
			Status::DEVICE_LOST,
			"the device of the thread's streams was closed, so $process_report "
			"returns at once; end the loop of the thread, or call "
			"$subscribe_report for a stream of an open device");
	if (member->streams == 0)
		return set_error(Status::THREAD_SUBSCRIBED,
				 "the last stream was taken from the calling thread while it "
				 "waited; end the thread, or call $subscribe_report for it again");
	return set_error(Status::REPORT_TIMEOUT,
			 "no function of the thread's streams was due within the time limit; wait "
			 "again, or call $launch_callback");
}

void ReportThreads::drop_stream(const Stream &stream)
{
	std::vector<uint64_t> tokens;
	for (Scheme scheme : {Scheme::REPORT, Scheme::HOST_FUNC}) {
		std::lock_guard lock(mutex_);
		auto found = streams_of(scheme).find(stream.serial);
		if (found == streams_of(scheme).end())
			continue;
		auto left = leave(scheme, found);
		tokens.insert(tokens.end(), left.begin(), left.end());
	}
	let_go(stream, tokens);
}

bool hand_over(const HostFunction &function, uint64_t token)
{
	auto scheme =
		function.by == HostFunction::By::REPORT_THREAD ? Scheme::REPORT : Scheme::HOST_FUNC;
	const bool is_waited_for = token != 0 && !function.is_permanent;
	return ReportThreads::get().deliver(
		scheme, {function.fn, function.args, function.stream, token, function.traced,
			 is_waited_for ? function.stream : ThreadState::SOME_STREAM});
}

} // namespace umd
