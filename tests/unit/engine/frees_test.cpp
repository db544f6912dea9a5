// SPDX-License-Identifier: MIT
/*
 * DOC: Memory that is given up, tested
 *
 * What the upkeep has not freed yet is few jobs, and has a bound.
 */
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <sched.h>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "drv/channel/channel.h"
#include "drv/device.h"
#include "firmware_sim/engine/frees.h"
#include "tests/unit/support/one_cpu.h"

namespace {

using namespace fw;

struct Told final : Waiter {
	void woken(base::Status, uint64_t, uint64_t) override {}
};

class FreesTest : public testing::Test {
protected:
	~FreesTest() override { background.stop(); }

	/* The upkeep does nothing else until release(). */
	void hold_up()
	{
		auto job = std::make_unique<Job>();
		job->client_queue = &background;
		job->work = [this] {
			while (!is_released)
				std::this_thread::yield();
		};
		background.submit(std::move(job));
	}

	void add(unsigned count, uint64_t bytes = 1)
	{
		for (unsigned i = 0; i < count; i++)
			frees.add(
				background, [this] { freed++; }, bytes);
	}

	/* Waits until the engine has told the owner. Return: the number of jobs that had ended by then. */
	unsigned jobs_until_told()
	{
		const uint64_t end_ns = base::deadline_after(20 * base::NS_PER_S);
		unsigned count = 0;
		while (base::now_ns() < end_ns) {
			if (const auto job = background.take_finished()) {
				count++;
				if (job->owner == &owner)
					return count;
			}
			std::this_thread::yield();
		}
		ADD_FAILURE() << "the owner was not told";
		return count;
	}

	std::atomic<bool> is_released{false};
	std::atomic<unsigned> freed{0};
	Told owner;
	Frees frees;
	BackgroundWork background{true, [] {}, [] {}};
};

TEST_F(FreesTest, OneJobFreesAllThatWaits)
{
	hold_up();
	add(10000);
	frees.tell(background, owner);
	is_released = true;
	EXPECT_EQ(jobs_until_told(), 3u);
	EXPECT_EQ(freed, 10000u);
	EXPECT_FALSE(frees.is_full());
}

TEST_F(FreesTest, VeryMuchMakesItFull)
{
	hold_up();
	add(Frees::MOST - 1);
	EXPECT_FALSE(frees.is_full());
	add(1);
	EXPECT_TRUE(frees.is_full());
	frees.tell(background, owner);
	is_released = true;
	(void)jobs_until_told();
	EXPECT_EQ(freed, Frees::MOST);
	EXPECT_FALSE(frees.is_full());
	is_released = false;
	hold_up();
	add(1, Frees::MOST_BYTES);
	EXPECT_TRUE(frees.is_full());
	is_released = true;
}

TEST_F(FreesTest, TheEndFreesAll)
{
	hold_up();
	add(100);
	is_released = true;
	background.stop();
	EXPECT_EQ(freed, 100u);
}

/* The test, the device and its threads have one CPU, and the upkeep threads get it when all others sleep. */
class LateUpkeep : public testing::Test {
protected:
	void SetUp() override
	{
		std::string why;
		auto options = hal::parse_device_string("sim:engines=1,caller-runs=on", why);
		ASSERT_TRUE(options.ok()) << why;
		auto device = drv::Device::open(*options, 0, why);
		ASSERT_TRUE(device.ok()) << why;
		device_ = device.take();
	}

	/* Makes and destroys a channel whose ring the upkeep frees. */
	void use_channel()
	{
		drv::ChannelConfig config;
		config.slots = 16384;
		ASSERT_TRUE(drv::Channel::create(*device_, config).ok());
	}

	/* Return: how many there are. */
	unsigned delay_upkeep_threads() const
	{
		unsigned count = 0;
		for (const auto &entry : std::filesystem::directory_iterator("/proc/self/task")) {
			std::ifstream file(entry.path() / "comm");
			std::string name;
			std::getline(file, name);
			if (name != "unpu-upkeep")
				continue;
			const pid_t thread = std::stoi(entry.path().filename());
			const sched_param none{};
			cpu_.bind(thread);
			EXPECT_EQ(sched_setscheduler(thread, SCHED_IDLE, &none), 0);
			count++;
		}
		return count;
	}

	static size_t count_mappings()
	{
		std::ifstream maps("/proc/self/maps");
		std::string line;
		size_t count = 0;
		while (std::getline(maps, line))
			count++;
		return count;
	}

	const OneCpu cpu_;
	std::unique_ptr<drv::Device> device_;
};

TEST_F(LateUpkeep, AClientThatGivesUpMuchWaits)
{
	use_channel();
	ASSERT_NE(delay_upkeep_threads(), 0u);
	const size_t before = count_mappings();
	size_t most = 0;
	for (unsigned i = 0; i < 600; i++) {
		use_channel();
		if (i % 20 == 19)
			most = std::max(most, count_mappings());
	}
	EXPECT_LE(most, before + Frees::MOST + 50);
}

} // namespace
