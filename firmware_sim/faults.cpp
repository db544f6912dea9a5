// SPDX-License-Identifier: MIT
/**
 * DOC: Faults on purpose
 *
 * Rules that a user gives, and what they do to tasks and requests. Everything that is left to chance
 * comes from one seed, so a run that found something can be had again.
 *
 *	SPEC	rule [ ';' rule ]...
 *	rule	ACTION [ ':' KEY '=' VALUE ]...  |  seed=N
 */
#include "faults.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <unistd.h>

#include "base/clock.h"
#include "uapi/mailbox.h"

namespace fw {

using base::Result;
using base::Status;
using Action = FaultRule::Action;

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
	{"DROP", static_cast<uint32_t>(Action::DROP)},
	{"EXIT", static_cast<uint32_t>(Action::EXIT)},
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

bool read_number(std::string_view text, uint64_t most, uint64_t &out, std::string &why)
{
	auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
	if (error == std::errc() && end == text.data() + text.size() && !text.empty() &&
	    out <= most)
		return true;
	why = std::string("'").append(text) + "' is not a number up to " + std::to_string(most);
	return false;
}

/* cut() - what is before @mark; @text becomes what is behind it. */
std::string_view cut(std::string_view &text, char mark)
{
	size_t at = std::min(text.find(mark), text.size());
	std::string_view front = text.substr(0, at);
	text = text.substr(std::min(at + 1, text.size()));
	return front;
}

/* One rule as it is read. */
class RuleReader {
public:
	explicit RuleReader(std::string &why) : why_(why) {}

	bool read(std::string_view text);
	const FaultRule &rule() const { return rule_; }

private:
	bool key(std::string_view name, std::string_view value);
	bool time(std::string_view value, uint64_t unit_ns);
	bool check();
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
	constexpr uint64_t MOST_NS = 3600 * base::NS_PER_S;
	uint64_t least, most;
	bool range = value.find('-') != value.npos;
	if (!read_number(cut(value, '-'), MOST_NS / unit_ns, least, why_))
		return false;
	most = least;
	if (range && !read_number(value, MOST_NS / unit_ns, most, why_))
		return false;
	if (most < least)
		return refuse("a time range ends before it begins");
	rule_.least_ns = least * unit_ns;
	rule_.most_ns = most * unit_ns;
	return true;
}

bool RuleReader::key(std::string_view name, std::string_view value)
{
	uint32_t number = 0;
	uint64_t wide = 0;
	if (name == "op" || name == "message" || name == "status") {
		bool found = name == "op"	 ? find_name(OPCODES, value, number, why_)
			     : name == "message" ? find_name(MESSAGES, value, number, why_)
						 : find_name(STATUSES, value, number, why_);
		if (name == "op")
			rule_.opcode = number;
		else if (name == "message")
			rule_.message = number;
		else
			rule_.status = static_cast<Status>(number);
		return found;
	}
	if (name == "us")
		return time(value, 1000);
	if (name == "ms")
		return time(value, base::NS_PER_MS);
	if (name != "stream" && name != "client" && name != "nth" && name != "count" &&
	    name != "percent") {
		why_ = std::string("'").append(name) +
		       "' is none of op message stream client nth count percent status us ms";
		return false;
	}
	if (!read_number(value, name == "percent" ? 100 : UINT32_MAX, wide, why_))
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
	/* The nth is one, unless more are asked for. */
	if (name == "nth" && !bounded_)
		rule_.count = 1;
	return true;
}

bool RuleReader::check()
{
	if (rule_.first == 0)
		return refuse("nth counts from 1");
	if (rule_.message != FaultRule::ANY &&
	    (rule_.opcode != FaultRule::ANY || rule_.stream != FaultRule::ANY))
		return refuse("a request has no op and no stream");
	if (rule_.message != FaultRule::ANY && rule_.action != Action::FAIL &&
	    rule_.action != Action::EXIT)
		return refuse("a request can fail, or end the firmware, and nothing else");
	if ((rule_.action == Action::DELAY) != (rule_.most_ns > 0))
		return refuse("delay takes us or ms, and nothing else does");
	if (rule_.action != Action::FAIL && rule_.status != Status::OK)
		return refuse("status is for fail");
	if (rule_.action == Action::FAIL && rule_.status == Status::OK)
		rule_.status =
			rule_.message == FaultRule::ANY ? Status::KERNEL_TRAP : Status::NO_RESOURCE;
	return true;
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

Result<std::shared_ptr<const FaultPlan>> parse_faults(std::string_view text, bool ends,
						      std::string &why)
{
	auto plan = std::make_shared<FaultPlan>();
	plan->text = text;
	std::string reason;
	while (!text.empty()) {
		std::string_view word = cut(text, ';');
		if (word.empty())
			continue;
		RuleReader reader(reason);
		bool good;
		if (word.substr(0, 5) == "seed=")
			good = read_number(word.substr(5), UINT64_MAX, plan->seed, reason);
		else if ((good = reader.read(word)))
			plan->rules.push_back(reader.rule());
		if (good && !ends && !plan->rules.empty() &&
		    plan->rules.back().action == Action::EXIT) {
			reason = "exit is for a firmware that is a process: sim+proc: or "
				 "firmware-sim";
			good = false;
		}
		if (!good) {
			why = "faults: in '" + std::string(word) + "': " + reason;
			return Status::INVALID_ARGUMENT;
		}
	}
	return std::shared_ptr<const FaultPlan>(std::move(plan));
}

bool Faults::hits(size_t index)
{
	const FaultRule &rule = plan_.rules[index];
	uint64_t number = ++matches_[index];
	if (number < rule.first || number - rule.first >= rule.count)
		return false;
	if (rule.percent < 100 && random_() % 100 >= rule.percent)
		return false;
	struck_++;
	if (rule.action == Action::EXIT)
		_exit(1);
	return true;
}

static bool fits(int64_t wanted, uint32_t found)
{
	return wanted == FaultRule::ANY || wanted == int64_t{found};
}

Strike Faults::task(const unpu_packet &packet, uint32_t client, uint32_t stream)
{
	Strike strike;
	for (size_t i = 0; i < plan_.rules.size(); i++) {
		const FaultRule &rule = plan_.rules[i];
		if (rule.message != FaultRule::ANY || !fits(rule.opcode, packet.opcode) ||
		    !fits(rule.client, client) || !fits(rule.stream, stream) || !hits(i) ||
		    strike.action != Action::NONE)
			continue;
		strike.action = rule.action;
		strike.status = rule.status;
		strike.delay_ns = rule.least_ns + random_() % (rule.most_ns - rule.least_ns + 1);
	}
	return strike;
}

Status Faults::message(uint32_t type, uint32_t client)
{
	for (size_t i = 0; i < plan_.rules.size(); i++) {
		const FaultRule &rule = plan_.rules[i];
		if (rule.message != FaultRule::ANY && fits(rule.message, type) &&
		    fits(rule.client, client) && hits(i))
			return rule.status;
	}
	return Status::OK;
}

} // namespace fw
