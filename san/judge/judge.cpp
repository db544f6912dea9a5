// SPDX-License-Identifier: MIT
/**
 * DOC: the judge: calls of the host
 *
 * Documentation/sanitizer-edges.rst has a row for each call, which says what the call means for the order of
 * commands. tests/san has programs for each row.
 */
#include "san/judge/judge.h"

namespace san {

Judge::Judge(Options options, Reporter::Sink sink, Follower *follower)
	: options_(options), follower_(follower), actors_(follower), memory_(options_.bounds),
	  contents_(memory_, options_.bounds), results_(options_.bounds),
	  reporter_(std::move(sink), actors_, events_, options_),
	  accesses_(actors_, memory_, contents_, reporter_, options_),
	  graphs_(actors_, memory_, accesses_, reporter_, options_.bounds)
{
}

void Judge::complain(const char *why)
{
	if (summary_.problems++ == 0)
		summary_.problem = "record " + std::to_string(order_) + ": " + why;
}

std::shared_ptr<Command> Judge::make_command(const Record &record)
{
	auto command = std::make_shared<Command>();
	const bool launch = record.kind == Kind::GRAPH_LAUNCH;
	command->number = launch ? record.value : record.object;
	command->client = record.client;
	command->stream = record.stream;
	command->label = record.label;
	command->site = record.site;
	command->order = order_;
	command->task = task_of(record);
	command->allocates = record.kind == Kind::ALLOC;
	/* The label of an allocation is the name of the memory. */
	if (command->allocates)
		command->label = 0;
	return command;
}

/* Whether a host function of AscendCL must not make this call: one that waits, or launches work. */
static bool waits_or_launches(const Record &record)
{
	switch (record.kind) {
	case Kind::BLOCKED:
	case Kind::EVENT_SYNC:
	case Kind::DEVICE_SYNC:
	case Kind::AWAIT:
		return true;
	case Kind::STREAM_SYNC:
		return (record.flags & DROPPED) == 0;
	case Kind::FREE:
	case Kind::STREAM_DESTROY:
		return is_queued(record) || (record.flags & WAITS) != 0;
	default:
		return is_queued(record);
	}
}

/* Whether a record is a call of the API. A host function of CUDA must not make any. */
static bool is_api(const Record &record)
{
	switch (record.kind) {
	case Kind::STRING:
	case Kind::CLIENT:
	case Kind::HOST_ACCESS:
	case Kind::CALLBACK_BEGIN:
	case Kind::CALLBACK_END:
	case Kind::RELEASE:
	case Kind::ACQUIRE:
	case Kind::CLOCK:
	case Kind::MARK:
	case Kind::COMPARED:
	case Kind::OBSERVED:
	case Kind::LOST:
		return false;
	default:
		return true;
	}
}

void Judge::check_callback(const Record &record)
{
	auto running = running_.find({record.client, record.thread});
	if (running == running_.end())
		return;
	const bool is_cuda = actors_.profile(record.client) == Profile::CUDA;
	if (!(is_cuda ? is_api(record) : waits_or_launches(record)))
		return;
	auto body = bodies_.find(running->second);
	/* The record at the end of a wait belongs to the call whose BLOCKED record came before, so it is not
	 * reported twice. */
	if (body == bodies_.end() || blocked_.contains({record.client, record.thread}))
		return;
	const auto call = make_command(record);
	reporter_.call(Rule::CALLBACK_API, *call, body->second.command.get());
}

void Judge::take(const Record &record)
{
	order_++;
	summary_.records++;
	if (record.kind == Kind::STRING) {
		summary_.has_kernels |= record.text.starts_with("kernel ");
		reporter_.name(record.object, record.text);
		return;
	}
	/* It only describes the command that follows. */
	if (record.kind == Kind::WORK)
		return;
	Client *client = actors_.client(record.client);
	if (!client)
		return complain("there are more clients than 256");
	judge(record, *client);
	if (is_full())
		reset_history();
}

void Judge::judge(const Record &record, Client &client)
{
	if (!running_.empty())
		check_callback(record);
	if (!blocked_.empty() || !over_.empty())
		note_thread(record);
	if (is_queued(record)) {
		queue(record, client);
		actors_.bury();
		return;
	}
	take_call(record, client);
	if (holding_ > 0)
		progress();
	actors_.bury();
}

static StreamName name_of_stream(const Record &record)
{
	StreamName name;
	name.label = record.label;
	name.has_id = record.value != 0;
	name.id = name.has_id ? static_cast<uint32_t>(record.value - 1) : record.stream;
	name.device = static_cast<uint32_t>(record.bytes);
	return name;
}

void Judge::take_call(const Record &record, Client &client)
{
	switch (record.kind) {
	case Kind::CLIENT:
		client.profile = record.value == static_cast<uint64_t>(Profile::CUDA)
					 ? Profile::CUDA
					 : Profile::ASCENDCL;
		client.label = record.label;
		if (client.parent == 0)
			client.parent = static_cast<uint32_t>(record.object);
		return;
	case Kind::STREAM_CREATE:
		make_slot(client);
		if (!actors_.create(record.client, record.stream, record.flags,
				    name_of_stream(record), record.object))
			complain("the stream exists, or there are too many");
		return;
	case Kind::ALLOC:
	case Kind::FREE:
	case Kind::MAP:
	case Kind::UNMAP:
		return take_memory_call(record, client);
	case Kind::GRAPH_NODE:
	case Kind::GRAPH_EDGE:
	case Kind::GRAPH_READY:
	case Kind::GRAPH_UPDATE:
	case Kind::GRAPH_DESTROY:
	case Kind::GRAPH_SIGNAL:
	case Kind::GRAPH_AWAIT:
	case Kind::GRAPH_FOLLOW:
		return take_graph_call(record);
	case Kind::HOST_ACCESS:
		return access(record, client);
	case Kind::COMPARED:
		return take_compared(record, client);
	case Kind::CALLBACK_BEGIN:
	case Kind::CALLBACK_END:
		return take_callback_call(record, client);
	case Kind::BLOCKED:
		if (blocked_.size() >= options_.bounds.threads)
			return complain("there are too many threads");
		block(record, client);
		check_circle({nullptr, {record.client, record.thread}}, *make_command(record),
			     nullptr);
		return;
	case Kind::GONE:
		return know_end(record);
	case Kind::API_CALL:
	/* the reader has already put the operands of this record into the command */
	case Kind::OBSERVED:
	case Kind::LOST:
		return;
	default:
		return take_order_call(record, client);
	}
}

void Judge::take_memory_call(const Record &record, Client &client)
{
	auto command = make_command(record);
	if (record.kind == Kind::FREE && (record.flags & WAITS))
		actors_.synchronize(client);
	command->moment = actors_.host_access(client);
	command->stream = HOST;
	switch (record.kind) {
	case Kind::ALLOC:
		return allocate(record, command, false);
	case Kind::FREE:
		return free(record, command, false);
	case Kind::MAP:
		return map(record);
	default:
		return unmap(record, command);
	}
}

void Judge::unmap(const Record &record, const CommandPointer &command)
{
	if (record.bytes > UINT64_MAX - record.address)
		return complain("an address range leaves 64 bits");
	const Range addresses{record.address, record.address + record.bytes};
	for (const Piece &piece : memory_.pieces(record.client, addresses)) {
		if (piece.block)
			accesses_.end(*piece.block, piece.offsets(), command, Accesses::End::UNMAP);
	}
	if (!memory_.unmap(record.client, addresses, command))
		complain("there are too many mappings");
}

void Judge::allocate(const Record &record, const CommandPointer &command, bool in_stream)
{
	if (record.bytes == 0 || record.bytes > UINT64_MAX - record.address ||
	    record.value >= record.bytes)
		return complain("an allocation of no bytes, or one that leaves 64 bits");
	const BlockPointer block = memory_.allocate(record.object, record.bytes);
	if (!block)
		return complain("there are too many blocks");
	block->slack = record.value;
	block->label = record.label;
	block->site = record.site;
	block->is_host = (record.flags & ALLOC_HOST) != 0;
	/* An allocation without an address gets one by a later MAP record. */
	const Range addresses{record.address, record.address + record.bytes};
	if (record.address != 0 && !memory_.map(record.client, addresses, block, 0))
		complain("there are too many mappings");
	accesses_.allocate(block, command, in_stream, (record.flags & ALLOC_DEFINED) != 0);
}

BlockPointer Judge::block_at(const Record &record) const
{
	const Range byte{record.address, record.address + 1};
	for (const Piece &piece : memory_.pieces(record.client, byte)) {
		if (piece.block && !piece.block->freed)
			return piece.block;
	}
	return nullptr;
}

void Judge::free(const Record &record, const CommandPointer &command, bool in_stream)
{
	const BlockPointer block = block_at(record);
	if (!block)
		return complain("memory is freed that is not allocated");
	accesses_.end(*block, {0, block->bytes}, command,
		      in_stream ? Accesses::End::FREE_IN_STREAM : Accesses::End::FREE);
	memory_.free(block, command, in_stream);
}

void Judge::map(const Record &record)
{
	const BlockPointer block = memory_.block(record.object);
	if (!block || record.value > block->bytes || record.bytes > block->bytes - record.value)
		return complain("a mapping of a block that does not exist, or is shorter");
	if (record.bytes > UINT64_MAX - record.address)
		return complain("an address range leaves 64 bits");
	if (!memory_.map(record.client, {record.address, record.address + record.bytes}, block,
			 record.value))
		complain("there are too many mappings");
}

void Judge::take_graph_call(const Record &record)
{
	const char *why = nullptr;
	switch (record.kind) {
	case Kind::GRAPH_NODE:
		why = graphs_.add_node(record);
		break;
	case Kind::GRAPH_EDGE:
		why = graphs_.add_edge(record);
		break;
	case Kind::GRAPH_READY:
		why = graphs_.make_ready(record);
		break;
	case Kind::GRAPH_UPDATE:
		why = graphs_.update(record, make_command(record));
		break;
	case Kind::GRAPH_SIGNAL:
	case Kind::GRAPH_AWAIT:
		why = graphs_.set_exchange(record);
		break;
	case Kind::GRAPH_FOLLOW:
		why = graphs_.follow(record);
		break;
	default:
		graphs_.destroy(record.object);
		break;
	}
	if (why)
		complain(why);
}

/* Judges an access by the host. If its thread is running a host function, the access belongs to the stream of
 * that function. */
void Judge::access(const Record &record, Client &client)
{
	auto command = make_command(record);
	command->stream = HOST;
	auto running = running_.find({record.client, record.thread});
	auto body = running == running_.end() ? bodies_.end() : bodies_.find(running->second);
	if (body != bodies_.end() && body->second.blocks)
		command->moment = body->second.command->moment;
	else
		command->moment = actors_.host_access(client);
	summary_.commands++;
	accesses_.run(command, record.operands, record.flags);
}

/* The host has accessed the memory of a copy before any call told it that the copy has ended. */
void Judge::take_touched(const Record &record)
{
	const CommandPointer result = results_.find(record.object);
	const CommandPointer copy = result ? result : contents_.find(record.object);
	if (!copy || copy->client != record.client || record.operands.empty() ||
	    actors_.is_known_to_a_host(copy->moment) || contents_.may_tell(copy->moment))
		return;
	const auto touch = make_command(record);
	touch->stream = HOST;
	touch->number = 0;
	accesses_.changed(copy, record.operands, result ? uint16_t{COMPARED_TARGET} : uint16_t{0},
			  &*touch);
	contents_.note_reported(copy->number);
}

void Judge::take_compared(const Record &record, const Client &client)
{
	if (is_touch(record.flags))
		return take_touched(record);
	const auto is_known = [this](const Moment &moment) {
		return actors_.is_known_to_a_host(moment);
	};
	const auto [copy, graph] = contents_.end(record, client.host.now(), is_known);
	if (!copy)
		return;
	if (graph == 0)
		return accesses_.changed(copy, record.operands, record.flags);
	for (const Operand &range : record.operands) {
		if (const CommandPointer node = graphs_.reader_of(graph, range, *copy))
			accesses_.changed(node, {range}, record.flags);
	}
}

/*
 * After a host function has run, the host counts as knowing that. Programs pass this fact between their
 * threads by means that no trace shows. Without this edge the judge would report all these programs.
 */
void Judge::take_callback_call(const Record &record, Client &client)
{
	auto body = bodies_.find(record.object);
	if (body == bodies_.end() || body->second.client != record.client)
		return complain("there is no host function of this number");
	const Thread thread{record.client, record.thread};
	if (record.kind == Kind::CALLBACK_BEGIN) {
		if (running_.size() >= options_.bounds.threads)
			return complain("there are too many threads");
		running_[thread] = record.object;
		if (!body->second.blocks)
			client.host.join(body->second.command->moment);
		return;
	}
	client.host.join(body->second.command->moment);
	know_results(client, record.client, true);
	running_.erase(thread);
	bodies_.erase(body);
}

/* Judges calls that order the host after device work, or device work after the host. */
void Judge::take_order_call(const Record &record, Client &client)
{
	Stream *stream = actors_.stream(record.client, record.stream);
	auto event = events_.find(record.object);
	switch (record.kind) {
	case Kind::STREAM_DESTROY:
		if (!stream)
			return complain("there is no such stream");
		if (record.flags & WAITS) {
			force(*stream);
			contents_.note_known(record.client, record.stream);
		}
		actors_.destroy(record.client, record.stream, (record.flags & WAITS) != 0);
		return;
	case Kind::STREAM_SYNC:
	case Kind::STREAM_DONE:
		if (!stream)
			return complain("there is no such stream");
		if (record.kind == Kind::STREAM_SYNC && (record.flags & DROPPED))
			check_dropped(*stream);
		know_stream(record, client, *stream);
		return know_results(client, record.client, true);
	case Kind::DEVICE_SYNC:
		know_device(record, client);
		return know_results(client, record.client, false);
	case Kind::EVENT_CREATE:
		/* A process opens an event that another process may have recorded. */
		if (event != events_.end()) {
			event->second.is_shared = true;
			return;
		}
		if (events_.size() >= options_.bounds.events)
			return complain("there are too many events");
		events_[record.object] = {};
		events_[record.object].number = record.object;
		events_[record.object].label = record.label;
		events_[record.object].place = ++named_events_;
		events_[record.object].handle = record.address;
		events_[record.object].client = record.client;
		events_[record.object].mode =
			record.value == EVENT_LATCH ? EVENT_LATCH : EVENT_SNAPSHOT;
		return;
	case Kind::EVENT_DESTROY:
		events_.erase(record.object);
		return;
	case Kind::EVENT_SYNC:
	case Kind::EVENT_DONE:
		if (event == events_.end())
			return complain("there is no such event");
		know_event(record, client, event->second);
		return know_results(client, record.client, true);
	case Kind::SIGNAL:
		latches_[record.object].signal(record.value, record.flags,
					       actors_.host_moment(client));
		return;
	case Kind::AWAIT:
		if (auto latch = latches_.find(record.object); latch != latches_.end())
			(void)latch->second.await(record.value, record.flags, client.host);
		return;
	case Kind::RELEASE:
		published_[record.object].release(actors_.host_moment(client));
		return;
	case Kind::ACQUIRE:
		if (record.bytes != 0) {
			know_bytes(record, client);
			return know_results(client, record.client, true);
		}
		if (auto found = published_.find(record.object); found != published_.end())
			found->second.acquire(client.host);
		return;
	default:
		return;
	}
}

Summary Judge::summary() const
{
	Summary summary = summary_;
	const Shadow::Counters counters = memory_.counters();
	summary.findings = reporter_.found();
	summary.undecided = counters.undecided;
	summary.forgotten = counters.forgotten + accesses_.forgotten();
	summary.unknown = accesses_.unknown();
	summary.unawaited = results_.unawaited();
	summary.uncompared += contents_.unjudged();
	return summary;
}

/*
 * When the judge would exceed its bounds on memory, it forgets the past: from then on all actors count as
 * ordered after everything that happened before. This causes no false finding. It only misses races between
 * an access before that point and one after it. The judge counts what it forgets, and the summary of a report
 * shows the count.
 */
bool Judge::is_full() const
{
	const Bounds &bounds = options_.bounds;
	return memory_.is_full() || actors_.ticks() > bounds.ticks ||
	       latches_.size() > bounds.latches || published_.size() > bounds.keys;
}

void Judge::reset_history()
{
	std::set<std::pair<uint32_t, uint32_t>> unknown;
	actors_.each_stream([&](Stream &stream) {
		force(stream);
		unknown.insert({stream.client, stream.number});
		unknown.insert({stream.client, HOST});
	});
	contents_.reset_history(std::move(unknown));
	results_.reset_history();
	const auto seen = actors_.reset_history();
	memory_.reset_history(seen);
	graphs_.reset_history();
	for (auto &[number, event] : events_)
		event.reset_history();
	published_.clear();
	for (auto &[number, body] : bodies_) {
		auto command = std::make_shared<Command>(*body.command);
		command->moment.seen = seen;
		body.command = std::move(command);
	}
	if (latches_.size() > options_.bounds.latches) {
		latches_.clear();
		lost_latches_ = true;
	}
	for (auto &[number, latch] : latches_)
		latch.reset_history();
}

/* Makes a slot of the vector clock free. A destroyed stream keeps its slot until the host knows that its work
 * has ended. */
void Judge::make_slot(Client &client)
{
	if (!actors_.has_slot(client) && !client.retired.empty())
		reset_history();
}

/* Runs the records of a held stream, as if the host had done what the stream waits for. */
void Judge::make_room(Stream &stream)
{
	force(stream);
	if (held_parts_ > options_.bounds.held_parts)
		actors_.each_stream([this](Stream &other) { force(other); });
}

} // namespace san
