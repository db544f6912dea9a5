// SPDX-License-Identifier: MIT
/**
 * DOC: Client
 *
 * One client of the device. Memory that the client writes is not trusted: a doorbell is only a hint, a
 * mailbox request is copied before it is checked, and a client that breaks the protocol is cut off with
 * a reason that it can read.
 */
#include "client.h"

#include <algorithm>
#include <utility>

#include <sys/resource.h>

#include "base/hot_path.h"
#include "base/sync/ordering.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/packet/channel.h"

namespace fw {

using base::Result;
using base::Status;

/* How many mappings and descriptors a client needs in the firmware: its control segments, its socket and its
 * kick eventfd. */
static constexpr uint64_t CONNECTION_ENTRIES = 4, CONNECTION_DESCRIPTORS = 4;

/* Limit of threads for the files of a client: one thread, and replacements for threads that are stuck. */
static constexpr uint64_t CLIENT_THREADS = 4;

static Account::Amounts limits_of(const Quotas &quotas)
{
	return {quotas.memory_bytes, quotas.entries, quotas.descriptors, CLIENT_THREADS};
}

Client::Client(Core &device, uint32_t pid, base::FenceScope scope, ControlMemory control,
	       std::shared_ptr<Account> user)
	: ClientContext(device, scope,
			std::make_shared<Account>(limits_of(device.config.quotas), std::move(user)),
			control.completion.as<unpu_completion>()->calls),
	  completion_map_(std::move(control.completion)), client_map_(std::move(control.client)),
	  completion_(completion_map_.as<unpu_completion>()),
	  shared_(client_map_.as<unpu_client>()), pid_(pid)
{
}

Result<ControlMemory> ControlMemory::create(const base::Placement &placement, uint32_t semaphores,
					    uint32_t pid)
{
	ControlMemory made;
	auto completion = base::create_single_writer(
		"unpu-completion", UNPU_COMPLETION_BYTES(semaphores), made.completion);
	auto shared =
		base::create_sealed("unpu-client", UNPU_CLIENT_BYTES(semaphores), UNPU_PAGE_4K);
	if (!completion)
		return completion.status();
	if (!shared)
		return shared.status();
	auto window = base::map_shared(shared->fd, shared->bytes, false, UNPU_PAGE_4K);
	if (!window)
		return Status::NO_MEMORY;
	made.completion_file = std::move(completion->fd);
	made.client_file = std::move(shared->fd);
	made.client = window.take();
	/* Each segment lies on the node of its reader: the host polls the completion segment, the
	 * device the client's. */
	if (placement.asked >= 0)
		base::choose_placement(base::NumaMachine::read(), base::NumaAllowed::now(),
				       base::process_node(pid))
			.bind_memory(made.completion.data(), made.completion.bytes());
	placement.bind_memory(made.client.data(), made.client.bytes());
	return made;
}

Status Client::init()
{
	TRY(account->charge(Resource::ENTRIES, CONNECTION_ENTRIES, connection_entries_));
	TRY(account->charge(Resource::DESCRIPTORS, CONNECTION_DESCRIPTORS,
			    connection_descriptors_));
	TRY(account->charge(Resource::MEMORY, core.config.quotas.control_bytes(), control_memory_));
	doorbells_ = base::DoorbellConsumer(&shared_->doorbells);
	semaphores.trace_to({&core.trace, 0});
	completion_->status.pid = pid_;
	return semaphores.init(completion_->semaphores, shared_->semaphores, fence);
}

HOT_PATH bool Client::poll_doorbells()
{
	if (is_broken_)
		return false;
	uint32_t index = 0;
	auto taken = doorbells_.take(index);
	if (taken == base::DoorbellConsumer::Take::EMPTY)
		return false;
	if (taken == base::DoorbellConsumer::Take::OVERRUN) {
		break_off(Status::RING_BROKEN, 0);
		return false;
	}
	if (index == UNPU_DOORBELL_MAILBOX)
		mailbox();
	else if (index < channels_.size() && channels_[index])
		channels_[index]->doorbell();
	return true;
}

void Client::set_sleeping(bool sleeping)
{
	if (sleeping == is_sleeping_)
		return;
	is_sleeping_ = sleeping;
	base::store_release(completion_->status.sleeping, uint32_t{sleeping});
}

void Client::set_number(uint32_t client, uint64_t session)
{
	number = client;
	semaphores.trace_to({&core.trace, client});
	calls.trace_to({&core.trace, client});
	base::store_relaxed(completion_->status.session, session);
}

void Client::set_cpu(uint32_t cpu)
{
	base::store_relaxed(completion_->status.cpu, cpu);
}

void Client::report_cycle(const std::vector<uint32_t> &circle)
{
	unpu_client_status &status = completion_->status;
	for (size_t i = 0; i < UNPU_CIRCLE_CHANNELS; i++) {
		uint32_t name = i < circle.size() ? circle[i] + 1 : 0;
		base::store_relaxed(status.circle[i], static_cast<uint16_t>(name));
	}
}

bool Client::lost_pages() const
{
	return mmu.lost_pages() ||
	       std::any_of(segments_.begin(), segments_.end(),
			   [](const auto &entry) { return entry.second->guard.is_lost(); });
}

Counters Client::counters() const
{
	Counters all = counters_without_channels();
	for (const auto &channel : channels_)
		all.packets += channel ? channel->retired() : 0;
	return all;
}

Counters Client::counters_without_channels() const
{
	Counters all = counted;
	all.doorbells += doorbells_.taken();
	all.wakes += semaphores.wakes();
	all.faults += semaphores.faults();
	return all;
}

Graph *Client::graph(uint32_t id) const
{
	auto found = graphs_.find(id);
	return found == graphs_.end() ? nullptr : found->second.get();
}

Result<base::SealedFile> Client::take_segment(uint64_t segment)
{
	auto found = segments_.find(segment);
	if (found == segments_.end() || !found->second->outgoing.valid())
		return Status::INVALID_HANDLE;
	Segment &own = *found->second;
	own.outgoing_descriptor.end();
	return base::SealedFile{std::move(own.outgoing), own.bytes, own.pages};
}

/* Name of the memfd, shown in /proc/PID/maps. */
static const char *segment_name(uint32_t kind)
{
	return kind == UNPU_SEGMENT_DEVICE   ? "unpu-device"
	       : kind == UNPU_SEGMENT_PINNED ? "unpu-pinned"
					     : "unpu-channel";
}

/* The largest segment. No machine has so much memory, and sums of such sizes do not overflow in the
 * accounts. */
static constexpr uint64_t SEGMENT_BYTES_MOST = uint64_t{1} << 56;

/* How long a request waits for memory, and how often it tries again. */
static constexpr uint64_t MEMORY_PATIENCE_NS = 200 * base::NS_PER_MS;
static constexpr uint64_t MEMORY_LOOK_NS = base::NS_PER_MS;

/* Waits for memory. When a process starts right after another one has ended, it should get the memory of that
 * one, although the firmware may still be freeing it. @comes_back: memory was still being freed before
 * @status was known
 * Return: @status; but if memory is lacking and is still being freed: NOT_READY, so that the request is
 * served again from its beginning, or IN_USE after a while. */
Status Client::await_memory(Status status, bool comes_back)
{
	const bool is_lack = status == Status::NO_MEMORY || status == Status::QUOTA;
	const uint64_t now_ns = base::now_ns();
	if (!is_lack || !comes_back) {
		lack_limit_ns_ = 0;
		return status;
	}
	if (lack_limit_ns_ == 0)
		lack_limit_ns_ = now_ns + MEMORY_PATIENCE_NS;
	if (now_ns >= lack_limit_ns_) {
		lack_limit_ns_ = 0;
		return Status::IN_USE;
	}
	core.timers.add(lacking_, now_ns + MEMORY_LOOK_NS);
	is_unanswered_ = true;
	return Status::NOT_READY;
}

void Client::look_for_memory()
{
	is_unanswered_ = false;
	const Status status = attempt(&Client::serve);
	if (!is_unanswered_)
		answer_late(status);
}

/* Charges the most that @request can take to @segment. */
Status Client::charge_segment(const unpu_msg_segment &request, Segment &segment) const
{
	if (request.bytes > SEGMENT_BYTES_MOST)
		return Status::NO_MEMORY;
	const uint64_t unit = base::segment_unit(static_cast<unpu_page_kind>(request.pages));
	const uint64_t bytes = base::round_up(request.bytes, unit);
	if (request.kind == UNPU_SEGMENT_DEVICE &&
	    core.memory->charge(Resource::MEMORY, bytes, segment.device_memory) != Status::OK)
		return Status::NO_MEMORY;
	TRY(account->charge(Resource::MEMORY, bytes, segment.quota));
	TRY(account->charge(Resource::ENTRIES, 1, segment.entry));
	TRY(account->charge(Resource::DESCRIPTORS, 1, segment.outgoing_descriptor));
	if (request.flags & UNPU_SEGMENT_SHAREABLE)
		TRY(account->charge(Resource::DESCRIPTORS, 1, segment.descriptor));
	if (request.kind != UNPU_SEGMENT_CHANNEL)
		account->charge_anyway(Resource::DESCRIPTORS, 1, segment.file_descriptor);
	return Status::OK;
}

/* Keeps a descriptor of @segment for the client's worker, if not too many are open in this process. */
static void keep_file(const Core &core, const base::Fd &file, Segment &segment)
{
	rlimit limit{};
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	base::Fd own = file.duplicate();
	/* A program that embeds the firmware keeps most of its descriptors. */
	const uint64_t most = core.config.processes ? limit.rlim_cur : limit.rlim_cur / 2;
	if (own.valid() && static_cast<uint64_t>(own.get()) < most)
		segment.file = std::make_shared<const base::Fd>(std::move(own));
	else
		segment.file_descriptor.end();
}

/* Creates and maps the file of @segment. */
static Status allocate_segment(const Core &core, const unpu_msg_segment &request, Segment &segment)
{
	auto wish = static_cast<unpu_page_kind>(request.pages);
	/* Refuse memory whose pages can disappear if there is no guard for it. */
	PageGuard guard;
	if (wish == UNPU_PAGE_HUGETLB && PageGuard::installed()) {
		guard = PageGuard::take();
		wish = guard.valid() ? wish : UNPU_PAGE_THP;
	}
	/* The thread that moves the device allocates the pool's pages here, before the memory can be
	 * bound to a node. */
	const base::PreferMemory there(wish == UNPU_PAGE_HUGETLB ? core.placement.memory : -1);
	auto file = TRY(base::create_sealed(segment_name(request.kind), request.bytes, wish));
	auto memory = TRY(base::map_shared(file.fd, file.bytes, true, file.pages));
	core.placement.bind_memory(memory.data(), memory.bytes());
	segment.pages = file.pages;
	segment.memory = std::move(memory);
	segment.data = segment.memory.data();
	segment.bytes = file.bytes;
	if (guard.valid() && segment.pages == UNPU_PAGE_HUGETLB) {
		guard.watch(segment.data, segment.bytes, base::HUGE_PAGE_BYTES);
		segment.guard = std::move(guard);
	}
	if (request.flags & UNPU_SEGMENT_SHAREABLE) {
		segment.fd = file.fd.duplicate();
		if (!segment.fd.valid())
			return Status::NO_RESOURCE;
	}
	if (request.kind != UNPU_SEGMENT_CHANNEL)
		keep_file(core, file.fd, segment);
	segment.outgoing = std::move(file.fd);
	return Status::OK;
}

void Client::add_segment(std::shared_ptr<Segment> segment)
{
	Sums &sums = sums_[segment->kind];
	segments_.emplace(segment->id, segment);
	sums.bytes += segment->bytes;
	sums.pages[segment->pages]++;
}

/* Context: the client has the segment. */
std::shared_ptr<Segment> Client::take_out(uint64_t id)
{
	const auto found = segments_.find(id);
	std::shared_ptr<Segment> segment = std::move(found->second);
	segments_.erase(found);
	Sums &sums = sums_[segment->kind];
	sums.bytes -= segment->bytes;
	sums.pages[segment->pages]--;
	return segment;
}

Status Client::segment_create(const unpu_msg_segment &request, unpu_msg_segment &reply)
{
	bool device = request.kind == UNPU_SEGMENT_DEVICE;
	if (request.reserved || request.segment)
		return Status::BAD_MESSAGE;
	if (request.kind < UNPU_SEGMENT_DEVICE || request.kind > UNPU_SEGMENT_CHANNEL ||
	    request.pages > UNPU_PAGE_HUGETLB || request.bytes == 0 ||
	    request.flags & ~UNPU_SEGMENT_SHAREABLE)
		return Status::INVALID_ARGUMENT;
	auto segment = std::make_shared<Segment>();
	bool comes_back = core.returning->used(Resource::MEMORY) != 0;
	const Status charged = charge_segment(request, *segment);
	if (charged == Status::QUOTA && kernels_.supervisor)
		comes_back = core.workers.take_back(*kernels_.supervisor) || comes_back;
	TRY(await_memory(charged, comes_back));
	TRY(allocate_segment(core, request, *segment));
	segment->id = next_segment_++;
	segment->kind = static_cast<unpu_segment_kind>(request.kind);
	if (device)
		segment->device_memory.reduce(segment->bytes);
	segment->quota.reduce(segment->bytes);
	segment->is_given_out = core.config.processes;
	add_segment(segment);
	if (device)
		memory_used_ += segment->bytes;
	core.segments_by_pages[segment->pages]++;
	if (request.pages == UNPU_PAGE_HUGETLB && segment->pages != UNPU_PAGE_HUGETLB)
		core.huge_refused++;
	reply = request;
	reply.segment = segment->id;
	reply.bytes = segment->bytes;
	reply.pages = static_cast<uint32_t>(segment->pages);
	return Status::OK;
}

/* The memory of @segment counts as used until no kernel can access it any more. */
void Client::keep_charge(Segment &segment)
{
	if (!kernels_.supervisor)
		return;
	Charge charge = std::move(segment.quota);
	/* Otherwise the exporter is charged for it. */
	if (segment.of)
		account->charge_anyway(Resource::MEMORY, segment.bytes, charge);
	core.workers.keep(*kernels_.supervisor, std::move(charge), segment.bytes);
}

Status Client::segment_destroy(uint64_t id)
{
	auto found = segments_.find(id);
	if (found == segments_.end())
		return Status::INVALID_HANDLE;
	if (found->second->mappings != 0)
		return Status::IN_USE;
	/* Allocated before the segment is taken out, as an allocation can fail. */
	std::vector<std::shared_ptr<Segment>> dead(1);
	dead.front() = take_out(id);
	Segment &segment = *dead.front();
	if (segment.kind == UNPU_SEGMENT_DEVICE && !segment.of)
		memory_used_ -= segment.bytes;
	segment.outgoing = base::Fd();
	end_exports(segment);
	keep_charge(segment);
	core.free_segments(std::move(dead));
	return await_frees();
}

/* Return: OK; or NOT_READY if very much memory has not been freed yet. Then the request is answered when it
 * has been freed. The channels and graphs of the client continue in the meantime. */
Status Client::await_frees()
{
	if (!core.frees.is_full())
		return Status::OK;
	try {
		core.frees.tell(core.background, freeing_);
	} catch (const std::bad_alloc &) {
		return Status::OK;
	}
	freeing_.is_in_engine = true;
	is_unanswered_ = true;
	return Status::NOT_READY;
}

Status Client::map(const unpu_msg_map &request)
{
	if (request.segment == 0)
		return map_in_place(request);
	auto found = segments_.find(request.segment);
	if (found == segments_.end())
		return Status::INVALID_HANDLE;
	if (found->second->kind == UNPU_SEGMENT_CHANNEL || request.reserved)
		return Status::INVALID_ARGUMENT;
	Charge entries;
	TRY(account->charge(Resource::ENTRIES, mmu.entries(request.va), entries));
	TRY(mmu.map(request.va, request.bytes, found->second, request.offset, request.access,
		    std::move(entries)));
	follow_map(request, MemoryChange::Kind::MAP);
	return Status::OK;
}

Status Client::unmap(const unpu_msg_map &request)
{
	if (request.segment || request.offset || request.access || request.reserved)
		return Status::BAD_MESSAGE;
	/* A kernel may use the memory without a Hold. */
	if (has_kernels() && is_patient() && mmu.has(request.va, request.bytes))
		return defer();
	Status status = mmu.unmap(request.va, request.bytes);
	if (status == Status::OK)
		follow_map(request, MemoryChange::Kind::UNMAP);
	if (status != Status::IN_USE)
		return status;
	/* A job or a transfer still has a Hold of the memory. */
	if (core.engines.works_for(&client_queue) ||
	    (is_patient() && core.storage.works_for(&client_queue)))
		return defer();
	core.reap();
	status = mmu.unmap(request.va, request.bytes);
	if (status == Status::OK)
		follow_map(request, MemoryChange::Kind::UNMAP);
	return status;
}

Status Client::reserve(const unpu_msg_map &request, bool release)
{
	if (request.segment || request.offset || request.access || request.reserved)
		return Status::BAD_MESSAGE;
	if (release)
		return mmu.release(request.va, request.bytes);
	Charge entry;
	TRY(account->charge(Resource::ENTRIES, 1, entry));
	return mmu.reserve(request.va, request.bytes, std::move(entry));
}

Status Client::protect(const unpu_msg_map &request)
{
	if (request.segment || request.offset || request.reserved)
		return Status::BAD_MESSAGE;
	TRY(mmu.protect(request.va, request.bytes, request.access));
	follow_map(request, MemoryChange::Kind::PROTECT);
	return Status::OK;
}

Status Client::sem_set(const unpu_msg_sem_set &request)
{
	if (request.reserved)
		return Status::BAD_MESSAGE;
	if (!semaphores.user_valid(request.sem))
		return Status::BAD_SEMAPHORE;
	return semaphores.signal(request.sem, UNPU_SIGNAL_SET, request.value);
}

Status Client::channel_create(const unpu_msg_channel &request, unpu_msg_channel &reply)
{
	bool power = request.slots && (request.slots & (request.slots - 1)) == 0;
	if (!power || request.slots < UNPU_RING_MIN_SLOTS || request.slots > UNPU_RING_MAX_SLOTS ||
	    request.priority >= PRIORITIES || request.reserved)
		return Status::INVALID_ARGUMENT;
	if (!semaphores.timeline_valid(request.timeline))
		return Status::BAD_SEMAPHORE;
	auto found = segments_.find(request.segment);
	if (found == segments_.end())
		return Status::INVALID_HANDLE;
	if (found->second->kind != UNPU_SEGMENT_CHANNEL ||
	    found->second->bytes < UNPU_CHANNEL_BYTES(request.slots))
		return Status::INVALID_ARGUMENT;
	const uint32_t quota = core.config.quotas.channels;
	if (quota && channels_.size() - free_channels_.size() >= quota)
		return Status::QUOTA;
	if (free_channels_.empty()) {
		if (channels_.size() == UNPU_MAX_CHANNELS)
			return Status::NO_RESOURCE;
		/* Reserve the room now, so that destroying a channel allocates no memory. */
		free_channels_.reserve(channels_.capacity() + 1);
		channels_.emplace_back();
		free_channels_.push_back(static_cast<uint32_t>(channels_.size() - 1));
	}
	const uint32_t index = free_channels_.back();
	reply = request;
	reply.channel = index;
	channels_[index] = std::make_unique<Channel>(*this, completion_->channels[index],
						     found->second, reply, group(request.group));
	free_channels_.pop_back();
	return Status::OK;
}

Status Client::channel_destroy(uint32_t index)
{
	if (index >= channels_.size() || !channels_[index])
		return Status::INVALID_HANDLE;
	if (!has_stopped(*channels_[index]))
		return defer();
	channels_[index].reset();
	free_channels_.push_back(index);
	return Status::OK;
}

Status Client::channel_control(const unpu_msg_channel_control &request)
{
	constexpr uint32_t KNOWN =
		UNPU_CHANNEL_CLEAR_STATUS | UNPU_CHANNEL_STOP_ON_FAILURE | UNPU_CHANNEL_PRIORITY;
	if (request.channel >= channels_.size() || !channels_[request.channel])
		return Status::INVALID_HANDLE;
	bool priority = request.actions & UNPU_CHANNEL_PRIORITY;
	if (request.actions & ~KNOWN || request.reserved ||
	    request.priority >= (priority ? PRIORITIES : 1))
		return Status::INVALID_ARGUMENT;
	channels_[request.channel]->control(request);
	return Status::OK;
}

Status Client::channel_abort(const unpu_msg_channel_abort &request)
{
	if (request.channel >= channels_.size() || !channels_[request.channel])
		return Status::INVALID_HANDLE;
	Channel &channel = *channels_[request.channel];
	if (request.flags == 0) {
		if (!channel.can_skip_to(request.upto))
			return Status::INVALID_ARGUMENT;
		if (!has_stopped(channel))
			return defer();
		channel.abort(request.upto);
		return Status::OK;
	}
	if (request.flags != UNPU_ABORT_CURRENT || request.upto)
		return Status::INVALID_ARGUMENT;
	if (channel.can_stop_current() && !has_stopped(channel))
		return defer();
	channel.stop_current();
	return Status::OK;
}

Status Client::client_control(const unpu_msg_client_control &request)
{
	constexpr uint32_t KNOWN = UNPU_CLIENT_REPORT_FAULTS | UNPU_CLIENT_EXECUTE_LIMIT;
	bool limits = request.actions & UNPU_CLIENT_EXECUTE_LIMIT;
	if (request.actions & ~KNOWN || request.reserved || (!limits && request.execute_limit_ns))
		return Status::INVALID_ARGUMENT;
	if (request.actions & UNPU_CLIENT_REPORT_FAULTS)
		calls.report_faults();
	if (limits)
		execute_limit_ns = request.execute_limit_ns;
	return Status::OK;
}

std::shared_ptr<FailureGroup> Client::group(uint32_t id)
{
	if (id == 0)
		return std::make_shared<FailureGroup>();
	auto &known = groups_[id];
	auto shared = known.lock();
	if (!shared) {
		shared = std::make_shared<FailureGroup>();
		known = shared;
	}
	/* Remove groups that have no channels left, each time the list has grown. */
	if (groups_.size() > groups_kept_) {
		std::erase_if(groups_, [](const auto &entry) { return entry.second.expired(); });
		groups_kept_ = 2 * groups_.size() + 16;
	}
	return shared;
}

} // namespace fw
