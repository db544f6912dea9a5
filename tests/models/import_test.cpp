// SPDX-License-Identifier: MIT
/*
 * DOC: Tests of the reader and of the import
 */
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "models/passes/import.h"
#include "proto.h"

namespace {

using namespace models;

std::string texts(const Problems &problems)
{
	std::string all;
	for (const Problem &problem : problems.list())
		all += problem.text + "\n";
	return all;
}

std::unique_ptr<ir::Model> import(const std::string &bytes, std::string &why,
				  const std::string &folder = "")
{
	Problems problems;
	auto model = import_onnx(bytes, nullptr, folder, problems);
	why = texts(problems);
	return model;
}

const std::string FACE = proto::input("x", 1, {2, -1}) + proto::output("y", 1, {2, -1});

TEST(Import, NodesInAnyOrderAreSorted)
{
	std::string why;
	const auto model = import(proto::model(proto::node("Relu", {"a"}, {"y"}) +
					       proto::node("Abs", {"x"}, {"a"}) + FACE),
				  why);
	ASSERT_TRUE(model) << why;
	ASSERT_EQ(model->bodies[0].nodes.size(), 2u);
	EXPECT_EQ(model->bodies[0].nodes[0].type, "Abs");
	EXPECT_EQ(model->bodies[0].nodes[1].type, "Relu");
	EXPECT_EQ(model->bodies[0].nodes[1].version, 17);
	const ir::Value &x = model->values[static_cast<size_t>(model->bodies[0].inputs[0])];
	EXPECT_EQ(ir::print(x.dims), "[2, ?]");
}

TEST(Import, AllProblemsAreToldAtOnce)
{
	std::string why;
	EXPECT_FALSE(import(proto::model(proto::node("Relu", {"p"}, {"a"}) +
					 proto::node("Abs", {"q"}, {"y"}) + FACE),
			    why));
	EXPECT_NE(why.find("reads the value p"), std::string::npos) << why;
	EXPECT_NE(why.find("reads the value q"), std::string::npos) << why;
}

TEST(Import, CirclesAndSecondWritersAreRefused)
{
	std::string why;
	EXPECT_FALSE(import(proto::model(proto::node("Add", {"x", "y"}, {"a"}) +
					 proto::node("Abs", {"a"}, {"y"}) + FACE),
			    why));
	EXPECT_NE(why.find("circle"), std::string::npos) << why;
	EXPECT_FALSE(import(proto::model(proto::node("Abs", {"x"}, {"y"}) +
					 proto::node("Relu", {"x"}, {"y"}) + FACE),
			    why));
	EXPECT_NE(why.find("more than once"), std::string::npos) << why;
}

TEST(Import, ConstantsMustHaveTheirSize)
{
	std::string why;
	const std::string tensor = proto::number(1, 3) + proto::number(2, 1) +
				   proto::bytes(8, "c") + proto::bytes(9, "1234");
	EXPECT_FALSE(import(proto::model(proto::node("Add", {"x", "c"}, {"y"}) +
					 proto::bytes(5, tensor) + FACE),
			    why));
	EXPECT_NE(why.find("has 4 bytes in place of 12"), std::string::npos) << why;
	/* A product of dims that leaves 64 bits is no shape. */
	std::string huge = proto::number(2, 1) + proto::bytes(8, "c");
	for (int d = 0; d < 4; d++)
		huge += proto::number(1, int64_t{1} << 32);
	EXPECT_FALSE(import(proto::model(proto::bytes(5, huge) + FACE), why));
	EXPECT_NE(why.find("which is no shape"), std::string::npos) << why;
}

TEST(Import, FieldsOfNumbersBecomeBytes)
{
	std::string why;
	std::string tensor = proto::number(1, 2) + proto::number(2, 3) + proto::bytes(8, "c");
	tensor += proto::number(5, -1) + proto::number(5, 7); /* int32_data of INT8 */
	const auto model = import(
		proto::model(proto::bytes(5, tensor) + proto::node("Abs", {"x"}, {"y"}) + FACE),
		why);
	ASSERT_TRUE(model) << why;
	EXPECT_EQ(model->constants[0].bytes, std::string_view("\xff\x07", 2));
}

TEST(Import, AttributesHaveAValueOfTheirKind)
{
	std::string why;
	for (const int kind : {4, 5}) {
		const std::string attribute =
			proto::bytes(5, proto::bytes(1, "a") + proto::number(20, kind));
		EXPECT_FALSE(import(
			proto::model(proto::node("Abs", {"x"}, {"y"}, attribute) + FACE), why));
		EXPECT_NE(why.find("has no value of its kind"), std::string::npos) << why;
	}
}

TEST(Import, FunctionsBecomeTheirNodes)
{
	const std::string function =
		proto::bytes(1, "Twice") + proto::bytes(10, "own") + proto::bytes(4, "in") +
		proto::bytes(5, "out") +
		proto::bytes(7, proto::node("Abs", {"in"}, {"t"}).substr(2)) +
		proto::bytes(7, proto::node("Add", {"t", "t"}, {"out"}).substr(2)) +
		proto::bytes(9, proto::number(2, 13));
	std::string why;
	const auto model = import(
		proto::model(proto::node("Twice", {"x"}, {"y"}, proto::bytes(7, "own")) + FACE, 17,
			     proto::bytes(25, function)),
		why);
	ASSERT_TRUE(model) << why;
	ASSERT_EQ(model->bodies[0].nodes.size(), 2u);
	EXPECT_EQ(model->bodies[0].nodes[1].type, "Add");
	EXPECT_EQ(model->bodies[0].nodes[1].version, 13);
}

TEST(Import, FunctionsThatCallThemselvesEnd)
{
	const std::string function =
		proto::bytes(1, "F") + proto::bytes(10, "own") + proto::bytes(4, "in") +
		proto::bytes(5, "out") +
		proto::bytes(7,
			     proto::node("F", {"in"}, {"out"}, proto::bytes(7, "own")).substr(2));
	std::string why;
	EXPECT_FALSE(
		import(proto::model(proto::node("F", {"x"}, {"y"}, proto::bytes(7, "own")) + FACE,
				    17, proto::bytes(25, function)),
		       why));
	EXPECT_NE(why.find("16 times"), std::string::npos) << why;
}

/* Each function calls the next one twice. */
TEST(Import, CallsOfFunctionsStayInBounds)
{
	const auto name = [](int k) { return "F" + std::to_string(k); };
	std::string functions;
	for (int k = 0; k < 16; k++) {
		const std::string next = k < 15 ? name(k + 1) : "Abs";
		const std::string domain = k < 15 ? proto::bytes(7, "own") : "";
		std::string calls;
		for (const auto &[from, to] : {std::pair("in", "t"), std::pair("t", "out")})
			calls += proto::bytes(
				7, proto::node(next, {from}, {to}, domain + proto::bytes(3, to))
					   .substr(2));
		functions +=
			proto::bytes(25, proto::bytes(1, name(k)) + proto::bytes(10, "own") +
						 proto::bytes(4, "in") + proto::bytes(5, "out") +
						 calls + proto::bytes(9, proto::number(2, 13)));
	}
	std::string why;
	EXPECT_FALSE(
		import(proto::model(proto::node("F0", {"x"}, {"y"}, proto::bytes(7, "own")) + FACE,
				    17, functions),
		       why));
	EXPECT_NE(why.find("much larger than its file"), std::string::npos) << why;
	EXPECT_EQ(std::count(why.begin(), why.end(), '\n'), 1) << why;
}

TEST(Import, GraphsThatNestTooDeepAreRefused)
{
	std::string graph = proto::node("Abs", {"x"}, {"y"});
	for (int depth = 0; depth < 17; depth++)
		graph = proto::node("If", {"x"}, {"y"},
				    proto::graph_attribute("then_branch", graph));
	std::string why;
	EXPECT_FALSE(import(proto::model(graph + FACE), why));
	EXPECT_NE(why.find("nest more than 16 times"), std::string::npos) << why;
}

TEST(Import, EachPrefixOfAFileIsRefusedOrRead)
{
	std::string why;
	const std::string whole = proto::model(proto::node("Add", {"x", "c"}, {"y"}) +
					       proto::constant("c", {1, 2, 3}) + FACE);
	for (size_t size = 0; size < whole.size(); size++)
		(void)import(whole.substr(0, size), why);
	/* Each byte changed to some others. */
	for (size_t at = 0; at < whole.size(); at++)
		for (const unsigned value : {0u, 1u, 0x7fu, 0x80u, 0xffu}) {
			std::string changed = whole;
			changed[at] = static_cast<char>(value);
			(void)import(changed, why);
		}
	EXPECT_TRUE(import(whole, why)) << why;
}

TEST(Import, ExternalDataStaysInItsFolder)
{
	char folder[] = "/tmp/unpu_models_XXXXXX";
	ASSERT_TRUE(mkdtemp(folder));
	const std::string path = std::string(folder) + "/weights";
	std::ofstream(path) << "12345678";
	ASSERT_EQ(symlink("/etc/passwd", (std::string(folder) + "/link").c_str()), 0);
	const auto with = [](std::string_view location, int64_t offset) {
		const auto entry = [](std::string_view key, std::string_view value) {
			return proto::bytes(13, proto::bytes(1, key) + proto::bytes(2, value));
		};
		const std::string tensor =
			proto::number(1, 1) + proto::number(2, 1) + proto::bytes(8, "c") +
			proto::number(14, 1) + entry("location", location) +
			entry("offset", std::to_string(offset)) + entry("length", "4");
		return proto::model(proto::bytes(5, tensor) +
				    proto::node("Add", {"x", "c"}, {"y"}) + FACE);
	};
	std::string why;
	const auto model = import(with("weights", 4), why, folder);
	ASSERT_TRUE(model) << why;
	EXPECT_EQ(model->constants[0].bytes, "5678");
	for (const char *location :
	     {"../weights", "/etc/passwd", "link", "a/../weights", "", "nothing"})
		EXPECT_FALSE(import(with(location, 0), why, folder)) << location;
	EXPECT_FALSE(import(with("weights", 5), why, folder));
	EXPECT_NE(why.find("ends behind the file"), std::string::npos) << why;
	unlink(path.c_str());
	unlink((std::string(folder) + "/link").c_str());
	rmdir(folder);
}

} // namespace
