// SPDX-License-Identifier: MIT
/*
 * DOC: Faults on purpose, tested
 *
 * Rules as they are read, and what they do to packets and requests on the wire.
 */
#include "tests/unit/support/graph_image.h"

namespace {

using namespace wire;

std::unique_ptr<fw::Device> make_faulty(const char *rules)
{
	std::string why;
	auto plans = base::parse_faults(rules, false, why);
	EXPECT_TRUE(plans.ok()) << why;
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	config.features = UNPU_FEATURE_STEPPED;
	config.soc_name = "unit";
	config.faults = plans->device;
	auto device = fw::Device::create(config);
	return device ? device.take() : nullptr;
}

void refuses(const char *rules, const char *word)
{
	std::string why;
	EXPECT_EQ(base::parse_faults(rules, false, why).status(), Status::INVALID_ARGUMENT)
		<< rules;
	EXPECT_NE(why.find(word), why.npos) << rules << ": " << why;
}

TEST(FaultRules, AreRead)
{
	std::string why;
	for (const char *rules : {"",
				  ";",
				  "seed=5",
				  "fail",
				  "fail:op=copy",
				  "HANG:op=Copy",
				  "drop:stream=2:nth=3",
				  "delay:op=COPY:ms=0-2;seed=7",
				  "delay:us=5",
				  "fail:message=map:nth=5",
				  "fail:percent=1:status=mmu_fault:client=3:count=4",
				  "fail:call=map:nth=5",
				  "delay:call=Wait:us=1-9",
				  "drop:call=kick",
				  "fail:call=packet:nth=5:status=kernel_trap",
				  "delay:call=collective:us=0-300;exit:call=collective:percent=1",
				  "exit:call=map:nth=2",
				  "fail:in=graph:op=copy",
				  "wild:op=fill",
				  "torn:in=stream",
				  "jam:op=copy",
				  "twice:stream=1",
				  "cookie:op=fill:status=mmu_fault"})
		EXPECT_TRUE(base::parse_faults(rules, false, why).ok()) << rules << ": " << why;
	EXPECT_TRUE(base::parse_faults("exit:nth=2", true, why).ok()) << why;
}

TEST(FaultRules, ThatAreNoneAreNamed)
{
	refuses("explode", "explode");
	refuses("fail:op=walk", "walk");
	refuses("fail:op", "none of nop");
	refuses("fail:message=jump", "segment_create");
	refuses("fail:status=jump", "jump");
	refuses("fail:nth=0", "nth");
	refuses("fail:nth=x", "x");
	refuses("fail:percent=101", "101");
	refuses("fail:colour=red", "colour");
	refuses("delay", "us or ms");
	refuses("delay:ms=2-1", "before it begins");
	refuses("delay:ms=9999999", "9999999");
	refuses("hang:ms=2", "us or ms");
	refuses("drop:status=mmu_fault", "status");
	refuses("twice:status=mmu_fault", "status");
	refuses("jam:message=map", "request");
	refuses("hang:message=map", "request");
	refuses("fail:message=map:op=copy", "no op");
	refuses("fail:call=jump", "take");
	refuses("fail:call=wait", "can't fail");
	refuses("drop:call=map", "kick alone");
	refuses("hang:call=map", "be late, be lost or end the program");
	refuses("delay:call=packet", "us or ms");
	refuses("torn:call=packet", "end the program");
	refuses("drop:call=collective", "kick alone");
	refuses("exit:call=packet:percent=200", "200");
	refuses("fail:call=map:stream=2", "no op");
	refuses("fail:in=line", "graph");
	refuses("fail:message=map:in=graph", "no in");
	refuses("seed=-1", "-1");
	refuses("exit", "process");
	refuses("fail;explode", "explode");
}

TEST(FaultRules, BelongToASide)
{
	std::string why;
	auto plans = base::parse_faults("fail:call=map;drop:op=copy;seed=4", false, why);
	ASSERT_TRUE(plans.ok()) << why;
	ASSERT_TRUE(plans->host && plans->device);
	EXPECT_EQ(plans->host->text, "fail:call=map;seed=4");
	EXPECT_EQ(plans->device->text, "drop:op=copy;seed=4");
	EXPECT_EQ(plans->device->seed, 4u);
	plans = base::parse_faults("drop:op=copy", false, why);
	EXPECT_TRUE(plans->device && !plans->host);
}

/* The ranks of a communicator have one plan, and each is struck at places of its own, which are the same again. */
TEST(FaultRules, StrikeRanksAtDifferentPlaces)
{
	std::string why;
	const auto plans = base::parse_faults("fail:call=packet:percent=50;seed=3", false, why);
	ASSERT_TRUE(plans.ok()) << why;
	EXPECT_TRUE(plans->host->has_call({base::FaultRule::Call::PACKET}));
	EXPECT_FALSE(plans->host->has_call({base::FaultRule::Call::COLLECTIVE}));
	const auto places = [&](uint32_t rank) {
		base::FaultCount count(plans->host, rank);
		std::string text;
		for (int i = 0; i < 64; i++)
			text += count.hits(0) ? 'x' : '.';
		return text;
	};
	EXPECT_EQ(places(1), places(1));
	EXPECT_NE(places(0), places(1));
	EXPECT_NE(places(1), places(2));
}

TEST(FaultDevice, FailsTheTasksThatFit)
{
	auto device = make_faulty("fail:op=fill:nth=2:status=mmu_fault");
	Client client(*device);
	Channel channel(client);
	Memory memory = client.memory(4096);
	const auto fill = [&](uint64_t value) {
		return channel.run(drv::fill_packet(1, memory.va, 8, value, 1));
	};
	EXPECT_EQ(fill(1), Status::OK);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK) << "a NOP does not count";
	EXPECT_EQ(fill(2), Status::MMU_FAULT);
	EXPECT_EQ(memory.as<uint8_t>()[0], 1) << "it was not done";
	EXPECT_EQ(fill(3), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[0], 3);
	EXPECT_NE(device->snapshot().find("\"struck\":1"), std::string::npos);
}

TEST(FaultDevice, CountsFromTheNth)
{
	auto device = make_faulty("fail:op=nop:nth=3:count=2");
	Client client(*device);
	Channel channel(client);
	std::string seen;
	for (unsigned i = 0; i < 6; i++)
		seen += channel.run(drv::nop_packet(1)) == Status::OK ? '.' : 'x';
	EXPECT_EQ(seen, "..xx..");
}

TEST(FaultDevice, StrikesOneStreamOfOneClient)
{
	auto device = make_faulty("fail:op=nop:client=1:stream=1");
	Client first(*device), second(*device, PID + 1);
	Channel a(first), b(first), c(second), d(second);
	EXPECT_EQ(a.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(b.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(c.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(d.run(drv::nop_packet(1)), Status::KERNEL_TRAP);
}

TEST(FaultDevice, LosesACompletionAndASignal)
{
	auto device = make_faulty("drop:op=nop:nth=1");
	Client client(*device);
	Channel channel(client);
	uint32_t sem = client.new_semaphore();
	unpu_packet packet = drv::nop_packet(1);
	packet.signal_op = UNPU_SIGNAL_SET;
	packet.signal_sem = sem;
	packet.signal_value = 7;
	channel.publish(packet);
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	EXPECT_EQ(client.value(sem), 0u);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK) << "and makes up for the first";
	EXPECT_EQ(client.value(sem), 0u) << "a signal does not come again";
}

TEST(FaultDevice, HoldsATaskUp)
{
	auto device = make_faulty("delay:op=fill:ms=20:nth=1");
	Client client(*device);
	Channel channel(client), other(client);
	Memory memory = client.memory(4096);
	channel.publish(drv::fill_packet(1, memory.va, 8, 5, 1));
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0) << "it has not begun";
	EXPECT_NE(device->next_deadline_ns(), base::NO_DEADLINE);
	EXPECT_EQ(other.run(drv::nop_packet(1)), Status::OK);
	while (channel.retired() == 0)
		device->step();
	EXPECT_EQ(memory.as<uint8_t>()[0], 5);
}

/* An update changes the next execution: a delayed node runs as it was. */
TEST(FaultDevice, HoldsUpANodeThatIsUpdatedMeanwhile)
{
	auto device = make_faulty("delay:op=operator:ms=20");
	Client client(*device);
	Channel channel(client), updates(client);
	Memory memory = client.memory(8192);
	auto *floats = memory.as<float>();
	floats[16] = 3;
	floats[32] = 4;
	Image image;
	image.operators.push_back(packed_operator(UNPU_OPERATOR_MUL, 1, memory.va, memory.va + 64,
						  memory.va + 128, 0));
	image.line({drv::operator_packet(1, 0)});
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	unpu_packet node = drv::copy_packet(1, memory.va + 256, memory.va + 128, 4);
	node.valid = 0;
	const auto bytes = changes({node});
	Memory block = client.memory(bytes.size());
	std::copy(bytes.begin(), bytes.end(), block.window.data());
	EXPECT_EQ(updates.run(drv::graph_update_packet(1, graph, block.va, bytes.size())),
		  Status::OK);
	ASSERT_TRUE(step_until(*device, [&] { return channel.retired() == 1; }));
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
	EXPECT_EQ(floats[0], 12);
	EXPECT_EQ(floats[64], 0);
	EXPECT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
	EXPECT_EQ(floats[64], 4);
}

TEST(FaultDevice, HangsUntilAborted)
{
	for (const char *rules : {"hang:op=fill:nth=1", "delay:op=fill:nth=1:ms=3600000"}) {
		auto device = make_faulty(rules);
		Client client(*device);
		Channel channel(client);
		Memory memory = client.memory(4096);
		channel.publish(drv::fill_packet(1, memory.va, 8, 5, 1));
		settle(*device);
		EXPECT_EQ(channel.retired(), 0u);
		EXPECT_EQ(channel.abort(), Status::OK);
		EXPECT_EQ(channel.retired(), 1u);
		EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va, 8, 6, 1)), Status::OK);
		EXPECT_EQ(memory.as<uint8_t>()[0], 6);
		EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
	}
}

/* A value is reached once, however often it is signalled; an ADD is applied again. */
TEST(FaultDevice, TellsASignalAndACompletionTwice)
{
	auto device = make_faulty("twice:op=sem_signal");
	Client client(*device);
	Channel channel(client);
	uint32_t sem = client.new_semaphore();
	for (uint64_t i = 1; i <= 3; i++) {
		EXPECT_EQ(channel.run(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, i)),
			  Status::OK);
		EXPECT_EQ(client.value(sem), i);
		EXPECT_EQ(channel.retired(), i);
	}
	EXPECT_EQ(channel.run(drv::signal_packet(1, sem, UNPU_SIGNAL_ADD, 1)), Status::OK);
	EXPECT_EQ(client.value(sem), 5u);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(channel.retired(), 5u);
}

TEST(FaultDevice, NamesATaskThatIsNotThere)
{
	auto device = make_faulty("cookie:op=fill:nth=2");
	Client client(*device);
	Channel channel(client);
	Memory memory = client.memory(4096);
	unpu_packet fill = drv::fill_packet(0x1234, memory.va, 8, 1, 1);
	EXPECT_EQ(channel.run(fill), Status::OK);
	channel.publish(drv::fill_packet(0x1234, memory.va, 8, 2, 1));
	settle(*device);
	EXPECT_EQ(client.status(channel.timeline()), Status::KERNEL_TRAP);
	EXPECT_EQ(client.line(channel.timeline()).fault_cookie, ~uint64_t{0x1234});
	EXPECT_EQ(memory.as<uint8_t>()[0], 1) << "it was not done";
	EXPECT_EQ(channel.control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
	EXPECT_EQ(channel.run(fill), Status::OK);
}

TEST(FaultDevice, RefusesRequests)
{
	auto device = make_faulty("fail:message=segment_create:nth=2:status=no_memory");
	Client client(*device);
	uint64_t id;
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_PAGE_4K, id), Status::OK);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_PAGE_4K, id),
		  Status::NO_MEMORY);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_PAGE_4K, id), Status::OK);
}

TEST(FaultDevice, SpoilsWhatATaskWrites)
{
	auto device = make_faulty("wild:op=fill:nth=1;torn:nth=2");
	Client client(*device);
	Channel channel(client);
	Memory memory = client.memory(4096);
	const auto fill = [&](uint64_t value) {
		return channel.run(drv::fill_packet(1, memory.va, 8, value, 1));
	};
	EXPECT_EQ(fill(1), Status::MMU_FAULT);
	EXPECT_EQ(fill(2), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[3], 2);
	EXPECT_EQ(memory.as<uint8_t>()[4], 0);
	EXPECT_EQ(fill(3), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[7], 3);
}

TEST(FaultDevice, StrikesNodesOfGraphs)
{
	const auto run = [](const char *rules, unsigned nodes, Status expected) {
		auto device = make_faulty(rules);
		Client client(*device);
		Channel channel(client);
		Memory memory = client.memory(4096);
		Image image;
		image.line({drv::fill_packet(1, memory.va, 1, 5, 1),
			    drv::fill_packet(1, memory.va + 1, 1, 5, 1), drv::nop_packet(1)});
		uint32_t graph = 0;
		EXPECT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
		unpu_packet launch = drv::packet(UNPU_OP_GRAPH, 1);
		launch.graph.graph = graph;
		uint64_t wanted = channel.publish(launch);
		settle(*device);
		while (device->next_deadline_ns() != base::NO_DEADLINE)
			settle(*device);
		EXPECT_EQ(client.status(channel.timeline()), expected) << rules;
		EXPECT_EQ(memory.as<uint8_t>()[0] + memory.as<uint8_t>()[1], 5 * nodes) << rules;
		bool retired = channel.retired() == wanted;
		EXPECT_EQ(channel.abort(), Status::OK);
		return retired;
	};
	EXPECT_TRUE(run("fail:op=fill:nth=2", 1, Status::KERNEL_TRAP));
	EXPECT_TRUE(run("fail:in=graph:nth=1", 1, Status::KERNEL_TRAP));
	EXPECT_TRUE(run("fail:in=stream:op=fill", 2, Status::OK));
	EXPECT_TRUE(run("delay:op=fill:ms=1", 2, Status::OK));
	EXPECT_TRUE(run("fail:op=nop:stream=0", 2, Status::KERNEL_TRAP));
	EXPECT_TRUE(run("fail:op=nop:stream=1", 2, Status::OK));
	EXPECT_FALSE(run("hang:op=fill:nth=2", 1, Status::OK));
}

TEST(FaultDevice, DoesTheSameForTheSameSeed)
{
	const auto run = [](const char *rules) {
		auto device = make_faulty(rules);
		Client client(*device);
		Channel channel(client);
		std::string seen;
		for (unsigned i = 0; i < 200; i++)
			seen += channel.run(drv::nop_packet(1)) == Status::OK ? '.' : 'x';
		return seen;
	};
	const std::string once = run("fail:op=nop:percent=20;seed=9");
	EXPECT_EQ(once, run("seed=9;fail:op=nop:percent=20"));
	EXPECT_NE(once, run("fail:op=nop:percent=20;seed=10"));
	const auto hits = std::count(once.begin(), once.end(), 'x');
	EXPECT_GT(hits, 10);
	EXPECT_LT(hits, 90);
}

} // namespace
