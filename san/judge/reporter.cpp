// SPDX-License-Identifier: MIT
/**
 * DOC: making findings
 */
#include "san/judge/reporter.h"

#include <fmt/format.h>

#include "san/judge/missing_edge.h"
#include "san/memory/results.h"

namespace san {

void Reporter::name(uint64_t number, std::string text)
{
	/* Memory that an entry takes in addition to its text. */
	constexpr size_t ENTRY_BYTES = 64;
	if (name_bytes_ + text.size() + ENTRY_BYTES > options_.bounds.name_bytes)
		return;
	auto [found, added] = names_.try_emplace(number);
	name_bytes_ += text.size() + (added ? ENTRY_BYTES : 0);
	name_bytes_ -= found->second.size();
	found->second = std::move(text);
	found->second.shrink_to_fit();
}

const std::string &Reporter::text(uint32_t number) const
{
	static const std::string *const none = new std::string;
	auto found = names_.find(number);
	return found == names_.end() ? *none : found->second;
}

/* An ordinal such as "2nd". @number: from 1 on */
static std::string ordinal(uint32_t number)
{
	const bool is_teen = number % 100 >= 11 && number % 100 <= 13;
	const char *end = is_teen	     ? "th"
			  : number % 10 == 1 ? "st"
			  : number % 10 == 2 ? "nd"
			  : number % 10 == 3 ? "rd"
					     : "th";
	return fmt::format("{}{}", number, end);
}

/* The number of no stream: a node has it while its graph is being made. */
static constexpr uint32_t NO_STREAM = 0;

std::string Reporter::stream_text(uint32_t client, uint32_t number) const
{
	const StreamName *name = actors_.name(client, number);
	if (!name)
		return number == NO_STREAM ? "a node of the graph" : "a stream that is gone";
	std::string result = fmt::format("stream {}", name->id);
	if (name->device != 0)
		result += fmt::format(" of device {}", name->device);
	std::string more = text(name->label);
	if (name->turn != 0)
		more += fmt::format("{}the {} of this id", more.empty() ? "" : ", ",
				    ordinal(name->turn + 1));
	return more.empty() ? result : fmt::format("{} ({})", result, more);
}

std::string Reporter::event_text(uint64_t number) const
{
	auto found = events_.find(number);
	if (found == events_.end())
		return "an event that is gone";
	const std::string &label = text(found->second.label);
	const Event &event = found->second;
	if (!label.empty())
		return fmt::format("event \"{}\"", label);
	if (event.handle == 0)
		return fmt::format("event {}", event.place);
	return fmt::format("event {:#x}{}", event.handle,
			   event.is_shared ? process_text(event.client) : "");
}

std::string process_text(uint32_t client)
{
	return fmt::format(" of process {}", process_of(client));
}

Side Reporter::side(const Command &command) const
{
	Side side;
	side.command = command.number;
	side.order = command.order;
	side.task = command.task;
	side.client = command.client;
	side.label = text(command.label);
	side.site = text(command.site);
	side.launch = text(command.launch_label);
	side.launch_site = text(command.launch_site);
	if (side.label.empty() && command.allocates)
		side.label = "the allocation from a pool";
	else if (side.label.empty())
		side.label = command.stream == HOST ? "an access by the host" : "a command";
	side.stream = command.stream == HOST ? "host" : stream_text(command.client, command.stream);
	return side;
}

void Reporter::set_memory(Finding &finding, const Block *block, Range bytes) const
{
	if (!block)
		return;
	finding.memory = {true,		  text(block->label),	text(block->site),
			  block->address, block->asked_bytes(), bytes};
}

static const char *use_text(const Touch &touch)
{
	switch (touch.use) {
	case Use::READ:
		return touch.is_partial ? "may read" : "reads";
	case Use::WRITE:
		return touch.is_partial ? "may write" : "writes";
	case Use::REDUCE:
		return "adds to";
	case Use::ALLOC:
		return "allocates";
	}
	return "";
}

void Reporter::emit(Finding &&finding)
{
	finding.number = ++found_;
	sink_(finding);
}

/* Whether this finding was reported before. In a long run most findings are repeats, and making their
 * sentences would take most of the time. */
bool Reporter::is_repeat(Rule rule, const Command &later, uint32_t later_role,
			 const Command *earlier, uint32_t earlier_role)
{
	if (!options_.brief)
		return false;
	const std::array<uint32_t, 7> key{static_cast<uint32_t>(rule),
					  later.label,
					  later_role,
					  later.site,
					  earlier ? earlier->label : 0,
					  earlier ? earlier->site : 0,
					  earlier_role};
	auto found = known_.find(key);
	if (found == known_.end()) {
		if (known_.size() < options_.bounds.findings)
			known_.emplace(key, found_ + 1);
		return false;
	}
	Finding finding;
	finding.rule = rule;
	finding.repeats = found->second;
	finding.later.order = later.order;
	finding.later.client = later.client;
	emit(std::move(finding));
	return true;
}

std::string Reporter::at(uint32_t site) const
{
	const std::string &place = text(site);
	if (place.empty())
		return "";
	return " at " +
	       (options_.place ? options_.place(place) : place.substr(0, place.find('\n')));
}

void Reporter::explain(Finding &finding, const Command &later, const Command &earlier) const
{
	const MissingEdge edge(*this, actors_, events_, earlier, later);
	finding.order = edge.last_common_point();
	finding.hints = edge.hints();
	finding.steps = edge.steps();
}

Hint Reporter::missing_path(const Command &later, const Command &earlier) const
{
	const std::string first = text(earlier.label) + at(earlier.site),
			  second = text(later.label) + at(later.site);
	const OrderCalls &calls = order_calls(actors_.profile(later.client));
	return {"no-edge",
		fmt::format(
			"let {} depend on {}; in a capture, call {} after {} on its stream, and "
			"{} for that event on the other stream before {}",
			second, first, calls.record, first, calls.wait_event, second)};
}

void Reporter::race(Rule rule, const Touch &later, const Touch &earlier, const Block *block,
		    Range bytes)
{
	if (is_repeat(rule, *later.command, later.role, earlier.command.get(), earlier.role))
		return;
	Finding finding;
	finding.rule = rule;
	finding.later = side(*later.command);
	finding.later.role = text(later.role);
	finding.later.use = use_text(later);
	finding.earlier = side(*earlier.command);
	finding.earlier.role = text(earlier.role);
	finding.earlier.use = use_text(earlier);
	if (later.command->client != earlier.command->client) {
		finding.later.stream += process_text(later.command->client);
		finding.earlier.stream += process_text(earlier.command->client);
	}
	set_memory(finding, block, bytes);
	if (rule == Rule::GRAPH_RACE || later.command->stream == NO_STREAM)
		finding.hints.push_back(missing_path(*later.command, *earlier.command));
	else
		explain(finding, *later.command, *earlier.command);
	emit(std::move(finding));
}

void Reporter::call(Rule rule, const Command &later, const Command *earlier, const Block *block,
		    Range bytes)
{
	if (is_repeat(rule, later, 0, earlier, 0))
		return;
	Finding finding;
	finding.rule = rule;
	finding.later = side(later);
	if (earlier)
		finding.earlier = side(*earlier);
	const OrderCalls &calls = order_calls(actors_.profile(later.client));
	/* Records of waits have no label. */
	if (rule == Rule::CALLBACK_API && later.label == 0 &&
	    actors_.profile(later.client) == Profile::ASCENDCL)
		finding.later.label = fmt::format("a host's wait (as {} or {})", calls.sync_stream,
						  calls.sync_event);
	const std::string hint = repair(rule, later, earlier);
	if (!hint.empty())
		finding.hints.push_back({"repair", hint});
	set_memory(finding, block, bytes);
	emit(std::move(finding));
}

/* What to call where a command alone is the mistake; empty if the rule says it already. */
std::string Reporter::repair(Rule rule, const Command &later, const Command *earlier) const
{
	const bool is_cuda = actors_.profile(later.client) == Profile::CUDA;
	if (rule == Rule::UNINIT)
		return fmt::format(
			"write the memory before, by {}, a copy or an operator, and order "
			"that before the call",
			is_cuda ? "cuMemsetD8Async" : "aclrtMemsetAsync");
	if (rule != Rule::UAF_GRAPH)
		return "";
	const char *const end = is_cuda ? "cuGraphExecDestroy" : "aclmdlRIDestroy";
	return fmt::format(
		"{}free the memory after the last launch of the graph, behind {}; or make "
		"the graph again with the memory that there is now",
		earlier ? "" : "the address has other memory now: ", end);
}

void Reporter::reset_early(const Command &wait, const Command &reset, uint64_t event)
{
	if (is_repeat(Rule::EVT_RESET_BEFORE_WAIT, wait, 0, &reset, 0))
		return;
	Finding finding;
	finding.rule = Rule::EVT_RESET_BEFORE_WAIT;
	finding.later = side(wait);
	finding.earlier = side(reset);
	const OrderCalls &calls = order_calls(actors_.profile(wait.client));
	const std::string name = event_text(event);
	finding.order = fmt::format("nothing orders the wait for {} before its reset", name);
	finding.hints.push_back(
		{"reset-too-early",
		 fmt::format("call {} for another event on {} after the wait{}, and {} for "
			     "that event on {} before the reset{}",
			     calls.record, finding.later.stream, at(wait.site), calls.wait_event,
			     finding.earlier.stream, at(reset.site))});
	emit(std::move(finding));
}

/* The bytes of @parts, the first few of them. */
static std::string bytes_text(const std::vector<Range> &parts)
{
	constexpr size_t SHOWN_PARTS = 4;
	std::string text;
	for (size_t i = 0; i < parts.size() && i < SHOWN_PARTS; i++)
		text += fmt::format("{}{} to {}", i == 0 ? "bytes " : ", ", parts[i].begin,
				    parts[i].end - 1);
	if (parts.size() > SHOWN_PARTS)
		text += fmt::format(" and {} other parts", parts.size() - SHOWN_PARTS);
	return text;
}

void Reporter::unwritten(const Command &command, const Block &block, Range bytes,
			 const std::vector<Range> &parts)
{
	if (is_repeat(Rule::UNINIT_PART, command, 0, nullptr, 0))
		return;
	Finding finding;
	finding.rule = Rule::UNINIT_PART;
	finding.later = side(command);
	finding.order = bytes_text(parts) + " of the memory were never written";
	set_memory(finding, &block, bytes);
	emit(std::move(finding));
}

void Reporter::freed(Rule rule, const Command &command, const Command &user, const Block &block,
		     Range bytes)
{
	if (is_repeat(rule, command, 0, &user, 0))
		return;
	Finding finding;
	finding.rule = rule;
	finding.later = side(command);
	finding.later.use = "frees";
	finding.earlier = side(user);
	finding.earlier.use = rule == Rule::USE_BEFORE_ALLOC ? "allocates" : "uses";
	set_memory(finding, &block, bytes);
	explain(finding, command, user);
	emit(std::move(finding));
}

/* The two sides of a host that used the memory of a copy: its own access if its place is known, and the copy. */
void Reporter::set_host_sides(Finding &finding, const Touch &copy, const Command *host,
			      bool is_read) const
{
	Side &call = host ? finding.earlier : finding.later;
	call = side(*copy.command);
	call.role = text(copy.role);
	call.use = use_text(copy);
	if (!host)
		return;
	finding.later = side(*host);
	finding.later.label = "the program";
	finding.later.use = is_read ? "reads" : "writes";
}

void Reporter::changed(const Touch &copy, const Block &block, Range bytes, size_t parts,
		       uint16_t flags, Access by_host, const Command *host)
{
	const Command &command = *copy.command;
	const bool is_read = by_host == Access::READ;
	const Rule rule = is_read ? Rule::HOST_READ_INFLIGHT : Rule::HOST_WRITE_INFLIGHT;
	const bool is_touch = host != nullptr;
	if (is_touch && host->site == 0)
		host = nullptr;
	if (host ? is_repeat(rule, *host, 0, &command, copy.role)
		 : is_repeat(rule, command, copy.role, nullptr, 0))
		return;
	Finding finding;
	finding.rule = rule;
	set_host_sides(finding, copy, host, is_read);
	set_memory(finding, &block, bytes);
	const Side &call = host ? finding.earlier : finding.later;
	const std::string what = call.role.empty() ? "it" : "its " + call.role;
	const bool is_after = (flags & COMPARED_AFTER) != 0;
	if (is_touch)
		finding.order = fmt::format(
			"the program {} {} by itself after the call, at byte {} of the memory, and "
			"nothing had told it of the copy's end",
			is_read ? "read" : "wrote to", what, bytes.begin);
	else
		finding.order =
			fmt::format("the program{} wrote to {} by itself between the call and {}, "
				    "{}within bytes {} to "
				    "{} of the memory",
				    is_after ? ", or a host function," : "", what,
				    is_after ? "the end of the wait for it" : "the end of the copy",
				    parts == 1 ? "" : fmt::format("in {} parts ", parts),
				    bytes.begin, bytes.end - 1);
	const OrderCalls &calls = order_calls(actors_.profile(command.client));
	finding.hints.push_back(
		{"synchronize",
		 fmt::format("call {} for {}, or {} for an event recorded after {}, before the "
			     "memory is {}",
			     calls.sync_stream, call.stream, calls.sync_event, call.label,
			     is_read ? "read" : "written")});
	emit(std::move(finding));
}

void Reporter::too_long(Rule rule, const Touch &access, const Block &block, Range bytes,
			std::string order)
{
	const Command &command = *access.command;
	if (is_repeat(rule, command, access.role, nullptr, 0))
		return;
	Finding finding;
	finding.rule = rule;
	finding.later = side(command);
	finding.later.role = text(access.role);
	finding.later.use = use_text(access);
	set_memory(finding, &block, bytes);
	finding.order = std::move(order);
	emit(std::move(finding));
}

void Reporter::overrun(const Touch &access, const Block &block, Range bytes)
{
	too_long(Rule::OVERRUN, access, block, bytes,
		 fmt::format("it ends {} bytes behind the {} bytes that the program asked for",
			     bytes.end - block.asked_bytes(), block.asked_bytes()));
}

void Reporter::goes_on(const Touch &access, const Piece &piece, const Block *other, uint64_t end)
{
	const Block &block = *piece.block;
	const uint64_t asked = block.asked_bytes();
	const std::string where =
		other ? fmt::format("in the {} bytes of another allocation at {:#x}{}",
				    other->asked_bytes(), other->address,
				    other->freed ? ", which is freed" : "")
		      : "where no allocation is";
	too_long(Rule::OVERRUN_OTHER, access, block, {piece.offsets().begin, asked},
		 fmt::format("it ends {} bytes behind the {} bytes that the program asked for, {}",
			     end + piece.to_offset - asked, asked, where));
}

void Reporter::beyond_tensor(const Touch &access, const Block &block, Range bytes)
{
	too_long(
		Rule::OVERRUN, access, block, bytes,
		fmt::format("{} bytes from byte {} of the memory on are behind the size that "
			    "SetGlobalBuffer() gave the tensor; UNPU_KERNEL_CHECK=2 names the line",
			    bytes.end - bytes.begin, bytes.begin));
}

void Reporter::deadlock(const Command &waiter, std::vector<std::string> circle)
{
	Finding finding;
	finding.rule = Rule::DEADLOCK;
	finding.later = side(waiter);
	finding.circle = std::move(circle);
	const OrderCalls &calls = order_calls(actors_.profile(waiter.client));
	const bool has_function = std::ranges::any_of(finding.circle, [](const std::string &wait) {
		return wait.find("its host function") != wait.npos;
	});
	finding.hints.push_back(
		{"circle",
		 has_function
			 ? fmt::format("call {} or {} after the host function has returned, and "
				       "not within it",
				       calls.sync_stream, calls.sync_event)
			 : fmt::format("on one stream of the circle, submit what the other one "
				       "waits for first ({}), and its own wait then ({})",
				       calls.record, calls.wait_event)});
	emit(std::move(finding));
}

} // namespace san
