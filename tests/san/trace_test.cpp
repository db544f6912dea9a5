// SPDX-License-Identifier: MIT
/**
 * DOC: traces as they are when a program ends: with holes, unused ends, and several of them
 */
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "record_program.h"
#include "san/formats/text.h"
#include "san/report/report.h"
#include "san/trace/encoding.h"
#include "san/trace/merge.h"

using namespace san;

namespace {

Record record_of(Kind kind, uint64_t value)
{
	Record record;
	record.kind = kind;
	record.value = value;
	return record;
}

/* What a thread leaves that has reserved @bytes bytes and stored their number. */
void append_hole(std::string &bytes, uint32_t length, char content)
{
	const uint64_t word = uint64_t{length} << 32;
	bytes.append(reinterpret_cast<const char *>(&word), sizeof(word));
	bytes.append(length - sizeof(word), content);
}

std::vector<uint64_t> values_of(Reader &reader)
{
	std::vector<uint64_t> values;
	for (Record record; reader.next(record);)
		values.push_back(record.value);
	return values;
}

} // namespace

TEST(Trace, holes_are_skipped_whatever_is_in_them)
{
	std::string bytes;
	append_head(bytes);
	append_record(bytes, record_of(Kind::CLOCK, 1));
	append_hole(bytes, RECORD_BYTES, 0);
	append_record(bytes, record_of(Kind::CLOCK, 2));
	append_hole(bytes, RECORD_BYTES + OPERAND_BYTES, 0x16);
	append_record(bytes, record_of(Kind::CLOCK, 3));
	Reader reader(bytes);
	EXPECT_EQ(values_of(reader), (std::vector<uint64_t>{1, 2, 3}));
	EXPECT_EQ(reader.holes(), 2u);
	EXPECT_FALSE(reader.is_cut());
	EXPECT_EQ(reader.problem(), "");
}

TEST(Trace, a_thread_killed_before_it_stored_the_length_leaves_zeros)
{
	std::string bytes;
	append_head(bytes);
	bytes.append(3 * RECORD_BYTES + 2 * OPERAND_BYTES, 0);
	append_record(bytes, record_of(Kind::CLOCK, 1));
	/* The end of the file that is not used yet. */
	bytes.append(4096, 0);
	Reader reader(bytes);
	EXPECT_EQ(values_of(reader), std::vector<uint64_t>{1});
	EXPECT_FALSE(reader.is_cut());
	EXPECT_EQ(reader.problem(), "");
}

TEST(Trace, a_hole_that_is_longer_than_the_file_is_a_cut)
{
	std::string bytes;
	append_head(bytes);
	append_hole(bytes, RECORD_BYTES, 0);
	bytes.resize(bytes.size() - sizeof(uint64_t));
	Reader reader(bytes);
	EXPECT_TRUE(values_of(reader).empty());
	EXPECT_TRUE(reader.is_cut());
}

TEST(Trace, a_hole_of_an_odd_length_is_refused)
{
	std::string bytes;
	append_head(bytes);
	append_hole(bytes, RECORD_BYTES - 4, 0);
	Reader reader(bytes);
	EXPECT_TRUE(values_of(reader).empty());
	EXPECT_NE(reader.problem(), "");
}

TEST(Trace, versions_that_are_known_are_read)
{
	constexpr size_t VERSION_AT = 8;
	for (const uint32_t version : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u}) {
		std::string bytes;
		append_head(bytes);
		bytes.replace(VERSION_AT, sizeof(version), reinterpret_cast<const char *>(&version),
			      sizeof(version));
		append_record(bytes, record_of(Kind::CLOCK, 7));
		Reader reader(bytes);
		const bool is_known = version >= 1 && version <= 11;
		EXPECT_EQ(values_of(reader).size(), is_known ? 1u : 0u) << version;
		EXPECT_EQ(reader.problem().empty(), is_known) << version;
	}
	EXPECT_EQ(VERSION, 13u);
}

TEST(Trace, a_record_of_work_changes_no_finding)
{
	test::Program program(Profile::ASCENDCL);
	const test::Bytes memory = program.memory("m", 64);
	program.op(program.stream("a"), "x", {test::writes(memory)});
	program.op(program.stream("b"), "y", {test::writes(memory)});
	std::string bytes;
	append_head(bytes);
	for (const Record &record : program.records()) {
		if (record.kind == Kind::COMMAND) {
			Record work = record_of(Kind::WORK, 128);
			work.object = record.object;
			append_record(bytes, work);
		}
		append_record(bytes, record);
	}
	Reader reader(bytes);
	uint64_t works = 0;
	uint64_t found = 0;
	Judge judge({}, [&](const Finding &) { found++; });
	Record record;
	while (reader.next(record)) {
		works += record.kind == Kind::WORK && record.value == 128;
		judge.take(record);
	}
	judge.finish();
	EXPECT_EQ(works, 2u);
	EXPECT_EQ(found, program.findings().size());
	EXPECT_EQ(found, 1u);
	EXPECT_EQ(judge.summary().problems, 0u);
}

TEST(Trace, a_mark_has_a_text)
{
	std::string bytes;
	append_head(bytes);
	Record mark = record_of(Kind::MARK, 0);
	for (const char *text : {"test_it.py::test[1-2]", "", "12345678"}) {
		mark.text = text;
		append_record(bytes, mark);
	}
	append_record(bytes, record_of(Kind::CLOCK, 7));
	Reader reader(bytes);
	Record record;
	for (const char *text : {"test_it.py::test[1-2]", "", "12345678"}) {
		ASSERT_TRUE(reader.next(record));
		EXPECT_EQ(record.kind, Kind::MARK);
		EXPECT_EQ(record.text, text);
	}
	ASSERT_TRUE(reader.next(record));
	EXPECT_EQ(record.kind, Kind::CLOCK);
}

TEST(Trace, several_traces_are_merged_by_their_clocks)
{
	std::string one;
	std::string other;
	append_head(one);
	append_head(other);
	for (uint64_t time : {10, 30, 50})
		append_record(one, record_of(Kind::CLOCK, time));
	for (uint64_t time : {20, 40})
		append_record(other, record_of(Kind::CLOCK, time));
	/* It follows the clock before it, whatever the other trace says. */
	append_record(other, record_of(Kind::API_CALL, 41));
	Merger merger;
	EXPECT_TRUE(merger.add(one));
	EXPECT_TRUE(merger.add(other));
	std::vector<uint64_t> values;
	for (Record record; merger.next(record);)
		values.push_back(record.value);
	EXPECT_EQ(values, (std::vector<uint64_t>{10, 20, 30, 40, 41, 50}));
}

TEST(Trace, texts_of_several_traces_keep_apart)
{
	std::string traces[2];
	for (std::string &trace : traces) {
		Record text = record_of(Kind::STRING, 0);
		text.object = 1;
		text.text = &trace == traces ? "first" : "second";
		Record use = record_of(Kind::API_CALL, 0);
		use.label = 1;
		append_head(trace);
		append_record(trace, text);
		append_record(trace, use);
	}
	Merger merger;
	EXPECT_TRUE(merger.add(traces[0]));
	EXPECT_TRUE(merger.add(traces[1]));
	std::map<uint64_t, std::string> texts;
	std::vector<std::string> used;
	for (Record record; merger.next(record);) {
		if (record.kind == Kind::STRING)
			texts[record.object] = record.text;
		else
			used.push_back(texts[record.label]);
	}
	EXPECT_EQ(used, (std::vector<std::string>{"first", "second"}));
}

TEST(Trace, a_program_that_was_killed_before_the_head)
{
	for (const std::string &bytes : {std::string(), std::string(256, 0)}) {
		Reader reader(bytes);
		Record record;
		EXPECT_FALSE(reader.next(record));
		EXPECT_TRUE(reader.is_cut());
		EXPECT_EQ(reader.problem(), "");
	}
}

namespace {

Operand operand_of(uint64_t address, uint64_t bytes, Access access, uint16_t flags = 0)
{
	Operand operand;
	operand.address = address;
	operand.run = bytes;
	operand.access = access;
	operand.flags = flags;
	return operand;
}

Record with_operands(Kind kind, uint64_t object, std::vector<Operand> operands)
{
	Record record = record_of(kind, 0);
	record.object = object;
	record.operands = std::move(operands);
	return record;
}

/* A command that may read and write two allocations. */
std::vector<Operand> may_touch()
{
	std::vector<Operand> operands;
	for (const Access access : {Access::READ, Access::WRITE}) {
		operands.push_back(operand_of(0x1000, 0x1000, access, OPERAND_PARTIAL));
		operands.push_back(operand_of(0x8000, 0x1000, access, OPERAND_PARTIAL));
	}
	return operands;
}

/* The operands of the first record of @kind, as they are merged. */
std::vector<Operand> merged(const std::vector<Record> &records, Kind kind)
{
	std::string bytes;
	append_head(bytes);
	for (const Record &record : records)
		append_record(bytes, record);
	Merger merger;
	EXPECT_TRUE(merger.add(bytes));
	Record record;
	while (merger.next(record)) {
		if (record.kind == kind)
			return record.operands;
	}
	ADD_FAILURE() << "there is no such record";
	return {};
}

} // namespace

TEST(Trace, a_command_has_the_operands_that_were_observed)
{
	const std::vector<Operand> seen{operand_of(0x1010, 16, Access::READ),
					operand_of(0x1100, 32, Access::WRITE)};
	const std::vector<Operand> operands =
		merged({with_operands(Kind::COMMAND, 7, may_touch()),
			with_operands(Kind::OBSERVED, 6, {operand_of(1, 1, Access::WRITE)}),
			with_operands(Kind::OBSERVED, 7, seen)},
		       Kind::COMMAND);
	/* No access to the other allocation was observed, so the command may still read it. */
	ASSERT_EQ(operands.size(), 3u);
	EXPECT_EQ(operands[0], operand_of(0x8000, 0x1000, Access::READ, OPERAND_PARTIAL));
	EXPECT_EQ(operands[1], seen[0]);
	EXPECT_EQ(operands[2], seen[1]);
}

TEST(Trace, a_strided_operand_counts_from_its_first_to_its_last_byte)
{
	Operand strided = operand_of(0x7ff0, 8, Access::WRITE);
	strided.dimensions = {{3, 16}};
	const std::vector<Operand> operands = merged({with_operands(Kind::COMMAND, 7, may_touch()),
						      with_operands(Kind::OBSERVED, 7, {strided})},
						     Kind::COMMAND);
	ASSERT_EQ(operands.size(), 2u);
	EXPECT_EQ(operands[0], operand_of(0x1000, 0x1000, Access::READ, OPERAND_PARTIAL));
	EXPECT_EQ(operands[1], strided);
}

TEST(Trace, a_node_has_what_its_runs_have_accessed)
{
	Record node = with_operands(Kind::GRAPH_NODE, 1, may_touch());
	node.address = 9;
	const Operand always = operand_of(0x1000, 8, Access::WRITE);
	Operand once = operand_of(0x8000, 8, Access::READ);
	Record more = with_operands(Kind::OBSERVED, 9, {once});
	more.value = 1;
	const std::vector<Operand> operands =
		merged({node, with_operands(Kind::OBSERVED, 9, {always}),
			with_operands(Kind::OBSERVED, 9, {always}), more},
		       Kind::GRAPH_NODE);
	once.flags = OPERAND_PARTIAL | OPERAND_SCRATCH;
	EXPECT_EQ(operands, (std::vector<Operand>{always, once}));
}

TEST(Trace, a_command_that_nobody_has_observed_keeps_its_operands)
{
	EXPECT_EQ(merged({with_operands(Kind::COMMAND, 7, may_touch()),
			  with_operands(Kind::OBSERVED, 8, {operand_of(1, 1, Access::WRITE)}),
			  with_operands(Kind::OBSERVED, 7, {})},
			 Kind::COMMAND),
		  may_touch());
}

/* Anyone may have written a trace: a terminal does not do what its names say, and they begin no line. */
TEST(Trace, names_are_no_orders_for_a_terminal)
{
	const std::string order = "\x1b]0;title\x07\x1b[2J\r\xc2\x9b"
				  "31mEVIL\x7f";
	san::test::Program p(Profile::ASCENDCL);
	const uint32_t one = p.stream("one" + order), other = p.stream("other" + order);
	const san::test::Bytes memory = p.memory("memory" + order + "\nunpu-san F2 error", 4096);
	p.site("/tmp/a" + order + ".cc:8 f" + order + "\n/bin/b" + order + "+0x10");
	p.op(one, "write" + order + "\nunpu-san F3 error", {writes(memory)});
	p.op(other, "other" + order, {writes(memory)});
	Report report;
	Resolver resolver;
	ASSERT_EQ(report.add_trace(p.trace(), "trace", resolver, {}), "");
	const std::string text = text_report(report);
	EXPECT_NE(text.find("EVIL"), std::string::npos);
	for (size_t i = 0; i < text.size(); i++) {
		const auto byte = static_cast<unsigned char>(text[i]);
		EXPECT_TRUE(byte == '\n' || (byte >= ' ' && byte != 0x7f)) << i;
		EXPECT_FALSE(byte == 0xc2 && (text[i + 1] & 0xe0) == 0x80) << i;
	}
	EXPECT_EQ(text.find("\nunpu-san F"), std::string::npos) << text;
}
