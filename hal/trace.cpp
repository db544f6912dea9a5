// SPDX-License-Identifier: MIT
/**
 * DOC: Trace of the host
 *
 * The list of rings, the devices inside this process, and the tables that entries refer to by number. They
 * are created once and never freed, because threads record until the process exits.
 *
 * A ring belongs to one thread. When the thread ends, its ring stays with its entries. When MAX_LEFT such
 * rings exist, a new thread reuses the oldest one, and its entries count as overwritten.
 */
#include "trace.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sync/mutex.h"
#include "base/trace/trace_ring.h"

namespace hal::trace {

using base::Status;

uint32_t recording;

namespace {

/* Further threads are not recorded; their entries are counted. */
constexpr size_t MAX_RINGS = 1024;
/* How many rings of ended threads are kept before a new thread reuses one. */
constexpr size_t MAX_LEFT = 64;
constexpr size_t MAX_ATTACHMENTS = 4096;
constexpr size_t MAX_TEXTS = 1u << 16;
/* How many entries of closed devices are kept. */
constexpr uint64_t MAX_KEPT = 1u << 21;

struct ThreadRing {
	base::TraceRing ring;
	/* the recording period whose entries the ring holds; only its own thread may read this without the
	 * lock */
	uint64_t period = 0;
	uint32_t tid = 0;
	std::string name;
	bool left = false; /* its thread has ended */
	uint64_t left_ns = 0;
};

struct State {
	base::Mutex mutex{"trace::State::mutex"};
	pthread_key_t key{};
	uint64_t period = 0;	 /* number of begin() calls; set with the lock, read without it */
	uint64_t next_range = 1; /* the id of the next range; atomic */
	uint32_t entries GUARDED_BY(mutex) = 0;
	uint64_t unrecorded GUARDED_BY(mutex) = 0; /* entries of threads without a ring */
	/* entries of reused rings and of dropped devices */
	uint64_t forgotten GUARDED_BY(mutex) = 0;
	std::vector<std::unique_ptr<ThreadRing>> rings GUARDED_BY(mutex);
	std::vector<Source *> sources GUARDED_BY(mutex);
	std::deque<base::DeviceTrace> kept GUARDED_BY(mutex);
	uint64_t kept_entries GUARDED_BY(mutex) = 0;
	std::vector<base::TraceAttachment> attachments GUARDED_BY(mutex);
	std::map<std::string, uint32_t, std::less<>> text_ids GUARDED_BY(mutex);
	std::vector<std::string> texts GUARDED_BY(mutex){1};
};

struct ThreadTrace {
	ThreadRing *ring = nullptr;
	uint64_t period = 0;
};

State *root;
thread_local constinit ThreadTrace thread_trace{};

void leave(void *ring);

State *make_state()
{
	auto *state = new State;
	pthread_key_create(&state->key, leave);
	return state;
}

State &state()
{
	static const bool made = [] {
		root = make_state();
		return true;
	}();
	(void)made;
	return *root;
}

/* Runs when the thread ends. If a later exit hook of this thread records an entry, the thread gets a new
 * ring. */
void leave(void *ring)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	auto *left = static_cast<ThreadRing *>(ring);
	left->left = true;
	left->left_ns = base::now_ns();
	thread_trace = {};
}

/* The ring to reuse: one of an earlier period, or, at MAX_LEFT or MAX_RINGS, that of the thread that ended
 * first. nullptr if no ring may be reused. */
ThreadRing *oldest_left(State &all) REQUIRES(all.mutex)
{
	ThreadRing *oldest = nullptr;
	size_t count = 0;
	for (auto &each : all.rings) {
		if (!each->left)
			continue;
		count++;
		if (each->period != all.period)
			return each.get();
		if (!oldest || each->left_ns < oldest->left_ns)
			oldest = each.get();
	}
	return count >= MAX_LEFT || all.rings.size() >= MAX_RINGS ? oldest : nullptr;
}

ThreadRing *find_ring(State &all) REQUIRES(all.mutex)
{
	if (thread_trace.ring)
		return thread_trace.ring;
	ThreadRing *ring = oldest_left(all);
	if (ring && ring->period == all.period)
		all.forgotten += ring->ring.total();
	if (!ring && all.rings.size() < MAX_RINGS) {
		all.rings.push_back(std::make_unique<ThreadRing>());
		ring = all.rings.back().get();
	}
	return ring;
}

/* A ring for this thread and this period. Return: false if all rings are in use. */
bool take_ring()
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	ThreadRing *ring = find_ring(all);
	if (!ring || ring->ring.init(all.entries) != Status::OK) {
		all.unrecorded++;
		return false;
	}
	char name[16] = "";
	pthread_getname_np(pthread_self(), name, sizeof(name));
	ring->period = all.period;
	ring->tid = static_cast<uint32_t>(gettid());
	ring->name = name;
	ring->left = false;
	thread_trace = {ring, all.period};
	pthread_setspecific(all.key, ring);
	return true;
}

/* Keeps the entries of a closing device and drops older ones beyond MAX_KEPT. */
void keep(State &all, base::DeviceTrace trace) REQUIRES(all.mutex)
{
	if (trace.entries.empty())
		return;
	all.kept_entries += trace.entries.size();
	all.kept.push_back(std::move(trace));
	while (all.kept_entries > MAX_KEPT && all.kept.size() > 1) {
		const base::DeviceTrace &oldest = all.kept.front();
		all.kept_entries -= oldest.entries.size();
		all.forgotten += oldest.entries.size() + oldest.overwritten;
		all.kept.pop_front();
	}
}

std::string program_name()
{
	return program_invocation_short_name;
}

base::HostTrace collect(const State &all) REQUIRES(all.mutex)
{
	base::HostTrace host;
	host.pid = static_cast<uint32_t>(getpid());
	host.name = program_name();
	host.overwritten = all.forgotten + all.unrecorded;
	host.attachments = all.attachments;
	host.texts = all.texts;
	for (const auto &ring : all.rings) {
		if (ring->period != all.period)
			continue;
		base::ThreadTrace thread{ring->tid, ring->name, {}, 0};
		thread.overwritten = ring->ring.copy(thread.entries);
		host.threads.push_back(std::move(thread));
	}
	return host;
}

} // namespace

void put(unpu_trace_kind kind, uint16_t attachment, uint64_t cookie, uint32_t object,
	 uint64_t value)
{
	/* a thread that reads that recording is on must also read the new period; see begin() */
	base::load_fence();
	if (!thread_trace.ring || thread_trace.period != base::load_relaxed(state().period)) {
		if (!take_ring())
			return;
	}
	thread_trace.ring->ring.put(
		{base::now_ns(), cookie, value, object, attachment, 0, static_cast<uint8_t>(kind)});
}

void add_source(Source &source)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	all.sources.push_back(&source);
	if (on())
		(void)source.record(all.entries);
}

void remove_source(Source &source)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	std::erase(all.sources, &source);
	if (all.period != 0)
		keep(all, source.recorded());
}

uint16_t attach(const unpu_bar &bar, const unpu_client_status &status)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	if (all.attachments.size() >= MAX_ATTACHMENTS)
		return NO_ATTACHMENT;
	all.attachments.push_back({bar.generation, status.session, bar.device_index});
	return static_cast<uint16_t>(all.attachments.size() - 1);
}

Status begin(uint32_t entries)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	all.entries = base::TraceRing::room(entries);
	all.unrecorded = all.forgotten = all.kept_entries = 0;
	all.kept.clear();
	base::store_relaxed(all.period, all.period + 1);
	Status status = Status::OK;
	for (Source *source : all.sources) {
		Status one = source->record(all.entries);
		status = status == Status::OK ? one : status;
	}
	base::store_release(recording, uint32_t{1}); /* stored after the period; see put() */
	return status;
}

void end()
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	base::store_relaxed(recording, uint32_t{0});
	for (Source *source : all.sources)
		(void)source->record(0);
}

Status write(const std::string &path, const std::vector<std::string> &calls,
	     const std::vector<base::TraceProgram> &programs, uint64_t *overwritten)
{
	State &all = state();
	base::HostTrace host;
	std::vector<base::DeviceTrace> devices;
	{
		std::lock_guard lock(all.mutex);
		host = collect(all);
		devices.assign(all.kept.begin(), all.kept.end());
		for (Source *source : all.sources)
			devices.push_back(source->recorded());
	}
	host.calls = calls;
	host.programs = programs;
	if (overwritten) {
		*overwritten = host.overwritten;
		for (const base::ThreadTrace &thread : host.threads)
			*overwritten += thread.overwritten;
		for (const base::DeviceTrace &device : devices)
			*overwritten += device.overwritten;
	}
	return base::write_trace(path, &host, devices);
}

void refuse_in_fork()
{
	recording = 0;
	thread_trace = {};
	root = make_state();
}

uint32_t text(std::string_view words)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	auto found = all.text_ids.find(words);
	if (found != all.text_ids.end())
		return found->second;
	if (all.texts.size() >= MAX_TEXTS)
		return 0;
	auto id = static_cast<uint32_t>(all.texts.size());
	all.texts.emplace_back(words);
	all.text_ids.emplace(words, id);
	return id;
}

std::string text_of(uint32_t id)
{
	State &all = state();
	std::lock_guard lock(all.mutex);
	return id < all.texts.size() ? all.texts[id] : "";
}

void mark(uint32_t words, uint32_t category, uint64_t cookie)
{
	if (on())
		put(UNPU_TRACE_MARK, NO_ATTACHMENT, cookie, category, words);
}

void range_push(uint32_t words, uint32_t category)
{
	if (on())
		put(UNPU_TRACE_RANGE_PUSH, NO_ATTACHMENT, 0, category, words);
}

void range_pop()
{
	if (on())
		put(UNPU_TRACE_RANGE_POP, NO_ATTACHMENT, 0, 0, 0);
}

uint64_t range_start(uint32_t words, uint32_t category)
{
	if (!on())
		return 0;
	uint64_t id = base::fetch_add(state().next_range, uint64_t{1});
	put(UNPU_TRACE_RANGE_START, NO_ATTACHMENT, id, category, words);
	return id;
}

void range_stop(uint64_t id)
{
	if (on() && id != 0)
		put(UNPU_TRACE_RANGE_STOP, NO_ATTACHMENT, id, 0, 0);
}

} // namespace hal::trace
