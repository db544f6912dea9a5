// SPDX-License-Identifier: MIT
/*
 * DOC: Tests of the passes and of our file
 */
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

#include "models/compile.h"
#include "models/inference/numbers.h"
#include "models/om/format.h"
#include "models/passes/import.h"
#include "models/passes/lower.h"
#include "proto.h"

namespace {

using namespace models;

std::string texts(const Problems &problems)
{
	std::string all;
	for (const Problem &problem : problems.list())
		all += std::string(problem.code) + ": " + problem.text + "\n";
	return all;
}

/* struct Made - a model that was compiled. */
struct Made {
	const std::string file; /* the model has views of it */
	std::unique_ptr<ir::Model> model;
	om::Face face;
	Problems problems;
	bool is_good = false;

	Made(const std::string &graph, const CompileOptions &options, int64_t opset = 17)
		: file(proto::model(graph, opset))
	{
		model = import_onnx(file, nullptr, "", problems);
		is_good = model && compile(options, *model, face, problems);
	}
};

Program program_of(const Made &made, std::vector<ir::Dims> dims)
{
	Program program;
	Problems problems;
	EXPECT_TRUE(instantiate(*made.model, dims, program, problems)) << texts(problems);
	return program;
}

/* Shape, Gather, Concat and Reshape: what BERT does before each product. */
const std::string SHAPES =
	proto::node("Shape", {"x"}, {"s"}) + proto::node("Gather", {"s", "zero"}, {"n"}) +
	proto::node("Unsqueeze", {"n", "zeros"}, {"m"}) +
	proto::node("Concat", {"m", "rest"}, {"t"}, proto::integer("axis", 0)) +
	proto::node("Reshape", {"x", "t"}, {"r"}) + proto::node("Relu", {"r"}, {"y"}) +
	proto::bytes(5, proto::number(2, 7) + proto::bytes(8, "zero") +
				proto::bytes(9, std::string(8, '\0'))) +
	proto::constant("zeros", {0}) + proto::constant("rest", {3, -1}) +
	proto::input("x", 1, {-1, 12}) + proto::output("y", 1, {-1, 3, 4});

TEST(Compile, ShapeArithmeticFoldsToNothing)
{
	CompileOptions options;
	options.shapes = {{"x", {{5, 5}, {12, 12}}}};
	Made made(SHAPES, options);
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	const Program program = program_of(made, {{5, 12}});
	EXPECT_EQ(program.launches.size(), 1u); /* Reshape is a view */
	EXPECT_EQ(ir::print(program.outputs[0].dims), "[5, 3, 4]");
	EXPECT_EQ(made.face.outputs[0].name, "Relu_5:0:y");
	EXPECT_EQ(made.face.outputs[0].bytes, 5u * 12 * 4);
	EXPECT_EQ(made.face.dynamic, om::Dynamic::NONE);
}

TEST(Compile, FreeDimsStayOpen)
{
	CompileOptions options;
	options.shapes = {{"x", {{0, -1}, {12, 12}}}};
	Made made(SHAPES, options);
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	EXPECT_EQ(made.face.dynamic, om::Dynamic::FREE);
	EXPECT_EQ(ir::print(made.face.outputs[0].dims), "[?, 3, 4]");
	EXPECT_EQ(made.face.inputs[0].bytes, 0u);
	EXPECT_EQ(ir::print(program_of(made, {{7, 12}}).outputs[0].dims), "[7, 3, 4]");
}

TEST(Compile, FreeDimsMayNeedToBeLarge)
{
	/* A window of 400 elements, as models of speech have. */
	const std::string weight = proto::number(1, 1) + proto::number(1, 1) +
				   proto::number(1, 400) + proto::number(2, 1) +
				   proto::bytes(8, "w") + proto::bytes(9, std::string(1600, '\0'));
	const std::string graph =
		proto::node("Conv", {"x", "w"}, {"y"}, proto::integers("strides", {160})) +
		proto::bytes(5, weight) + proto::input("x", 1, {1, 1, -1}) +
		proto::output("y", 1, {1, 1, -1});
	CompileOptions options;
	options.shapes = {{"x", {{1, 1}, {1, 1}, {1, -1}}}};
	Made made(graph, options);
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	EXPECT_EQ(ir::print(made.face.outputs[0].dims), "[1, 1, ?]");
}

TEST(Compile, ProfilesHaveTheLargestAsTheirSize)
{
	CompileOptions options;
	options.shapes = {{"x", {{0, -1}, {12, 12}}}};
	options.dynamic = om::Dynamic::BATCH;
	options.choices = {{1}, {8}, {4}};
	Made made(SHAPES, options);
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	EXPECT_EQ(ir::print(made.face.outputs[0].dims), "[8, 3, 4]");
	EXPECT_EQ(made.face.inputs[0].bytes, 8u * 12 * 4);
	ASSERT_EQ(made.face.profiles.size(), 3u);
	EXPECT_EQ(made.face.profiles[1], (om::Profile{8, 12}));
}

TEST(Compile, WhatCanNotRunIsToldAtOnceAndByName)
{
	const std::string graph =
		proto::node("Unique", {"x"}, {"a"}, proto::bytes(3, "find")) +
		proto::node("Plugin", {"x"}, {"b"}, proto::bytes(3, "p") + proto::bytes(7, "trt")) +
		proto::node("Softmax", {"x"}, {"c"},
			    proto::bytes(3, "s") + proto::integer("axis", 7)) +
		proto::node("Add", {"b", "c"}, {"y"}) + proto::input("x", 1, {2, 2}) +
		proto::output("y", 1, {2, 2});
	Made made(graph, {});
	EXPECT_FALSE(made.is_good);
	const std::string all = texts(made.problems);
	EXPECT_NE(all.find("Unique find (opset 17): the number of its results"), std::string::npos)
		<< all;
	EXPECT_NE(all.find("trt.Plugin p (opset 0): there is no such operator"), std::string::npos)
		<< all;
	EXPECT_NE(all.find("Softmax s (opset 17): axis is 7"), std::string::npos) << all;
	EXPECT_EQ(made.problems.list().size(), 3u) << all;
}

/* The padded image has 2^60 elements, and the result has 4. */
TEST(Compile, AnIntermediateResultMayBeTooLarge)
{
	constexpr int64_t FAR = int64_t{1} << 30;
	const std::string graph =
		proto::node("AveragePool", {"x"}, {"y"},
			    proto::bytes(3, "mean") + proto::integers("kernel_shape", {1, 1}) +
				    proto::integers("strides", {FAR, FAR}) +
				    proto::integers("pads", {0, 0, FAR, FAR})) +
		proto::input("x", 1, {1, 1, 1, 1}) + proto::output("y", 1, {1, 1, 2, 2});
	Made made(graph, {});
	EXPECT_FALSE(made.is_good);
	const std::string all = texts(made.problems);
	EXPECT_NE(all.find("AveragePool mean (opset 17): an intermediate result has more than "
			   "2^36 elements"),
		  std::string::npos)
		<< all;
}

TEST(Compile, AnOperandThatDecidesAboutAShapeIsNamed)
{
	const std::string graph = proto::node("Reshape", {"x", "shape"}, {"y"}) +
				  proto::input("x", 1, {4}) + proto::input("shape", 7, {2}) +
				  proto::output("y", 1, {2, 2});
	Made without(graph, {});
	EXPECT_FALSE(without.is_good);
	EXPECT_NE(texts(without.problems).find("--fix_input=\"shape:...\""), std::string::npos);
	CompileOptions options;
	options.fixed = {{"shape", {"2", "-1"}}};
	Made with(graph, options);
	EXPECT_TRUE(with.is_good) << texts(with.problems);
	EXPECT_EQ(with.face.inputs.size(), 1u);
	EXPECT_EQ(ir::print(with.face.outputs[0].dims), "[2, 2]");
}

TEST(Compile, BranchesFollowConditionsThatAreKnown)
{
	const std::string then_graph =
		proto::node("Abs", {"x"}, {"a"}) + proto::output("a", 1, {2});
	const std::string else_graph =
		proto::node("Unique", {"x"}, {"b"}) + proto::output("b", 7, {1, -1});
	const std::string graph =
		proto::node("Shape", {"x"}, {"s"}) + proto::node("Equal", {"s", "two"}, {"e"}) +
		proto::node("If", {"e"}, {"y"},
			    proto::graph_attribute("then_branch", then_graph) +
				    proto::graph_attribute("else_branch", else_graph)) +
		proto::constant("two", {2}) + proto::input("x", 1, {-1}) +
		proto::output("y", 1, {-1});
	CompileOptions options;
	options.shapes = {{"x", {{2, 2}}}};
	Made made(graph, options);
	EXPECT_TRUE(made.is_good) << texts(made.problems);
	options.shapes = {{"x", {{3, 3}}}};
	Made other(graph, options);
	EXPECT_FALSE(other.is_good);
}

TEST(Compile, OptionsChangeInputsAndOutputs)
{
	const std::string graph = proto::node("Abs", {"x"}, {"a"}, proto::bytes(3, "first")) +
				  proto::node("Relu", {"a"}, {"y"}, proto::bytes(3, "last")) +
				  proto::input("x", 1, {4}) + proto::output("y", 1, {4});
	CompileOptions options;
	options.out_nodes = {"last:0", "first:0"};
	options.half_inputs = {"x"};
	options.output_type = "FP16";
	Made made(graph, options);
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	EXPECT_EQ(made.face.inputs[0].type, ir::Type::FLOAT16);
	EXPECT_EQ(made.face.outputs[0].name, "last:0");
	EXPECT_EQ(made.face.outputs[1].name, "first:0");
	EXPECT_EQ(made.face.outputs[1].type, ir::Type::FLOAT16);
	options.out_nodes = {"nobody:0"};
	EXPECT_FALSE(Made(graph, options).is_good);
}

TEST(Compile, MemoryIsUsedAgain)
{
	std::string graph = proto::input("x", 1, {1024}) + proto::output("y", 1, {1024});
	std::string last = "x";
	for (int i = 0; i < 20; i++) {
		const std::string next = i == 19 ? "y" : "v" + std::to_string(i);
		graph += proto::node(i % 2 ? "Exp" : "Sin", {last}, {next});
		last = next;
	}
	Made made(graph, {});
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	const Program program = program_of(made, {{1024}});
	EXPECT_EQ(program.launches.size(), 20u);
	EXPECT_EQ(program.arena_bytes, bound_of(program));
	EXPECT_EQ(program.arena_bytes, 2u * 4096);
}

TEST(Compile, MemoryOfManyBuffersIsPlannedToo)
{
	/* Each value lives until the launch behind the next one. */
	constexpr uint32_t COUNT = 50000;
	Program program;
	Problems problems;
	for (uint32_t k = 0; k < COUNT; k++) {
		program.buffers.push_back({Space::ARENA, 0, 64u * (1 + k % 7), 0});
		Launch launch{0, 0, {}, {{0, k, 0, true}}};
		for (uint32_t back = 1; back <= 2 && back <= k; back++)
			launch.addresses.push_back({0, k - back, 0, false});
		program.launches.push_back(launch);
	}
	ASSERT_TRUE(plan_memory(program, problems));
	EXPECT_LE(program.arena_bytes, 2 * bound_of(program));
	for (uint32_t k = 1; k < COUNT; k++)
		for (uint32_t back = 1; back <= 2 && back <= k; back++) {
			const Buffer &a = program.buffers[k], &b = program.buffers[k - back];
			ASSERT_TRUE(a.offset + a.bytes <= b.offset ||
				    b.offset + b.bytes <= a.offset)
				<< k;
		}
}

TEST(Compile, ANormalisationByConstantsIsAProductAndASum)
{
	const auto constant = [](std::string_view name) {
		return proto::bytes(5, proto::number(1, 3) + proto::number(2, 1) +
					       proto::bytes(8, name) +
					       proto::bytes(9, std::string(12, '\x3f')));
	};
	const std::string graph =
		proto::node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"}) +
		constant("b") + constant("m") + constant("v") + proto::input("x", 1, {2, 3, 4}) +
		proto::output("y", 1, {2, 3, 4});
	Made made(graph + constant("s"), {});
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	EXPECT_EQ(program_of(made, {{2, 3, 4}}).launches.size(), 2u);
	Made open(graph + proto::input("s", 1, {3}), {});
	ASSERT_TRUE(open.is_good) << texts(open.problems);
	EXPECT_EQ(program_of(open, {{2, 3, 4}, {3}}).launches.size(), 7u);
}

TEST(Compile, DeadLaunchesAreDropped)
{
	Made made(proto::node("Exp", {"x"}, {"a"}) + proto::node("Sin", {"a"}, {"b"}) +
			  proto::node("Abs", {"x"}, {"y"}) + proto::input("x", 1, {4}) +
			  proto::output("y", 1, {4}),
		  {});
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	EXPECT_EQ(program_of(made, {{4}}).launches.size(), 1u);
}

TEST(Numbers, HalvesAreRoundedToEven)
{
	const auto turned = [](double value) {
		Numbers numbers;
		numbers.type = ir::Type::FLOAT16;
		numbers.dims = {1};
		numbers.reals = {value};
		const std::string bytes = encode(numbers);
		return decode({ir::Type::FLOAT16, {1}, bytes}).reals[0];
	};
	for (const double exact : {0.0, 1.0, -2.5, 65504.0, 0x1p-14, 0x1p-24, 1023 * 0x1p-24})
		EXPECT_EQ(turned(exact), exact);
	EXPECT_EQ(turned(2049), 2048);
	EXPECT_EQ(turned(2051), 2052);
	EXPECT_EQ(turned(65520), HUGE_VAL);
	EXPECT_EQ(turned(0x1p-25), 0);
	EXPECT_EQ(turned(2047.9), 2048);
}

std::string file_of(const Made &made)
{
	char path[] = "/tmp/unpu_om_XXXXXX";
	close(mkstemp(path));
	Problems problems;
	EXPECT_TRUE(om::write(path, made.face, *made.model, {"command", "0.1", "test"}, problems));
	std::stringstream bytes;
	bytes << std::ifstream(path).rdbuf();
	unlink(path);
	return bytes.str();
}

TEST(Om, WhatIsWrittenIsRead)
{
	CompileOptions options;
	options.name = "shapes";
	options.shapes = {{"x", {{0, -1}, {12, 12}}}};
	options.dynamic = om::Dynamic::BATCH;
	options.choices = {{1}, {8}};
	Made made(SHAPES, options);
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	const std::string bytes = file_of(made);
	Problems problems;
	om::Face face, early;
	const auto model = om::read(bytes, nullptr, face, problems);
	ASSERT_TRUE(model) << texts(problems);
	EXPECT_EQ(face.name, "shapes");
	EXPECT_EQ(face.profiles, made.face.profiles);
	EXPECT_EQ(model->bodies[0].nodes.size(), made.model->bodies[0].nodes.size());
	Program program;
	ASSERT_TRUE(instantiate(*model, std::vector<ir::Dims>{{8, 12}}, program, problems));
	EXPECT_EQ(program.launches.size(), 1u);
	/* The face is in the first bytes. */
	EXPECT_TRUE(om::read_face(std::string_view(bytes).substr(0, 8192), bytes.size(), early,
				  problems));
	EXPECT_EQ(early.outputs[0].bytes, 8u * 12 * 4);
	om::Notes notes;
	EXPECT_TRUE(om::read_notes(bytes, notes, problems));
	EXPECT_EQ(notes.command, "command");
}

TEST(Om, ForeignFilesAreNamed)
{
	om::Face face;
	const auto told = [&face](const std::string &bytes) {
		Problems problems;
		EXPECT_FALSE(om::read(bytes, nullptr, face, problems));
		return texts(problems);
	};
	EXPECT_NE(told("IMOD" + std::string(300, 'x')).find("compile the ONNX file"),
		  std::string::npos);
	EXPECT_NE(told(std::string(300, 'x')).find("no model of unpu"), std::string::npos);
	EXPECT_NE(told("UNPU").find("less than its header"), std::string::npos);
}

/* repair() - makes the checksums right again, so that what is behind them is reached. */
void repair(std::string &bytes)
{
	om::Header header;
	std::memcpy(&header, bytes.data(), sizeof(header));
	if (header.sections > 8)
		return;
	for (uint32_t i = 0; i < header.sections; i++) {
		om::Section section;
		char *at = bytes.data() + sizeof(header) + i * sizeof(section);
		std::memcpy(&section, at, sizeof(section));
		if (section.offset > bytes.size() || section.bytes > bytes.size() - section.offset)
			continue;
		section.checksum =
			om::checksum(std::string_view(bytes).substr(section.offset, section.bytes));
		std::memcpy(at, &section, sizeof(section));
	}
	header.checksum = 0;
	std::memcpy(bytes.data(), &header, sizeof(header));
	header.checksum = om::checksum(std::string_view(bytes).substr(
		0, sizeof(header) + header.sections * sizeof(om::Section)));
	std::memcpy(bytes.data(), &header, sizeof(header));
}

/* break_everywhere() - changes each byte of a file. */
void break_everywhere(const std::string &whole)
{
	const auto try_it = [](const std::string &bytes) {
		Problems problems;
		om::Face face;
		const auto model = om::read(bytes, nullptr, face, problems);
		if (!model)
			return false;
		std::vector<ir::Dims> dims;
		for (const om::Port &port : face.inputs)
			dims.push_back(port.dims);
		Program program;
		(void)instantiate(*model, dims, program, problems);
		return true;
	};
	EXPECT_TRUE(try_it(whole));
	std::string flipped = whole;
	flipped[4096 + 3] ^= 1;
	EXPECT_FALSE(try_it(flipped)); /* a checksum */
	for (size_t size = 0; size < whole.size(); size += 97)
		EXPECT_FALSE(try_it(whole.substr(0, size)));
	/* Each byte of what is not padding, with right checksums. */
	for (size_t at = 0; at < whole.size(); at++) {
		if (whole[at] == 0 && at % 16 != 0)
			continue;
		for (const unsigned value : {0u, 1u, 0x7fu, 0xffu}) {
			std::string changed = whole;
			changed[at] = static_cast<char>(value);
			repair(changed);
			(void)try_it(changed);
		}
	}
}

TEST(Om, BrokenFilesAreRefusedOrRun)
{
	CompileOptions options;
	options.shapes = {{"x", {{5, 5}, {12, 12}}}};
	Made made(SHAPES, options);
	ASSERT_TRUE(made.is_good);
	break_everywhere(file_of(made));
}

/* A network with one image whose steps are fixed, and one with steps of each run. */
const std::string IMAGES =
	proto::node("Relu", {"x"}, {"y"}) + proto::node("Relu", {"u"}, {"v"}) +
	proto::input("x", 1, {2, 3, 4, 6}) + proto::input("u", 10, {2, 3, 4, 6}) +
	proto::output("y", 1, {2, 3, 4, 6}) + proto::output("v", 10, {2, 3, 4, 6});

CompileOptions image_options()
{
	CompileOptions options;
	Problems problems;
	EXPECT_TRUE(parse_aipp("aipp_op { aipp_mode : static input_format : YUV420SP_U8\n"
			       "src_image_size_w : 8 src_image_size_h : 4 crop : true\n"
			       "load_start_pos_w : 2 mean_chn_1 : 7 padding_value : 3 }\n"
			       "aipp_op { aipp_mode : dynamic related_input_rank : 1\n"
			       "max_src_image_size : 500 }",
			       options.aipp, problems))
		<< texts(problems);
	return options;
}

TEST(Om, ImagesAreReadInOneLaunch)
{
	Made made(IMAGES, image_options());
	ASSERT_TRUE(made.is_good) << texts(made.problems);
	Problems problems;
	om::Face face;
	const std::string bytes = file_of(made);
	const auto model = om::read(bytes, nullptr, face, problems);
	ASSERT_TRUE(model) << texts(problems);
	ASSERT_EQ(face.inputs.size(), 3u);
	EXPECT_EQ(face.inputs[0].dims, (ir::Dims{2, 6, 8, 1}));
	EXPECT_EQ(face.inputs[1].dims, ir::Dims{500});
	EXPECT_EQ(face.inputs[2].dims, (ir::Dims{2, 48}));
	EXPECT_EQ(face.inputs[2].name, "ascend_dynamic_aipp_data");
	ASSERT_EQ(face.images.size(), 2u);
	EXPECT_EQ(face.images[0].steps.crop_width, 6u);
	EXPECT_EQ(face.images[0].steps.mean[1], 7);
	EXPECT_EQ(face.images[0].steps_input, ir::ABSENT);
	EXPECT_EQ(face.images[1].steps_input, 2);
	EXPECT_EQ(face.images[1].network.type, ir::Type::FLOAT16);
	const Program program = program_of(made, {{2, 6, 8, 1}, {500}, {2, 48}});
	EXPECT_EQ(program.launches.size(), 4u); /* two images, two Relu */
	break_everywhere(bytes);
}

/* Who offers choices to a program reads one number of a batch, and two of an image. */
TEST(Om, ChoicesAreOfTheirKind)
{
	CompileOptions options;
	options.shapes = {{"x", {{0, -1}, {12, 12}}}};
	options.dynamic = om::Dynamic::BATCH;
	options.choices = {{1}, {8}};
	const auto is_read = [&options](const auto &change) {
		Made made(SHAPES, options);
		change(made.face);
		om::Face face;
		Problems problems;
		const std::string bytes = file_of(made);
		return om::read_face(bytes, bytes.size(), face, problems);
	};
	EXPECT_TRUE(is_read([](const om::Face &) {}));
	EXPECT_FALSE(is_read([](om::Face &face) { face.choices[1].clear(); }));
	EXPECT_FALSE(is_read([](om::Face &face) { face.choices[1].push_back(2); }));
	EXPECT_FALSE(is_read([](om::Face &face) { face.choices.clear(); }));
	EXPECT_FALSE(is_read([](om::Face &face) { face.dynamic = om::Dynamic::IMAGE; }));
	EXPECT_FALSE(is_read([](om::Face &face) { face.dynamic = om::Dynamic::NONE; }));
	EXPECT_FALSE(is_read([](om::Face &face) { face.dynamic = om::Dynamic::FREE; }));
	EXPECT_TRUE(is_read([](om::Face &face) { face.dynamic = om::Dynamic::DIMS; }));
	EXPECT_FALSE(is_read([](om::Face &face) {
		face.choices.clear();
		face.profiles.clear();
	}));
}

TEST(Om, ChecksumIsCrc32c)
{
	EXPECT_EQ(om::checksum("123456789"), 0xe3069283u);
	EXPECT_EQ(om::checksum("6789", om::checksum("12345")), 0xe3069283u);
}

} // namespace
