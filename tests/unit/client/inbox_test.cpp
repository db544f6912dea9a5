// SPDX-License-Identifier: MIT
/*
 * DOC: Inboxes, tested
 *
 * The messages of one device to another take bounded memory, even if the receiver rarely reads
 * them.
 */
#include "tests/unit/support/sharing_clients.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

using namespace wire;

class Floods : public Sharing {
protected:
	/* Carol's semaphore, on the other device, follows Alice's. */
	void mirror()
	{
		unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {source});
		unpu_msg_export reply{};
		ASSERT_EQ(carol.import(key, reply, {far}), Status::OK);
	}

	const uint32_t source = alice.new_semaphore(), far = carol.new_semaphore();
};

/* A device that does not get round to it keeps one post for a value that only grows. */
TEST_F(Floods, GrowingValuesAreOnePost)
{
	constexpr unsigned SIGNALS = 3000;
	mirror();
	rest();
	Channel signals(alice);
	for (unsigned i = 1; i <= SIGNALS; i++)
		ASSERT_EQ(signals.run(drv::signal_packet(1, source, UNPU_SIGNAL_RAISE, i)),
			  Status::OK);
	EXPECT_LE(settle(*second), 4u);
	EXPECT_EQ(carol.value(far), SIGNALS);
}

/* The inbox of a device is bounded for each group: it keeps the last value, and refuses a signal that
 * counts. */
TEST_F(Floods, PostsOfAGroupAreCounted)
{
	constexpr unsigned SIGNALS = 4200;
	mirror();
	unpu_msg_export reply{};
	const uint32_t home = carol.new_semaphore(), notify = alice.new_semaphore();
	unpu_export_key counted = export_group(carol, UNPU_EXPORT_NOTIFY, {home});
	ASSERT_EQ(alice.import(counted, reply, {notify}), Status::OK);
	rest();
	Channel signals(alice);
	unsigned refused = 0;
	for (unsigned i = 1; i <= SIGNALS; i++) {
		ASSERT_EQ(signals.run(drv::signal_packet(1, source, UNPU_SIGNAL_SET, i)),
			  Status::OK);
		const Status status =
			signals.run(drv::signal_packet(1, notify, UNPU_SIGNAL_ADD, 1));
		refused += status == Status::NO_RESOURCE;
	}
	EXPECT_GT(refused, 0u);
	rest();
	EXPECT_EQ(carol.value(far), SIGNALS);
	EXPECT_EQ(carol.value(home), SIGNALS - refused);
	EXPECT_EQ(signals.run(drv::signal_packet(1, notify, UNPU_SIGNAL_ADD, 1)), Status::OK)
		<< "there is room again";
}

/* The devices have a thread each. A value must not be merged into a post that is being delivered. */
TEST_F(Floods, ValuesThatComeDuringADeliveryAreDelivered)
{
	constexpr unsigned ROUNDS = 300, SIGNALS = 20;
	mirror();
	rest();
	Channel signals(alice);
	std::atomic<bool> is_over{false};
	std::thread deliveries([&] {
		while (!is_over)
			second->step();
	});
	unsigned late = 0;
	for (unsigned i = 1; i <= ROUNDS; i++) {
		for (unsigned n = 0; n < SIGNALS; n++)
			signals.publish(
				drv::signal_packet(1, source, UNPU_SIGNAL_RAISE, i * SIGNALS + n));
		settle(*first);
		const uint64_t end_ns = base::now_ns() + base::NS_PER_S;
		while (carol.value(far) != i * SIGNALS + SIGNALS - 1 && base::now_ns() < end_ns)
			std::this_thread::yield();
		late += carol.value(far) != i * SIGNALS + SIGNALS - 1;
	}
	is_over = true;
	deliveries.join();
	EXPECT_EQ(late, 0u);
}

/* A group with so many members that one signal is work for several turns. */
class Crowd : public Sharing {
protected:
	static constexpr unsigned MEMBERS = 4000, CLIENTS = 4;

	struct Member {
		Client *client;
		uint32_t sem;
		uint64_t value() const { return client->value(sem); }
	};

	Crowd()
	{
		for (unsigned i = 0; i < CLIENTS; i++)
			clients.push_back(std::make_unique<Client>(*first, 1000 + i));
		const unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {source});
		for (unsigned i = 0; i < MEMBERS; i++) {
			Client &client = *clients[i % CLIENTS];
			members.push_back({&client, client.new_semaphore()});
			unpu_msg_export reply{};
			EXPECT_EQ(client.import(key, reply, {members.back().sem}), Status::OK);
		}
		rest();
	}

	/* Signals, and stops as soon as the signal's own packet has ended. */
	void signal(unpu_signal_op op, uint64_t value)
	{
		const uint64_t wanted = signals.publish(drv::signal_packet(1, source, op, value));
		while (alice.value(signals.timeline()) < wanted)
			ASSERT_TRUE(first->step());
	}

	unsigned count(uint64_t value)
	{
		return static_cast<unsigned>(std::count_if(
			members.begin(), members.end(),
			[value](const Member &member) { return member.value() == value; }));
	}

	const uint32_t source = alice.new_semaphore();
	std::vector<std::unique_ptr<Client>> clients;
	std::vector<Member> members;
	Channel signals{alice};
};

TEST_F(Crowd, OtherWorkRunsBeforeAllMembersAreNotified)
{
	Channel other(bob);
	signal(UNPU_SIGNAL_RAISE, 1);
	EXPECT_LT(count(1), MEMBERS / 2);
	const uint64_t wanted = other.publish(drv::nop_packet(1));
	while (bob.value(other.timeline()) < wanted)
		ASSERT_TRUE(first->step());
	EXPECT_LT(count(1), MEMBERS) << "the other client waited for all of them";
	rest();
	EXPECT_EQ(count(1), MEMBERS);
}

TEST_F(Crowd, ValuesThatComeMeanwhileStayInOrder)
{
	signal(UNPU_SIGNAL_RAISE, 9);
	signal(UNPU_SIGNAL_RAISE, 10);
	signal(UNPU_SIGNAL_SET, 0);
	signal(UNPU_SIGNAL_RAISE, 3);
	EXPECT_LT(count(3), MEMBERS);
	EXPECT_EQ(alice.value(source), 3u);
	while (first->step())
		ASSERT_EQ(alice.value(source), 3u) << "the signaller got an old value back";
	EXPECT_EQ(count(3), MEMBERS);
}

TEST_F(Crowd, TheEndComesAfterTheLastValue)
{
	const Member &last = members.back();
	Channel waits(*last.client);
	waits.publish(drv::wait_packet(1, last.sem, 1, 0));
	signal(UNPU_SIGNAL_RAISE, 1);
	ASSERT_EQ(alice.leave(source), Status::OK);
	rest();
	EXPECT_EQ(count(1), MEMBERS);
	EXPECT_EQ(last.client->status(waits.timeline()), Status::OK);
	EXPECT_EQ(waits.run(drv::wait_packet(1, last.sem, 2, 0)), Status::PEER_LOST);
}

TEST_F(Crowd, MembersThatLeaveMeanwhileCostTheOthersNothing)
{
	signal(UNPU_SIGNAL_RAISE, 1);
	for (unsigned i = 0; i < MEMBERS; i += 3)
		ASSERT_EQ(members[i].client->leave(members[i].sem), Status::OK);
	rest();
	for (unsigned i = 1; i < MEMBERS; i += 3)
		ASSERT_EQ(members[i].value(), 1u) << i;
}

} // namespace
