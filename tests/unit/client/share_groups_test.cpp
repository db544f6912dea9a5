// SPDX-License-Identifier: MIT
/*
 * DOC: Shared semaphores, tested
 *
 * Mirrors, notifies and events of clients on one device and on two: which clients see a signal,
 * which wait it ends, and how a wait ends when the client that should signal leaves.
 */
#include "tests/unit/support/sharing_clients.h"
#include "uapi/event.h"

namespace {

using namespace wire;

using Mirrors = Sharing;

TEST_F(Mirrors, FollowTheExporterOnEveryDevice)
{
	std::vector<uint32_t> source = fresh(alice, 2);
	ASSERT_EQ(alice.set_semaphore(source[1], 40), Status::OK);
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, source);
	std::vector<uint32_t> near = fresh(bob, 2), far = fresh(carol, 2);
	unpu_msg_export reply{};
	ASSERT_EQ(bob.import(key, reply, near), Status::OK);
	ASSERT_EQ(carol.import(key, reply, far), Status::OK);
	EXPECT_EQ(reply.segment, 0u);
	EXPECT_EQ(bob.value(near[1]), 40u) << "what it was before";
	EXPECT_EQ(carol.value(far[1]), 40u);
	Channel signals(alice), waits(bob), far_waits(carol);
	waits.publish(drv::wait_packet(1, near[0], 2, 0));
	far_waits.publish(drv::wait_packet(1, far[0], 2, 0));
	rest();
	EXPECT_EQ(signals.run(drv::signal_packet(1, source[0], UNPU_SIGNAL_RAISE, 1)), Status::OK);
	rest();
	EXPECT_EQ(waits.retired() + far_waits.retired(), 0u);
	EXPECT_EQ(signals.run(drv::signal_packet(1, source[0], UNPU_SIGNAL_RAISE, 2)), Status::OK);
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(far_waits.retired(), 1u);
	EXPECT_EQ(carol.value(far[0]), 2u);
	EXPECT_EQ(carol.value(far[1]), 40u);
	EXPECT_EQ(signals.run(drv::signal_packet(1, source[0], UNPU_SIGNAL_SET, 0)), Status::OK);
	rest();
	EXPECT_EQ(bob.value(near[0]), 0u);
	EXPECT_EQ(carol.value(far[0]), 0u);
}

/* A waiting thread of another device must see a value that is set and replaced at once. */
TEST_F(Mirrors, LoseNoPulse)
{
	uint32_t source = alice.new_semaphore(), far = carol.new_semaphore();
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {source});
	unpu_msg_export reply{};
	ASSERT_EQ(carol.import(key, reply, {far}), Status::OK);
	Channel signals(alice), waits(carol);
	waits.publish(drv::wait_packet(1, far, 1, 0));
	rest();
	EXPECT_EQ(signals.run(drv::signal_packet(1, source, UNPU_SIGNAL_SET, 1)), Status::OK);
	EXPECT_EQ(signals.run(drv::signal_packet(1, source, UNPU_SIGNAL_SET, 0)), Status::OK);
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(carol.value(far), 0u);
}

/* A timeline is a semaphore like others: its mirror is the fence of its packets. */
TEST_F(Mirrors, ShowATimelineToAnotherDevice)
{
	Channel work(alice), waits(carol);
	ASSERT_EQ(work.run(drv::nop_packet(1)), Status::OK);
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {work.timeline()});
	uint32_t far = carol.new_semaphore();
	unpu_msg_export reply{};
	ASSERT_EQ(carol.import(key, reply, {far}), Status::OK);
	EXPECT_EQ(carol.value(far), 1u);
	waits.publish(drv::wait_packet(1, far, 3, 0));
	rest();
	ASSERT_EQ(work.run(drv::nop_packet(1)), Status::OK);
	rest();
	EXPECT_EQ(waits.retired(), 0u);
	ASSERT_EQ(work.run(drv::fill_packet(1, 8, 8, 0, 1)), Status::MMU_FAULT);
	rest();
	EXPECT_EQ(waits.retired(), 1u) << "a failed packet retires too";
	EXPECT_EQ(carol.status(waits.timeline()), Status::OK);
}

/* A wait for dropped tasks stays parked, and ends with its channel. */
TEST_F(Mirrors, EndWaitsThatWereStranded)
{
	Channel work(alice), waits(alice);
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {work.timeline()});
	waits.publish(drv::wait_packet(0x1d, work.timeline(), 5, 0));
	rest();
	ASSERT_EQ(work.abort(), Status::OK);
	for (unsigned i = 0; i < 6; i++)
		ASSERT_EQ(work.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(waits.retired(), 0u) << "the tasks that it waited for were dropped";
	ASSERT_EQ(alice.unshare(key), Status::OK);
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(alice.status(waits.timeline()), Status::PEER_LOST);
}

TEST_F(Mirrors, EndTheirWaitsWithTheirExporter)
{
	uint32_t source = alice.new_semaphore(), near = bob.new_semaphore(),
		 far = carol.new_semaphore();
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {source});
	unpu_msg_export reply{};
	ASSERT_EQ(bob.import(key, reply, {near}), Status::OK);
	ASSERT_EQ(carol.import(key, reply, {far}), Status::OK);
	Channel waits(bob), far_waits(carol);
	waits.publish(drv::wait_packet(0x1b, near, 1, 0));
	far_waits.publish(drv::wait_packet(0x1c, far, 1, 0));
	rest();
	alice.detach();
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(far_waits.retired(), 1u);
	EXPECT_EQ(bob.status(waits.timeline()), Status::PEER_LOST);
	EXPECT_EQ(carol.status(far_waits.timeline()), Status::PEER_LOST);
	EXPECT_EQ(carol.line(far_waits.timeline()).fault_cookie, 0x1cu);
	EXPECT_EQ(waits.run(drv::wait_packet(1, near, 0, 0)), Status::PEER_LOST);
	EXPECT_EQ(waits.run(drv::wait_packet(1, near, 1, 0)), Status::PEER_LOST) << "late";
	EXPECT_EQ(bob.import(key, reply, {bob.new_semaphore()}), Status::NOT_SHARED);
	EXPECT_EQ(bob.leave(near), Status::OK);
	EXPECT_EQ(bob.leave(near), Status::INVALID_HANDLE);
	EXPECT_EQ(waits.run(drv::wait_packet(1, near, 0, 0)), Status::OK) << "its own again";
}

/* Each membership is left for itself, and all of them at the client's end. */
TEST_F(Mirrors, MayHaveAClientAsAMemberTwice)
{
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {alice.new_semaphore()});
	std::vector<uint32_t> twice = fresh(bob, 3);
	unpu_msg_export reply{};
	for (uint32_t sem : twice)
		ASSERT_EQ(bob.import(key, reply, {sem}), Status::OK);
	Channel work(bob);
	unpu_packet packet = drv::nop_packet(1);
	packet.signal_op = UNPU_SIGNAL_RAISE;
	packet.signal_sem = twice[1];
	packet.signal_value = 5;
	EXPECT_EQ(work.run(packet), Status::OK);
	EXPECT_EQ(bob.value(twice[0]), 5u);
	EXPECT_EQ(bob.value(twice[2]), 5u);
	EXPECT_EQ(bob.leave(twice[2]), Status::OK);
	EXPECT_EQ(bob.leave(twice[2]), Status::INVALID_HANDLE);
	packet.signal_value = 6;
	EXPECT_EQ(work.run(packet), Status::OK);
	EXPECT_EQ(bob.value(twice[0]), 6u) << "a member still";
	EXPECT_EQ(bob.value(twice[2]), 5u) << "none any more";
	/* The share of the first one is behind that of the last one now. */
	EXPECT_EQ(bob.leave(twice[0]), Status::OK);
	ASSERT_EQ(bob.import(key, reply, {twice[2]}), Status::OK);
	bob.detach();
	EXPECT_EQ(carol.import(key, reply, {carol.new_semaphore()}), Status::OK);
}

TEST_F(Mirrors, AreForSemaphoresThatAreTheClientsOwn)
{
	std::vector<uint32_t> sems = fresh(alice, 2);
	unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, sems);
	auto share = [&](const std::vector<uint32_t> &list, uint32_t kind) {
		unpu_msg_export request{};
		request.kind = kind;
		request.count = static_cast<uint32_t>(list.size());
		std::copy_n(list.begin(), std::min<size_t>(list.size(), 8), request.semaphores);
		return alice.share(request);
	};
	uint32_t free = alice.new_semaphore();
	EXPECT_EQ(share({sems[1]}, UNPU_EXPORT_MIRROR), Status::BAD_SEMAPHORE) << "shared already";
	EXPECT_EQ(share({free, free}, UNPU_EXPORT_MIRROR), Status::BAD_SEMAPHORE);
	EXPECT_EQ(share({UNPU_SEM_MAILBOX}, UNPU_EXPORT_MIRROR), Status::BAD_SEMAPHORE);
	EXPECT_EQ(share({UNPU_MAX_SEMAPHORES}, UNPU_EXPORT_MIRROR), Status::BAD_SEMAPHORE);
	EXPECT_EQ(share({}, UNPU_EXPORT_MIRROR), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(std::vector<uint32_t>(9, free), UNPU_EXPORT_MIRROR),
		  Status::INVALID_ARGUMENT);
	EXPECT_EQ(share({free, sems[0]}, UNPU_EXPORT_NOTIFY), Status::INVALID_ARGUMENT);
	unpu_msg_export reply{};
	EXPECT_EQ(bob.import(key, reply, {bob.new_semaphore()}), Status::INVALID_ARGUMENT);
	EXPECT_EQ(bob.import(key, reply, {bob.new_semaphore(), UNPU_SEM_CALLS}),
		  Status::BAD_SEMAPHORE);
	EXPECT_EQ(share({free}, UNPU_EXPORT_MIRROR), Status::OK) << "a refused one is not bound";
}

class Notifies : public Sharing {
protected:
	uint32_t home = alice.new_semaphore();
	uint32_t near = bob.new_semaphore();
	uint32_t far = carol.new_semaphore();
	unpu_export_key key = export_group(alice, UNPU_EXPORT_NOTIFY, {home});
	Channel waits{alice}, near_waits{bob}, far_signals{carol};

	void SetUp() override
	{
		unpu_msg_export reply{};
		ASSERT_EQ(bob.import(key, reply, {near}), Status::OK);
		ASSERT_EQ(carol.import(key, reply, {far}), Status::OK);
	}

	static unpu_packet wait(uint32_t sem)
	{
		return drv::wait_packet(0x77, {sem, UNPU_WAIT_EQ, 1, 0, UNPU_WAIT_CLEAR, 0});
	}
	static unpu_packet record(uint32_t sem)
	{
		return drv::signal_packet(0x88, sem, UNPU_SIGNAL_SET, 1);
	}
};

/* Others wait in the exporter's semaphore, and what drops a channel's tasks is not for them to feel. */
TEST_F(Notifies, AreNoTimelines)
{
	unpu_msg_export request{};
	request.kind = UNPU_EXPORT_NOTIFY;
	request.count = 1;
	request.semaphores[0] = waits.timeline();
	EXPECT_EQ(alice.share(request), Status::BAD_SEMAPHORE);
	unpu_msg_export reply{};
	EXPECT_EQ(bob.import(key, reply, {near_waits.timeline()}), Status::BAD_SEMAPHORE);
	const auto create = [&] {
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel.segment = waits.segment();
		message.channel.slots = SLOTS;
		message.channel.timeline = home;
		return alice.call(message);
	};
	EXPECT_EQ(create(), Status::BAD_SEMAPHORE);
	ASSERT_EQ(alice.unshare(key), Status::OK);
	EXPECT_EQ(create(), Status::OK) << "its own again";
}

TEST_F(Notifies, TakeSignalsFromEverywhere)
{
	Channel signals(bob);
	waits.publish(wait(home));
	rest();
	EXPECT_EQ(waits.retired(), 0u);
	EXPECT_EQ(signals.run(record(near)), Status::OK);
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(alice.value(home), 0u);
	waits.publish(wait(home));
	rest();
	EXPECT_EQ(far_signals.run(record(far)), Status::OK);
	rest();
	EXPECT_EQ(waits.retired(), 2u);
	EXPECT_EQ(far_signals.run(record(far)), Status::OK) << "before the wait";
	rest();
	EXPECT_EQ(alice.value(home), 1u);
	EXPECT_EQ(waits.run(wait(home)), Status::OK);
	EXPECT_EQ(alice.value(home), 0u);
	ASSERT_EQ(carol.set_semaphore(far, 1), Status::OK);
	rest();
	EXPECT_EQ(alice.value(home), 1u) << "SEM_SET goes the same way";
}

TEST_F(Notifies, EndOneWaitWithOneSignal)
{
	near_waits.publish(wait(near));
	rest();
	waits.publish(wait(home));
	rest();
	EXPECT_EQ(far_signals.run(record(far)), Status::OK);
	rest();
	EXPECT_EQ(near_waits.retired(), 1u) << "it came first";
	EXPECT_EQ(waits.retired(), 0u);
	EXPECT_EQ(far_signals.run(record(far)), Status::OK);
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(alice.value(home), 0u);
}

TEST_F(Notifies, CountAtTheirHome)
{
	Channel near_signals(bob);
	EXPECT_EQ(near_signals.run(drv::signal_packet(1, near, UNPU_SIGNAL_ADD, 3)), Status::OK);
	EXPECT_EQ(far_signals.run(drv::signal_packet(1, far, UNPU_SIGNAL_ADD, 4)), Status::OK);
	EXPECT_EQ(waits.run(drv::signal_packet(1, home, UNPU_SIGNAL_ADD, 5)), Status::OK);
	rest();
	EXPECT_EQ(alice.value(home), 12u);
}

TEST_F(Notifies, AreNotWaitedForElsewhere)
{
	EXPECT_EQ(far_signals.run(wait(far)), Status::BAD_SEMAPHORE);
	uint32_t source = alice.new_semaphore(), mirror = bob.new_semaphore();
	unpu_msg_export reply{};
	ASSERT_EQ(bob.import(export_group(alice, UNPU_EXPORT_MIRROR, {source}), reply, {mirror}),
		  Status::OK);
	EXPECT_EQ(near_waits.run(wait(mirror)), Status::BAD_SEMAPHORE)
		<< "a value with many owners can't be cleared";
}

TEST_F(Notifies, EndWithTheirExporter)
{
	near_waits.publish(wait(near));
	rest();
	alice.detach();
	rest();
	EXPECT_EQ(near_waits.retired(), 1u);
	EXPECT_EQ(bob.status(near_waits.timeline()), Status::PEER_LOST);
	EXPECT_EQ(bob.line(near_waits.timeline()).fault_cookie, 0x77u);
	Channel again(bob);
	EXPECT_EQ(again.run(wait(near)), Status::PEER_LOST);
	EXPECT_EQ(again.run(record(near)), Status::PEER_LOST);
	EXPECT_EQ(far_signals.run(record(far)), Status::PEER_LOST);
	EXPECT_EQ(far_signals.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(Notifies, EndWhenTheyAreWithdrawn)
{
	near_waits.publish(wait(near));
	rest();
	EXPECT_EQ(alice.unshare(key), Status::OK);
	rest();
	EXPECT_EQ(bob.status(near_waits.timeline()), Status::PEER_LOST);
	EXPECT_EQ(waits.run(record(home)), Status::OK) << "it is alice's own again";
	EXPECT_EQ(waits.run(wait(home)), Status::OK);
	EXPECT_EQ(alice.unshare(key), Status::NOT_SHARED);
}

TEST_F(Notifies, ForgetTheWaitsOfAClientThatLeft)
{
	near_waits.publish(wait(near));
	rest();
	bob.detach();
	rest();
	EXPECT_EQ(far_signals.run(record(far)), Status::OK);
	rest();
	EXPECT_EQ(alice.value(home), 1u) << "nobody is there to take it";
	EXPECT_EQ(waits.run(wait(home)), Status::OK);
}

TEST_F(Notifies, OutliveAPostToAClosedDevice)
{
	Client dave(*second, 400);
	uint32_t sem = dave.new_semaphore();
	unpu_export_key own = export_group(dave, UNPU_EXPORT_NOTIFY, {sem});
	uint32_t mine = alice.new_semaphore();
	unpu_msg_export reply{};
	ASSERT_EQ(alice.import(own, reply, {mine}), Status::OK);
	EXPECT_EQ(waits.run(record(mine)), Status::OK);
	dave.detach(); /* before its device has looked */
	rest();
	EXPECT_EQ(waits.run(record(mine)), Status::PEER_LOST);
}

class Events : public Sharing {
protected:
	struct Member {
		Client &client;
		std::vector<uint32_t> lanes;
		Memory page;
		uint32_t number = 0;

		unpu_event_page &words() const { return *page.as<unpu_event_page>(); }
	};

	unpu_export_key key{};
	Member creator = make();

	Member make()
	{
		Member made{alice, fresh(alice, UNPU_EVENT_LANES),
			    alice.segment(UNPU_SEGMENT_PINNED, 4096, UNPU_SEGMENT_SHAREABLE)};
		EXPECT_EQ(alice.set_semaphore(made.lanes[0], 99), Status::OK);
		unpu_msg_export request{};
		request.kind = UNPU_EXPORT_EVENT;
		request.flags = UNPU_EXPORT_ANY_PROCESS;
		request.segment = made.page.segment;
		request.count = UNPU_EVENT_LANES;
		std::copy(made.lanes.begin(), made.lanes.end(), request.semaphores);
		EXPECT_EQ(alice.share(request), Status::OK);
		key = request.key;
		made.number = request.member;
		EXPECT_EQ(alice.value(made.lanes[0]), 0u) << "lanes begin with 0";
		return made;
	}

	Member open(Client &client)
	{
		Member opened{client, fresh(client, UNPU_EVENT_LANES), {}};
		unpu_msg_export reply{};
		EXPECT_EQ(client.import(key, reply, opened.lanes), Status::OK);
		EXPECT_EQ(reply.flags, UNPU_EXPORT_WHOLE | UNPU_EXPORT_PINNED);
		opened.page.segment = reply.segment;
		EXPECT_EQ(client.take(opened.page), Status::OK);
		opened.number = reply.member;
		return opened;
	}

	static void claim(const Member &member, uint32_t lane, uint64_t value)
	{
		member.words().lanes[lane] = UNPU_EVENT_CLAIM(uint64_t{member.number}, value);
	}
	static unpu_packet raise(const Member &member, uint32_t lane, uint64_t value)
	{
		return drv::signal_packet(1, member.lanes[lane], UNPU_SIGNAL_RAISE, value);
	}
	static unpu_packet wait(const Member &member, uint32_t lane, uint64_t value)
	{
		return drv::wait_packet(0x99, member.lanes[lane], value, 0);
	}
};

TEST_F(Events, AreSignalledAndWaitedForByEveryMember)
{
	Member near = open(bob), far = open(carol);
	EXPECT_NE(creator.number, 0u);
	EXPECT_NE(near.number, creator.number);
	EXPECT_NE(far.number, near.number);
	near.words().latest = 7;
	EXPECT_EQ(far.words().latest, 7u) << "one page";
	Channel here(alice), there(bob), elsewhere(carol);
	struct Turn {
		const Member &member;
		Channel &channel;
	};
	Turn turns[] = {{creator, here}, {near, there}, {far, elsewhere}};
	uint64_t value = 0;
	for (const Turn &signals : turns) {
		value++;
		for (const Turn &waits : turns) {
			if (&waits != &signals)
				waits.channel.publish(wait(waits.member, 3, value));
		}
		rest();
		EXPECT_EQ(signals.channel.run(raise(signals.member, 3, value)), Status::OK);
		rest();
		for (const Turn &turn : turns) {
			EXPECT_EQ(turn.channel.retired(), value);
			EXPECT_EQ(turn.member.client.value(turn.member.lanes[3]), value);
		}
	}
}

TEST_F(Events, EndWhatTheDeadHaveClaimed)
{
	Member near = open(bob), far = open(carol);
	Channel waits(bob), other_lane(bob), far_waits(carol), signals(carol);
	claim(creator, 2, 5);
	claim(far, 4, 1);
	waits.publish(wait(near, 2, 5));
	other_lane.publish(wait(near, 4, 1));
	far_waits.publish(wait(far, 2, 1));
	rest();
	alice.detach();
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(far_waits.retired(), 1u);
	EXPECT_EQ(bob.status(waits.timeline()), Status::PEER_LOST);
	EXPECT_EQ(carol.status(far_waits.timeline()), Status::PEER_LOST);
	EXPECT_EQ(other_lane.retired(), 0u) << "carol lives";
	const unpu_sem_device &line = bob.line(near.lanes[2]);
	EXPECT_EQ(line.value, 5u);
	EXPECT_EQ(static_cast<Status>(line.status), Status::PEER_LOST);
	EXPECT_EQ(line.fault_cookie, 1u);
	EXPECT_EQ(line.fault_address, 5u);
	EXPECT_EQ(waits.run(wait(near, 2, 5)), Status::PEER_LOST) << "a late wait";
	EXPECT_EQ(waits.run(wait(near, 2, 0)), Status::OK);
	EXPECT_EQ(signals.run(raise(far, 4, 1)), Status::OK) << "the others go on";
	rest();
	EXPECT_EQ(other_lane.retired(), 1u);
	EXPECT_EQ(bob.status(other_lane.timeline()), Status::OK);
	claim(near, 2, 6);
	EXPECT_EQ(waits.run(raise(near, 2, 6)), Status::OK);
	EXPECT_EQ(waits.run(wait(near, 2, 6)), Status::OK) << "a lane goes on behind what was lost";
}

TEST_F(Events, TellLateMembersWhatIsLost)
{
	Member near = open(bob);
	claim(near, 1, 3);
	Channel signals(alice);
	EXPECT_EQ(signals.run(raise(creator, 0, 8)), Status::OK);
	bob.detach();
	Member far = open(carol);
	EXPECT_EQ(far.number, near.number) << "numbers are used again";
	EXPECT_EQ(carol.value(far.lanes[0]), 8u);
	EXPECT_EQ(carol.value(far.lanes[1]), 3u);
	Channel waits(carol);
	EXPECT_EQ(waits.run(wait(far, 0, 8)), Status::OK);
	EXPECT_EQ(waits.run(wait(far, 1, 2)), Status::PEER_LOST);
	carol.detach();
	rest();
	EXPECT_EQ(alice.value(creator.lanes[1]), 3u) << "what a former owner claimed is over";
}

TEST_F(Events, DontLoseWhatWasSignalled)
{
	Member near = open(bob);
	claim(creator, 0, 1);
	Channel signals(alice), waits(bob);
	EXPECT_EQ(signals.run(raise(creator, 0, 1)), Status::OK);
	alice.detach();
	EXPECT_EQ(waits.run(wait(near, 0, 1)), Status::OK);
	EXPECT_EQ(static_cast<Status>(bob.line(near.lanes[0]).status), Status::OK);
}

TEST_F(Events, SurviveAPageOfNoise)
{
	Member near = open(bob);
	for (unsigned i = 0; i < 2000; i++)
		reinterpret_cast<uint8_t *>(&near.words())[i % sizeof(unpu_event_page)] =
			static_cast<uint8_t>(i * 37 + 11);
	for (uint32_t lane = 0; lane < UNPU_EVENT_LANES; lane++)
		claim(near, lane, UNPU_EVENT_VALUE_MASK);
	Channel waits(alice);
	waits.publish(wait(creator, 7, 1));
	bob.detach();
	rest();
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(alice.value(creator.lanes[7]), UNPU_EVENT_VALUE_MASK);
	Channel fresh_channel(alice);
	EXPECT_EQ(fresh_channel.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(Events, NeedAPageThatHoldsNothingElse)
{
	auto share = [&](uint64_t segment, unsigned count) {
		unpu_msg_export request{};
		request.kind = UNPU_EXPORT_EVENT;
		request.segment = segment;
		request.count = count;
		std::vector<uint32_t> lanes = fresh(bob, count);
		std::copy(lanes.begin(), lanes.end(), request.semaphores);
		return bob.share(request);
	};
	uint64_t plain = 0, page = 0;
	ASSERT_EQ(bob.create_segment(UNPU_SEGMENT_PINNED, 4096, 0, plain), Status::OK);
	ASSERT_EQ(bob.create_segment(UNPU_SEGMENT_PINNED, 4096, 0, page, UNPU_SEGMENT_SHAREABLE),
		  Status::OK);
	EXPECT_EQ(share(0, 8), Status::INVALID_HANDLE);
	EXPECT_EQ(share(plain, 8), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(page, 7), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(page, 8), Status::OK);
}

/* A client that breaks the protocol is gone for its peers, although it has not left. */
TEST_F(Events, EndForABrokenMember)
{
	Member near = open(bob);
	claim(near, 0, 1);
	Channel waits(alice), noise(bob);
	waits.publish(wait(creator, 0, 1));
	rest();
	for (unsigned i = 0; i < 2 * UNPU_DOORBELL_ENTRIES; i++)
		bob.ring(noise.index());
	rest();
	ASSERT_EQ(bob.broken(), Status::RING_BROKEN);
	EXPECT_EQ(waits.retired(), 1u);
	EXPECT_EQ(alice.status(waits.timeline()), Status::PEER_LOST);
}

} // namespace
