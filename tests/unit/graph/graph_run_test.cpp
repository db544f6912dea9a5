// SPDX-License-Identifier: MIT
/*
 * DOC: Running graphs, tested
 *
 * Forks, joins, lines that block, launches that meet, and channels that leave while their graph runs.
 */
#include "firmware_sim/schedule/semaphores.h"
#include "tests/unit/support/graph_image.h"

namespace {

using namespace wire;

class GraphRun : public Stepped {
protected:
	Memory memory = client.memory(8192);
	uint32_t sem = client.new_semaphore();

	uint32_t load(const Image &image)
	{
		uint32_t graph = 0;
		EXPECT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
		return graph;
	}

	unpu_packet raise(uint32_t which, uint64_t value)
	{
		return drv::signal_packet(1, which, UNPU_SIGNAL_RAISE, value);
	}

	unpu_packet wait(uint64_t value) { return drv::wait_packet(2, sem, value, 0); }

	unpu_packet store(unsigned at, uint32_t value)
	{
		return drv::fill_packet(3, memory.va + 4 * at, 4, value, 4);
	}

	unpu_packet move(unsigned to, unsigned from)
	{
		return drv::copy_packet(4, memory.va + 4 * to, memory.va + 4 * from, 4);
	}

	uint32_t word(unsigned at) { return memory.as<uint32_t>()[at]; }
};

TEST_F(GraphRun, ALineRunsInOrder)
{
	Image image;
	image.line({store(0, 7), move(1, 0), store(0, 8), move(2, 0)});
	uint32_t graph = load(image);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(word(1), 7u);
	EXPECT_EQ(word(2), 8u);
}

TEST_F(GraphRun, AForkJoinsAndRunsAgainAndAgain)
{
	Image image;
	uint32_t a = image.line({move(1, 0)});
	uint32_t b = image.line({move(2, 1), move(3, 2)});
	uint32_t c = image.line({move(4, 1)});
	uint32_t d = image.line({move(5, 3), move(6, 4)});
	image.edge(a, b);
	image.edge(a, c);
	image.edge(b + 1, d);
	image.edge(c, d);
	uint32_t graph = load(image);
	for (uint32_t round = 1; round <= 20; round++) {
		memory.as<uint32_t>()[0] = round;
		EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
		EXPECT_EQ(word(5), round);
		EXPECT_EQ(word(6), round);
	}
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::BAD_GRAPH);
}

TEST_F(GraphRun, ALineStartsOnlyAfterItsJoin)
{
	Image image;
	uint32_t late = image.line({wait(1), store(0, 1)});
	uint32_t joined = image.line({move(1, 0)});
	image.edge(late + 1, joined);
	uint32_t graph = load(image);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(word(1), 1u);
}

TEST_F(GraphRun, ALineThatWaitsForASignalOfAnotherLine)
{
	Image image;
	image.line({wait(1), store(0, 5)});
	image.line({raise(sem, 1)});
	uint32_t graph = load(image);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(word(0), 5u);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(channel.retired(), 2u);
}

TEST_F(GraphRun, AWaitInTheMiddleDoesNotHoldOtherLines)
{
	Image image;
	image.line({wait(1), store(0, 1)});
	image.line({store(1, 2), store(2, 3)});
	uint32_t graph = load(image);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	EXPECT_EQ(word(1), 2u);
	EXPECT_EQ(word(2), 3u);
	EXPECT_EQ(word(0), 0u);
	EXPECT_EQ(client.unload_graph(graph), Status::MODEL_RUNNING);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(word(0), 1u);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
}

TEST_F(GraphRun, AWaitInAGraphTimesOut)
{
	Image image;
	image.line({drv::wait_packet(0x66, sem, 1, 200 * base::NS_PER_MS), store(0, 9)});
	uint32_t graph = load(image);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	uint64_t deadline = device->next_deadline_ns();
	ASSERT_NE(deadline, base::NO_DEADLINE);
	while (base::now_ns() < deadline)
		;
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(client.status(channel.timeline()), Status::WAIT_TIMEOUT);
	EXPECT_EQ(client.line(channel.timeline()).fault_cookie, 0x66u);
	EXPECT_EQ(word(0), 9u);
}

TEST_F(GraphRun, LongGraphsRunInTurns)
{
	/* A doorbell may lie there for 64 turns of 256 nodes. */
	constexpr unsigned NODES = 30000;
	Image image;
	std::vector<unpu_packet> packets;
	for (unsigned i = 1; i <= NODES; i++)
		packets.push_back(raise(sem, i));
	image.line(packets);
	uint32_t graph = load(image);
	Channel other(client);
	uint32_t mark = client.new_semaphore();
	channel.publish(drv::graph_packet(1, graph));
	uint64_t wanted = other.publish(raise(mark, 1));
	uint64_t seen_at = 0;
	ASSERT_TRUE(step_until(*device, [&] {
		seen_at = client.value(sem);
		return other.retired() >= wanted;
	}));
	EXPECT_LT(seen_at, NODES) << "another channel gets its turn in between";
	settle(*device);
	EXPECT_EQ(client.value(sem), NODES);
	EXPECT_EQ(channel.retired(), 1u);
}

TEST_F(GraphRun, LaunchesOfARunningGraphQueueUp)
{
	Image image;
	image.line({wait(1), store(0, 1), wait(2), raise(client.new_semaphore(), 1)});
	uint32_t graph = load(image);
	std::vector<std::unique_ptr<Channel>> launchers;
	for (unsigned i = 0; i < 4; i++) {
		launchers.push_back(std::make_unique<Channel>(client));
		launchers.back()->publish(drv::graph_packet(i, graph));
		settle(*device);
	}
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	for (auto &launcher : launchers)
		EXPECT_EQ(launcher->retired(), 0u);
	ASSERT_EQ(client.set_semaphore(sem, 2), Status::OK);
	settle(*device);
	for (auto &launcher : launchers)
		EXPECT_EQ(launcher->retired(), 1u);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
}

TEST_F(GraphRun, AHostCallBlocksItsLineOnly)
{
	Image image;
	uint32_t call = image.line({drv::host_call_packet(0xca11, 77)});
	uint32_t after = image.line({store(1, 1)});
	image.line({store(2, 2)});
	image.edge(call, after);
	uint32_t graph = load(image);
	Channel other(client);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	ASSERT_EQ(client.value(UNPU_SEM_CALLS), 1u);
	EXPECT_EQ(client.completion().calls[0].call, 77u);
	EXPECT_EQ(client.completion().calls[0].cookie, 0xca11u);
	EXPECT_EQ(word(1), 0u);
	EXPECT_EQ(word(2), 2u);
	EXPECT_EQ(other.run(drv::host_done_packet(1, client.completion().calls[0].token)),
		  Status::OK);
	EXPECT_EQ(word(1), 1u);
	EXPECT_EQ(channel.retired(), 1u);
}

TEST_F(GraphRun, AFaultInANodeIsReportedOnTheLaunchersTimeline)
{
	Image image;
	image.line({store(0, 1), drv::fill_packet(0xbad, 16, 4, 0, 4), store(1, 2)});
	uint32_t graph = load(image);
	EXPECT_EQ(channel.run(drv::graph_packet(0x600d, graph)), Status::MMU_FAULT);
	const unpu_sem_device &line = client.line(channel.timeline());
	EXPECT_EQ(line.fault_cookie, 0xbadu);
	EXPECT_EQ(line.fault_address, 16u);
	EXPECT_EQ(line.failures, 1u);
	EXPECT_EQ(word(1), 2u);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(GraphRun, AFailedGraphStopsAChannelThatStopsOnFailure)
{
	Image image;
	image.line({drv::fill_packet(0xbad, 16, 4, 0, 4)});
	uint32_t graph = load(image);
	ASSERT_EQ(channel.control(UNPU_CHANNEL_STOP_ON_FAILURE), Status::OK);
	channel.publish(drv::graph_packet(1, graph));
	channel.publish(store(0, 1));
	settle(*device);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(client.status(channel.timeline()), Status::MMU_FAULT);
	EXPECT_EQ(word(0), 0u) << "what follows a failed graph is skipped";
}

TEST_F(GraphRun, SemaphoresAndStampsWorkInsideAGraph)
{
	Image image;
	uint32_t stamp = client.new_semaphore();
	image.line({drv::timestamp_packet(1, stamp, 3), wait(0), raise(sem, 4)});
	uint32_t graph = load(image);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(client.value(stamp), 3u);
	EXPECT_NE(client.line(stamp).timestamp_ns, 0u);
	EXPECT_EQ(client.value(sem), 4u);
}

TEST_F(GraphRun, ALauncherThatLeavesEndsItsRun)
{
	Image image;
	image.line({wait(1), store(0, 1)});
	image.line({drv::host_call_packet(1, 1)});
	image.line({drv::wait_packet(1, sem, 9, base::NS_PER_S)});
	uint32_t graph = load(image);
	Channel queued(client), leaving(client);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	queued.publish(drv::graph_packet(1, graph));
	settle(*device);
	leaving.publish(drv::graph_packet(1, graph));
	settle(*device);
	EXPECT_EQ(leaving.destroy(), Status::OK);
	EXPECT_EQ(channel.destroy(), Status::OK);
	settle(*device);
	EXPECT_EQ(queued.retired(), 0u);
	ASSERT_EQ(client.value(UNPU_SEM_CALLS), 2u);
	ASSERT_EQ(client.set_semaphore(sem, 9), Status::OK);
	Channel done(client);
	EXPECT_EQ(done.run(drv::host_done_packet(1, client.completion().calls[0].token)),
		  Status::INVALID_HANDLE);
	EXPECT_EQ(done.run(drv::host_done_packet(1, client.completion().calls[1].token)),
		  Status::OK);
	EXPECT_EQ(queued.retired(), 1u);
	EXPECT_EQ(word(0), 1u);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
}

TEST_F(GraphRun, AClientMayLeaveWithGraphsRunning)
{
	Image image;
	image.line({wait(1)});
	image.line({drv::host_call_packet(1, 1), drv::wait_packet(1, sem, 9, base::NS_PER_S)});
	image.line({drv::wait_packet(1, sem, 9, base::NS_PER_S)});
	std::vector<unpu_packet> many(2000, drv::nop_packet(1));
	image.line(many);
	uint32_t graph = load(image), second = load(image);
	Channel a(client), b(client), c(client);
	a.publish(drv::graph_packet(1, graph));
	b.publish(drv::graph_packet(1, graph));
	c.publish(drv::graph_packet(1, second));
	for (unsigned i = 0; i < 8; i++)
		device->step();
	client.detach();
	settle(*device);
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
	Client fresh(*device);
	Channel channel2(fresh);
	EXPECT_EQ(channel2.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(GraphRun, LongNodesOnAnEngineJoin)
{
	constexpr uint64_t LONG = 2u << 20;
	auto engines = make_device(0, 2);
	Client owner(*engines);
	Memory big = owner.memory(2 * LONG);
	Image image;
	uint32_t a = image.line({drv::fill_packet(1, big.va, LONG, 0x11, 1)});
	uint32_t b = image.line({drv::fill_packet(1, big.va + LONG, LONG, 0x22, 1)});
	uint32_t c = image.line({drv::copy_packet(1, big.va, big.va + LONG, LONG)});
	image.edge(a, c);
	image.edge(b, c);
	uint32_t graph = 0;
	ASSERT_EQ(owner.load_graph(image.bytes(), graph), Status::OK);
	Channel launcher(owner);
	for (unsigned round = 1; round <= 3; round++) {
		launcher.publish(drv::graph_packet(1, graph));
		for (uint64_t end = base::deadline_after(10 * base::NS_PER_S);
		     launcher.retired() < round && base::now_ns() < end;)
			engines->step();
		ASSERT_EQ(launcher.retired(), round);
		EXPECT_EQ(big.as<uint8_t>()[0], 0x22);
		EXPECT_EQ(big.as<uint8_t>()[LONG - 1], 0x22);
	}
	launcher.publish(drv::graph_packet(1, graph));
	engines->step();
	engines->step();
	EXPECT_EQ(launcher.destroy(), Status::OK);
	EXPECT_EQ(owner.unload_graph(graph), Status::OK);
}

/* A signal checks each wait for its semaphore, so the limit of waits bounds its cost. */
TEST_F(GraphRun, WaitsForOneSemaphoreAreCounted)
{
	Image image;
	for (uint32_t i = 0; i <= fw::Semaphores::MAX_WAITERS; i++)
		image.line({wait(1)});
	uint32_t graph = load(image);
	const uint64_t launched = channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	EXPECT_EQ(client.status(channel.timeline()), Status::NO_RESOURCE);
	EXPECT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(client.value(channel.timeline()), launched) << "all others have ended";
}

/* The last one in each list is the first to leave it. */
TEST_F(GraphRun, WaitsThatAreLeftCostTheSameEach)
{
	constexpr uint32_t LINES = 60000;
	constexpr uint32_t CALLS = UNPU_CALL_QUEUE_ENTRIES - 1;
	Image image;
	for (uint32_t i = 0; i < LINES; i++) {
		unpu_packet call = drv::packet(UNPU_OP_HOST_CALL, 1);
		call.call.call = 1;
		unpu_packet word = drv::packet(UNPU_OP_VALUE_WAIT, 1);
		word.value_wait = {memory.va, 1, 0, UNPU_VALUE_EQ, 8};
		bool parks = i < fw::Semaphores::MAX_WAITERS;
		image.line({parks				      ? wait(1)
			    : i < fw::Semaphores::MAX_WAITERS + CALLS ? call
								      : word});
	}
	uint32_t graph = load(image);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	const uint64_t began_ns = base::now_ns();
	client.detach();
	/* It takes about 100 ms; a search over all waits for each of them would take half a minute. */
	EXPECT_LT(base::now_ns() - began_ns, 15 * base::NS_PER_S);
}

/* A launch stores its cells in turns. */
TEST_F(GraphRun, ManyCellsLeaveTurnsToOthers)
{
	Image image;
	image.line({move(1, 0)});
	image.cells.assign(20000, {memory.va, 7});
	uint32_t graph = load(image);
	Channel other(client);
	settle(*device);
	const uint64_t launched = channel.publish(drv::graph_packet(1, graph));
	const uint64_t small = other.publish(drv::nop_packet(1));
	while (client.value(other.timeline()) != small)
		device->step();
	EXPECT_NE(client.value(channel.timeline()), launched);
	settle(*device);
	EXPECT_EQ(client.value(channel.timeline()), launched);
	EXPECT_EQ(word(1), 7u);
}

/* Lines that start, and edges that are followed, in as many turns as there are thousands of them. */
TEST_F(GraphRun, ManyLinesLeaveTurnsToOthers)
{
	constexpr uint32_t LINES = 20000;
	Image image;
	image.line({move(1, 0)});
	image.lines.back().edges = LINES;
	for (uint32_t i = 0; i < LINES; i++) {
		image.line({drv::nop_packet(1)});
		image.lines.back().joins = 1;
		image.words.push_back(i + 1);
	}
	image.lines.push_back({LINES + 1, 1, 0, 0, 0, UNPU_LINE_DORMANT});
	image.nodes.push_back(store(1, 9));
	uint32_t graph = load(image);
	for (uint32_t round = 1; round <= 2; round++) {
		memory.as<uint32_t>()[0] = round;
		const uint64_t wanted = channel.publish(drv::graph_packet(1, graph));
		unsigned turns = 0;
		for (; client.value(channel.timeline()) != wanted; turns++)
			ASSERT_TRUE(device->step());
		/* In one turn, lines start or edges are followed. */
		EXPECT_GT(turns, 2 * LINES / 1024);
		EXPECT_EQ(word(1), round);
	}
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
}

TEST_F(GraphRun, ARegionOfDormantLinesEnds)
{
	constexpr uint32_t LINES = 5000;
	Image image;
	image.line({Image::cond(UNPU_COND_IF, memory.va + 64, 1, 1), store(1, 5)});
	image.region(0);
	for (uint32_t i = 0; i < LINES; i++)
		image.line({drv::nop_packet(1)}, UNPU_LINE_DORMANT);
	image.region(1);
	uint32_t graph = load(image);
	memory.as<uint64_t>()[8] = 1;
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(word(1), 5u);
	/* An execution that is stopped in between leaves nothing to the next one. */
	(void)channel.publish(drv::graph_packet(1, graph));
	for (unsigned i = 0; i < 4; i++)
		device->step();
	EXPECT_EQ(channel.abort(), Status::OK);
	memory.as<uint32_t>()[1] = 0;
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(word(1), 5u);
}

/* The addresses of a node are dropped when it runs next, wherever it is. */
TEST_F(GraphRun, AChangeOfTheMappingsReachesEachNode)
{
	constexpr uint32_t NODES = 3000;
	Memory other = client.memory(4096);
	Image image;
	std::vector<unpu_packet> nodes;
	for (uint32_t i = 0; i < NODES; i++)
		nodes.push_back(drv::fill_packet(1, other.va + 4 * (i % 1024), 4, i + 1, 4));
	image.line(nodes);
	uint32_t graph = load(image);
	for (unsigned i = 0; i < 2; i++)
		EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(other.as<uint32_t>()[(NODES - 1) % 1024], NODES);
	unpu_message message{};
	message.type = UNPU_MSG_PROTECT;
	message.map = {other.va, other.bytes, 0, 0, UNPU_ACCESS_READ, 0};
	EXPECT_EQ(client.call(message), Status::OK);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::ACCESS_FAULT);
}

} // namespace
