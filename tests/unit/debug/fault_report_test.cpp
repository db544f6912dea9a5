// SPDX-License-Identifier: MIT
/*
 * DOC: Fault reports and limits on engines, tested
 *
 * The reports of failed packets that a client gets, in order with its host calls, and work on
 * engines that exceeds its time limit.
 */
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

class FaultReport : public Stepped {
protected:
	Memory memory = client.memory(8192);

	Status control(uint32_t actions, uint64_t limit_ns = 0)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CLIENT_CONTROL;
		message.client = {actions, 0, limit_ns};
		return client.call(message);
	}

	const unpu_call_entry &entry(uint64_t number)
	{
		return client.completion().calls[(number - 1) % UNPU_CALL_QUEUE_ENTRIES];
	}

	uint64_t posted() { return client.value(UNPU_SEM_CALLS); }
	unpu_packet fault(uint64_t cookie) { return drv::fill_packet(cookie, 8, 8, 0, 1); }
};

TEST_F(FaultReport, NothingIsReportedWithoutARequest)
{
	EXPECT_EQ(channel.run(fault(1)), Status::MMU_FAULT);
	EXPECT_EQ(posted(), 0u);
}

TEST_F(FaultReport, EachFailureIsReportedBeforeItRetires)
{
	ASSERT_EQ(control(UNPU_CLIENT_REPORT_FAULTS), Status::OK);
	channel.publish(fault(0x11));
	channel.publish(drv::nop_packet(2));
	unpu_packet bad = drv::nop_packet(0x33);
	bad.opcode = 200;
	channel.publish(bad);
	settle(*device);
	ASSERT_EQ(posted(), 2u);
	EXPECT_EQ(entry(1).sequence, 1u);
	EXPECT_EQ(entry(1).call, UNPU_CALL_FAULT);
	EXPECT_EQ(entry(1).token, 1u);
	EXPECT_EQ(entry(1).cookie, 0x11u);
	EXPECT_EQ(entry(1).address, 8u);
	EXPECT_EQ(entry(1).status, static_cast<uint32_t>(Status::MMU_FAULT));
	EXPECT_EQ(entry(1).timeline, channel.timeline());
	EXPECT_EQ(entry(2).cookie, 0x33u);
	EXPECT_EQ(entry(2).status, static_cast<uint32_t>(Status::BAD_OPCODE));
	EXPECT_EQ(channel.control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
	EXPECT_EQ(channel.run(drv::host_done_packet(1, 1)), Status::OK);
	EXPECT_EQ(channel.run(drv::host_done_packet(1, 1)), Status::INVALID_HANDLE);
	EXPECT_EQ(posted(), 3u) << "which is a failure of its own";
}

TEST_F(FaultReport, AGraphNodeIsReportedWithTheTimelineOfItsLaunch)
{
	ASSERT_EQ(control(UNPU_CLIENT_REPORT_FAULTS), Status::OK);
	Image image;
	image.line({fault(0x44)});
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	EXPECT_EQ(channel.run(drv::graph_packet(0x55, graph)), Status::MMU_FAULT);
	ASSERT_EQ(posted(), 1u) << "the launch is not another failure";
	EXPECT_EQ(entry(1).cookie, 0x44u);
	EXPECT_EQ(entry(1).timeline, channel.timeline());
}

TEST_F(FaultReport, AReportThatIsNotAnsweredKeepsItsPlace)
{
	ASSERT_EQ(control(UNPU_CLIENT_REPORT_FAULTS), Status::OK);
	EXPECT_EQ(channel.run(fault(0x11)), Status::MMU_FAULT);
	Channel caller(client), answerer(client);
	for (uint64_t i = 2; i <= UNPU_CALL_QUEUE_ENTRIES; i++) {
		caller.publish(drv::host_call_packet(1, 7));
		settle(*device);
		ASSERT_EQ(posted(), i);
		ASSERT_EQ(answerer.run(drv::host_done_packet(1, i)), Status::OK);
	}
	EXPECT_EQ(caller.run(drv::host_call_packet(1, 7)), Status::NO_RESOURCE);
	EXPECT_EQ(channel.run(fault(0x22)), Status::MMU_FAULT);
	EXPECT_EQ(posted(), UNPU_CALL_QUEUE_ENTRIES) << "what has no place is not told";
	EXPECT_EQ(entry(1).cookie, 0x11u);
	ASSERT_EQ(answerer.run(drv::host_done_packet(1, 1)), Status::OK);
	EXPECT_EQ(channel.run(fault(0x33)), Status::MMU_FAULT);
	EXPECT_EQ(entry(1).cookie, 0x33u);
	EXPECT_EQ(entry(1).sequence, UNPU_CALL_QUEUE_ENTRIES + 1);
}

TEST_F(FaultReport, RequestsAreChecked)
{
	EXPECT_EQ(control(0), Status::OK);
	EXPECT_EQ(control(4), Status::INVALID_ARGUMENT);
	EXPECT_EQ(control(UNPU_CLIENT_REPORT_FAULTS, 5), Status::INVALID_ARGUMENT);
	EXPECT_EQ(control(UNPU_CLIENT_EXECUTE_LIMIT, 5), Status::OK);
	EXPECT_EQ(channel.run(drv::host_call_packet(1, UNPU_CALL_FAULT)), Status::BAD_PACKET);
}

TEST_F(FaultReport, WorkOnAnEngineMayBeTooLong)
{
	constexpr uint64_t LONG = 16u << 20;
	auto engines = make_device(0, 1);
	Client owner(*engines);
	Memory big = owner.memory(LONG);
	Channel busy(owner);
	unpu_message message{};
	message.type = UNPU_MSG_CLIENT_CONTROL;
	message.client = {UNPU_CLIENT_EXECUTE_LIMIT, 0, 1};
	ASSERT_EQ(owner.call(message), Status::OK);
	uint64_t wanted = busy.publish(drv::fill_packet(0x66, big.va, LONG, 3, 1));
	ASSERT_TRUE(step_until(*engines, [&] { return busy.retired() >= wanted; }));
	EXPECT_EQ(owner.status(busy.timeline()), Status::WAIT_TIMEOUT);
	EXPECT_EQ(owner.line(busy.timeline()).fault_cookie, 0x66u);
	message = {};
	message.type = UNPU_MSG_CLIENT_CONTROL;
	message.client = {UNPU_CLIENT_EXECUTE_LIMIT, 0, 0};
	ASSERT_EQ(owner.call(message), Status::OK);
	ASSERT_EQ(busy.control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
	wanted = busy.publish(drv::fill_packet(1, big.va, LONG, 4, 1));
	ASSERT_TRUE(step_until(*engines, [&] { return busy.retired() >= wanted; }));
	EXPECT_EQ(owner.status(busy.timeline()), Status::OK);
	EXPECT_EQ(big.as<uint8_t>()[LONG - 1], 4);
	owner.detach();
}

} // namespace
