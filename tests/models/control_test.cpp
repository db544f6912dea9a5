// SPDX-License-Identifier: MIT
/*
 * DOC: Tests of control flow
 */
#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "models/compile.h"
#include "models/passes/import.h"
#include "models/passes/lower.h"
#include "proto.h"

namespace {

using namespace models;

/* struct Made - the program of a model, or the sentences that refuse it. */
struct Made {
	const std::string file;
	std::unique_ptr<ir::Model> model;
	Program program;
	std::string texts, notes;
	bool is_good = false;

	Made(const std::string &graph, std::vector<ir::Dims> dims, int64_t opset = 17)
		: file(proto::model(graph, opset))
	{
		Problems problems;
		model = import_onnx(file, nullptr, "", problems);
		is_good = model && instantiate(*model, dims, program, problems);
		for (const Problem &problem : problems.list())
			texts += problem.text + "\n";
		for (const std::string &note : problems.notes())
			notes += note + "\n";
	}

	/* count() - the launches of nodes of a type. */
	size_t count(const std::string &type) const
	{
		size_t found = 0;
		for (const Launch &launch : program.launches)
			found += program.nodes[launch.node].starts_with(type + " ");
		return found;
	}
};

std::string truth(std::string_view name, bool value)
{
	return proto::bytes(5, proto::number(2, 9) + proto::bytes(8, name) +
				       proto::bytes(9, std::string(1, value ? 1 : 0)));
}

std::string branch(std::string_view type, std::string_view name)
{
	return proto::node(type, {"x"}, {name}) + proto::output(name, 1, {2});
}

std::string choice(const std::string &then_graph, const std::string &else_graph)
{
	return proto::node("If", {"go"}, {"y"},
			   proto::graph_attribute("then_branch", then_graph) +
				   proto::graph_attribute("else_branch", else_graph)) +
	       proto::input("x", 1, {-1}) + proto::input("go", 9, {}) + proto::output("y", 1, {-1});
}

/* The types of the launches from @first up to @end. */
std::string types(const Made &made, uint32_t first, uint32_t end)
{
	std::string types;
	for (uint32_t k = first; k < end; k++) {
		const std::string &node = made.program.nodes[made.program.launches[k].node];
		types += node.substr(0, node.find(' ') + 1);
	}
	return types;
}

TEST(Control, DataChooseOneOfTwoBranches)
{
	const Made made(choice(branch("Abs", "a"), branch("Neg", "b")), {{2}, {}});
	ASSERT_TRUE(made.is_good) << made.texts;
	ASSERT_EQ(made.program.choices.size(), 1u);
	const Choice &choice = made.program.choices[0];
	EXPECT_EQ(types(made, 0, choice.first), "If ");
	EXPECT_EQ(types(made, choice.first, choice.middle), "Abs If ");
	EXPECT_EQ(types(made, choice.middle, choice.end), "Neg If ");
	EXPECT_EQ(made.program.buffers[choice.buffer].bytes, 8u);
	/* Both branches write the result of the model. */
	for (const uint32_t k : {choice.middle - 1, choice.end - 1})
		EXPECT_TRUE(std::ranges::any_of(
			made.program.launches[k].addresses, [&](const Relocation &each) {
				return each.is_written &&
				       made.program.buffers[each.buffer].space == Space::OUTPUT;
			}));
}

/* An outer choice is in the list before those inside it, and each has its own launches. */
TEST(Control, BranchesNest)
{
	const auto inside = [](const char *result) {
		return proto::node(
			       "If", {"go"}, {result},
			       proto::graph_attribute("then_branch", branch("Exp", "c")) +
				       proto::graph_attribute("else_branch", branch("Log", "d"))) +
		       proto::output(result, 1, {2});
	};
	const Made made(choice(inside("a"), inside("b")), {{2}, {}});
	ASSERT_TRUE(made.is_good) << made.texts;
	ASSERT_EQ(made.program.choices.size(), 3u);
	const auto &[outer, yes, no] =
		std::tie(made.program.choices[0], made.program.choices[1], made.program.choices[2]);
	EXPECT_EQ(types(made, outer.first, outer.middle), "If Exp If Log If If ");
	EXPECT_EQ(types(made, yes.first, yes.middle), "Exp If ");
	EXPECT_EQ(types(made, yes.middle, yes.end), "Log If ");
	EXPECT_EQ(yes.end + 1, outer.middle);
	EXPECT_EQ(types(made, no.first, no.end), "Exp If Log If ");
	EXPECT_EQ(no.end + 1, outer.end);
}

TEST(Control, AChoiceThatNobodyReadsIsGone)
{
	const Made made(choice(branch("Abs", "a"), branch("Neg", "b")) +
				proto::node("Exp", {"x"}, {"z"}) + proto::output("z", 1, {-1}),
			{{2}, {}});
	Program program = made.program;
	ASSERT_EQ(program.outputs.size(), 2u);
	/* Of the second result alone. */
	for (Buffer &buffer : program.buffers)
		if (buffer.space == Space::OUTPUT && buffer.index == 0)
			buffer.space = Space::ARENA;
	drop_dead(program);
	EXPECT_TRUE(program.choices.empty());
	ASSERT_EQ(program.launches.size(), 1u);
	EXPECT_TRUE(program.nodes[program.launches[0].node].starts_with("Exp "));
}

/* Fusion takes nodes of one branch, and leaves what a branch reads or gives. */
TEST(Control, FusionKeepsToTheEdgesOfBranches)
{
	const std::string sigmoid = proto::node("Sigmoid", {"x"}, {"s"});
	const auto of = [](const std::string &nodes, std::string_view name) {
		return nodes + proto::output(name, 1, {2});
	};
	const std::string product = of(proto::node("Mul", {"s", "x"}, {"a"}), "a");

	const Made within(choice(sigmoid + product, branch("Neg", "b")), {{2}, {}});
	ASSERT_TRUE(within.is_good) << within.texts;
	const Choice &only = within.program.choices.at(0);
	EXPECT_EQ(types(within, only.first, only.end), "Silu If Neg If ");

	/* The other branch reads the sigmoid, too. */
	const Made above(sigmoid + choice(product, of(proto::node("Neg", {"s"}, {"b"}), "b")),
			 {{2}, {}});
	ASSERT_TRUE(above.is_good) << above.texts;
	EXPECT_EQ(types(above, 0, static_cast<uint32_t>(above.program.launches.size())),
		  "Sigmoid If Mul If Neg If ");

	/* The branch gives the sigmoid, which is multiplied behind it. */
	const Made below(choice(of(sigmoid, "s"), branch("Neg", "b")) +
				 proto::node("Mul", {"y", "x"}, {"z"}) +
				 proto::output("z", 1, {-1}),
			 {{2}, {}});
	ASSERT_TRUE(below.is_good) << below.texts;
	EXPECT_EQ(types(below, 0, static_cast<uint32_t>(below.program.launches.size())),
		  "If Sigmoid If Neg If Mul ");
}

TEST(Control, BranchesThatDataChooseHaveOneShape)
{
	const std::string longer =
		proto::node("Concat", {"x", "x"}, {"b"}, proto::integer("axis", 0)) +
		proto::output("b", 1, {4});
	const Made made(choice(branch("Abs", "a"), longer), {{2}, {}});
	EXPECT_FALSE(made.is_good);
	EXPECT_NE(made.texts.find("FLOAT [2] or FLOAT [4]"), std::string::npos) << made.texts;
	EXPECT_NE(made.texts.find("--fix_input=\"go:...\""), std::string::npos) << made.texts;
}

TEST(Control, BranchThatShapesForbidFailsWhenItIsTaken)
{
	const std::string forbidden = proto::node("Squeeze", {"x", "zero"}, {"b"}) +
				      proto::constant("zero", {0}) + proto::output("b", 1, {});
	for (const bool is_then : {false, true}) {
		const Made made(is_then ? choice(forbidden, branch("Abs", "a"))
					: choice(branch("Abs", "a"), forbidden),
				{{2}, {}});
		ASSERT_TRUE(made.is_good) << made.texts;
		EXPECT_EQ(made.count("Abs"), 1u);
		EXPECT_EQ(made.count("Gather"), 1u);
		const std::string side = is_then ? "then_branch" : "else_branch";
		EXPECT_NE(made.notes.find("a run that takes its " + side + " fails: Squeeze"),
			  std::string::npos)
			<< made.notes;
	}
	const Made none(choice(forbidden, forbidden), {{2}, {}});
	EXPECT_FALSE(none.is_good);
	EXPECT_NE(none.texts.find("none of its branches"), std::string::npos) << none.texts;
}

/* A node of a loop may fail again, and a problem that is nowhere would be a model that compiles. */
TEST(Control, AProblemThatWasTakenBackCanComeAgain)
{
	Problems problems;
	problems.add(not_supported, "one");
	problems.add(not_supported, "other");
	problems.take_back(1, 0);
	EXPECT_EQ(problems.list().size(), 1u);
	problems.add(not_supported, "other");
	EXPECT_EQ(problems.list().size(), 2u);
}

TEST(Control, BranchThatNoShapeAllowsIsRefused)
{
	const Made made(choice(branch("Abs", "a"), branch("Unique", "b")), {{2}, {}});
	EXPECT_FALSE(made.is_good);
	EXPECT_NE(made.texts.find("Unique"), std::string::npos) << made.texts;
}

/* loop() - whose turns add x; @most, @go: what says how many. The last result has a part for each turn. */
std::string loop(std::string_view most, std::string_view go, const std::string &condition,
		 bool has_parts = true)
{
	const std::string body = condition + proto::node("Add", {"s", "x"}, {"t"}) +
				 proto::node("Abs", {"t"}, {"p"}) + proto::input("turn", 7, {}) +
				 proto::input("on", 9, {}) + proto::input("s", 1, {2}) +
				 proto::output("more", 9, {}) + proto::output("t", 1, {2}) +
				 (has_parts ? proto::output("p", 1, {2}) : "");
	const std::string attribute = proto::graph_attribute("body", body);
	return (has_parts ? proto::node("Loop", {most, go, "x"}, {"y", "z"}, attribute) +
				    proto::output("z", 1, {-1, 2})
			  : proto::node("Loop", {most, go, "x"}, {"y"}, attribute)) +
	       proto::constant("three", {3}) + truth("yes", true) + proto::input("x", 1, {2}) +
	       proto::output("y", 1, {2});
}

const std::string ALWAYS = proto::node("Identity", {"on"}, {"more"});

TEST(Control, BranchWithTooManyTurnsIsRefused)
{
	const std::string body = proto::node("Identity", {"on"}, {"more"}) +
				 proto::node("Abs", {"s"}, {"t"}) + proto::input("turn", 7, {}) +
				 proto::input("on", 9, {}) + proto::input("s", 1, {2}) +
				 proto::output("more", 9, {}) + proto::output("t", 1, {2});
	const std::string endless = proto::node("Loop", {"most", "", "x"}, {"b"},
						proto::graph_attribute("body", body)) +
				    proto::constant("most", {1 << 20}) + proto::output("b", 1, {2});
	const Made made(choice(endless, branch("Abs", "a")), {{2}, {}});
	EXPECT_FALSE(made.is_good);
	EXPECT_NE(made.texts.find("the turns of loops"), std::string::npos) << made.texts;
}

TEST(Control, TurnsStandOneBehindTheOther)
{
	const std::string graph = loop("three", "yes", ALWAYS);
	const Made made(graph, {{2}});
	ASSERT_TRUE(made.is_good) << made.texts;
	EXPECT_EQ(made.count("Add"), 3u);
	EXPECT_EQ(made.count("Abs"), 3u);
	EXPECT_EQ(ir::print(made.program.outputs[0].dims), "[3, 2]");
	EXPECT_EQ(made.program.nodes[0], "Add Add_2#0 (opset 17)");
}

TEST(Control, TurnsOfALoopThatDataEndAreChoices)
{
	const std::string small =
		proto::node("ReduceSum", {"t"}, {"sum"}, proto::integer("keepdims", 0)) +
		proto::node("Cast", {"sum"}, {"more"}, proto::integer("to", 9));
	const Made made(loop("three", "yes", small, false), {{2}}, 13);
	ASSERT_TRUE(made.is_good) << made.texts;
	EXPECT_EQ(made.count("Add"), 3u);
	/* The first turn is there in any case. The condition of the last one decides about nothing. */
	ASSERT_EQ(made.program.choices.size(), 2u);
	const auto &[second, third] = std::tie(made.program.choices[0], made.program.choices[1]);
	EXPECT_EQ(types(made, 0, second.first), "Add ReduceSum Cast Loop ");
	EXPECT_EQ(types(made, second.first, second.middle), "Add ReduceSum Cast Loop Loop ");
	EXPECT_EQ(types(made, second.middle, second.end), "Loop Loop ");
	EXPECT_EQ(types(made, third.first, third.middle), "Add Loop ");
	EXPECT_EQ(types(made, third.middle, third.end), "Loop ");
	const Made parts(loop("three", "yes", small), {{2}}, 13);
	EXPECT_NE(parts.texts.find("the size of a result"), std::string::npos) << parts.texts;
	const Made endless(loop("", "yes", small, false), {{2}}, 13);
	EXPECT_NE(endless.texts.find("no largest number of turns"), std::string::npos)
		<< endless.texts;
}

TEST(Control, LoopsThatDoNotEndAreRefused)
{
	const Made made(loop("", "yes", ALWAYS, false), {{2}});
	EXPECT_FALSE(made.is_good);
	EXPECT_NE(made.texts.find("more than 65536 nodes"), std::string::npos) << made.texts;
	EXPECT_EQ(std::count(made.texts.begin(), made.texts.end(), '\n'), 1) << made.texts;
}

TEST(Control, ALoopWithoutTurnsGivesWhatItGot)
{
	const std::string graph = loop("three", "no", ALWAYS, false) + truth("no", false);
	const Made made(graph, {{2}});
	ASSERT_TRUE(made.is_good) << made.texts;
	EXPECT_EQ(made.count("Add"), 0u);
	EXPECT_NE(Made(loop("three", "no", ALWAYS) + truth("no", false), {{2}})
			  .texts.find("it has no turn"),
		  std::string::npos);
}

TEST(Control, BatchesOfAScanAreCounted)
{
	const std::string body = proto::node("Abs", {"s"}, {"t"}) + proto::input("s", 1, {2}) +
				 proto::input("p", 1, {2}) + proto::output("t", 1, {2});
	const std::string graph = proto::node("Scan", {"", "x", "w"}, {"y"},
					      proto::graph_attribute("body", body) +
						      proto::integer("num_scan_inputs", 1)) +
				  proto::input("x", 1, {-1, 2}) + proto::input("w", 1, {-1, 0, 2}) +
				  proto::output("y", 1, {-1, 2});
	const Made made(graph, {{1 << 20, 2}, {1 << 20, 0, 2}}, 8);
	EXPECT_FALSE(made.is_good);
	EXPECT_NE(made.texts.find("more than 65536 nodes"), std::string::npos) << made.texts;
}

TEST(Control, PartsOfASplitAreCounted)
{
	const std::string graph =
		proto::node("SplitToSequence", {"x", "half"}, {"a"}) +
		proto::node("SequenceLength", {"a"}, {"n"}) +
		proto::bytes(5, proto::number(2, 7) + proto::bytes(8, "half") +
					proto::bytes(9, std::string("\x00\x00\x01\0\0\0\0\0", 8))) +
		proto::input("x", 1, {-1}) + proto::output("n", 7, {});
	const Made made(graph, {{1 << 17}});
	EXPECT_TRUE(made.is_good) << made.texts; /* two parts, whatever the size is */
	EXPECT_NE(Made(graph, {{int64_t{1} << 33}}).texts.find("more than 65536 nodes"),
		  std::string::npos);
}

TEST(Control, SequencesAreGoneWhenTheModelRuns)
{
	const std::string graph =
		proto::node("SequenceConstruct", {"x", "w"}, {"a"}) +
		proto::node("SequenceInsert", {"a", "w", "zero"}, {"b"}) +
		proto::node("SequenceErase", {"b"}, {"c"}) +
		proto::node("SequenceAt", {"c", "place"}, {"d"}) +
		proto::node("Abs", {"d"}, {"y"}) + proto::node("SequenceLength", {"c"}, {"n"}) +
		proto::constant("zero", {0}) + proto::input("x", 1, {2}) +
		proto::input("w", 1, {3}) + proto::output("y", 1, {-1}) + proto::output("n", 7, {});
	const auto with = [&graph](int64_t place) {
		return Made(graph + proto::constant("place", {place}), {{2}, {3}});
	};
	ASSERT_TRUE(with(0).is_good) << with(0).texts;
	EXPECT_EQ(ir::print(with(0).program.outputs[0].dims), "[3]");
	EXPECT_EQ(ir::print(with(-1).program.outputs[0].dims), "[2]");
	EXPECT_EQ(with(-1).count("Abs"), 1u);
	EXPECT_NE(with(2).texts.find("its place is 2; the sequence has 2 values"),
		  std::string::npos)
		<< with(2).texts;
}

} // namespace
