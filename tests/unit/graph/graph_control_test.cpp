// SPDX-License-Identifier: MIT
/*
 * DOC: Control flow in graphs, tested
 *
 * Conditions, loops, jumps and activations on the device: which branch runs, that a loop lets other
 * channels have turns and can end with a failure, and that an abandoned run in a loop ends.
 */
#include "tests/unit/support/graph_image.h"

namespace {

using namespace wire;

class GraphControl : public Stepped {
protected:
	Memory memory = client.memory(8192);
	uint32_t sem = client.new_semaphore();

	uint64_t at(unsigned i) const { return memory.va + 8 * i; }
	uint64_t &word(unsigned i) { return memory.as<uint64_t>()[i]; }

	/* store() - word @i becomes @value, below 2^32. */
	unpu_packet store(unsigned i, uint32_t value)
	{
		return drv::fill_packet(3, at(i), 4, value, 4);
	}

	/* count() - shifts one more mark into a row of bytes that starts with word @i. */
	std::vector<unpu_packet> count(unsigned i)
	{
		return {drv::copy_packet(4, at(i + 8), at(i), 60),
			drv::copy_packet(4, at(i) + 1, at(i + 8), 60)};
	}

	void start_count(unsigned i)
	{
		memset(memory.as<uint64_t>() + i, 0, 128);
		memory.as<uint8_t>()[8 * i] = 1;
	}

	unsigned counted(unsigned i) const
	{
		const uint8_t *marks = memory.as<uint8_t>() + 8 * i;
		return static_cast<unsigned>(std::count(marks, marks + 61, 1)) - 1;
	}

	uint32_t load(const Image &image)
	{
		uint32_t graph = 0;
		EXPECT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
		return graph;
	}

	Status run(uint32_t graph) { return channel.run(drv::graph_packet(1, graph)); }
};

TEST_F(GraphControl, IfRunsOneOfTwo)
{
	Image image;
	image.line({Image::cond(UNPU_COND_IF, at(0), 1, 2), store(3, 1)});
	image.region(0);
	image.line({store(1, 1)});
	image.region(1);
	image.line({store(2, 1)});
	image.region(2);
	uint32_t graph = load(image);
	for (uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 40}) {
		word(0) = value;
		word(1) = word(2) = word(3) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(word(1), value ? 1u : 0u);
		EXPECT_EQ(word(2), value ? 0u : 1u);
		EXPECT_EQ(word(3), 1u) << "what follows runs either way";
	}
}

TEST_F(GraphControl, IfWithoutElseAndSwitchOutOfRangeRunNothing)
{
	Image image;
	image.line({Image::cond(UNPU_COND_IF, at(0), 1, 1),
		    Image::cond(UNPU_COND_SWITCH, at(1), 2, 3), store(9, 1)});
	image.region(0);
	for (unsigned i = 0; i < 4; i++) {
		image.line({store(10 + i, 1)});
		image.region(i + 1);
	}
	uint32_t graph = load(image);
	for (uint64_t value : {uint64_t{0}, uint64_t{2}, uint64_t{3}, UINT64_MAX}) {
		word(0) = 0;
		word(1) = value;
		for (unsigned i = 9; i < 14; i++)
			word(i) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(word(9), 1u);
		EXPECT_EQ(word(10), 0u);
		for (uint64_t i = 0; i < 3; i++)
			EXPECT_EQ(word(11 + static_cast<unsigned>(i)), i == value ? 1u : 0u);
	}
}

TEST_F(GraphControl, WhileCountsDownAListOfFlags)
{
	/* Word 0 decides; each turn moves the next flag of a list into it. */
	Image image;
	image.line({Image::cond(UNPU_COND_WHILE, at(0), 1, 1), store(1, 1)});
	image.region(0);
	auto body = count(100);
	image.line(
		{drv::copy_packet(1, at(200), at(0), 88), drv::copy_packet(1, at(0), at(201), 80)});
	image.line(body);
	image.region(1);
	uint32_t graph = load(image);
	for (unsigned turns : {0u, 1u, 7u}) {
		start_count(100);
		for (unsigned i = 0; i < 11; i++)
			word(i) = i < turns;
		word(20) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(counted(100), turns);
	}
}

TEST_F(GraphControl, CellsAreSetBeforeEachExecution)
{
	Image image;
	image.line({Image::cond(UNPU_COND_WHILE, at(0), 1, 1)});
	image.region(0);
	image.line({store(0, 0), store(1, 5)});
	image.region(1);
	image.cells = {{at(0), 1}, {at(2), uint64_t{1} << 40}};
	uint32_t graph = load(image);
	for (unsigned round = 0; round < 3; round++) {
		word(1) = word(2) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(word(0), 0u);
		EXPECT_EQ(word(1), 5u) << "one turn in each execution";
		EXPECT_EQ(word(2), uint64_t{1} << 40);
	}
	image.cells = {{16, 1}};
	EXPECT_EQ(run(load(image)), Status::MMU_FAULT);
}

TEST_F(GraphControl, ConditionsNest)
{
	/* while (0) { if (1) { while (2) { count } } } with lines that join in between. */
	Image image;
	image.line({Image::cond(UNPU_COND_WHILE, at(0), 1, 1)});
	image.region(0);
	image.line({store(0, 0)});
	image.line({store(2, 1)});
	image.line({Image::cond(UNPU_COND_IF, at(1), 2, 1)});
	image.edge(1, 3);
	image.edge(2, 3);
	image.region(1);
	image.line({Image::cond(UNPU_COND_WHILE, at(2), 3, 1), store(3, 9)});
	image.region(4);
	auto body = count(100);
	body.push_back(store(2, 0));
	image.line(body);
	image.region(5);
	uint32_t graph = load(image);
	for (unsigned round = 0; round < 3; round++) {
		start_count(100);
		word(0) = word(1) = 1;
		word(2) = word(3) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(counted(100), 1u);
		EXPECT_EQ(word(3), 9u);
	}
}

TEST_F(GraphControl, AnEndlessLoopStarvesNoOtherClient)
{
	/* With a body and without, and a line beside it in the same graph. */
	for (bool empty : {true, false}) {
		word(0) = 1;
		word(1) = word(2) = 0;
		Image image;
		image.line({Image::cond(UNPU_COND_WHILE, at(0), 1, 1)});
		std::vector<unpu_packet> many(3000, drv::nop_packet(1));
		many.push_back(store(1, 1));
		image.line(many);
		image.region(0);
		auto first = static_cast<uint32_t>(image.lines.size());
		if (!empty) {
			image.line({drv::nop_packet(1)});
			image.line({drv::nop_packet(1)});
		}
		image.region(first);
		Channel other(client), looping(client);
		looping.publish(drv::graph_packet(1, load(image)));
		for (unsigned i = 0; i < 2000; i++)
			device->step();
		uint64_t wanted = other.publish(store(2, 1));
		for (unsigned i = 0; i < 20000 && other.retired() < wanted; i++)
			device->step();
		EXPECT_EQ(word(1), 1u) << "the line beside it";
		EXPECT_EQ(word(2), 1u) << "another channel";
		EXPECT_EQ(looping.retired(), 0u);
		word(0) = 0;
		settle(*device);
		EXPECT_EQ(looping.retired(), 1u);
	}
}

TEST_F(GraphControl, ALoopEndsWithAFailure)
{
	Image image;
	image.line({Image::cond(UNPU_COND_WHILE, at(0), 1, 1), store(1, 1)});
	image.region(0);
	image.line({drv::fill_packet(0xbad, 16, 4, 0, 4)});
	image.region(1);
	word(0) = 1;
	EXPECT_EQ(run(load(image)), Status::MMU_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).failures, 1u) << "one turn";
	EXPECT_EQ(word(1), 1u);
}

TEST_F(GraphControl, AConditionThatCanNotBeReadIsAFailure)
{
	Image image;
	image.line({Image::cond(UNPU_COND_WHILE, 64, 1, 1), store(1, 1)});
	image.region(0);
	image.line({store(2, 1)});
	image.region(1);
	EXPECT_EQ(run(load(image)), Status::MMU_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_cookie, 0xc0du);
	EXPECT_EQ(word(1), 1u);
	EXPECT_EQ(word(2), 0u);
}

TEST_F(GraphControl, AJumpTakesTheLabelItsValueNames)
{
	/* switch (0) { label 3, label 5, the end } */
	Image image;
	auto &nodes = image.nodes;
	image.line({drv::nop_packet(1), drv::nop_packet(1), store(1, 1), store(2, 1),
		    drv::nop_packet(1), store(3, 1)});
	nodes[1] = image.jump(at(0), {3, 5, 6});
	nodes[4] = image.jump(0, {6});
	uint32_t graph = load(image);
	for (unsigned value : {0u, 1u, 2u, 3u, 0xffffffffu}) {
		word(0) = value;
		word(1) = word(2) = word(3) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(word(1), 0u);
		EXPECT_EQ(word(2), value == 0 ? 1u : 0u);
		EXPECT_EQ(word(3), value == 1 ? 1u : 0u) << "too large: the last label";
	}
}

TEST_F(GraphControl, JumpsBackAreLoops)
{
	/* The flags of a list decide whether to go round again; the last one leaves. */
	Image image;
	auto body = count(100);
	std::vector<unpu_packet> line = {drv::copy_packet(1, at(200), at(0), 88),
					 drv::copy_packet(1, at(0), at(201), 80)};
	line.insert(line.end(), body.begin(), body.end());
	line.push_back(drv::nop_packet(1));
	image.line(line);
	image.nodes[4] = image.jump(at(0), {5, 0});
	uint32_t graph = load(image);
	start_count(100);
	for (unsigned i = 0; i < 11; i++)
		word(i) = i < 6;
	EXPECT_EQ(run(graph), Status::OK);
	EXPECT_EQ(counted(100), 6u);
}

TEST_F(GraphControl, AnEndlessJumpGivesTurnsAndEndsWithItsChannel)
{
	Image image;
	image.line({drv::nop_packet(1), drv::nop_packet(1)});
	image.nodes[1] = image.jump(0, {0});
	uint32_t graph = load(image);
	Channel looping(client);
	looping.publish(drv::graph_packet(1, graph));
	uint64_t wanted = channel.publish(store(1, 1));
	for (unsigned i = 0; i < 20000 && channel.retired() < wanted; i++)
		device->step();
	EXPECT_EQ(word(1), 1u);
	EXPECT_EQ(client.unload_graph(graph), Status::MODEL_RUNNING);
	EXPECT_EQ(looping.destroy(), Status::OK);
	settle(*device);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
}

TEST_F(GraphControl, DormantLinesRunWhenActivated)
{
	Image image;
	image.line({drv::nop_packet(1), drv::nop_packet(1), store(1, 1)});
	auto body = count(100);
	image.line(body, UNPU_LINE_DORMANT);
	image.line({store(2, 1)}, UNPU_LINE_DORMANT);
	image.nodes[0] = drv::packet(UNPU_OP_ACTIVATE, 1);
	image.nodes[0].activate.line = 1;
	image.nodes[1] = image.nodes[0];
	uint32_t graph = load(image);
	for (unsigned round = 0; round < 2; round++) {
		start_count(100);
		word(1) = word(2) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(word(1), 1u);
		EXPECT_EQ(counted(100), 2u) << "once for each activation";
		EXPECT_EQ(word(2), 0u);
	}
}

TEST_F(GraphControl, ActivationsCompare)
{
	struct Case {
		uint32_t compare;
		bool less, equal, greater;
	};
	const Case cases[] = {
		{UNPU_COMPARE_EQ, false, true, false}, {UNPU_COMPARE_NE, true, false, true},
		{UNPU_COMPARE_GT, false, false, true}, {UNPU_COMPARE_GE, false, true, true},
		{UNPU_COMPARE_LT, true, false, false}, {UNPU_COMPARE_LE, true, true, false},
	};
	for (uint32_t width : {4u, 8u}) {
		for (const Case &one : cases) {
			Image image;
			image.line({drv::packet(UNPU_OP_ACTIVATE, 1)});
			image.line({store(2, 1)}, UNPU_LINE_DORMANT);
			image.nodes[0].activate = {at(0), at(1), 1, one.compare, width, 0};
			uint32_t graph = load(image);
			for (int order : {-1, 0, 1}) {
				int64_t left = order - 2, right = -2;
				memcpy(&word(0), &left, width);
				memcpy(&word(1), &right, width);
				word(2) = 0;
				EXPECT_EQ(run(graph), Status::OK);
				bool wanted = order < 0 ? one.less
					      : order	? one.greater
							: one.equal;
				EXPECT_EQ(word(2), wanted ? 1u : 0u)
					<< one.compare << " " << order << " " << width;
			}
		}
	}
}

TEST_F(GraphControl, ALineMayLeaveWithAnActivation)
{
	Image image;
	image.line({drv::packet(UNPU_OP_ACTIVATE, 1), store(1, 1)});
	image.line({store(2, 1)}, UNPU_LINE_DORMANT);
	image.nodes[0].activate = {at(0), at(50), 1, UNPU_COMPARE_NE, 8, UNPU_ACTIVATE_LEAVES};
	uint32_t graph = load(image);
	word(50) = 0;
	for (uint64_t leaves : {1u, 0u}) {
		word(0) = leaves;
		word(1) = word(2) = 0;
		EXPECT_EQ(run(graph), Status::OK);
		EXPECT_EQ(word(1), 1 - leaves);
		EXPECT_EQ(word(2), leaves);
	}
}

TEST_F(GraphControl, AFailureEndsLinesThatActivateEachOther)
{
	/* Both loops are endless. */
	Image image;
	image.line({drv::packet(UNPU_OP_ACTIVATE, 1)});
	image.line({drv::fill_packet(1, 8, 8, 1, 4), drv::packet(UNPU_OP_ACTIVATE, 1), store(1, 1)},
		   UNPU_LINE_DORMANT);
	image.line({drv::packet(UNPU_OP_ACTIVATE, 1), store(2, 1)}, UNPU_LINE_DORMANT);
	image.nodes[0].activate.line = 1;
	image.nodes[2].activate.line = 2;
	image.nodes[4].activate.line = 1;
	word(1) = word(2) = 0;
	EXPECT_NE(run(load(image)), Status::OK);
	EXPECT_EQ(word(1), 1u);
	EXPECT_EQ(word(2), 1u) << "started for the first time";
}

TEST_F(GraphControl, LinesThatActivateEachOtherAreALoopToo)
{
	/* 1 counts and wakes 2; 2 takes the next flag and wakes 1 while there is one. */
	Image image;
	image.line({drv::packet(UNPU_OP_ACTIVATE, 1)});
	auto body = count(100);
	body.push_back(drv::packet(UNPU_OP_ACTIVATE, 1));
	image.line(body, UNPU_LINE_DORMANT);
	image.line({drv::copy_packet(1, at(200), at(0), 88),
		    drv::copy_packet(1, at(0), at(201), 80), drv::packet(UNPU_OP_ACTIVATE, 1)},
		   UNPU_LINE_DORMANT);
	image.nodes[0].activate.line = 1;
	image.nodes[3].activate.line = 2;
	image.nodes[6].activate = {at(0), at(50), 1, UNPU_COMPARE_NE, 8, 0};
	uint32_t graph = load(image);
	start_count(100);
	word(50) = 0;
	for (unsigned i = 0; i < 11; i++)
		word(i) = i < 5;
	EXPECT_EQ(run(graph), Status::OK);
	EXPECT_EQ(counted(100), 5u);
}

TEST_F(GraphControl, AWaitInABodyHoldsTheBodyOnly)
{
	Image image;
	image.line({Image::cond(UNPU_COND_IF, at(0), 1, 1), store(1, 1)});
	image.line({store(2, 1)});
	image.region(0);
	image.line({drv::wait_packet(1, sem, 1, 0), store(3, 1)});
	image.region(2);
	word(0) = 1;
	channel.publish(drv::graph_packet(1, load(image)));
	settle(*device);
	EXPECT_EQ(word(1), 0u);
	EXPECT_EQ(word(2), 1u);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(word(1), 1u);
	EXPECT_EQ(word(3), 1u);
}

} // namespace
