// SPDX-License-Identifier: MIT
/*
 * DOC: Updates, arguments and times of graphs, tested
 */
#include "tests/unit/support/graph_image.h"

#include <algorithm>

namespace {

using namespace wire;

class GraphUpdate : public Stepped {
protected:
	Memory memory = client.memory(8192);
	Memory block = client.memory(1u << 20);
	uint32_t sem = client.new_semaphore();

	uint64_t at(unsigned i) const { return memory.va + 4 * i; }
	uint32_t &word(unsigned i) { return memory.as<uint32_t>()[i]; }

	unpu_packet store(unsigned i, uint32_t value)
	{
		return drv::fill_packet(3, at(i), 4, value, 4);
	}

	uint32_t load(const Image &image)
	{
		uint32_t graph = 0;
		EXPECT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
		return graph;
	}

	unpu_packet update(uint32_t graph, const std::vector<std::byte> &bytes)
	{
		std::copy(bytes.begin(), bytes.end(), block.window.data());
		return drv::graph_update_packet(9, graph, block.va, bytes.size());
	}

	static unpu_packet node(uint32_t index, unpu_packet packet)
	{
		packet.valid = index;
		return packet;
	}
};

TEST_F(GraphUpdate, TheNextExecutionRunsTheNewNode)
{
	Image image;
	image.line({store(0, 1), store(1, 1), store(2, 1)});
	uint32_t graph = load(image);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(channel.run(update(graph, changes({node(1, store(1, 2))}))), Status::OK);
	EXPECT_EQ(word(1), 1u);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(word(0), 1u);
	EXPECT_EQ(word(1), 2u);
	/* An empty task is a task too, and can become another task again. */
	auto bytes = changes(
		{node(1, drv::nop_packet(1)), node(2, drv::copy_packet(1, at(2), at(0), 4))});
	word(0) = word(1) = 0;
	EXPECT_EQ(channel.run(update(graph, bytes)), Status::OK);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(word(1), 0u);
	EXPECT_EQ(word(2), 1u);
}

TEST_F(GraphUpdate, OperatorsGetNewDescriptors)
{
	auto *floats = memory.as<float>();
	auto fill = [&] {
		for (unsigned i = 0; i < 64; i++)
			floats[i] = static_cast<float>(i);
	};
	auto add = packed_operator(UNPU_OPERATOR_ADD, 8, at(32), at(0), at(8), 1.0);
	auto strided = add;
	for (unsigned i = 0; i < 3; i++)
		strided.operands[i].strides[0] = 2;
	Image image;
	image.line({drv::operator_packet(1, 0), drv::operator_packet(1, sizeof(unpu_operator)),
		    drv::nop_packet(1)});
	image.operators = {add, strided};
	uint32_t graph = load(image);
	for (unsigned turn = 0; turn < 3; turn++) {
		fill();
		EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
		EXPECT_EQ(floats[33], 10.0f);
		EXPECT_EQ(floats[34], 12.0f);
		EXPECT_EQ(floats[46], 36.0f) << "the strided one was the last";
	}
	/* A row becomes strided, the strided one a product, and nothing a row. */
	auto product = packed_operator(UNPU_OPERATOR_MUL, 4, at(40), at(0), at(4), 0.0);
	auto bytes =
		changes({node(0, drv::operator_packet(1, 480)), node(1, drv::operator_packet(1, 0)),
			 node(2, drv::operator_packet(1, 0))},
			{product, strided});
	EXPECT_EQ(channel.run(update(graph, bytes)), Status::OK);
	for (unsigned turn = 0; turn < 3; turn++) {
		fill();
		EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
		EXPECT_EQ(floats[33], 33.0f);
		EXPECT_EQ(floats[34], 12.0f);
		EXPECT_EQ(floats[41], 5.0f);
	}
}

TEST_F(GraphUpdate, NodesThatHaveBegunEndAsTheyWere)
{
	Image image;
	image.line({store(0, 1), drv::wait_packet(1, sem, 1, 0), store(1, 1)});
	uint32_t graph = load(image);
	Channel launcher(client);
	launcher.publish(drv::graph_packet(1, graph));
	settle(*device);
	word(0) = 0;
	auto bytes = changes({node(0, store(0, 2)), node(1, drv::wait_packet(1, sem, 9, 0)),
			      node(2, store(1, 2))});
	EXPECT_EQ(channel.run(update(graph, bytes)), Status::OK);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(launcher.retired(), 1u) << "it waits for what it waited for";
	EXPECT_EQ(word(0), 0u);
	EXPECT_EQ(word(1), 2u) << "it had not begun";
	launcher.publish(drv::graph_packet(1, graph));
	settle(*device);
	EXPECT_EQ(launcher.retired(), 1u);
	EXPECT_EQ(word(0), 2u);
	ASSERT_EQ(client.set_semaphore(sem, 9), Status::OK);
	settle(*device);
	EXPECT_EQ(launcher.retired(), 2u);
}

TEST_F(GraphUpdate, ABadOneChangesNothing)
{
	Image image;
	image.line({store(0, 1), Image::cond(UNPU_COND_IF, memory.va + 64, 1, 1)});
	image.region(0);
	image.region(1);
	image.regions[1] = {1, 0};
	uint32_t graph = load(image);
	auto good = node(0, store(0, 2));
	auto refuse = [&](std::vector<std::byte> bytes, Status status) {
		EXPECT_EQ(channel.run(update(graph, bytes)), status);
		word(0) = 0;
		EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
		EXPECT_EQ(word(0), 1u);
	};
	auto control = Image::cond(UNPU_COND_IF, memory.va, 1, 1);
	refuse(changes({good, node(2, store(0, 2))}), Status::BAD_GRAPH);
	refuse(changes({good, node(0, control)}), Status::BAD_GRAPH);
	refuse(changes({good, node(1, drv::nop_packet(1))}), Status::BAD_GRAPH);
	refuse(changes({good, node(0, drv::graph_packet(1, 1))}), Status::BAD_GRAPH);
	refuse(changes({good, node(0, drv::operator_packet(1, 0))}), Status::BAD_GRAPH);
	refuse(changes({good, node(0, drv::copy_packet(1, at(0), at(1), 0))}), Status::BAD_PACKET);
	refuse(changes({good}, {unpu_operator{}}), Status::BAD_OPERATOR);
	auto bytes = changes({good});
	bytes.pop_back();
	refuse(bytes, Status::BAD_GRAPH);
	bytes = changes({good});
	bytes[0] ^= std::byte{1};
	refuse(bytes, Status::BAD_GRAPH);
	bytes = changes({good});
	bytes[17] ^= std::byte{1};
	refuse(bytes, Status::BAD_GRAPH);
	refuse({}, Status::BAD_GRAPH);
	EXPECT_EQ(channel.run(drv::graph_update_packet(1, graph, 16, 64)), Status::MMU_FAULT);
}

TEST_F(GraphUpdate, ArgumentsComeWithTheLaunch)
{
	Image image;
	auto wait = drv::wait_packet(1, 0, 0, 0);
	auto signal = drv::signal_packet(1, 0, UNPU_SIGNAL_RAISE, 1);
	auto stamp = drv::timestamp_packet(1, 0, 2);
	for (auto *packet : {&wait, &signal, &stamp})
		packet->flags = UNPU_PACKET_ARGUMENT;
	image.line({wait, signal, stamp});
	image.nargs = 3;
	uint32_t graph = load(image);
	uint32_t second = client.new_semaphore(), third = client.new_semaphore();
	for (uint64_t round = 1; round <= 3; round++) {
		unpu_graph_argument args[3] = {
			{sem, 0, round}, {second, 0, 10 * round}, {third, 0, 20 * round}};
		if (round == 2)
			memcpy(block.window.data(), args, sizeof(args));
		else
			memcpy(&channel.ring().descriptor(), args, sizeof(args));
		auto launch = drv::graph_packet(1, graph, 3, round == 2 ? block.va : 0);
		uint64_t wanted = channel.publish(launch);
		settle(*device);
		EXPECT_EQ(channel.retired(), wanted - 1) << "it waits";
		ASSERT_EQ(client.set_semaphore(sem, round), Status::OK);
		settle(*device);
		EXPECT_EQ(channel.retired(), wanted);
		EXPECT_EQ(client.value(second), 10 * round);
		EXPECT_EQ(client.value(third), 20 * round);
		EXPECT_NE(client.line(third).timestamp_ns, 0u);
	}
}

TEST_F(GraphUpdate, WrongArgumentsAreRefused)
{
	Image image;
	auto wait = drv::wait_packet(1, 0, 0, 0);
	wait.flags = UNPU_PACKET_ARGUMENT;
	image.line({wait});
	image.nargs = 1;
	uint32_t graph = load(image);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::BAD_GRAPH);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph, 2)), Status::BAD_GRAPH);
	for (uint32_t bad : {UNPU_SEM_NONE, UNPU_SEM_CALLS, UNPU_MAX_SEMAPHORES}) {
		unpu_graph_argument arg{bad, 0, 0};
		memcpy(&channel.ring().descriptor(), &arg, sizeof(arg));
		EXPECT_EQ(channel.run(drv::graph_packet(1, graph, 1)), Status::BAD_SEMAPHORE);
	}
	unpu_graph_argument arg{sem, 1, 0};
	memcpy(&channel.ring().descriptor(), &arg, sizeof(arg));
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph, 1)), Status::BAD_GRAPH);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph, 1, 64)), Status::MMU_FAULT);
}

TEST_F(GraphUpdate, NodesTellTheirTimesWhenAsked)
{
	Image image;
	uint32_t first = image.line({store(0, 1), store(1, 1)});
	uint32_t second = image.line({drv::wait_packet(1, sem, 1, 0), store(2, 1)});
	image.edge(first + 1, second);
	uint32_t graph = load(image);
	auto trace = [&](uint64_t va, uint64_t bytes) {
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_TRACE;
		message.graph.va = va;
		message.graph.bytes = bytes;
		message.graph.graph = graph;
		return client.call(message);
	};
	auto *times = block.as<unpu_graph_time>();
	EXPECT_EQ(trace(block.va, 63), Status::INVALID_ARGUMENT);
	EXPECT_EQ(trace(block.va + 4, 64), Status::INVALID_ARGUMENT);
	EXPECT_EQ(trace(block.va, 64), Status::OK);
	for (unsigned turn = 0; turn < 2; turn++) {
		ASSERT_EQ(client.set_semaphore(sem, 0), Status::OK);
		channel.publish(drv::graph_packet(1, graph));
		settle(*device);
		ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
		settle(*device);
		EXPECT_EQ(channel.retired(), turn + 1);
		for (unsigned i = 0; i < 4; i++) {
			EXPECT_NE(times[i].begin_ns, 0u) << i;
			EXPECT_GE(times[i].end_ns, times[i].begin_ns) << i;
			if (i > 0) {
				EXPECT_GE(times[i].begin_ns, times[i - 1].end_ns) << i;
			}
		}
	}
	memset(times, 0, 64);
	EXPECT_EQ(trace(0, 0), Status::OK);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(times[0].begin_ns, 0u);
	EXPECT_EQ(trace(block.va, 64), Status::OK);
	EXPECT_EQ(client.unmap(block.va, block.bytes), Status::OK);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK)
		<< "times that can't be stored are not";
	graph++;
	EXPECT_EQ(trace(block.va, 64), Status::INVALID_HANDLE);
}

TEST_F(GraphUpdate, ALoadedGraphTakesDeviceMemory)
{
	constexpr uint32_t NODES = 10000;
	uint64_t before = client.memory_info().free_bytes;
	Image image;
	auto add = packed_operator(UNPU_OPERATOR_ADD, 8, at(32), at(0), at(8), 1.0);
	unpu_packet row;
	ASSERT_TRUE(drv::row_packet(1, add, row));
	std::vector<unpu_packet> line;
	for (uint32_t i = 0; i < NODES; i++)
		line.push_back(i % 3 ? row : store(0, 1));
	image.line(line);
	uint32_t graph = load(image);
	uint64_t taken = before - client.memory_info().free_bytes;
	EXPECT_GE(taken, uint64_t{64} * NODES);
	EXPECT_LE(taken, uint64_t{128} * NODES);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, before);
}

/* Lines that are worth an engine go there whole, while others run. */
TEST(GraphEngines, BranchesRunBesideEachOther)
{
	constexpr uint64_t PIECE = 64u << 10, PIECES = 64;
	auto engines = make_device(0, 2);
	Client owner(*engines);
	Memory big = owner.memory(4 * PIECE * PIECES);
	Image image;
	image.line({drv::nop_packet(1)});
	for (uint64_t branch = 0; branch < 4; branch++) {
		std::vector<unpu_packet> line;
		for (uint64_t i = 0; i < PIECES; i++)
			line.push_back(
				drv::fill_packet(1, big.va + (branch * PIECES + i) * PIECE, PIECE,
						 static_cast<uint32_t>(branch * PIECES + i), 1));
		uint32_t first = image.line(line);
		image.edge(0, first);
	}
	uint32_t graph = 0;
	ASSERT_EQ(owner.load_graph(image.bytes(), graph), Status::OK);
	Channel launcher(owner);
	for (unsigned round = 1; round <= 3; round++) {
		memset(big.window.data(), 0xff, big.bytes);
		launcher.publish(drv::graph_packet(1, graph));
		for (uint64_t end = base::deadline_after(10 * base::NS_PER_S);
		     launcher.retired() < round && base::now_ns() < end;)
			engines->step();
		ASSERT_EQ(launcher.retired(), round);
		for (uint64_t i = 0; i < 4 * PIECES; i++) {
			ASSERT_EQ(big.as<uint8_t>()[i * PIECE], static_cast<uint8_t>(i));
			ASSERT_EQ(big.as<uint8_t>()[(i + 1) * PIECE - 1], static_cast<uint8_t>(i));
		}
	}
	launcher.publish(drv::graph_packet(1, graph));
	for (unsigned i = 0; i < 4; i++)
		engines->step();
	EXPECT_EQ(launcher.destroy(), Status::OK);
	EXPECT_EQ(owner.unload_graph(graph), Status::OK);
}

/* One look at each changed node, however long its line is. */
TEST_F(GraphUpdate, WhatItAddsIsCharged)
{
	constexpr uint32_t NODES = 200;
	Image image;
	image.line(std::vector<unpu_packet>(NODES, drv::nop_packet(1)));
	const uint64_t before = client.memory_info().free_bytes;
	const uint32_t graph = load(image);
	const uint64_t loaded = client.memory_info().free_bytes;
	const auto add = packed_operator(UNPU_OPERATOR_ADD, 8, at(32), at(0), at(8), 1.0);
	std::vector<unpu_packet> nodes;
	for (uint32_t i = 0; i < NODES; i++)
		nodes.push_back(node(i, drv::operator_packet(1, 0)));
	/* The same descriptors again take nothing. */
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_EQ(channel.run(update(graph, changes(nodes, {add}))), Status::OK);
		const uint64_t taken = loaded - client.memory_info().free_bytes;
		EXPECT_GE(taken, NODES * sizeof(unpu_operator));
		EXPECT_LT(taken, 2 * NODES * sizeof(unpu_operator));
	}
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, before);
}

TEST_F(GraphUpdate, ManyNodesOfALineChangeAtOnce)
{
	constexpr uint32_t NODES = 16000;
	Image image;
	image.line(std::vector<unpu_packet>(NODES, drv::nop_packet(1)));
	uint32_t graph = load(image);
	std::vector<unpu_packet> nodes;
	for (uint32_t i = 0; i < NODES; i++)
		nodes.push_back(node(i, drv::nop_packet(2)));
	const uint64_t began_ns = base::now_ns();
	EXPECT_EQ(channel.run(update(graph, changes(nodes))), Status::OK);
	/* With a search of the whole line for each of them it takes 3 s. */
	EXPECT_LT(base::now_ns() - began_ns, 2 * base::NS_PER_S);
}

/* class LargeUpdate - a graph of many nodes on a device with threads of its own. */
class LargeUpdate : public GraphUpdate {
protected:
	static constexpr uint32_t NODES = 16000;

	std::unique_ptr<fw::Device> engines = make_device(0, 1);
	Client owner{*engines};
	Channel work{owner};
	Memory target = owner.memory(4 * NODES);
	Memory large = owner.memory(2u << 20);
	uint32_t graph = 0;

	void SetUp() override
	{
		Image image;
		image.line(nodes(1));
		ASSERT_EQ(owner.load_graph(image.bytes(), graph), Status::OK);
	}

	/* nodes() - each stores @value to a word of its own. */
	std::vector<unpu_packet> nodes(uint32_t value)
	{
		std::vector<unpu_packet> all;
		for (uint32_t i = 0; i < NODES; i++)
			all.push_back(node(i, drv::fill_packet(i, target.va + 4 * i, 4, value, 4)));
		return all;
	}

	unpu_packet update_to(const std::vector<unpu_packet> &all)
	{
		const auto bytes = changes(all);
		std::copy(bytes.begin(), bytes.end(), large.window.data());
		return drv::graph_update_packet(9, graph, large.va, bytes.size());
	}

	void finish(Channel &on, uint64_t wanted)
	{
		ASSERT_TRUE(step_until(*engines, [&] { return on.retired() >= wanted; }));
	}

	void expect_values(uint32_t value)
	{
		finish(work, work.publish(drv::graph_packet(1, graph)));
		for (uint32_t i = 0; i < NODES; i++)
			ASSERT_EQ(target.as<uint32_t>()[i], value) << i;
	}
};

TEST_F(LargeUpdate, OtherClientsGoOnBetweenItsPieces)
{
	Client neighbour(*engines);
	Channel other(neighbour);
	unsigned beside = 0;
	const uint64_t wanted = work.publish(update_to(nodes(2)));
	while (work.retired() < wanted) {
		finish(other, other.publish(drv::nop_packet(1)));
		beside++;
	}
	EXPECT_GE(beside, 2 * NODES / 1024) << "checked and made in turns";
	EXPECT_EQ(owner.status(work.timeline()), Status::OK);
	expect_values(2);
}

TEST_F(LargeUpdate, ABadOneChangesNothing)
{
	auto all = nodes(2);
	all.back().valid = NODES;
	finish(work, work.publish(update_to(all)));
	EXPECT_EQ(owner.status(work.timeline()), Status::BAD_GRAPH);
	ASSERT_EQ(work.control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
	expect_values(1);
}

TEST_F(LargeUpdate, ItsGraphMayBeUnloaded)
{
	const uint64_t wanted = work.publish(update_to(nodes(2)));
	engines->step();
	ASSERT_EQ(owner.unload_graph(graph), Status::OK);
	finish(work, wanted);
	const Status status = owner.status(work.timeline());
	EXPECT_TRUE(status == Status::OK || status == Status::BAD_GRAPH);
	finish(work, work.publish(drv::nop_packet(1)));
}

TEST_F(LargeUpdate, MayBeAborted)
{
	for (unsigned round = 0; round < 20; round++) {
		(void)work.publish(update_to(nodes(2 + round)));
		for (unsigned step = 0; step < round; step++)
			engines->step();
		ASSERT_EQ(work.abort(), Status::OK);
	}
	finish(work, work.publish(update_to(nodes(100))));
	expect_values(100);
}

TEST_F(LargeUpdate, ItsClientMayLeave)
{
	for (unsigned round = 0; round < 20; round++) {
		Client guest(*engines);
		Channel busy(guest);
		Memory place = guest.memory(2u << 20);
		Image image;
		image.line(std::vector<unpu_packet>(NODES, drv::nop_packet(1)));
		uint32_t loaded = 0;
		ASSERT_EQ(guest.load_graph(image.bytes(), loaded), Status::OK);
		std::vector<unpu_packet> all;
		for (uint32_t i = 0; i < NODES; i++)
			all.push_back(node(i, drv::nop_packet(2)));
		const auto bytes = changes(all);
		std::copy(bytes.begin(), bytes.end(), place.window.data());
		(void)busy.publish(drv::graph_update_packet(9, loaded, place.va, bytes.size()));
		for (unsigned step = 0; step < round; step++)
			engines->step();
	}
	expect_values(1);
}

} // namespace
