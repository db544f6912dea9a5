// SPDX-License-Identifier: MIT
/**
 * DOC: the judge: waits and deadlocks
 *
 * A held stream waits for another stream: the one that holds the record or the signal that would end the
 * wait. A thread in a synchronizing call waits for a stream. A stream waits for the thread that runs its host
 * function. Each of them waits for at most one other, so following these waits finds every circle.
 *
 * A wait of the host covers the work that existed when the wait began. In the meantime another thread may
 * submit more work, which the wait does not cover. So a BLOCKED record marks the beginning of each wait, and
 * the judge keeps the state of the streams at that time until the wait has ended. Older traces and queries
 * have no such record, so they cover all work.
 */
#include <algorithm>

#include <fmt/format.h>

#include "san/judge/judge.h"

namespace san {

/* The longest circle that is reported; nobody would read a longer one. */
static constexpr size_t MAX_CHAIN = 64;

std::string Judge::at(const Record &record) const
{
	return reporter_.at(record.site);
}

std::string Judge::waiter_text(const Waiter &waiter) const
{
	if (waiter.stream)
		return reporter_.stream_text(*waiter.stream);
	return fmt::format("thread {}", waiter.thread.second);
}

/* The last stream that holds a record of this kind for which @is_it returns true. */
template <class Is> static Stream *find_holder(Actors &actors, Kind kind, const Is &is_it)
{
	Stream *found = nullptr;
	actors.each_stream([&](Stream &stream) {
		for (const Held &held : stream.held) {
			if (held.record.kind == kind && is_it(held))
				found = &stream;
		}
	});
	return found;
}

Stream *Judge::holder(const GenerationPointer &generation) const
{
	return find_holder(actors_, Kind::EVENT_RECORD,
			   [&](const Held &held) { return held.generation == generation; });
}

Stream *Judge::holder_of_flag(uint64_t event) const
{
	return find_holder(actors_, Kind::EVENT_RECORD,
			   [&](const Held &held) { return held.record.object == event; });
}

/* A stream that holds a record of the flag, or a launch of a graph that would record the flag. */
Stream *Judge::setter_of_flag(uint64_t event) const
{
	Stream *stream = holder_of_flag(event);
	return stream ? stream : signaller(event);
}

Stream *Judge::recorder_of(const Held &wait) const
{
	return is_flag_event(wait.record.object) ? setter_of_flag(wait.record.object)
						 : holder(wait.generation);
}

/* Whether a node of the launch is to signal @latch. */
bool Judge::will_signal(const Held &launch, uint64_t latch) const
{
	const Graph *graph = graphs_.find(launch.record.object);
	for (uint32_t node = 0; graph && node < graph->nodes.size(); node++) {
		const Graph::Exchange &exchange = graph->nodes[node].exchange;
		const bool has_run = launch.launch && launch.launch->has_run(node);
		if (exchange.latch == latch && !exchange.waits && !has_run &&
		    exchange.flags != SIGNAL_RESET)
			return true;
	}
	return false;
}

Stream *Judge::signaller(uint64_t latch) const
{
	Stream *stream = find_holder(actors_, Kind::SIGNAL,
				     [&](const Held &held) { return held.record.object == latch; });
	return stream ? stream : find_holder(actors_, Kind::GRAPH_LAUNCH, [&](const Held &held) {
		return will_signal(held, latch);
	});
}

/* The latch that the record waits for; 0 if it waits for none. @site: receives the call site of the wait. */
uint64_t Judge::awaited(const Held &held, uint32_t &site) const
{
	site = held.record.site;
	if (held.record.kind == Kind::AWAIT)
		return held.record.object;
	const Graph *graph = held.launch ? graphs_.find(held.record.object) : nullptr;
	if (!graph || !held.launch->is_of(*graph) || held.launch->waits().empty())
		return 0;
	const Graph::Node &node = graph->nodes[held.launch->waits().front()];
	site = node.site;
	return node.exchange.latch;
}

bool Judge::next_of_stream(Stream &stream, Waiter &other, std::string &text) const
{
	for (const auto &[thread, number] : running_) {
		auto body = bodies_.find(number);
		if (body == bodies_.end() || !body->second.blocks ||
		    body->second.client != stream.client || body->second.stream != stream.number)
			continue;
		other = {nullptr, thread};
		text = fmt::format("{} waits for its host function, which {} runs",
				   reporter_.stream_text(stream), waiter_text(other));
		return true;
	}
	if (stream.held.empty())
		return false;
	const Held &held = stream.held.front();
	uint32_t site = 0;
	const uint64_t latch = awaited(held, site);
	const bool is_wait = held.record.kind == Kind::EVENT_WAIT;
	const bool event = is_wait || is_flag_event(latch);
	if (!event && latch == 0)
		return false;
	text = fmt::format("{} waits{} for {}", reporter_.stream_text(stream), reporter_.at(site),
			   event ? reporter_.event_text(is_wait ? held.record.object : latch)
				 : "a signal");
	other = {is_wait ? recorder_of(held)
		 : event ? setter_of_flag(latch)
			 : signaller(latch),
		 {}};
	if (other.stream)
		text += fmt::format(", which {} would {}", reporter_.stream_text(*other.stream),
				    event ? "record" : "send");
	else
		text += event ? ", which nothing records" : ", which nothing sends";
	return other.stream != nullptr;
}

bool Judge::next_of_thread(const Waiter &waiter, Waiter &other, std::string &text) const
{
	auto found = blocked_.find(waiter.thread);
	if (found == blocked_.end())
		return false;
	const Record &record = found->second.record;
	other = {actors_.stream(record.client, record.stream), {}};
	auto event = events_.find(record.object);
	if (!other.stream && event != events_.end() && event->second.latest) {
		const GenerationPointer &latest = event->second.latest;
		other.stream = latest->is_known
				       ? actors_.stream(latest->call->client, latest->call->stream)
				       : holder(latest);
	}
	if (!other.stream && event != events_.end() && !event->second.latest)
		other.stream = setter_of_flag(record.object);
	/* A wait for the whole device waits for each stream, so one stream that is stuck is enough. */
	if (!other.stream && record.object == 0) {
		for (auto &[number, stream] : actors_.client(record.client)->streams) {
			Waiter after;
			std::string why;
			if (next_of_stream(*stream, after, why))
				other.stream = stream.get();
		}
	}
	if (other.stream)
		text = fmt::format("{} waits{} for {}", waiter_text(waiter), at(record),
				   reporter_.stream_text(*other.stream));
	return other.stream != nullptr;
}

bool Judge::next(const Waiter &waiter, Waiter &other, std::string &text) const
{
	return waiter.stream ? next_of_stream(*waiter.stream, other, text)
			     : next_of_thread(waiter, other, text);
}

/*
 * Reports the circle that @start is part of. @members: if not nullptr, receives the streams of the circle.
 * Return: whether there is a circle.
 */
bool Judge::check_circle(const Waiter &start, const Command &command,
			 std::set<const Stream *> *members)
{
	std::vector<std::string> circle;
	std::set<const Stream *> seen;
	Waiter waiter = start;
	while (circle.size() < MAX_CHAIN) {
		Waiter other;
		std::string text;
		if (!next(waiter, other, text))
			return false;
		circle.push_back(std::move(text));
		seen.insert(other.stream);
		if (other == start) {
			reporter_.deadlock(command, std::move(circle));
			if (members)
				members->merge(seen);
			return true;
		}
		waiter = other;
	}
	return false;
}

/* Checks a stream whose work the program has dropped. The program may have given up because of a mistake
 * elsewhere, so a wait alone is not reported. A circle of streams is reported, because it would have been
 * stuck in any case. */
void Judge::check_dropped(Stream &stream)
{
	progress();
	if (stream.held.empty())
		return;
	Held &held = stream.held.front();
	held.command->moment = stream.actor.now();
	check_circle({&stream, {}}, *held.command, nullptr);
}

void Judge::block(const Record &record, const Client &client)
{
	Blocked &blocked = blocked_[{record.client, record.thread}];
	blocked = {record, {}, nullptr};
	blocked.record.operands.clear();
	if (auto event = events_.find(record.object); event != events_.end()) {
		/* Calls of another process may appear in the merged trace in another order than they
		 * happened. */
		const GenerationPointer &latest = event->second.latest;
		if (event->second.mode == EVENT_SNAPSHOT && latest &&
		    latest->call->client == record.client) {
			blocked.generation = latest;
			latest->is_consumed = true;
		}
		return;
	}
	const Stream *wanted = actors_.stream(record.client, record.stream);
	for (const auto &[number, stream] : client.streams) {
		if (record.stream == HOST || stream.get() == wanted ||
		    (wanted && wanted->is_legacy() && wanted->takes_turns(*stream)))
			blocked.streams[number] = stream->cover(order_);
	}
}

/* Remembers which thread's wait has ended. If there are other contexts, a wait for a device ends with a
 * record for each stream. */
void Judge::note_thread(const Record &record)
{
	const Thread thread{record.client, record.thread};
	if (auto blocked = blocked_.extract(thread))
		over_[thread] = std::move(blocked.mapped());
	else if (record.kind != Kind::STREAM_SYNC)
		over_.erase(thread);
}

/* The moment of the stream up to which the wait covers it. */
const Moment &Judge::end_of(Stream &stream, const Covered &covered)
{
	if (!covered.is_known) {
		progress();
		force_before(stream, covered.order);
	}
	return covered.is_known ? covered.moment : stream.actor.now();
}

/* @is_apart: the wait was for less than the whole device. */
void Judge::know_results(const Client &client, uint32_t number, bool is_apart)
{
	results_.know(is_apart, [&](const Command &copy) {
		return copy.client == number && happens_before(copy.moment, client.host.now());
	});
}

void Judge::know_stream(const Record &record, Client &client, Stream &stream)
{
	contents_.note_known(record.client, record.stream);
	auto over = over_.find({record.client, record.thread});
	if (record.kind == Kind::STREAM_DONE || (record.flags & DROPPED) || over == over_.end() ||
	    !over->second.streams.contains(record.stream)) {
		force(stream);
		if (stream.is_legacy())
			actors_.begin(stream, actors_.host_moment(client));
		client.host.join(stream.actor.now());
		return;
	}
	for (const auto &[number, covered] : over->second.streams) {
		Stream *other = actors_.stream(record.client, number);
		if (other &&
		    (other == &stream || (stream.is_legacy() && stream.takes_turns(*other))))
			client.host.join(end_of(*other, *covered));
	}
	if (stream.is_legacy())
		actors_.know_retired(client, stream.context, true);
}

void Judge::know_device(const Record &record, Client &client)
{
	auto over = over_.find({record.client, record.thread});
	contents_.note_known(record.client, HOST);
	for (auto &[number, stream] : client.streams) {
		if (record.object != 0 && stream->context != record.object)
			continue;
		contents_.note_known(record.client, number);
		if (over == over_.end()) {
			force(*stream);
			continue;
		}
		auto covered = over->second.streams.find(number);
		if (covered != over->second.streams.end())
			client.host.join(end_of(*stream, *covered->second));
	}
	if (over == over_.end())
		actors_.synchronize(client, record.object);
	else
		actors_.know_retired(client, record.object, false);
}

void Judge::know_event(const Record &record, Client &client, const Event &event)
{
	auto over = over_.find({record.client, record.thread});
	GenerationPointer known = event.latest;
	if (record.kind == Kind::EVENT_SYNC && over != over_.end() && over->second.generation &&
	    over->second.record.object == record.object)
		known = over->second.generation;
	if (known == event.latest)
		force_event(event);
	else if (Stream *stream = known->is_known ? nullptr : holder(known))
		force_before(*stream, known->call->order + 1);
	if (!known)
		known = event.latest;
	if (!known)
		return;
	known->is_consumed = true;
	client.host.join(known->call->moment);
}

/* The ends of the commands that wrote the bytes, and that the host does not know. */
std::vector<Moment> Judge::writers_of(const Record &acquire, const Client &client) const
{
	std::vector<Moment> ends;
	const Range bytes{acquire.address, acquire.address + acquire.bytes};
	for (const Piece &piece : memory_.pieces(acquire.client, bytes)) {
		if (!piece.block || piece.block->freed)
			continue;
		piece.block->shadow.unordered(
			piece.offsets(), client.host.now(), [&](const Touch &touch, Range) {
				if (touch.use == Use::WRITE || touch.use == Use::REDUCE)
					ends.push_back(touch.command->moment);
			});
	}
	return ends;
}

/* Runs held records of the client up to those that write the bytes. */
void Judge::force_writers(const Record &acquire, const Client &client)
{
	const Range bytes{acquire.address, acquire.address + acquire.bytes};
	const auto is_writer = [&](const Operand &operand) {
		const Range range = Shape::of(operand).bounds();
		return operand.access != Access::READ && range.begin < bytes.end &&
		       bytes.begin < range.end;
	};
	for (const auto &[number, stream] : client.streams) {
		uint64_t last = 0;
		for (const Held &held : stream->held) {
			const std::vector<Operand> &operands = held.record.operands;
			if (std::any_of(operands.begin(), operands.end(), is_writer) ||
			    (held.record.kind == Kind::SIGNAL &&
			     held.record.object == acquire.object))
				last = held.command->order;
		}
		if (last != 0)
			force_before(*stream, last + 1);
	}
}

/* The program says that the host has read what commands wrote at these addresses. So they have run, and with
 * them all that came before them. A command that still waits has run only if there is no other writer. */
void Judge::know_bytes(const Record &record, Client &client)
{
	if (record.bytes > UINT64_MAX - record.address)
		return complain("an address range leaves 64 bits");
	progress();
	const auto knows_word = [&] {
		auto latch = latches_.find(record.object);
		return latch != latches_.end() && latch->second.know(record.value, client.host);
	};
	const bool is_known = knows_word();
	std::vector<Moment> ends = writers_of(record, client);
	if (!is_known && ends.empty()) {
		force_writers(record, client);
		knows_word();
		ends = writers_of(record, client);
	}
	for (const Moment &end : ends)
		client.host.join(end);
}

/* A killed process leaves no record of the end of its work. Only its parent learns that the work has ended,
 * because it waited for the process. For other processes it may be luck that the work had ended. */
void Judge::know_end(const Record &record)
{
	Client *gone = actors_.known(static_cast<uint32_t>(record.object));
	if (!gone || gone->parent == 0 || gone->parent != process_of(record.client))
		return;
	for (auto &[number, stream] : gone->streams)
		force(*stream);
	actors_.synchronize(*gone);
}

void Judge::finish()
{
	progress();
	std::set<const Stream *> told;
	actors_.each_stream([&](Stream &stream) {
		/* Skips streams that the program has destroyed: nobody waits for them any more. */
		if (stream.held.empty() || stream.is_gone || told.contains(&stream))
			return;
		Held &held = stream.held.front();
		held.command->moment = stream.actor.now();
		if (check_circle({&stream, {}}, *held.command, &told))
			return;
		Waiter other;
		std::string text;
		const bool waits = next_of_stream(stream, other, text);
		/* The judge may have forgotten the signal that ends this wait, so it is not reported. */
		uint32_t site = 0;
		const bool unknown = lost_latches_ && awaited(held, site) != 0;
		if (!waits && !unknown && !text.empty())
			reporter_.deadlock(*held.command, {text});
	});
}

} // namespace san
