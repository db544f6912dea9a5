// SPDX-License-Identifier: MIT
/**
 * DOC: the reference for random programs: edges, closure, all pairs
 *
 * Of two accesses that both race with a later one, the older is left out if it happens before the
 * younger, and everything that conflicts with it also conflicts with the younger: an edge that
 * orders the younger orders the older too. Documentation/sanitizer-edges.rst has the definition of
 * what the judge reports.
 */
#include "tests/san/reference.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <random>

namespace san::test {

static bool holds(uint64_t word, uint64_t wanted, uint16_t flags)
{
	return (flags & LATCH_AT_LEAST) ? word >= wanted : word == wanted;
}

uint64_t Word::after(int last, int left_out) const
{
	uint64_t word = 0;
	for (int i = 0; i <= last; i++) {
		const Signal &each = signals_[static_cast<size_t>(i)];
		if (i != left_out)
			word = each.op == SIGNAL_ADD  ? word + each.value
			       : each.op == SIGNAL_OR ? word | each.value
						      : each.value;
	}
	return word;
}

int Word::meeting(uint64_t wanted, uint16_t flags) const
{
	int found = -1;
	for (int i = 0; i < static_cast<int>(signals_.size()); i++) {
		if (!holds(after(i), wanted, flags))
			found = (flags & LATCH_CLEAR) && found >= 0 ? found : -1;
		else if (found < 0)
			found = i;
	}
	return found;
}

std::vector<int> Word::needed(int meeting, uint64_t wanted, uint16_t flags) const
{
	std::vector<int> steps;
	for (int i = meeting; i >= 0; i--) {
		const Signal &each = signals_[static_cast<size_t>(i)];
		const bool assigns = each.op == SIGNAL_SET;
		if (i == meeting || assigns || !holds(after(meeting, i), wanted, flags))
			steps.push_back(each.step);
		if (assigns)
			break;
	}
	return steps;
}

namespace {

constexpr size_t MAX_STEPS = 160;

/* class Order - the edges of a program, closed. */
class Order {
public:
	explicit Order(const RandomProgram &program)
		: program_(program), before_(program.steps.size())
	{
		for (size_t i = 0; i < program.steps.size(); i++)
			add(static_cast<int>(i));
		close();
	}

	/* before() - whether step @a is over when @b begins. */
	bool before(int a, int b) const { return a == b || before_[b][a]; }

private:
	bool is_blocking(int stream) const
	{
		return (program_.streams[stream] & (STREAM_LEGACY | STREAM_NON_BLOCKING)) == 0;
	}
	bool is_legacy(int stream) const { return program_.streams[stream] & STREAM_LEGACY; }

	void edge(int from, int to)
	{
		if (from >= 0)
			before_[to][from] = true;
	}

	/* A step on a stream is after what the host knew at the call, and after the stream's last step. */
	void enqueue(int step, int stream)
	{
		edge(host_, step);
		edge(find(last_, stream), step);
		for (size_t other = 0; other < program_.streams.size(); other++) {
			const int o = static_cast<int>(other);
			const bool ordered = (is_legacy(stream) && is_blocking(o)) ||
					     (is_legacy(o) && is_blocking(stream));
			if (ordered)
				edge(find(last_, o), step);
		}
		last_[stream] = step;
	}

	/* The host goes on after a step: one node for each stage of it. */
	void advance(int step, int after)
	{
		edge(host_, step);
		edge(after, step);
		host_ = step;
	}

	void add(int i)
	{
		const Step &step = program_.steps[i];
		switch (step.what) {
		case Step::What::HOST_ACCESS:
			return advance(i, -1);
		case Step::What::SYNC_EVENT:
			return advance(i, find(records_, step.event));
		case Step::What::SYNC_STREAM:
			/* A wait for the legacy stream is a step in it, see the judge's edge. */
			if (is_legacy(step.stream))
				enqueue(i, step.stream);
			return advance(i, find(last_, step.stream));
		case Step::What::SYNC_DEVICE:
			for (const auto &[stream, last] : last_)
				edge(last, i);
			return advance(i, -1);
		case Step::What::RUN_CALLBACK: {
			/* The body is the step that launched it; that it ran is known to the host. */
			return advance(i, step.event);
		}
		case Step::What::RECORD:
			enqueue(i, step.stream);
			records_[step.event] = i;
			return;
		case Step::What::WAIT:
			enqueue(i, step.stream);
			edge(find(records_, step.event), i);
			return;
		case Step::What::SIGNAL:
			enqueue(i, step.stream);
			return words_[step.event].signal(i, step.value, step.how);
		case Step::What::AWAIT:
			enqueue(i, step.stream);
			return await(i, step, words_[step.event]);
		default:
			return enqueue(i, step.stream);
		}
	}

	/* The programs have no wait that does not end. */
	void await(int i, const Step &step, Word &word)
	{
		const int meeting = word.meeting(step.value, step.how);
		for (const int signal : word.needed(meeting, step.value, step.how))
			edge(signal, i);
		if (step.how & LATCH_CLEAR)
			word.clear(meeting);
	}

	static int find(const std::map<int, int> &map, int key)
	{
		auto found = map.find(key);
		return found == map.end() ? -1 : found->second;
	}

	/* Edges only lead from older steps to younger ones. */
	void close()
	{
		for (size_t b = 0; b < before_.size(); b++) {
			for (size_t a = 0; a < b; a++) {
				if (before_[b][a])
					before_[b] |= before_[a];
			}
		}
	}

	const RandomProgram &program_;
	std::vector<std::bitset<MAX_STEPS>> before_;
	std::map<int, int> last_;
	std::map<int, int> records_;
	std::map<int, Word> words_;
	int host_ = -1;
};

/* struct Single - one access of one step to one byte, in the order of judgement. */
struct Single {
	int step;  /* that makes it */
	int place; /* in the order of things: a body is where it was launched */
	bool host;
	Access use;
};

bool is_write(Access use)
{
	return use == Access::WRITE;
}

bool conflict(Access a, Access b)
{
	return a != b || is_write(a);
}

const char *rule(const Single &later, const Single &earlier)
{
	const Single *host = later.host ? &later : &earlier;
	if (host->host)
		return host->use == Access::READ ? "HOST-READ-INFLIGHT" : "HOST-WRITE-INFLIGHT";
	if (later.use == Access::READ)
		return "RACE-RAW";
	return earlier.use == Access::READ ? "RACE-WAR" : "RACE-WAW";
}

/* Calls add(access) for each access to a byte; READ_WRITE is both, in this order. */
template <class Add> void each_single(const RandomProgram &program, int byte, Add &&add)
{
	for (size_t i = 0; i < program.steps.size(); i++) {
		const Step &step = program.steps[i];
		const bool body = step.what == Step::What::RUN_CALLBACK;
		const int index = static_cast<int>(i);
		Single single{index, body ? step.event : index,
			      body || step.what == Step::What::HOST_ACCESS, Access::READ};
		for (const Step::Use &use : step.uses) {
			bool touched = false;
			for (int row = 0; row < use.rows; row++) {
				const int first = use.first + row * PITCH;
				touched = touched || (byte >= first && byte < first + use.count);
			}
			if (!touched)
				continue;
			single.use = use.access == Access::READ_WRITE ? Access::READ : use.access;
			add(single);
			single.use = Access::WRITE;
			if (use.access == Access::READ_WRITE)
				add(single);
		}
	}
}

} // namespace

Races reference_races(const RandomProgram &program)
{
	const Order order(program);
	Races races;
	for (int byte = 0; byte < BYTES; byte++) {
		std::vector<Single> past;
		auto stands_for = [&](const Single &b, const Single &a) {
			return order.before(a.place, b.place) &&
			       (is_write(b.use) || b.use == a.use);
		};
		each_single(program, byte, [&](const Single &now) {
			for (size_t i = 0; i < past.size(); i++) {
				const Single &old = past[i];
				if (!conflict(old.use, now.use) || (old.host && now.host) ||
				    order.before(old.place, now.place) ||
				    order.before(now.place, old.place))
					continue;
				bool covered = false;
				for (size_t k = 0; k < past.size(); k++) {
					const bool both = stands_for(past[k], old) &&
							  stands_for(old, past[k]);
					covered = covered || (k != i && stands_for(past[k], old) &&
							      (!both || k < i));
				}
				if (!covered)
					races.emplace(now.step, old.step, rule(now, old));
			}
			past.push_back(now);
		});
	}
	return races;
}

/* The number of the first word in a trace. */
static constexpr uint64_t FIRST_WORD = 1000;

static Operand operand_of(const Bytes &memory, const Step::Use &use)
{
	const uint64_t count = static_cast<uint64_t>(use.rows);
	Operand operand{
		memory.address + use.first, static_cast<uint64_t>(use.count), use.access, 0, 0, {}};
	if (use.rows > 1)
		operand.dimensions = {{count, PITCH}};
	return operand;
}

static void play(Program &program, const Step &step, int index,
		 const std::vector<uint32_t> &streams, const std::vector<uint64_t> &events,
		 const Bytes &memory, std::map<int, uint64_t> &bodies)
{
	std::vector<Operand> operands;
	for (const Step::Use &use : step.uses)
		operands.push_back(operand_of(memory, use));
	const std::string name = std::to_string(index);
	switch (step.what) {
	case Step::What::COMMAND:
		program.op(streams[step.stream], name, operands);
		return;
	case Step::What::HOST_ACCESS:
		return program.host(name, operands);
	case Step::What::RECORD:
		return program.record(events[step.event], streams[step.stream]);
	case Step::What::WAIT:
		return program.wait(streams[step.stream], events[step.event]);
	case Step::What::SIGNAL:
		return program.signal(FIRST_WORD + static_cast<uint64_t>(step.event),
				      streams[step.stream], step.value, step.how);
	case Step::What::AWAIT:
		return program.await(FIRST_WORD + static_cast<uint64_t>(step.event),
				     streams[step.stream], step.value, step.how);
	case Step::What::SYNC_STREAM:
		return program.sync(streams[step.stream]);
	case Step::What::SYNC_EVENT:
		return program.sync_event(events[step.event]);
	case Step::What::SYNC_DEVICE:
		return program.sync_device();
	case Step::What::LAUNCH_CALLBACK:
		bodies[index] = program.callback(streams[step.stream], name);
		return;
	case Step::What::RUN_CALLBACK:
		program.begin(bodies[step.event], 9);
		program.host(name, operands);
		program.end(bodies[step.event], 9);
		return;
	}
}

Races judged_races(const RandomProgram &random)
{
	Program program(random.profile);
	std::vector<uint32_t> streams;
	std::vector<uint64_t> events;
	for (uint16_t flags : random.streams)
		streams.push_back(program.stream("", flags));
	for (int i = 0; i < random.events; i++)
		events.push_back(program.event(""));
	const Bytes memory = program.memory("memory", BYTES);
	std::map<int, uint64_t> bodies;
	for (size_t i = 0; i < random.steps.size(); i++)
		play(program, random.steps[i], static_cast<int>(i), streams, events, memory,
		     bodies);
	Races races;
	for (const Finding &finding : program.findings()) {
		if (rule_severity(finding.rule) == Severity::ERROR)
			races.emplace(std::stoi(finding.later.label),
				      std::stoi(finding.earlier.label), rule_text(finding.rule));
	}
	return races;
}

std::string RandomProgram::text() const
{
	std::string text;
	for (size_t i = 0; i < steps.size(); i++) {
		const Step &step = steps[i];
		text += std::to_string(i) + ": what " +
			std::to_string(static_cast<int>(step.what)) + " stream " +
			std::to_string(step.stream) + " event " + std::to_string(step.event) +
			" how " + std::to_string(step.how) + " value " + std::to_string(step.value);
		for (const Step::Use &use : step.uses)
			text += " [" + std::to_string(use.first) + "+" + std::to_string(use.count) +
				"*" + std::to_string(use.rows) + " access " +
				std::to_string(static_cast<int>(use.access)) + "]";
		text += "\n";
	}
	return text;
}

} // namespace san::test
