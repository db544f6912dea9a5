// SPDX-License-Identifier: MIT
/**
 * DOC: Tests of the wire
 *
 * Two wires of one process, which talk over loopback as two processes do.
 */
#include <algorithm>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "listener.h"
#include "tests/common/own_entries.h"
#include "umd/hccl/network/interfaces.h"

using umd::Frame;
using umd::FRAME_COPIED;
using umd::Wire;

namespace {

const umd::Nonce COMM = comm_of(1);

/* A wire with one user. */
struct Side {
	Wire wire;
	Listener user;
	std::vector<uint8_t> address;
	uint32_t link = 0;

	void open()
	{
		ASSERT_EQ(wire.open({}, address), HCCL_SUCCESS);
		wire.attach(COMM, &user);
	}
	void connect(const Side &other)
	{
		ASSERT_EQ(wire.connect(COMM, other.address, link), HCCL_SUCCESS);
	}
	void send(uint64_t number, const std::vector<uint8_t> &data, bool may_wait = false)
	{
		wire.send(link, Frame{COMM, 1, 0, 1, 0, number, data.size()}, data.data(),
			  may_wait);
	}
	void close()
	{
		wire.detach(COMM);
		wire.disconnect(COMM, link);
		wire.close();
	}
};

struct Pair {
	Side a, b;

	Pair()
	{
		a.open();
		b.open();
		a.connect(b);
		b.connect(a);
	}
	~Pair()
	{
		if (is_open)
			close();
	}
	void close()
	{
		is_open = false;
		a.close();
		b.close();
	}
	bool is_open = true;
};

} // namespace

TEST(Wire, CarriesAllSizes)
{
	Pair pair;
	const std::vector<uint64_t> sizes = {0,	    1,	   8,	  255,	   256,	    257,    4096,
					     65535, 65536, 65537, 1000001, 1 << 20, 8 << 20};
	std::vector<std::vector<uint8_t>> data;
	for (uint64_t i = 0; i < sizes.size(); i++)
		data.push_back(pattern(i, sizes[i]));
	for (uint64_t i = 0; i < sizes.size(); i++)
		pair.a.send(i, data[i]);
	ASSERT_TRUE(pair.b.user.wait_for(sizes.size()));
	for (uint64_t i = 0; i < sizes.size(); i++)
		EXPECT_EQ(pair.b.user.data(i), data[i]) << sizes[i] << " bytes";
}

TEST(Wire, KeepsTheOrderOfSmallFrames)
{
	constexpr uint64_t COUNT = 10000;
	Pair pair;
	const auto large = pattern(7, 1 << 20);
	for (uint64_t i = 0; i < COUNT; i++) {
		pair.a.send(i, pattern(i, i % (FRAME_COPIED + 1)), i % 3 == 0);
		if (i % 500 == 0)
			pair.a.send(COUNT + i, large);
	}
	ASSERT_TRUE(pair.b.user.wait_for(COUNT + COUNT / 500));
	std::vector<uint64_t> came = pair.b.user.came();
	std::erase_if(came, [](uint64_t number) { return number >= COUNT; });
	ASSERT_EQ(came.size(), COUNT);
	EXPECT_TRUE(std::is_sorted(came.begin(), came.end()));
	for (uint64_t i = 0; i < COUNT; i++)
		ASSERT_EQ(pair.b.user.data(i), pattern(i, i % (FRAME_COPIED + 1))) << i;
	EXPECT_EQ(pair.b.user.data(COUNT), large);
}

TEST(Wire, CarriesBothWaysAtOnce)
{
	constexpr uint64_t COUNT = 40;
	Pair pair;
	std::vector<std::vector<uint8_t>> data;
	for (uint64_t i = 0; i < COUNT; i++)
		data.push_back(pattern(i, i % 2 == 0 ? 8 : 2 << 20));
	std::thread other([&] {
		for (uint64_t i = 0; i < COUNT; i++)
			pair.b.send(i, data[i]);
	});
	for (uint64_t i = 0; i < COUNT; i++)
		pair.a.send(i, data[i]);
	other.join();
	ASSERT_TRUE(pair.a.user.wait_for(COUNT));
	ASSERT_TRUE(pair.b.user.wait_for(COUNT));
	for (uint64_t i = 0; i < COUNT; i++) {
		EXPECT_EQ(pair.a.user.data(i), data[i]);
		EXPECT_EQ(pair.b.user.data(i), data[i]);
	}
}

/* A user may send from arrived(). */
TEST(Wire, AnswersFromItsThread)
{
	constexpr uint64_t COUNT = 1000;
	Pair pair;
	pair.b.user.on_arrival = [&](const Frame &frame) {
		pair.b.send(frame.number, pattern(frame.number, 8));
	};
	for (uint64_t i = 0; i < COUNT; i++) {
		pair.a.send(i, pattern(i, 8));
		ASSERT_TRUE(pair.a.user.wait_for(i + 1));
	}
	EXPECT_EQ(pair.a.user.came().back(), COUNT - 1);
}

TEST(Wire, SendsToItself)
{
	Side side;
	side.open();
	side.connect(side);
	const auto data = pattern(3, 1 << 20);
	side.send(1, pattern(1, 8));
	side.send(3, data);
	ASSERT_TRUE(side.user.wait_for(2));
	EXPECT_EQ(side.user.data(3), data);
	side.close();
	EXPECT_TRUE(side.user.losses().empty());
}

/* What place() does not want, and what is for a communicator that is not there, does not hold up the rest. */
TEST(Wire, DropsWhatNobodyWants)
{
	Pair pair;
	const auto large = pattern(1, 4 << 20);
	pair.b.user.is_deaf = true;
	for (uint64_t i = 0; i < 200; i++)
		pair.a.send(i, large);
	pair.a.send(200, {});
	ASSERT_TRUE(pair.b.user.wait_for(1));
	EXPECT_EQ(pair.b.user.came().back(), 200u);
	pair.b.wire.detach(COMM);
	for (uint64_t i = 0; i < 200; i++)
		pair.a.send(i, large);
	/* It waits until the other side has dropped what is under way. */
	const uint64_t before = base::now_ns();
	pair.a.wire.detach(COMM);
	EXPECT_LT(base::now_ns() - before, base::NS_PER_S);
	EXPECT_TRUE(pair.a.user.losses().empty());
}

TEST(Wire, CountsConnections)
{
	Pair pair;
	uint32_t again = 0;
	uint32_t other = 0;
	ASSERT_EQ(pair.a.wire.connect(COMM, pair.b.address, again), HCCL_SUCCESS);
	EXPECT_EQ(again, pair.a.link);
	ASSERT_EQ(pair.a.wire.connect(comm_of(2), pair.b.address, other), HCCL_SUCCESS);
	EXPECT_EQ(other, pair.a.link);
	pair.a.wire.disconnect(COMM, again);
	pair.a.wire.disconnect(comm_of(2), other);
	pair.a.send(1, pattern(1, 8));
	ASSERT_TRUE(pair.b.user.wait_for(1));
}

/* Nothing comes that it could go with. */
TEST(Wire, AFrameThatMayWaitGoesAloneInTheEnd)
{
	Pair pair;
	for (uint64_t i = 0; i < 3; i++) {
		pair.a.send(i, pattern(i, 8), true);
		ASSERT_TRUE(pair.b.user.wait_for(i + 1)) << i;
	}
}

TEST(Wire, RefusesWhatIsNoAddress)
{
	Side side;
	side.open();
	uint32_t link = 0;
	EXPECT_EQ(side.wire.connect(COMM, std::vector<uint8_t>(8), link), HCCL_E_PARA);
	EXPECT_EQ(side.wire.connect(COMM, std::vector<uint8_t>(200), link), HCCL_E_PARA);
	EXPECT_EQ(side.wire.connect(COMM, std::vector<uint8_t>(769), link), HCCL_E_PARA);
	side.close();
	EXPECT_EQ(side.wire.connect(COMM, side.address, link), HCCL_E_INTERNAL);
	side.wire.send(1, Frame{}, nullptr);
}

/* What was sent before close() arrives, and nobody hears of a loss. */
TEST(Wire, ClosesWithFramesQueued)
{
	constexpr uint64_t COUNT = 5000;
	for (int round = 0; round < 5; round++) {
		Pair pair;
		for (uint64_t i = 0; i < COUNT; i++)
			pair.a.send(i, pattern(i, 64));
		pair.is_open = false;
		pair.a.close();
		EXPECT_TRUE(pair.b.user.wait_for(COUNT)) << round;
		pair.b.send(1, pattern(1, 8));
		pair.b.close();
		EXPECT_TRUE(pair.a.user.losses().empty());
		EXPECT_TRUE(pair.b.user.losses().empty());
	}
}

/* After the end of another wire its link is of no use, and a new wire has a new one. */
TEST(Wire, ConnectsToTheNextWire)
{
	Side a;
	a.open();
	uint32_t last = 0;
	const auto data = pattern(1, 100000);
	for (uint64_t round = 0; round < 20; round++) {
		Side b;
		b.open();
		a.connect(b);
		b.connect(a);
		EXPECT_NE(a.link, last);
		last = a.link;
		a.send(round, data);
		ASSERT_TRUE(b.user.wait_for(1));
		b.send(round, pattern(round, 8));
		ASSERT_TRUE(a.user.wait_for(round + 1));
		b.close();
		a.wire.disconnect(COMM, a.link);
	}
	a.close();
	EXPECT_TRUE(a.user.losses().empty());
}

TEST(Wire, LeavesNothingBehind)
{
	{
		Pair pair;
		pair.a.send(1, pattern(1, 8));
		ASSERT_TRUE(pair.b.user.wait_for(1));
	}
	const auto small = pattern(1, 8);
	const auto large = pattern(1, 1 << 20);
	const size_t had_threads = count_own("task");
	const size_t had_descriptors = count_own("fd");
	for (int round = 0; round < 50; round++) {
		Pair pair;
		pair.a.send(1, round % 2 == 0 ? small : large);
		ASSERT_TRUE(pair.b.user.wait_for(1));
	}
	EXPECT_EQ(await_threads(had_threads), had_threads);
	EXPECT_EQ(count_own("fd"), had_descriptors);
}

static std::string chosen_of(const std::vector<umd::Interface> &all, const std::string &ip,
			     const std::string &names)
{
	std::vector<umd::TcpAddress> chosen;
	EXPECT_EQ(umd::choose_interfaces({ip, names, ""}, all, chosen), HCCL_SUCCESS);
	return umd::interface_names(all, chosen);
}

TEST(Wire, ChoosesInterfaces)
{
	std::vector<umd::Interface> all;
	for (const auto &[name, ip] : {std::pair("lo", "127.0.0.1"), std::pair("eth0", "10.0.0.1"),
				       std::pair("eth0", "fe80::1"), std::pair("eth1", "10.0.1.1"),
				       std::pair("docker0", "172.17.0.1")}) {
		all.push_back({name, {}});
		ASSERT_TRUE(umd::read_tcp_address(ip, all.back().address));
	}
	EXPECT_EQ(chosen_of(all, "", ""), "eth0,eth1");
	EXPECT_EQ(chosen_of(all, "10.0.1.1", "eth0"), "eth1");
	EXPECT_EQ(chosen_of(all, "", "eth"), "eth0,eth1");
	EXPECT_EQ(chosen_of(all, "", "=eth1,lo"), "lo,eth1");
	EXPECT_EQ(chosen_of(all, "", "^eth,docker"), "lo");
	EXPECT_EQ(chosen_of({all[0], all[4]}, "", ""), "docker0");
	EXPECT_EQ(chosen_of({all[0]}, "", ""), "lo");
}
