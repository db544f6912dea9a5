// SPDX-License-Identifier: MIT
/*
 * DOC: Graph images, tested
 *
 * An image is taken as a whole or not at all. One wrong field at a time, cuts at every length, and
 * noise: the firmware answers, and what it accepted it can run.
 */
#include <functional>

#include "tests/unit/support/graph_image.h"

namespace {

using namespace wire;

class GraphImage : public Stepped {
protected:
	GraphImage()
	{
		/* Two lines, 0-1 and 2-3, the second after the first. */
		image.line({drv::nop_packet(1), drv::operator_packet(2, 0)});
		image.line({drv::nop_packet(3), drv::nop_packet(4)});
		image.edge(1, 2);
		image.operators = {packed_operator(UNPU_OPERATOR_MUL, 4, memory.va, memory.va,
						   memory.va, 0.0)};
	}

	Status load(const Image &changed)
	{
		uint32_t graph = 0;
		Status status = client.load_graph(changed.bytes(), graph);
		if (status == Status::OK) {
			EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
			EXPECT_EQ(client.unload_graph(graph), Status::OK);
		}
		return status;
	}

	Status load(const std::function<void(Image &)> &change)
	{
		Image changed = image;
		change(changed);
		return load(changed);
	}

	Memory memory = client.memory(4096);
	Image image;
};

TEST_F(GraphImage, AGoodOneLoadsRunsAndUnloads)
{
	EXPECT_EQ(load(image), Status::OK);
	EXPECT_EQ(load(Image{}), Status::OK) << "no nodes at all is a graph too";
}

TEST_F(GraphImage, EachFieldOfTheHeaderIsChecked)
{
	auto header = [&](auto &&change) {
		Image changed = image;
		changed.change_header = change;
		return load(changed);
	};
	EXPECT_EQ(header([](auto &h) { h.magic++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.abi++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.bytes++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.bytes = 0; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.bytes = UINT64_MAX; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nlines++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nlines--; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nlines = UINT32_MAX; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nnodes++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nnodes--; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nnodes = UNPU_GRAPH_MAX_NODES; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nnodes = UNPU_GRAPH_MAX_NODES + 1; }),
		  Status::GRAPH_TOO_LARGE);
	EXPECT_EQ(header([](auto &h) { h.nwords += 1000; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nwords--; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nwords = UNPU_GRAPH_MAX_WORDS + 1; }),
		  Status::GRAPH_TOO_LARGE);
	EXPECT_EQ(header([](auto &h) { h.nregions = 0; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nregions = UNPU_GRAPH_MAX_REGIONS + 1; }),
		  Status::GRAPH_TOO_LARGE);
	EXPECT_EQ(header([](auto &h) { h.ncells++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.ncells = UINT32_MAX; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.nargs = UNPU_GRAPH_MAX_ARGS + 1; }),
		  Status::GRAPH_TOO_LARGE);
	EXPECT_EQ(header([](auto &h) { h.reserved = 1; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.tensor_bytes = 1; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.tensor_bytes = 8; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.tensor_bytes = ~uint64_t{7}; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.descriptor_bytes = 0; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.descriptor_bytes++; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.descriptor_bytes *= 2; }), Status::BAD_GRAPH);
	EXPECT_EQ(header([](auto &h) { h.descriptor_bytes = UINT64_MAX / 480 * 480; }),
		  Status::BAD_GRAPH);
}

TEST_F(GraphImage, LinesCoverTheNodesInOrder)
{
	using Runs = std::vector<std::pair<uint32_t, uint32_t>>;
	auto lines = [&](const Runs &runs) {
		return load([&](Image &i) {
			i.lines.clear();
			i.words.clear();
			for (auto [first, count] : runs)
				i.lines.push_back({first, count, 0, 0, 0, 0});
		});
	};
	EXPECT_EQ(lines({{0, 4}}), Status::OK);
	EXPECT_EQ(lines({{0, 1}, {1, 1}, {2, 1}, {3, 1}}), Status::OK);
	EXPECT_EQ(lines({}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 2}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 2}, {2, 0}, {2, 2}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{2, 2}, {0, 2}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 3}, {2, 2}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 2}, {3, 1}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 2}, {2, 3}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 2}, {2, UINT32_MAX}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{UINT32_MAX, 2}, {2, 2}}), Status::BAD_GRAPH);
	EXPECT_EQ(lines({{0, 2}, {2, 2}, {4, 1}}), Status::BAD_GRAPH);
}

TEST_F(GraphImage, RegionsCoverTheLinesAndBelongToOneNode)
{
	auto regions = [&](std::vector<unpu_graph_region> with) {
		return load([&](Image &i) { i.regions = with; });
	};
	EXPECT_EQ(regions({{0, 2}}), Status::OK);
	EXPECT_EQ(regions({{0, 1}}), Status::BAD_GRAPH);
	EXPECT_EQ(regions({{0, 3}}), Status::BAD_GRAPH);
	EXPECT_EQ(regions({{1, 1}}), Status::BAD_GRAPH);
	EXPECT_EQ(regions({{0, UINT32_MAX}}), Status::BAD_GRAPH);
	EXPECT_EQ(regions({{0, 2}, {2, 0}}), Status::BAD_GRAPH) << "nobody runs the second";
	EXPECT_EQ(regions({{0, 1}, {1, 1}}), Status::BAD_GRAPH) << "an edge leaves a region";

	auto cond = [&](uint32_t first, uint32_t count, std::vector<unpu_graph_region> with) {
		return load([&](Image &i) {
			i.nodes[3] = Image::cond(UNPU_COND_SWITCH, memory.va, first, count);
			i.regions = with;
		});
	};
	EXPECT_EQ(cond(1, 1, {{0, 2}, {2, 0}}), Status::OK);
	EXPECT_EQ(cond(1, 2, {{0, 2}, {2, 0}, {2, 0}}), Status::OK);
	EXPECT_EQ(cond(1, 1, {{0, 2}, {2, 0}, {2, 0}}), Status::BAD_GRAPH);
	EXPECT_EQ(cond(1, 2, {{0, 2}, {2, 0}}), Status::BAD_GRAPH);
	EXPECT_EQ(cond(0, 1, {{0, 2}}), Status::BAD_GRAPH) << "a region in itself";
	EXPECT_EQ(cond(1, UINT32_MAX, {{0, 2}, {2, 0}}), Status::BAD_GRAPH);
	EXPECT_EQ(cond(UINT32_MAX, 2, {{0, 2}, {2, 0}}), Status::BAD_GRAPH);
	EXPECT_EQ(load([&](Image &i) {
			  i.nodes[2] = Image::cond(UNPU_COND_SWITCH, memory.va, 1, 1);
			  i.nodes[3] = i.nodes[2];
			  i.regions = {{0, 2}, {2, 0}};
		  }),
		  Status::BAD_GRAPH)
		<< "two nodes for one region";
}

TEST_F(GraphImage, EdgesLeadForwardAndAgreeWithTheJoins)
{
	EXPECT_EQ(load([](Image &i) { i.words = {0}; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.words = {2}; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.words = {UINT32_MAX}; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[1].joins = 0; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[1].joins = 2; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[0].joins = 1; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[0].edges = 2; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[0].edges = UINT32_MAX; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[0].first_edge = 1; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[1].first_edge = 2; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[1].first_edge = UINT32_MAX; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[1].flags = 2; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) { i.lines[0].flags = UNPU_LINE_DORMANT; }), Status::BAD_GRAPH)
		<< "nobody can wait for a line that may not run";
	EXPECT_EQ(load([](Image &i) { i.lines[1].flags = UNPU_LINE_DORMANT; }), Status::BAD_GRAPH);
	EXPECT_EQ(load([](Image &i) {
			  i.line({drv::nop_packet(5)});
			  i.lines[1].first_edge = 0;
			  i.lines[1].edges = 1;
			  i.words = {2};
			  i.lines[1].joins = 0;
			  i.lines[2].joins = 2;
		  }),
		  Status::BAD_GRAPH)
		<< "lists must not share entries, or a short list could stand for very many";
}

TEST_F(GraphImage, JumpsStayInTheirLine)
{
	auto jump = [&](const std::vector<uint32_t> &targets) {
		return load([&](Image &i) { i.nodes[2] = i.jump(0, targets); });
	};
	EXPECT_EQ(jump({3}), Status::OK);
	EXPECT_EQ(jump({4, 3}), Status::OK) << "the end is a target";
	EXPECT_EQ(jump({}), Status::BAD_PACKET);
	EXPECT_EQ(jump({1}), Status::BAD_GRAPH);
	EXPECT_EQ(jump({3, 5}), Status::BAD_GRAPH);
	EXPECT_EQ(jump({UINT32_MAX}), Status::BAD_GRAPH);
	EXPECT_EQ(load([&](Image &i) {
			  i.nodes[2] = i.jump(0, {3});
			  i.nodes[2].jump.first++;
		  }),
		  Status::BAD_GRAPH);
	EXPECT_EQ(load([&](Image &i) {
			  i.nodes[2] = i.jump(0, {3});
			  i.nodes[2].jump.count = UINT32_MAX;
		  }),
		  Status::BAD_GRAPH);
}

TEST_F(GraphImage, OnlyDormantLinesOfTheRegionAreActivated)
{
	auto activate = [&](uint32_t line, uint32_t flags) {
		return load([&](Image &i) {
			i.line({drv::nop_packet(5)}, flags);
			i.nodes[3] = drv::packet(UNPU_OP_ACTIVATE, 1);
			i.nodes[3].activate.line = line;
		});
	};
	EXPECT_EQ(activate(2, UNPU_LINE_DORMANT), Status::OK);
	EXPECT_EQ(activate(2, 0), Status::BAD_GRAPH);
	EXPECT_EQ(activate(1, UNPU_LINE_DORMANT), Status::BAD_GRAPH);
	EXPECT_EQ(activate(3, UNPU_LINE_DORMANT), Status::BAD_GRAPH);
	EXPECT_EQ(activate(UINT32_MAX, UNPU_LINE_DORMANT), Status::BAD_GRAPH);
}

TEST_F(GraphImage, ArgumentsAreCountedAndTakenByFewKinds)
{
	auto node = [&](unpu_packet packet, uint32_t nargs) {
		Image changed = image;
		packet.flags |= UNPU_PACKET_ARGUMENT;
		changed.nodes[3] = packet;
		changed.nargs = nargs;
		uint32_t graph = 0;
		return client.load_graph(changed.bytes(), graph);
	};
	EXPECT_EQ(node(drv::wait_packet(1, 0, 0, 0), 1), Status::OK);
	EXPECT_EQ(node(drv::signal_packet(1, 0, UNPU_SIGNAL_RAISE, 1), 2), Status::OK);
	EXPECT_EQ(node(drv::timestamp_packet(1, 0, 0), 1), Status::OK);
	EXPECT_EQ(node(drv::wait_packet(1, 0, 1, 0), 1), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::wait_packet(1, 3, 0, 0), 1), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::signal_packet(1, 0, UNPU_SIGNAL_RAISE, 1), 1), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::signal_packet(1, 3, UNPU_SIGNAL_RAISE, 0), 1), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::nop_packet(1), 1), Status::BAD_GRAPH);
}

TEST_F(GraphImage, NodesAreValidPacketsOfAllowedKinds)
{
	auto node = [&](const unpu_packet &packet) {
		return load([&](Image &i) { i.nodes[3] = packet; });
	};
	unpu_packet packet = drv::nop_packet(1);
	packet.opcode = 0;
	EXPECT_EQ(node(packet), Status::BAD_OPCODE);
	packet = drv::nop_packet(1);
	packet.variant = 1;
	EXPECT_EQ(node(packet), Status::BAD_PACKET);
	packet = drv::nop_packet(1);
	packet.signal_op = 7;
	EXPECT_EQ(node(packet), Status::BAD_PACKET);
	EXPECT_EQ(node(drv::wait_packet(1, UNPU_SEM_CALLS, 0, 0)), Status::BAD_SEMAPHORE);
	EXPECT_EQ(node(drv::graph_packet(1, 1)), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::graph_update_packet(1, 1, 64, 64)), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::packet(UNPU_OP_STOP, 1)), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::host_done_packet(1, 1)), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::operator_packet(1, 0)), Status::OK);
	EXPECT_EQ(node(drv::operator_packet(1, sizeof(unpu_operator))), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::operator_packet(1, 8)), Status::BAD_GRAPH);
	EXPECT_EQ(node(drv::operator_packet(1, UINT64_MAX / 480 * 480)), Status::BAD_GRAPH);
}

TEST_F(GraphImage, EveryCutIsRefused)
{
	auto bytes = image.bytes();
	for (size_t size = 0; size < bytes.size(); size += 7) {
		std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<long>(size));
		uint32_t graph = 0;
		EXPECT_NE(client.load_graph(cut, graph), Status::OK) << size;
	}
	bytes.resize(bytes.size() + 64);
	uint32_t graph = 0;
	EXPECT_EQ(client.load_graph(bytes, graph), Status::BAD_GRAPH);
}

TEST_F(GraphImage, TheImageMustBeMappedForReading)
{
	auto load_at = [&](uint64_t va, uint64_t bytes) {
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_LOAD;
		message.graph.va = va;
		message.graph.bytes = bytes;
		return client.call(message);
	};
	Memory blind = client.memory(4096, UNPU_ACCESS_WRITE);
	EXPECT_EQ(load_at(8, 64), Status::MMU_FAULT);
	EXPECT_EQ(load_at(memory.va, 4097), Status::MMU_FAULT);
	EXPECT_EQ(load_at(memory.va, UINT64_MAX), Status::MMU_FAULT);
	EXPECT_EQ(load_at(blind.va, 64), Status::ACCESS_FAULT);
	EXPECT_EQ(load_at(memory.va, 0), Status::BAD_GRAPH);
	EXPECT_EQ(client.unload_graph(1), Status::INVALID_HANDLE);
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	auto bytes = image.bytes();
	memcpy(memory.window.data(), bytes.data(), bytes.size());
	message.graph.va = memory.va;
	message.graph.bytes = bytes.size();
	message.graph.reserved = 1;
	EXPECT_NE(client.call(message), Status::OK) << "unpu_msg_graph.reserved is MBZ";
}

TEST_F(GraphImage, NoiseIsRefusedOrRuns)
{
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	uint64_t state = seed | 1;
	auto next = [&state] {
		state ^= state << 13;
		state ^= state >> 7;
		return state ^= state << 17;
	};
	const auto good = image.bytes();
	unsigned accepted = 0;
	for (unsigned i = 0; i < 2000; i++) {
		auto bytes = good;
		for (unsigned n = 0; n <= next() % 3; n++) {
			size_t at = next() % bytes.size();
			bytes[at] ^= static_cast<std::byte>(1u << next() % 8);
		}
		uint32_t graph = 0;
		if (client.load_graph(bytes, graph) != Status::OK)
			continue;
		accepted++;
		Channel runner(client, UNPU_RING_MIN_SLOTS);
		runner.publish(drv::graph_packet(1, graph));
		settle(*device);
		EXPECT_EQ(runner.destroy(), Status::OK);
		EXPECT_EQ(client.unload_graph(graph), Status::OK);
	}
	EXPECT_GT(accepted, 0u);
}

} // namespace
