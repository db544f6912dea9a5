// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san selftest
 *
 * A checker that finds nothing looks the same as a checker that does not work. So the selftest checks a copy
 * and an operator on two streams, once without and once with a wait between them. It goes the whole way from
 * the bytes of a trace to the report.
 */
#include <fmt/format.h>

#include "output_files.h"
#include "reports.h"
#include "san/trace/encoding.h"

namespace san::tool {

namespace {

/* class Trace - the bytes of a trace that is written call by call. */
class Trace {
public:
	Trace() { append_head(bytes_); }

	void add(const Record &record) { append_record(bytes_, record); }

	Record on(Kind kind, uint32_t stream, uint64_t object)
	{
		Record record;
		record.kind = kind;
		record.stream = stream;
		record.object = object;
		return record;
	}

	const std::string &bytes() const { return bytes_; }

private:
	std::string bytes_;
};

} // namespace

static constexpr uint32_t COPIES = 1;
static constexpr uint32_t COMPUTE = 2;
static constexpr uint64_t EVENT = 1;
static constexpr uint64_t BLOCK = 1;
static constexpr uint64_t ADDRESS = 0x10000;
static constexpr uint64_t BYTES = 4096;

static std::string make_trace(bool waits)
{
	Trace trace;
	for (const uint32_t stream : {COPIES, COMPUTE})
		trace.add(trace.on(Kind::STREAM_CREATE, stream, 0));
	Record memory = trace.on(Kind::ALLOC, HOST, BLOCK);
	memory.address = ADDRESS;
	memory.bytes = BYTES;
	trace.add(memory);
	trace.add(trace.on(Kind::EVENT_CREATE, HOST, EVENT));
	Record copy = trace.on(Kind::COMMAND, COPIES, 1);
	copy.operands = {{ADDRESS, BYTES, Access::WRITE, 0, 0, {}}};
	trace.add(copy);
	if (waits) {
		trace.add(trace.on(Kind::EVENT_RECORD, COPIES, EVENT));
		trace.add(trace.on(Kind::EVENT_WAIT, COMPUTE, EVENT));
	}
	Record use = trace.on(Kind::COMMAND, COMPUTE, 2);
	use.operands = {{ADDRESS, BYTES, Access::READ, 0, 0, {}}};
	trace.add(use);
	return trace.bytes();
}

/* Return: the rules of the findings, in the order of the report. */
static std::string judge(const std::string &bytes)
{
	Report report;
	Resolver resolver;
	std::string rules = report.add_trace(bytes, "selftest", resolver, {});
	for (const Entry *entry : report.entries())
		rules += (rules.empty() ? "" : ", ") + entry->rule;
	return rules;
}

int self_test()
{
	const std::string bug = judge(make_trace(false));
	const std::string fixed = judge(make_trace(true));
	if (bug != "RACE-RAW")
		return complain(fmt::format("selftest: a race was not found, but '{}'", bug),
				EXIT_NEW);
	if (!fixed.empty())
		return complain(fmt::format("selftest: '{}' in a program without one", fixed),
				EXIT_NEW);
	fmt::print("unpu-san: the race of the self test is found, and its repair is silent\n");
	return EXIT_CLEAN;
}

} // namespace san::tool
