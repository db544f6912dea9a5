// SPDX-License-Identifier: MIT
/**
 * DOC: the judge: records that have a place in a stream
 *
 * The judge runs a record as soon as it knows what the record waits for. Until then the record holds all
 * later records of its stream. A synchronisation by the host may succeed although a stream is held. Then
 * something that the trace does not show ended the wait, and the judge assumes that the host did it.
 */
#include "san/judge/judge.h"

#include <algorithm>

namespace san {

void Judge::queue(const Record &record, Client &client)
{
	Stream *stream = actors_.stream(record.client, record.stream);
	if (!stream)
		return complain("there is no such stream");
	Held held{record, make_command(record), actors_.host_moment(client), nullptr};
	if (!resolve(held))
		return;
	const bool has_run = stream->held.empty() && run(*stream, held, false);
	if (!has_run)
		hold(*stream, std::move(held));
	/* A launch may have sent signals before it is held. */
	if (holding_ > 0 && (has_run || has_advanced_))
		progress();
	/* The call returned after the command was complete, so the host knows that it is. */
	if (record.kind == Kind::COMMAND && (record.flags & COMMAND_RETURNED)) {
		force(*stream);
		client.host.join(stream->actor.now());
		know_results(client, record.client, true);
	}
}

void Judge::hold(Stream &stream, Held &&held)
{
	const size_t parts = 1 + held.record.operands.size();
	holding_ += stream.held.empty();
	held_parts_ += parts;
	if (held.record.kind == Kind::GRAPH_LAUNCH)
		graphs_.hold(held.record.object);
	held.is_held = true;
	stream.held.push_back(std::move(held));
	if (held_parts_ > options_.bounds.held_parts)
		make_room(stream);
}

void Judge::let_go(Stream &stream)
{
	const Record &record = stream.held.front().record;
	held_parts_ -= 1 + record.operands.size();
	if (record.kind == Kind::GRAPH_LAUNCH)
		graphs_.let_go(record.object);
	stream.held.pop_front();
	holding_ -= stream.held.empty();
}

/* Finds the record of an event to which a call refers. For an event by value it is the last record at the
 * time of the call, not at the time when the wait runs. A flag is different: streams set and reset it when
 * they run these commands. */
bool Judge::resolve(Held &held)
{
	const Record &record = held.record;
	const bool is_event = record.kind == Kind::EVENT_RECORD ||
			      record.kind == Kind::EVENT_WAIT || record.kind == Kind::EVENT_RESET;
	if (!is_event)
		return true;
	auto found = events_.find(record.object);
	if (found == events_.end()) {
		complain("there is no such event");
		return false;
	}
	Event &event = found->second;
	held.generation = event.latest;
	if (record.kind == Kind::EVENT_WAIT) {
		held.reset = event.latest ? nullptr : event.reset;
		if (held.generation)
			held.generation->is_consumed = true;
	} else if (record.kind == Kind::EVENT_RECORD) {
		held.previous = event.latest;
		held.generation = event.make_record(held.command);
		if (event.mode == EVENT_SNAPSHOT)
			event.set(held.generation);
	} else if (event.mode == EVENT_SNAPSHOT) {
		event.take_away(held.command);
	}
	return true;
}

/* Whether a record has to wait because of the legacy stream. The legacy stream and the blocking streams are
 * ordered with each other, so either may have to wait for the other. */
bool Judge::is_held_by_legacy(const Stream &stream, const Held &held)
{
	const Client &client = *actors_.client(stream.client);
	if (client.legacy.empty())
		return false;
	const uint64_t order = held.command->order;
	auto holds = [order](const Stream &other) {
		return !other.held.empty() && other.held.front().command->order < order;
	};
	if (stream.is_blocking()) {
		const auto legacy = client.legacy.find(stream.context);
		return legacy != client.legacy.end() && holds(*legacy->second);
	}
	if (!stream.is_legacy())
		return false;
	for (const auto &[number, other] : client.streams) {
		if (stream.takes_turns(*other) && holds(*other))
			return true;
	}
	return false;
}

bool Judge::run(Stream &stream, Held &held, bool forced)
{
	if (!forced && holding_ > 0 && is_held_by_legacy(stream, held))
		return false;
	if (!stream.waits.empty())
		stream.reach(held.command->order);
	actors_.begin(stream, held.host);
	if (!run_kind(stream, held, forced))
		return false;
	if (follower_)
		follower_->ran(held.record, stream.actor.now());
	return true;
}

bool Judge::run_kind(Stream &stream, Held &held, bool forced)
{
	switch (held.record.kind) {
	case Kind::EVENT_RECORD:
	case Kind::EVENT_WAIT:
	case Kind::EVENT_RESET:
		return run_event(stream, held, forced);
	case Kind::SIGNAL:
	case Kind::AWAIT:
		return run_latch(stream, held, forced);
	case Kind::GRAPH_LAUNCH:
		return run_launch(stream, held, forced);
	case Kind::CALLBACK:
		run_callback(stream, held);
		return true;
	default:
		run_command(stream, held);
		return true;
	}
}

bool Judge::run_event(Stream &stream, Held &held, bool forced)
{
	if (held.record.kind == Kind::EVENT_WAIT)
		return run_wait(stream, held, forced);
	if (held.record.kind == Kind::EVENT_RESET)
		run_reset(stream, held);
	else
		run_record(stream, held);
	return true;
}

void Judge::run_record(Stream &stream, Held &held)
{
	/* A follower tells the record apart from what came before it. */
	if (follower_)
		stream.actor.tick();
	held.command->moment = stream.actor.now();
	held.generation->is_known = true;
	stream.mark({Mark::What::RECORD, held.command->order, held.record.label, held.record.site,
		     held.record.object, held.generation});
	auto event = events_.find(held.record.object);
	if (event == events_.end())
		return;
	if (event->second.mode == EVENT_LATCH)
		return event->second.set(held.generation);
	const GenerationPointer &last = held.previous;
	if (last && last->is_known && !last->is_consumed &&
	    last->call->stream != held.record.stream &&
	    !happens_before(last->call->moment, stream.actor.now()))
		reporter_.call(Rule::EVT_LOST_RECORD, *held.command, last->call.get());
}

void Judge::check_reset(const Stream &stream, const Held &held, const Command &reset)
{
	if (reset.stream != stream.number && !happens_before(reset.moment, stream.actor.now()))
		reporter_.reset_early(*held.command, reset, held.record.object);
}

/* The record that ends a wait for a flag; nullptr if there is none yet. If the flag was set at the time of
 * the call, but was reset by something unordered with the wait, that is reported, and the old record
 * counts. */
GenerationPointer Judge::flag_of(const Stream &stream, const Held &held)
{
	auto found = events_.find(held.record.object);
	if (found == events_.end())
		return held.generation;
	const Event &event = found->second;
	if (event.latest || !held.generation)
		return event.latest;
	if (!event.reset || happens_before(event.reset->moment, stream.actor.now()))
		return nullptr;
	check_reset(stream, held, *event.reset);
	return held.generation;
}

bool Judge::run_wait(Stream &stream, Held &held, bool forced)
{
	if (held.reset)
		check_reset(stream, held, *held.reset);
	held.reset = nullptr;
	const bool is_flag = is_flag_event(held.record.object);
	const GenerationPointer generation = is_flag ? flag_of(stream, held) : held.generation;
	if (!generation && !is_flag) {
		held.command->moment = stream.actor.now();
		stream.mark({Mark::What::WAIT_WITHOUT_RECORD, held.command->order,
			     held.record.label, held.record.site, held.record.object, nullptr});
		reporter_.call(Rule::EVT_NOOP_WAIT, *held.command, nullptr);
		return true;
	}
	const bool is_known = generation && generation->is_known;
	if (!is_known && !forced)
		return false;
	const bool is_elsewhere = is_known && generation->call->client != stream.client;
	stream.actor.join(is_known ? generation->call->moment
				   : actors_.client(stream.client)->host.now());
	/* The wait gets a moment of its own, so that an event recorded before the wait does not cover what
	 * the wait has learnt. */
	stream.actor.tick();
	held.command->moment = stream.actor.now();
	/* Calls of another process may appear in the merged trace in another order than they happened. */
	if (forced || is_elsewhere)
		note_opaque(stream);
	stream.mark({Mark::What::WAIT, held.command->order, held.record.label, held.record.site,
		     held.record.object, generation});
	if (!generation)
		return true;
	generation->add_wait(held.command);
	return true;
}

/* A reset removes the signal for all waits that have not ended at that time. */
void Judge::run_reset(Stream &stream, Held &held)
{
	stream.actor.tick();
	held.command->moment = stream.actor.now();
	auto event = events_.find(held.record.object);
	if (event != events_.end() && event->second.mode == EVENT_LATCH) {
		held.generation = event->second.latest;
		event->second.take_away(held.command);
	}
	if (held.generation)
		check_waits(*held.generation, *held.command, held.record.object);
}

void Judge::check_waits(const Generation &generation, const Command &reset, uint64_t event)
{
	for (const CommandPointer &wait : generation.waits) {
		if (!happens_before(wait->moment, reset.moment))
			reporter_.reset_early(*wait, reset, event);
	}
}

bool Judge::run_latch(Stream &stream, Held &held, bool forced)
{
	const Record &record = held.record;
	Latch &latch = latches_[record.object];
	if (record.kind == Kind::SIGNAL) {
		stream.actor.tick();
		/* The latch may be a word in memory that the host polls, so the host may learn from this
		 * signal. */
		if (watches_contents())
			contents_.note_teller(stream.client, stream.actor.now());
		latch.signal(record.value, record.flags, stream.actor.now());
		return true;
	}
	const bool is_over = latch.await(record.value, record.flags, stream.actor);
	if (!is_over && !forced)
		return false;
	if (!is_over)
		stream.actor.join(actors_.client(stream.client)->host.now());
	/* The program may have written the word directly, so the judge ends the wait. */
	stream.actor.tick();
	note_opaque(stream);
	return true;
}

void Judge::note_opaque(const Stream &stream)
{
	contents_.note_opaque(stream.client, stream.actor.now(),
			      [this](uint32_t client, const Moment &moment) {
				      return actors_.host_knows(client, moment);
			      });
}

/* Whether a program may learn of the end of a command by polling memory. It may poll host memory that the
 * command writes. For copies this holds only up to POLLED_BYTES: no interface guarantees the order in which a
 * longer copy writes its bytes. */
bool Judge::tells_host(const Stream &stream, const std::vector<Operand> &operands,
		       uint16_t flags) const
{
	constexpr uint64_t POLLED_BYTES = 64;
	return std::any_of(operands.begin(), operands.end(), [&](const Operand &operand) {
		const Range range = Shape::of(operand).bounds();
		if (operand.access == Access::READ ||
		    (flags & COMMAND_COPY && range.end - range.begin > POLLED_BYTES))
			return false;
		const std::vector<Piece> pieces = memory_.pieces(stream.client, range);
		return std::any_of(pieces.begin(), pieces.end(), [](const Piece &piece) {
			return !piece.block || piece.block->is_host;
		});
	});
}

/* Whether the command copies to pinned memory, and the call returned before the copy ended. */
bool Judge::is_result(const Record &record) const
{
	constexpr uint16_t WANTED = COMMAND_COPY | COMMAND_TO_HOST;
	if ((record.flags & (WANTED | COMMAND_RETURNED | COMMAND_STAGED)) != WANTED ||
	    record.operands.size() < 2)
		return false;
	const Range target = Shape::of(record.operands[1]).bounds();
	const std::vector<Piece> pieces = memory_.pieces(record.client, target);
	return !pieces.empty() && pieces.front().block && pieces.front().block->is_host;
}

void Judge::run_command(Stream &stream, Held &held)
{
	const Record &record = held.record;
	stream.actor.tick();
	held.command->moment = stream.actor.now();
	summary_.commands++;
	if (record.kind == Kind::ALLOC) {
		allocate(record, held.command, true);
	} else if (record.kind == Kind::FREE) {
		free(record, held.command, true);
	} else if (record.kind == Kind::UNMAP) {
		unmap(record, held.command);
	} else if (record.kind == Kind::GRAPH_UPDATE) {
		if (const char *why = graphs_.update(record, held.command))
			complain(why);
	} else if ((record.flags & COMMAND_STAGED) == 0) {
		accesses_.run(held.command, record.operands, record.flags);
	} else {
		run_staged(stream, held);
	}
	if (record.flags & COMMAND_OPAQUE)
		note_opaque(stream);
	if (watches_contents() && tells_host(stream, record.operands, record.flags))
		contents_.note_teller(stream.client, stream.actor.now());
	if (record.flags & COMMAND_COMPARED)
		contents_.begin(held.command, held.host, record.operands, held.is_held);
	summary_.uncompared += (record.flags & COMMAND_UNCOMPARED) != 0;
	if (is_result(record))
		results_.begin(held.command);
	stream.mark({Mark::What::COMMAND, held.command->order, record.label, record.site,
		     held.command->number, nullptr, 0, held.command->task});
}

/* Runs a command whose call has itself read or written the host operands before it returned. */
void Judge::run_staged(Stream &stream, Held &held)
{
	std::vector<Operand> staged;
	std::vector<Operand> rest;
	for (const Operand &operand : held.record.operands)
		((operand.flags & OPERAND_STAGED) ? staged : rest).push_back(operand);
	auto access = std::make_shared<Command>(*held.command);
	access->stream = HOST;
	access->moment = actors_.host_access(*actors_.client(stream.client));
	accesses_.run(access, staged, 0);
	accesses_.run(held.command, rest, 0);
}

void Judge::run_callback(Stream &stream, Held &held)
{
	if (bodies_.size() >= options_.bounds.bodies)
		return complain("there are too many host functions");
	stream.actor.tick();
	held.command->moment = stream.actor.now();
	note_opaque(stream);
	bodies_[held.record.object] = {held.command, held.record.client, held.record.stream,
				       (held.record.flags & BLOCKS) != 0};
	stream.mark({Mark::What::COMMAND, held.command->order, held.record.label, held.record.site,
		     held.record.object, nullptr, 0, held.command->task});
}

/* Runs held records until none of them can run. */
void Judge::progress()
{
	bool changed = true;
	while (changed && holding_ > 0) {
		changed = false;
		has_advanced_ = false;
		actors_.each_stream([&](Stream &stream) {
			while (!stream.held.empty() && run(stream, stream.held.front(), false)) {
				let_go(stream);
				changed = true;
			}
		});
		changed = changed || has_advanced_;
	}
	has_advanced_ = false;
}

/* The host knows that all work of the stream has ended, so its held records run. */
void Judge::force(Stream &stream)
{
	if (stream.held.empty())
		return;
	progress();
	force_before(stream, UINT64_MAX);
}

/* Runs the held records of the stream that came before @order. Older records that hold the stream because of
 * the legacy stream have ended, too, so they run as well. */
void Judge::force_before(Stream &stream, uint64_t order)
{
	while (!stream.held.empty() && stream.held.front().command->order < order) {
		const uint64_t front = stream.held.front().command->order;
		if (is_held_by_legacy(stream, stream.held.front())) {
			const Client &client = *actors_.client(stream.client);
			for (const auto &[number, other] : client.streams) {
				if (stream.takes_turns(*other))
					force_before(*other, front);
			}
			continue;
		}
		run(stream, stream.held.front(), true);
		let_go(stream);
		progress();
	}
}

/* The host knows that the record of the event has run, so the records up to it run. */
void Judge::force_event(const Event &event)
{
	Stream *stream = nullptr;
	if (event.latest && !event.latest->is_known)
		stream = holder(event.latest);
	else if (!event.latest && event.mode == EVENT_LATCH)
		stream = setter_of_flag(event.number);
	if (stream)
		force(*stream);
}

bool Judge::is_flag_event(uint64_t number) const
{
	auto event = events_.find(number);
	return event != events_.end() && event->second.mode == EVENT_LATCH;
}

} // namespace san
