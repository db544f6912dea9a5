// SPDX-License-Identifier: MIT
/*
 * DOC: The watchdog, tested
 *
 * A task that hangs costs its client the context. The watchdog names the channels of a circle that
 * wait for each other.
 */
#include "base/no_destructor.h"
#include "firmware_sim/core/core.h"
#include "tests/unit/support/wire_client.h"

#include <nlohmann/json.hpp>

namespace {

using namespace wire;

constexpr uint64_t LIMIT_NS = 20 * base::NS_PER_MS;

struct Watched {
	std::vector<std::string> said;
	std::unique_ptr<fw::Device> device;

	explicit Watched(const char *rules, uint64_t limit_ns = LIMIT_NS)
	{
		std::string why;
		fw::Config config;
		config.memory_bytes = MEMORY_BYTES;
		config.features = UNPU_FEATURE_STEPPED;
		config.soc_name = "unit";
		config.watchdog_ns = limit_ns;
		config.report = [this](const std::string &text) { said.push_back(text); };
		auto plans = base::parse_faults(rules, false, why);
		EXPECT_TRUE(plans.ok()) << why;
		config.faults = plans->device;
		auto made = fw::Device::create(config);
		EXPECT_TRUE(made.ok());
		device = made.take();
	}

	/* rest() - the device moves until well after the limit. */
	void rest() const
	{
		uint64_t end_ns = base::deadline_after(4 * LIMIT_NS);
		while (base::now_ns() < end_ns)
			device->step();
	}
};

unpu_packet wait_for(uint32_t sem, uint64_t value, uint64_t timeout_ns = 0)
{
	return drv::wait_packet(1, sem, value, timeout_ns);
}

unpu_packet raise_to(uint32_t sem, uint64_t value)
{
	unpu_packet packet = drv::nop_packet(1);
	packet.signal_op = UNPU_SIGNAL_RAISE;
	packet.signal_sem = sem;
	packet.signal_value = value;
	return packet;
}

TEST(Watchdog, CutsOffWhoseTaskHangs)
{
	const Watched watched("hang:op=fill");
	Client guilty(*watched.device), other(*watched.device, PID + 1);
	Channel hung(guilty), behind(guilty), fine(other);
	Memory memory = guilty.memory(4096);
	hung.publish(drv::fill_packet(0x1234, memory.va, 8, 1, 1));
	hung.publish(drv::nop_packet(1));
	behind.publish(wait_for(hung.timeline(), 1));
	watched.rest();
	EXPECT_EQ(guilty.broken(), Status::HUNG);
	EXPECT_EQ(guilty.completion().status.context_cookie, 0x1234u);
	EXPECT_EQ(hung.retired(), 0u);
	EXPECT_EQ(other.broken(), Status::OK);
	EXPECT_EQ(fine.run(drv::nop_packet(1)), Status::OK);
	ASSERT_EQ(watched.said.size(), 1u);
	for (const char *word : {"channel 0 (engine)", "FILL", "1 behind it", "channel 1 (parked)",
				 "which channel 0 is to signal"})
		EXPECT_NE(watched.said[0].find(word), std::string::npos) << watched.said[0];
	auto seen = nlohmann::json::parse(watched.device->snapshot());
	EXPECT_EQ(seen["watchdog"]["resets"], 1);
	EXPECT_EQ(seen["watchdog"]["found"][0], watched.said[0]);
	EXPECT_EQ(seen["clients"][0]["broken"], "HUNG");
}

/* The watchdog looks at so many channels in a turn; the one that hangs is behind them. */
TEST(Watchdog, FindsATaskBehindManyChannels)
{
	constexpr uint32_t CHANNELS = 2500;
	const Watched watched("hang:op=fill");
	Client many(*watched.device), guilty(*watched.device, PID + 1);
	Channel first(many), hung(guilty);
	for (uint32_t i = 1; i <= CHANNELS; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel.segment = first.segment();
		message.channel.slots = UNPU_RING_MIN_SLOTS;
		message.channel.timeline = UNPU_SEM_FIRST_FREE + 100 + i;
		ASSERT_EQ(many.call(message), Status::OK);
	}
	const Memory memory = guilty.memory(4096);
	hung.publish(drv::fill_packet(1, memory.va, 8, 1, 1));
	watched.rest();
	EXPECT_EQ(guilty.broken(), Status::HUNG);
	EXPECT_EQ(many.broken(), Status::OK);
	EXPECT_EQ(first.run(drv::nop_packet(1)), Status::OK);
}

TEST(Watchdog, GivesATaskItsTime)
{
	const Watched watched("hang:op=fill", 3600 * base::NS_PER_S);
	Client slow(*watched.device);
	Channel hung(slow);
	Memory memory = slow.memory(4096);
	hung.publish(drv::fill_packet(1, memory.va, 8, 1, 1));
	watched.rest();
	EXPECT_EQ(slow.broken(), Status::OK);
	EXPECT_EQ(hung.retired(), 0u);
	EXPECT_TRUE(watched.said.empty());
}

TEST(Watchdog, LeavesRoomForAnotherAfterIt)
{
	const Watched watched("hang:op=fill:nth=1");
	{
		Client guilty(*watched.device);
		Channel hung(guilty);
		Memory memory = guilty.memory(4096);
		hung.publish(drv::fill_packet(1, memory.va, 8, 1, 1));
		watched.rest();
		EXPECT_EQ(guilty.broken(), Status::HUNG);
	}
	Client next(*watched.device);
	Channel channel(next);
	Memory memory = next.memory(4096);
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va, 8, 5, 1)), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[0], 5);
}

TEST(Watchdog, WaitsForeverIfConfigured)
{
	const Watched watched("hang:op=fill", 0);
	Client client(*watched.device);
	Channel hung(client);
	Memory memory = client.memory(4096);
	hung.publish(drv::fill_packet(1, memory.va, 8, 1, 1));
	watched.rest();
	EXPECT_EQ(client.broken(), Status::OK);
	EXPECT_EQ(hung.abort(), Status::OK);
	EXPECT_EQ(hung.run(drv::nop_packet(1)), Status::OK);
}

TEST(Watchdog, AWaitIsNoHang)
{
	const Watched watched("");
	Client client(*watched.device);
	Channel waits(client);
	uint32_t sem = client.new_semaphore();
	waits.publish(wait_for(sem, 1));
	watched.rest();
	EXPECT_EQ(client.broken(), Status::OK);
	EXPECT_TRUE(watched.said.empty()) << watched.said[0];
	EXPECT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*watched.device);
	EXPECT_EQ(waits.retired(), 1u);
}

std::vector<uint32_t> circle_of(const Client &client)
{
	std::vector<uint32_t> all;
	for (uint16_t name : client.completion().status.circle) {
		if (name != 0)
			all.push_back(name - 1u);
	}
	return all;
}

TEST(Watchdog, NamesTheCircleOfADeadlock)
{
	const Watched watched("");
	Client client(*watched.device);
	Channel a(client), bystander(client), b(client), c(client);
	uint32_t first = client.new_semaphore(), second = client.new_semaphore(),
		 third = client.new_semaphore();
	a.publish(wait_for(first, 1));
	a.publish(raise_to(second, 1));
	b.publish(wait_for(second, 1));
	b.publish(raise_to(third, 1));
	c.publish(wait_for(third, 1));
	c.publish(raise_to(first, 1));
	bystander.publish(wait_for(c.timeline(), 1));
	watched.rest();
	EXPECT_EQ(client.broken(), Status::OK) << "the program may hold the way out";
	/* A thread that was not run meanwhile has made no steps after the limit. */
	const uint64_t end_ns = base::deadline_after(10 * base::NS_PER_S);
	while (circle_of(client).empty() && base::now_ns() < end_ns)
		watched.device->step();
	std::vector<uint32_t> circle = circle_of(client);
	ASSERT_EQ(circle.size(), 3u);
	std::vector<uint32_t> sorted = circle;
	std::sort(sorted.begin(), sorted.end());
	EXPECT_EQ(sorted, (std::vector<uint32_t>{a.index(), b.index(), c.index()}));
	ASSERT_EQ(watched.said.size(), 1u) << "once";
	EXPECT_NE(watched.said[0].find("wait for each other"), std::string::npos)
		<< watched.said[0];
	EXPECT_EQ(client.set_semaphore(first, 1), Status::OK);
	settle(*watched.device);
	for (Channel *channel : {&a, &b, &c})
		EXPECT_EQ(channel->retired(), 2u);
}

TEST(Watchdog, AChannelCanWaitForItself)
{
	const Watched watched("");
	Client client(*watched.device);
	Channel channel(client);
	uint32_t sem = client.new_semaphore();
	channel.publish(wait_for(sem, 1));
	channel.publish(raise_to(sem, 1));
	watched.rest();
	EXPECT_EQ(circle_of(client), (std::vector<uint32_t>{channel.index()}));
}

TEST(Watchdog, NoCycleWhereAnotherClientSignals)
{
	const Watched watched("");
	Client client(*watched.device);
	Channel a(client), b(client), helper(client);
	uint32_t first = client.new_semaphore(), second = client.new_semaphore(),
		 gate = client.new_semaphore();
	a.publish(wait_for(first, 1));
	a.publish(raise_to(second, 1));
	b.publish(wait_for(second, 1));
	b.publish(raise_to(first, 1));
	helper.publish(wait_for(gate, 1));
	helper.publish(raise_to(first, 1));
	watched.rest();
	EXPECT_TRUE(circle_of(client).empty());
	EXPECT_TRUE(watched.said.empty());
}

TEST(Watchdog, NoCircleOfWaitsWithATimeLimit)
{
	const Watched watched("");
	Client client(*watched.device);
	Channel a(client), b(client);
	a.publish(wait_for(b.timeline(), 1, base::NS_PER_S * 100));
	b.publish(wait_for(a.timeline(), 1));
	watched.rest();
	EXPECT_TRUE(circle_of(client).empty());
}

/* Two processes wait for each other through shared semaphores. Either may still signal its own from
 * another stream. So the watchdog reports nothing and cuts off no client; each can abort its wait, and
 * the end of one ends the wait of the other. */
TEST(Watchdog, ACircleThroughTwoProcessesIsNotFound)
{
	const Watched watched("");
	Client alice(*watched.device, PID);
	auto bob = std::make_unique<Client>(*watched.device, PID + 1);
	auto share = [](Client &owner, Client &other, uint32_t own) {
		unpu_msg_export request{};
		request.kind = UNPU_EXPORT_MIRROR;
		request.flags = UNPU_EXPORT_ANY_PROCESS;
		request.count = 1;
		request.semaphores[0] = own;
		EXPECT_EQ(owner.share(request), Status::OK);
		uint32_t theirs = other.new_semaphore();
		unpu_msg_export reply{};
		EXPECT_EQ(other.import(request.key, reply, {theirs}), Status::OK);
		return theirs;
	};
	uint32_t of_alice = alice.new_semaphore(), of_bob = bob->new_semaphore();
	uint32_t alice_at_bob = share(alice, *bob, of_alice);
	uint32_t bob_at_alice = share(*bob, alice, of_bob);
	Channel a(alice), another(alice);
	auto b = std::make_unique<Channel>(*bob);
	a.publish(wait_for(bob_at_alice, 1));
	a.publish(raise_to(of_alice, 1));
	b->publish(wait_for(alice_at_bob, 1));
	b->publish(raise_to(of_bob, 1));
	watched.rest();
	EXPECT_EQ(a.retired() + b->retired(), 0u);
	EXPECT_TRUE(watched.said.empty()) << watched.said[0];
	EXPECT_TRUE(circle_of(alice).empty());
	EXPECT_EQ(alice.broken(), Status::OK);
	EXPECT_EQ(bob->broken(), Status::OK);
	EXPECT_EQ(another.run(drv::nop_packet(1)), Status::OK) << "the rest goes on";
	auto seen = nlohmann::json::parse(watched.device->snapshot());
	EXPECT_EQ(seen["clients"].size(), 2u);
	EXPECT_EQ(b->abort(), Status::OK);
	EXPECT_EQ(b->retired(), 2u);
	EXPECT_EQ(a.retired(), 0u) << "what was aborted has not signalled";
	b.reset();
	bob.reset();
	settle(*watched.device);
	EXPECT_EQ(a.retired(), 2u);
	EXPECT_EQ(alice.status(a.timeline()), Status::PEER_LOST);
}

/* An engine that is stuck in a job that nothing ends until the test does. */
TEST(Engines, GiveUpWhatIsStuck)
{
	const std::unique_ptr<fw::Engines, fw::Stop> threads(new fw::Engines(1, [] {}));
	fw::Engines &engines = *threads;
	const int parties[2] = {};
	/* The device does not wait for abandoned work: it may end after the test. */
	auto stuck = std::make_shared<std::atomic<bool>>(true);
	std::atomic<bool> began{false};
	auto hung = std::make_unique<fw::Job>();
	hung->client_queue = &parties[0];
	hung->work = [&began, stuck] {
		began = true;
		while (*stuck)
			sched_yield();
	};
	engines.submit(std::move(hung));
	while (!began)
		sched_yield();
	auto next = std::make_unique<fw::Job>();
	next->client_queue = &parties[1];
	next->packet.opcode = UNPU_OP_NOP;
	engines.submit(std::move(next));
	EXPECT_FALSE(engines.idle());
	uint64_t later_ns = base::now_ns() + base::NS_PER_S;
	EXPECT_EQ(engines.overdue(later_ns, 2 * base::NS_PER_S).size(), 0u);
	ASSERT_EQ(engines.overdue(later_ns, base::NS_PER_MS).size(), 1u);
	engines.give_up(&parties[0]);
	while (engines.works_for(&parties[1]))
		sched_yield();
	EXPECT_TRUE(engines.overdue(later_ns, base::NS_PER_MS).empty());
	auto done = engines.take_finished();
	ASSERT_NE(done, nullptr) << "another engine took its place";
	EXPECT_EQ(done->client_queue, &parties[1]);
	EXPECT_TRUE(engines.idle());
	*stuck = false;
	while (engines.running())
		sched_yield();
}

/* What an engine works on explains how long it takes. */
TEST(Engines, AreAllowedWhatAJobsSizeTakes)
{
	std::atomic<bool> stuck{true};
	const std::unique_ptr<fw::Engines, fw::Stop> threads(new fw::Engines(1, [] {}));
	fw::Engines &engines = *threads;
	auto job = std::make_unique<fw::Job>();
	job->bytes = uint64_t{1} << 30;
	job->work = [&] {
		while (stuck)
			sched_yield();
	};
	engines.submit(std::move(job));
	while (!engines.running())
		sched_yield();
	EXPECT_TRUE(engines.overdue(base::now_ns() + base::NS_PER_S, base::NS_PER_MS).empty());
	EXPECT_EQ(engines.overdue(base::now_ns() + 3600 * base::NS_PER_S, base::NS_PER_MS).size(),
		  1u);
	stuck = false;
}

/* struct Stuck - engines with a job that only the test ends. Its thread stays: it returns some time
 * after the test. */
struct Stuck {
	std::shared_ptr<std::atomic<int>> told = std::make_shared<std::atomic<int>>(0);
	std::shared_ptr<std::atomic<bool>> open = std::make_shared<std::atomic<bool>>(false);
	fw::Engines *const engines;

	static std::vector<fw::Engines *> &all()
	{
		static base::NoDestructor<std::vector<fw::Engines *>> kept;
		return *kept;
	}

	explicit Stuck(fw::Waiter *owner = nullptr)
		: engines(new fw::Engines(1, [to = told] { ++*to; }))
	{
		all().push_back(engines);
		auto job = std::make_unique<fw::Job>();
		job->client_queue = this;
		job->owner = owner;
		job->packet.cookie = 0x77;
		job->work = [gate = open] {
			while (!*gate)
				sched_yield();
		};
		engines->submit(std::move(job));
		while (!engines->running())
			sched_yield();
	}
	~Stuck() { *open = true; }
};

TEST(Engines, EndWithoutTheOneThatIsStuck)
{
	const Stuck stuck;
	auto buried = std::make_shared<int>(1);
	auto behind = std::make_unique<fw::Job>();
	behind->work = [buried] {};
	std::weak_ptr<int> watched = buried;
	buried.reset();
	stuck.engines->submit(std::move(behind));
	uint64_t began_ns = base::now_ns();
	EXPECT_FALSE(stuck.engines->stop());
	EXPECT_GE(base::now_ns() - began_ns, base::NS_PER_S / 2) << "it had its time";
	EXPECT_TRUE(watched.expired()) << "what waited is dropped";
	*stuck.open = true;
	EXPECT_EQ(*stuck.told, 0) << "nobody is told of an end after the end";
}

TEST(Engines, EndWithoutWaitingForAbandonedJobs)
{
	const Stuck stuck;
	stuck.engines->give_up(&stuck);
	EXPECT_FALSE(stuck.engines->stop());
}

/* class Bystander - a waiter whose job is never over. */
class Bystander final : public fw::Waiter {
public:
	void woken(Status, uint64_t, uint64_t) override {}
};

TEST(Engines, AStuckJobRunsUntilItIsAbandoned)
{
	Bystander waiter;
	const Stuck stuck(&waiter);
	EXPECT_FALSE(stuck.engines->settles(&stuck)) << "its waiter still waits for it";
	EXPECT_TRUE(stuck.engines->works_for(&stuck));
	stuck.engines->disown(waiter);
	EXPECT_TRUE(stuck.engines->settles(&stuck));
	EXPECT_FALSE(stuck.engines->settles(&waiter)) << "it is another client's";
	const auto late = stuck.engines->overdue(base::now_ns() + 2 * LIMIT_NS, LIMIT_NS);
	ASSERT_EQ(late.size(), 1u);
	EXPECT_EQ(late[0].cookie, 0x77u);
	stuck.engines->give_up(&stuck);
	EXPECT_FALSE(stuck.engines->settles(&stuck));
	EXPECT_FALSE(stuck.engines->works_for(&stuck));
	EXPECT_FALSE(stuck.engines->stop());
}

} // namespace
