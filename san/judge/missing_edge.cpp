// SPDX-License-Identifier: MIT
/**
 * DOC: the missing edge
 *
 * Most races come from a missing wait, or from a wait for the wrong record. The marks of both streams tell
 * which mistake it is. Perhaps nothing waited for a record that followed the earlier command. Or a wait
 * referred to a record from before that command, to a record of the waiting stream itself, to an event without
 * a record, or to a record that a later one had replaced.
 */
#include "san/judge/missing_edge.h"

#include <algorithm>

#include <fmt/format.h>

namespace san {

const OrderCalls &order_calls(Profile profile)
{
	static constexpr OrderCalls ASCENDCL{"aclrtRecordEvent", "aclrtStreamWaitEvent",
					     "aclrtSynchronizeStream", "aclrtSynchronizeEvent"};
	static constexpr OrderCalls CUDA{"cuEventRecord", "cuStreamWaitEvent",
					 "cuStreamSynchronize", "cuEventSynchronize"};
	return profile == Profile::CUDA ? CUDA : ASCENDCL;
}

MissingEdge::MissingEdge(const Reporter &reporter, const Actors &actors, const Events &events,
			 const Command &earlier, const Command &later)
	: reporter_(reporter), events_(events), earlier_(earlier), later_(later),
	  from_(earlier.stream == HOST ? nullptr : actors.by_slot(earlier.moment.slot)),
	  to_(later.stream == HOST ? nullptr : actors.by_slot(later.moment.slot)),
	  profile_(actors.profile(later.client)), calls_(order_calls(profile_))
{
}

std::string MissingEdge::name(const Command &command) const
{
	const std::string &label = reporter_.text(command.label);
	const std::string &launch = reporter_.text(command.launch_label);
	/* For a node of a graph, the marks of a stream have only the launch. */
	if (!launch.empty())
		return fmt::format("{}{} of the graph with {}", launch, at(command.launch_site),
				   label);
	if (!label.empty())
		return label + at(command.site);
	const char *what = command.allocates	    ? "the allocation from a pool"
			   : command.stream == HOST ? "the host's access"
						    : "the command";
	return what + at(command.site);
}

std::string MissingEdge::place(const Command &command) const
{
	const std::string text = command.stream == HOST
					 ? "the host"
					 : reporter_.stream_text(command.client, command.stream);
	return earlier_.client == later_.client ? text : text + process_text(command.client);
}

std::string MissingEdge::last_common_point() const
{
	const Clock *seen = later_.moment.seen.get();
	const Tick known = seen ? seen->at(earlier_.moment.slot) : 0;
	const std::string both =
		fmt::format("nothing orders {} before {}", place(earlier_), place(later_));
	const Mark *last = nullptr;
	for (size_t i = 0; from_ && i < from_->marks.size(); i++) {
		const Mark &mark = from_->marks[i];
		const bool ends =
			mark.what == Mark::What::COMMAND || mark.what == Mark::What::RECORD;
		if (ends && mark.tick <= known)
			last = &mark;
	}
	if (last && last->what == Mark::What::RECORD)
		return fmt::format("{} since the record of {}{}", both,
				   reporter_.event_text(last->number), at(last->site));
	if (last)
		return fmt::format("{} since {}{}", both, reporter_.text(last->label),
				   at(last->site));
	const bool all = !from_ || from_->marks.size() < Stream::MAX_MARKS;
	return known == 0 || all ? both : both + " since work that is longer ago";
}

/* @event: an event that was recorded at @site, after the earlier command. */
std::string MissingEdge::never_waited(const std::string &event, uint32_t site) const
{
	const std::string call =
		later_.stream == HOST
			? fmt::format("{} for it", calls_.sync_event)
			: fmt::format("{} on {} for it", calls_.wait_event, place(later_));
	return fmt::format("{}, recorded{}, already marks the end of {}; {} never waits for it: "
			   "call {} before {}",
			   event, at(site), name(earlier_), place(later_), call, name(later_));
}

/* Looks for a record that follows the earlier command, and that the stream of the later command did not wait
 * for. */
bool MissingEdge::add_record_after(std::vector<Hint> &hints) const
{
	for (size_t i = 0; from_ && i < from_->marks.size(); i++) {
		const Mark &mark = from_->marks[i];
		if (mark.what != Mark::What::RECORD || mark.tick < earlier_.moment.tick ||
		    !mark.generation)
			continue;
		/* Nothing can wait for an event that is gone, such as one by which the runtime joins the streams of
		 * a graph. */
		auto found = events_.find(mark.number);
		if (found == events_.end())
			continue;
		const std::string event = reporter_.event_text(mark.number);
		const bool lost = found->second.latest != mark.generation && found->second.latest &&
				  found->second.latest->call && !mark.generation->is_consumed;
		if (lost)
			hints.push_back(
				{"lost-record",
				 fmt::format(
					 "{} was recorded{} after {}, and again{} before anything "
					 "waited for it; an event of its own for each stream would "
					 "order this pair",
					 event, at(mark.site), name(earlier_),
					 at(found->second.latest->call->site)),
				 reporter_.text(found->second.latest->call->site)});
		else
			hints.push_back({"never-waited", never_waited(event, mark.site),
					 reporter_.text(mark.site)});
		return true;
	}
	return !from_ && add_record_of_past_stream(hints);
}

/* The same if the stream of the earlier command was destroyed, so its marks are gone. An event may still have
 * the last record of that stream. */
bool MissingEdge::add_record_of_past_stream(std::vector<Hint> &hints) const
{
	const Event *first = nullptr;
	for (const auto &[number, event] : events_) {
		const CommandPointer call = event.latest ? event.latest->call : nullptr;
		if (!call || earlier_.stream == HOST || call->stream != earlier_.stream ||
		    call->client != earlier_.client || call->order < earlier_.order)
			continue;
		if (!first || event.place < first->place)
			first = &event;
	}
	if (!first)
		return false;
	const uint32_t site = first->latest->call->site;
	hints.push_back({"never-waited", never_waited(reporter_.event_text(first->number), site),
			 reporter_.text(site)});
	return true;
}

bool MissingEdge::add_record_too_early(std::vector<Hint> &hints) const
{
	if (!to_)
		return false;
	for (auto mark = to_->marks.rbegin(); mark != to_->marks.rend(); ++mark) {
		if (mark->what != Mark::What::WAIT || !mark->generation || !mark->generation->call)
			continue;
		const Moment &record = mark->generation->call->moment;
		if (record.slot != earlier_.moment.slot || record.tick >= earlier_.moment.tick)
			continue;
		hints.push_back(
			{"record-too-early",
			 fmt::format("{} was recorded{}, BEFORE {}; recording it after that would "
				     "order this pair",
				     reporter_.event_text(mark->number),
				     at(mark->generation->call->site), name(earlier_)),
			 reporter_.text(mark->generation->call->site)});
		return true;
	}
	return false;
}

/* Looks for a wait, made after the earlier command, for a record of the waiting stream itself. */
bool MissingEdge::add_record_on_waiter(std::vector<Hint> &hints) const
{
	if (!to_ || earlier_.stream == HOST)
		return false;
	for (auto mark = to_->marks.rbegin(); mark != to_->marks.rend(); ++mark) {
		if (mark->what != Mark::What::WAIT || !mark->generation || !mark->generation->call)
			continue;
		const Command &record = *mark->generation->call;
		if (record.moment.slot != later_.moment.slot || record.order < earlier_.order)
			continue;
		hints.push_back(
			{"record-on-waiter",
			 fmt::format(
				 "{} was recorded{} on {} itself, so its wait{} orders nothing; "
				 "calling {} on {} after {} instead would order this pair",
				 reporter_.event_text(mark->number), at(record.site), place(later_),
				 at(mark->site), calls_.record, place(earlier_), name(earlier_)),
			 reporter_.text(record.site)});
		return true;
	}
	return false;
}

bool MissingEdge::add_wait_without_record(std::vector<Hint> &hints) const
{
	if (!to_)
		return false;
	for (auto mark = to_->marks.rbegin(); mark != to_->marks.rend(); ++mark) {
		if (mark->what != Mark::What::WAIT_WITHOUT_RECORD)
			continue;
		hints.push_back(
			{"wait-without-record",
			 fmt::format("{} waits{} for {}, which was not recorded by then: the "
				     "wait has no effect",
				     place(later_), at(mark->site),
				     reporter_.event_text(mark->number)),
			 reporter_.text(mark->site)});
		return true;
	}
	return false;
}

void MissingEdge::add_kind_of_stream(std::vector<Hint> &hints) const
{
	if (!from_ || !to_ || from_->client != to_->client)
		return;
	const bool legacy = from_->is_legacy() || to_->is_legacy();
	const Stream &other = from_->is_legacy() ? *to_ : *from_;
	if (legacy && (other.flags & STREAM_NON_BLOCKING))
		hints.push_back(
			{"non-blocking",
			 fmt::format("{} was created non-blocking; the legacy default stream does "
				     "not order it",
				     reporter_.stream_text(other))});
	if ((from_->is_legacy() || from_->is_blocking()) &&
	    (to_->is_legacy() || to_->is_blocking()) && legacy && from_->context != to_->context)
		hints.push_back(
			{"other-context",
			 fmt::format("{} and {} are of different contexts; a legacy default stream "
				     "orders the streams of its own only",
				     reporter_.stream_text(*from_), reporter_.stream_text(*to_))});
	if (profile_ == Profile::ASCENDCL && ((from_->flags | to_->flags) & STREAM_DEFAULT))
		hints.push_back({"default-stream",
				 "AscendCL gives the default stream no order with "
				 "other streams"});
}

void MissingEdge::add_repair(std::vector<Hint> &hints) const
{
	if (later_.stream == HOST)
		hints.push_back(
			{"synchronize",
			 fmt::format("call {} for {}, or {} for an event recorded after {}, before "
				     "{}",
				     calls_.sync_stream, place(earlier_), calls_.sync_event,
				     name(earlier_), name(later_))});
	else if (earlier_.stream != HOST)
		hints.push_back(
			{"no-edge",
			 fmt::format(
				 "call {} on {} after {}, and {} on {} for that event before {}",
				 calls_.record, place(earlier_), name(earlier_), calls_.wait_event,
				 place(later_), name(later_))});
}

static Step::What what_of(Mark::What what)
{
	switch (what) {
	case Mark::What::RECORD:
		return Step::What::RECORD;
	case Mark::What::WAIT:
		return Step::What::WAIT;
	case Mark::What::WAIT_WITHOUT_RECORD:
		return Step::What::WAIT_WITHOUT_RECORD;
	case Mark::What::COMMAND:
		break;
	}
	return Step::What::COMMAND;
}

void MissingEdge::add_steps(std::vector<Step> &steps, const Stream *stream, const Command &command,
			    bool later) const
{
	bool has_command = false;
	for (size_t i = 0; stream && i < stream->marks.size(); i++) {
		const Mark &mark = stream->marks[i];
		Step step{what_of(mark.what), later, mark.order, mark.number, 0, "", ""};
		step.label = step.what == Step::What::COMMAND ? reporter_.text(mark.label)
							      : reporter_.event_text(mark.number);
		step.site = reporter_.text(mark.site);
		if (step.what == Step::What::WAIT && mark.generation && mark.generation->call)
			step.record = mark.generation->call->order;
		step.task = mark.task;
		has_command = has_command || mark.order == command.order;
		steps.push_back(std::move(step));
	}
	if (!has_command)
		steps.push_back({Step::What::COMMAND, later, command.order, command.number, 0,
				 reporter_.text(command.label), reporter_.text(command.site),
				 command.task});
}

std::vector<Step> MissingEdge::steps() const
{
	std::vector<Step> steps;
	add_steps(steps, from_, earlier_, false);
	if (to_ != from_ || !to_)
		add_steps(steps, to_, later_, true);
	std::stable_sort(steps.begin(), steps.end(),
			 [](const Step &a, const Step &b) { return a.order < b.order; });
	return steps;
}

std::vector<Hint> MissingEdge::hints() const
{
	std::vector<Hint> hints;
	bool explained = add_record_too_early(hints);
	explained |= add_record_on_waiter(hints);
	explained |= add_wait_without_record(hints);
	explained |= add_record_after(hints);
	add_kind_of_stream(hints);
	if (!explained)
		add_repair(hints);
	return hints;
}

} // namespace san
