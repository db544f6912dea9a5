// SPDX-License-Identifier: MIT
/**
 * DOC: Fault injection
 *
 * Parses the user's fault rules for both sides of the wire, and counts their matches for both sides.
 *
 *	SPEC	rule [ ';' rule ]...
 *	rule	ACTION [ ':' KEY '=' VALUE ]...  |  seed=N
 */
#include "faults.h"

#include <algorithm>
#include <cctype>

#include "clock.h"
#include "number.h"
#include "uapi/mailbox.h"
#include "uapi/packet.h"

namespace base {

using Action = FaultRule::Action;
using Call = FaultRule::Call;

namespace {

struct Name {
	std::string_view name;
	uint32_t number;
};

#define FAULT_NAME(name, number, ...) {#name, number},
constexpr Name OPCODES[] = {UNPU_OPCODE_LIST(FAULT_NAME)};
constexpr Name MESSAGES[] = {UNPU_MESSAGE_LIST(FAULT_NAME)};
constexpr Name STATUSES[] = {UNPU_STATUS_LIST(FAULT_NAME)};
#undef FAULT_NAME

constexpr Name ACTIONS[] = {
	{"FAIL", static_cast<uint32_t>(Action::FAIL)},
	{"DELAY", static_cast<uint32_t>(Action::DELAY)},
	{"HANG", static_cast<uint32_t>(Action::HANG)},
	{"JAM", static_cast<uint32_t>(Action::JAM)},
	{"TWICE", static_cast<uint32_t>(Action::TWICE)},
	{"COOKIE", static_cast<uint32_t>(Action::COOKIE)},
	{"DROP", static_cast<uint32_t>(Action::DROP)},
	{"WILD", static_cast<uint32_t>(Action::WILD)},
	{"TORN", static_cast<uint32_t>(Action::TORN)},
	{"EXIT", static_cast<uint32_t>(Action::EXIT)},
};

constexpr Name CALLS[] = {
	{"OPEN", static_cast<uint32_t>(Call::OPEN)},
	{"TAKE", static_cast<uint32_t>(Call::TAKE)},
	{"MAP", static_cast<uint32_t>(Call::MAP)},
	{"KICK", static_cast<uint32_t>(Call::KICK)},
	{"WAIT", static_cast<uint32_t>(Call::WAIT)},
	{"COLLECTIVE", static_cast<uint32_t>(Call::COLLECTIVE)},
	{"PACKET", static_cast<uint32_t>(Call::PACKET)},
};

constexpr Name PLACES[] = {
	{"STREAM", static_cast<uint32_t>(FaultRule::IN_STREAM)},
	{"GRAPH", static_cast<uint32_t>(FaultRule::IN_GRAPH)},
};

bool same(std::string_view one, std::string_view other)
{
	return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char a, char b) {
		return std::toupper(static_cast<unsigned char>(a)) ==
		       std::toupper(static_cast<unsigned char>(b));
	});
}

template <size_t N>
bool find_name(const Name (&names)[N], std::string_view text, uint32_t &number, std::string &why)
{
	for (const Name &entry : names) {
		if (same(entry.name, text)) {
			number = entry.number;
			return true;
		}
	}
	why = std::string("'").append(text) + "' is none of";
	for (const Name &entry : names) {
		std::string lower(entry.name);
		std::transform(lower.begin(), lower.end(), lower.begin(),
			       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
		why += " " + lower;
	}
	return false;
}

bool read_limited(std::string_view text, uint64_t most, uint64_t &out, std::string &why)
{
	if (read_number(text, out) && out <= most)
		return true;
	why = std::string("'").append(text) + "' is not a number up to " + std::to_string(most);
	return false;
}

/* cut() - returns the part of @text before @mark; @text becomes the part after it. */
std::string_view cut(std::string_view &text, char mark)
{
	size_t at = std::min(text.find(mark), text.size());
	std::string_view front = text.substr(0, at);
	text = text.substr(std::min(at + 1, text.size()));
	return front;
}

/* RuleReader - parses one rule. */
class RuleReader {
public:
	explicit RuleReader(std::string &why) : why_(why) {}

	bool read(std::string_view text);
	const FaultRule &rule() const { return rule_; }

private:
	bool key(std::string_view name, std::string_view value);
	template <size_t N>
	bool name_key(const Name (&names)[N], std::string_view value, int64_t &out)
	{
		uint32_t number = 0;
		if (!find_name(names, value, number, why_))
			return false;
		out = number;
		return true;
	}
	bool time(std::string_view value, uint64_t unit_ns);
	bool check();
	bool check_call();
	bool refuse(const char *text)
	{
		why_ = text;
		return false;
	}

	std::string &why_;
	FaultRule rule_;
	bool bounded_ = false;
};

bool RuleReader::time(std::string_view value, uint64_t unit_ns)
{
	constexpr uint64_t MOST_NS = 3600 * NS_PER_S;
	uint64_t least, most;
	bool range = value.find('-') != value.npos;
	if (!read_limited(cut(value, '-'), MOST_NS / unit_ns, least, why_))
		return false;
	most = least;
	if (range && !read_limited(value, MOST_NS / unit_ns, most, why_))
		return false;
	if (most < least)
		return refuse("a time range ends before it begins");
	rule_.least_ns = least * unit_ns;
	rule_.most_ns = most * unit_ns;
	return true;
}

bool RuleReader::key(std::string_view name, std::string_view value)
{
	uint64_t wide = 0;
	if (name == "op")
		return name_key(OPCODES, value, rule_.opcode);
	if (name == "message")
		return name_key(MESSAGES, value, rule_.message);
	if (name == "call")
		return name_key(CALLS, value, rule_.call);
	if (name == "in")
		return name_key(PLACES, value, rule_.in);
	if (name == "status") {
		int64_t number = 0;
		bool found = name_key(STATUSES, value, number);
		rule_.status = static_cast<Status>(number);
		return found;
	}
	if (name == "us")
		return time(value, 1000);
	if (name == "ms")
		return time(value, NS_PER_MS);
	if (name != "stream" && name != "client" && name != "nth" && name != "count" &&
	    name != "percent") {
		why_ = std::string("'").append(name) +
		       "' is none of op message call in stream client nth count percent status us "
		       "ms";
		return false;
	}
	if (!read_limited(value, name == "percent" ? 100 : UINT32_MAX, wide, why_))
		return false;
	if (name == "stream")
		rule_.stream = static_cast<int64_t>(wide);
	else if (name == "client")
		rule_.client = static_cast<int64_t>(wide);
	else if (name == "nth")
		rule_.first = wide;
	else if (name == "count")
		rule_.count = wide;
	else
		rule_.percent = static_cast<unsigned>(wide);
	bounded_ = bounded_ || name == "count";
	/* nth without count means one fault. */
	if (name == "nth" && !bounded_)
		rule_.count = 1;
	return true;
}

/* Checks that the rule's action can be injected into its host call. */
bool RuleReader::check_call()
{
	if (rule_.call == FaultRule::ANY)
		return true;
	if (rule_.message != FaultRule::ANY || rule_.opcode != FaultRule::ANY ||
	    rule_.stream != FaultRule::ANY || rule_.client != FaultRule::ANY ||
	    rule_.in != FaultRule::ANY)
		return refuse("a call of the host has no op, message, stream, client and in");
	auto call = static_cast<Call>(rule_.call);
	switch (rule_.action) {
	case Action::DELAY:
	case Action::EXIT:
		return true;
	case Action::FAIL:
		return (call != Call::KICK && call != Call::WAIT) ||
		       refuse("a kick and a wait can't fail");
	case Action::DROP:
		return call == Call::KICK || refuse("of the calls, a kick alone can be lost");
	default:
		return refuse("a call of the host can fail, be late, be lost or end the program");
	}
}

bool RuleReader::check()
{
	if (rule_.first == 0)
		return refuse("nth counts from 1");
	if (rule_.message != FaultRule::ANY &&
	    (rule_.opcode != FaultRule::ANY || rule_.stream != FaultRule::ANY ||
	     rule_.in != FaultRule::ANY))
		return refuse("a request has no op, no stream and no in");
	if (rule_.message != FaultRule::ANY && rule_.action != Action::FAIL &&
	    rule_.action != Action::EXIT)
		return refuse("a request can fail, or end the firmware, and nothing else");
	if ((rule_.action == Action::DELAY) != (rule_.most_ns > 0))
		return refuse("delay takes us or ms, and nothing else does");
	bool fails = rule_.action == Action::FAIL || rule_.action == Action::COOKIE;
	if (!fails && rule_.status != Status::OK)
		return refuse("status is for fail and cookie");
	if (fails && rule_.status == Status::OK)
		rule_.status = rule_.tasks() ? Status::KERNEL_TRAP : Status::NO_RESOURCE;
	return check_call();
}

bool RuleReader::read(std::string_view text)
{
	uint32_t action;
	if (!find_name(ACTIONS, cut(text, ':'), action, why_))
		return false;
	rule_.action = static_cast<Action>(action);
	while (!text.empty()) {
		std::string_view value = cut(text, ':');
		std::string_view name = cut(value, '=');
		if (!key(name, value))
			return false;
	}
	return check();
}

} // namespace

static bool read_rule(std::string_view word, bool process, FaultRule &rule, std::string &why)
{
	RuleReader reader(why);
	if (!reader.read(word))
		return false;
	rule = reader.rule();
	if (rule.action != Action::EXIT || process || rule.call != FaultRule::ANY)
		return true;
	why = "exit is for a firmware that is a process: sim+proc: or firmware-sim";
	return false;
}

Result<FaultPlans> parse_faults(std::string_view text, bool process, std::string &why)
{
	FaultPlan host, device;
	std::string reason;
	uint64_t seed = 1;
	while (!text.empty()) {
		std::string_view word = cut(text, ';');
		FaultRule rule;
		if (word.empty())
			continue;
		bool seeds = word.substr(0, 5) == "seed=";
		if (seeds ? !read_limited(word.substr(5), UINT64_MAX, seed, reason)
			  : !read_rule(word, process, rule, reason)) {
			why = "faults: in '" + std::string(word) + "': " + reason;
			return Status::INVALID_ARGUMENT;
		}
		if (seeds)
			continue;
		FaultPlan &plan = rule.call == FaultRule::ANY ? device : host;
		plan.rules.push_back(rule);
		plan.text.append(word) += ";";
	}
	FaultPlans plans;
	for (FaultPlan *plan : {&host, &device}) {
		plan->seed = seed;
		plan->text += "seed=" + std::to_string(seed);
		if (!plan->rules.empty())
			(plan == &host ? plans.host : plans.device) =
				std::make_shared<const FaultPlan>(std::move(*plan));
	}
	return plans;
}

bool FaultPlan::has_call(std::initializer_list<FaultRule::Call> calls) const
{
	return std::any_of(rules.begin(), rules.end(), [&](const FaultRule &rule) {
		return std::any_of(calls.begin(), calls.end(), [&](FaultRule::Call call) {
			return rule.call == static_cast<int64_t>(call);
		});
	});
}

bool FaultCount::hits(size_t index)
{
	const FaultRule &rule = plan_->rules[index];
	uint64_t number = ++matches_[index];
	if (number < rule.first || number - rule.first >= rule.count)
		return false;
	if (rule.percent < 100 && random_() % 100 >= rule.percent)
		return false;
	injected_++;
	return true;
}

uint64_t FaultCount::delay_ns(const FaultRule &rule)
{
	return rule.least_ns + random_() % (rule.most_ns - rule.least_ns + 1);
}

} // namespace base
