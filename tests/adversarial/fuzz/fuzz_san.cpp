// SPDX-License-Identifier: MIT
/**
 * DOC: the judge of the sanitizer, fuzzed
 *
 * A trace is a file that anyone may have written. An input is one of two things, by its first byte:
 *
 *	even	the bytes of a trace behind its head
 *	odd	RECORD..., each of them { kind:1, flags:1, stream:1, object:1, place:1, size:1, operands:1,
 *		OPERAND... }, small numbers that meet each other
 *
 * What is written of a record is what is read of it. The judge has narrow bounds, so that short traces reach
 * them, and what it keeps at the end is measured.
 */
#include <malloc.h>

#include "input.h"
#include "san/judge/judge.h"
#include "san/trace/encoding.h"
#include "san/trace/merge.h"

using namespace fuzz;
using namespace san;

namespace {

/* What a judge with these bounds keeps is less than this. */
constexpr size_t MOST_BYTES = 16 << 20;
constexpr size_t PAGE = 4096;

Options narrow()
{
	Options options;
	options.bounds = {.cells = 256,
			  .ticks = 4096,
			  .name_bytes = 4096,
			  .graph_parts = 64,
			  .held_parts = 16,
			  .blocks = 16,
			  .mappings = 16,
			  .events = 8,
			  .latches = 4,
			  .keys = 4,
			  .bodies = 4,
			  .threads = 4,
			  .pairs = 16,
			  .findings = 4,
			  .compared = 4};
	return options;
}

size_t heap_bytes()
{
	return mallinfo2().uordblks;
}

Operand take_operand(Input &input)
{
	Operand operand;
	const auto access = input.take<uint8_t>();
	operand.address = input.take<uint8_t>() * (PAGE / 8);
	operand.run = input.take<uint8_t>();
	operand.access = static_cast<Access>(1 + access % 4);
	operand.flags = access >> 2 & 7;
	for (uint8_t i = 0; i < access >> 5; i++) {
		const auto count = input.take<uint8_t>();
		operand.dimensions.push_back({count, input.take<int16_t>()});
	}
	return operand;
}

Record take_record(Input &input)
{
	Record record;
	const auto kind = input.take<uint8_t>();
	record.kind = kind_name(kind) ? static_cast<Kind>(kind) : Kind::COMMAND;
	record.flags = input.take<uint8_t>();
	const auto stream = input.take<uint8_t>();
	record.stream = stream >= 0xf0 ? HOST : stream % 16;
	record.client = stream / 16 % 2;
	record.object = input.take<uint8_t>();
	record.thread = record.object / 64;
	record.address = input.take<uint8_t>() * PAGE;
	record.bytes = input.take<uint8_t>() * (PAGE / 4);
	record.value = record.bytes / (PAGE / 4);
	record.label = record.bytes & 7;
	/* Numbers of nodes and of latches. */
	if (record.kind == Kind::GRAPH_EDGE || record.kind == Kind::GRAPH_SIGNAL ||
	    record.kind == Kind::GRAPH_AWAIT) {
		record.address /= PAGE;
		record.bytes = record.value;
	}
	if (has_text(record.kind)) {
		record.text.assign(record.value, 's');
		return record;
	}
	for (auto operands = input.take<uint8_t>() % 8; operands > 0; operands--)
		record.operands.push_back(take_operand(input));
	return record;
}

std::string make_trace(Input &input)
{
	std::string trace;
	append_head(trace);
	while (input.left() > 0) {
		const Record record = take_record(input);
		const size_t start = trace.size();
		append_record(trace, record);
		std::string one;
		append_head(one);
		one.append(trace, start);
		Reader reader(one);
		Record read;
		expect(reader.next(read), "a record that was written can't be read");
		std::string again;
		append_record(again, read);
		expect(trace.compare(start, std::string::npos, again) == 0,
		       "a record is not read as it was written");
	}
	return trace;
}

/* A trace that makes a race, and one that is out of order, so that the findings are reached at once. */
Seed make_seed(const std::string &name, std::initializer_list<uint8_t> bytes)
{
	Seed seed{name, {}};
	for (const uint8_t byte : bytes)
		seed.add(byte);
	return seed;
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	const Seed race = make_seed("race", {1,			      /* records */
					     3,	 0, 1,	  0, 0, 0, 0, /* STREAM_CREATE 1 */
					     3,	 0, 2,	  0, 0, 0, 0, /* STREAM_CREATE 2 */
					     18, 4, 0xf0, 1, 1, 4, 0, /* ALLOC */
					     5,	 0, 1,	  1, 0, 0, 1, 1, 8, 64, /* COMMAND writes */
					     37, 0, 0,	  0, 0, 8,		/* MARK */
					     5,	 0, 2,	  2, 0, 0, 1, 0, 8, 64, /* COMMAND reads */
					     19, 0, 0xf0, 0, 1, 0, 0});		/* FREE */
	const Seed graph = make_seed("graph", {1,  3, 0,    1, 0, 0, 0, 0, /* STREAM_CREATE 1 */
					       18, 4, 0xf0, 1, 1, 4, 0,	   /* ALLOC */
					       22, 0, 0xf0, 5, 0, 0, 1, 1, 8, 64,
					       22, 0, 0xf0, 5, 0, 1, 1, 1, 8, 64,
					       24, 0, 0xf0, 5, 0, 0, 0,	  /* GRAPH_READY */
					       26, 0, 1,    5, 0, 0, 0,	  /* GRAPH_LAUNCH */
					       27, 0, 0xf0, 5, 0, 0, 0}); /* GRAPH_DESTROY */
	const Seed wait =
		make_seed("wait", {1,  3, 0, 1, 0, 0, 0,    0, 3, 0, 2,
				   0,  0, 0, 0, 7, 0, 0xf0, 9, 0, 1, 0, /* EVENT_CREATE, a latch */
				   9,  0, 1, 9, 0, 0, 0,		/* EVENT_WAIT */
				   8,  0, 2, 9, 0, 0, 0,		/* EVENT_RECORD */
				   10, 0, 1, 9, 0, 0, 0,		/* EVENT_RESET */
				   32, 0, 2, 3, 0, 1, 0,		/* AWAIT */
				   14, 0, 2, 0, 0, 0, 0});		/* STREAM_SYNC */
	const Seed exchange = make_seed(
		"exchange", {1,	 3, 0,	  1, 0, 0, 0, 0,		       /* STREAM_CREATE 0 */
			     3,	 0, 1,	  2, 0, 0, 0,			       /* STREAM_CREATE 1 */
			     22, 0, 0xf0, 5, 0, 0, 0,			       /* GRAPH_NODE 0, 1 */
			     22, 0, 0xf0, 5, 0, 1, 0,			       /* and an edge */
			     23, 0, 0xf0, 5, 0, 1, 0, 38, 0, 0xf0, 5, 0, 2, 0, /* GRAPH_SIGNAL */
			     39, 2, 0xf0, 5, 1, 3, 0,			       /* GRAPH_AWAIT */
			     24, 0, 0xf0, 5, 0, 0, 0,			       /* GRAPH_READY */
			     26, 0, 0,	  5, 0, 0, 0,			       /* GRAPH_LAUNCH */
			     27, 0, 0xf0, 5, 0, 0, 0,			       /* GRAPH_DESTROY */
			     31, 0, 1,	  3, 0, 1, 0});			       /* SIGNAL */
	Seed file{"file", {}};
	file.add(uint8_t{0});
	for (const Seed &seed : {race, graph, wait, exchange}) {
		Input input(reinterpret_cast<const uint8_t *>(seed.bytes.data()) + 1,
			    seed.bytes.size() - 1);
		for (const char byte : make_trace(input).substr(HEAD_BYTES))
			file.add(byte);
	}
	return {race, graph, wait, exchange, file};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	Input input(data, bytes);
	std::string trace;
	if (input.take<uint8_t>() % 2 != 0) {
		trace = make_trace(input);
	} else {
		append_head(trace);
		trace.append(reinterpret_cast<const char *>(data) + (bytes > 0), input.left());
	}
	const size_t before = heap_bytes();
	uint64_t findings = 0;
	Options options = narrow();
	options.brief = bytes % 2 != 0;
	Judge judge(options, [&](const Finding &finding) {
		findings++;
		expect(finding.number == findings, "findings are numbered");
		expect(finding.repeats < finding.number, "a finding repeats an older one");
	});
	Merger merger;
	expect(merger.add(trace), "there is room for a trace");
	Record record;
	while (merger.next(record))
		judge.take(record);
	judge.finish();
	const Summary summary = judge.summary();
	expect(summary.records == merger.reader(0).count(), "each record is counted");
	expect(summary.findings == findings, "each finding is counted");
	expect(summary.problems == 0 || !summary.problem.empty(), "a problem has a sentence");
	const size_t after = heap_bytes();
	expect(after <= before || after - before < MOST_BYTES, "the judge keeps too much");
	return 0;
}
