// SPDX-License-Identifier: MIT
/*
 * DOC: Parked channels, tested
 *
 * The pool gives a channel to the next owner only if the last owner left it like a new one.
 */
#include <vector>

#include <gtest/gtest.h>

#include "drv/channel/channel_pool.h"
#include "drv/device.h"
#include "drv/packet/packets.h"

namespace {

using base::Status;

class ChannelPool : public testing::Test {
protected:
	void SetUp() override
	{
		std::string why;
		auto options = hal::parse_device_string("sim:", why);
		ASSERT_TRUE(options.ok()) << why;
		auto device = drv::Device::open(*options, 0, why);
		ASSERT_TRUE(device.ok()) << why;
		device_ = device.take();
	}

	std::unique_ptr<drv::Channel> take(const drv::ChannelConfig &config = {})
	{
		auto channel = device_->pool().take(config);
		EXPECT_TRUE(channel.ok());
		return channel.ok() ? channel.take() : nullptr;
	}

	void give(std::unique_ptr<drv::Channel> channel)
	{
		device_->pool().give(std::move(channel));
	}

	Status run(drv::Channel &channel)
	{
		auto fence = channel.submit(drv::nop_packet(1));
		return fence ? device_->wait(*fence, base::NO_DEADLINE) : fence.status();
	}

	/* One that has run a task. */
	std::unique_ptr<drv::Channel> take_used(const drv::ChannelConfig &config = {})
	{
		auto channel = take(config);
		EXPECT_EQ(run(*channel), Status::OK);
		return channel;
	}

	/* Whether @channel, which has run a task, serves the next owner: its packets are not counted anew. */
	bool comes_back(std::unique_ptr<drv::Channel> channel,
			const drv::ChannelConfig &config = {})
	{
		give(std::move(channel));
		const auto next = take(config);
		const auto fence = next->submit(drv::nop_packet(1));
		EXPECT_TRUE(fence.ok());
		EXPECT_EQ(device_->wait(*fence, base::NO_DEADLINE), Status::OK);
		return next->task_number(*fence) != 0;
	}

	std::unique_ptr<drv::Device> device_;
};

TEST_F(ChannelPool, AnIdleOneServesTheNextOwner)
{
	EXPECT_TRUE(comes_back(take_used()));
	EXPECT_TRUE(comes_back(take_used()));
}

/* The last owner's user is not told of the next owner's work, and a parked one has no user at all. */
TEST_F(ChannelPool, TheNextOwnersWorkIsItsOwn)
{
	int first = 0, second = 0;
	auto channel = take();
	channel->set_user(&first, &first);
	EXPECT_EQ(run(*channel), Status::OK);
	EXPECT_EQ(device_->unsettled(&first), std::vector<void *>{&first});
	const uint32_t timeline = channel->timeline();
	const drv::Fence last = channel->last();
	give(std::move(channel));
	EXPECT_TRUE(device_->unsettled(&first).empty());
	EXPECT_FALSE(device_->place_of(last));
	channel = take();
	channel->set_user(&second, &second);
	ASSERT_EQ(channel->timeline(), timeline);
	EXPECT_TRUE(device_->unsettled(&second).empty());
	EXPECT_EQ(run(*channel), Status::OK);
	EXPECT_EQ(device_->unsettled(&second), std::vector<void *>{&second});
	EXPECT_TRUE(device_->unsettled(&first).empty());
	EXPECT_TRUE(device_->done(last));
}

TEST_F(ChannelPool, OtherParametersTakeANewOne)
{
	drv::ChannelConfig other;
	other.priority = 3;
	EXPECT_FALSE(comes_back(take_used(), other));
	other = {};
	other.group = 7;
	EXPECT_FALSE(comes_back(take_used(), other));
	other = {};
	other.slots = 512;
	EXPECT_FALSE(comes_back(take_used(), other));
	EXPECT_TRUE(comes_back(take_used(other), other));
	other.slots = 16384;
	EXPECT_FALSE(comes_back(take_used(other), other));
}

TEST_F(ChannelPool, AChangedOneIsDestroyed)
{
	auto channel = take_used();
	EXPECT_EQ(channel->set_priority(2), Status::OK);
	EXPECT_FALSE(comes_back(std::move(channel)));
	channel = take_used();
	EXPECT_EQ(channel->stop_on_failure(), Status::OK);
	EXPECT_FALSE(comes_back(std::move(channel)));
	channel = take_used();
	EXPECT_EQ(channel->abort(), Status::OK);
	EXPECT_FALSE(comes_back(std::move(channel)));
	channel = take_used();
	channel->end();
	EXPECT_FALSE(comes_back(std::move(channel)));
}

TEST_F(ChannelPool, AFailedOneIsDestroyedUntilItsFailureIsCleared)
{
	auto channel = take_used();
	auto fence = channel->submit(drv::fill_packet(1, 0x1000, 64, 0, 1));
	ASSERT_TRUE(fence.ok());
	EXPECT_EQ(device_->wait(*fence, base::NO_DEADLINE), Status::OK);
	EXPECT_NE(channel->failure().status, Status::OK);
	EXPECT_FALSE(comes_back(std::move(channel)));
	channel = take_used();
	ASSERT_TRUE(channel->submit(drv::fill_packet(1, 0x1000, 64, 0, 1)).ok());
	EXPECT_EQ(device_->wait(channel->last(), base::NO_DEADLINE), Status::OK);
	channel->clear_failure();
	EXPECT_TRUE(comes_back(std::move(channel)));
}

/* Work that waits for what never comes. */
TEST_F(ChannelPool, ABusyOneIsDestroyed)
{
	auto sem = device_->allocate_semaphore();
	ASSERT_TRUE(sem.ok());
	auto channel = take_used();
	ASSERT_TRUE(channel->submit(drv::order_packet(1, *sem, device_->value(*sem) + 1)).ok());
	const drv::Fence last = channel->last();
	EXPECT_FALSE(comes_back(std::move(channel)));
	EXPECT_TRUE(device_->done(last));
	device_->semaphores().release(*sem);
}

TEST_F(ChannelPool, FewAreParked)
{
	std::vector<std::unique_ptr<drv::Channel>> channels;
	for (int i = 0; i < 100; i++)
		channels.push_back(take());
	const uint64_t used = device_->semaphores().in_use();
	for (auto &channel : channels)
		give(std::move(channel));
	EXPECT_LE(device_->semaphores().in_use(), used - 80);
	EXPECT_TRUE(device_->pool().clear());
	EXPECT_EQ(device_->semaphores().in_use(), used - 100);
	EXPECT_FALSE(device_->pool().clear());
}

/* The pool is full of channels of a priority that no stream has any more. */
TEST_F(ChannelPool, ThoseInUseTakeThePlaceOfOthers)
{
	drv::ChannelConfig old, first, second;
	old.priority = 7;
	second.priority = 1;
	std::vector<std::unique_ptr<drv::Channel>> channels;
	for (int i = 0; i < 32; i++)
		channels.push_back(take(old));
	for (auto &channel : channels)
		give(std::move(channel));
	for (int i = 0; i < 6; i++) {
		const drv::ChannelConfig &config = i % 2 ? second : first;
		auto channel = take_used(config);
		EXPECT_EQ(channel->task_number(channel->last()) != 0, i >= 2) << i;
		give(std::move(channel));
	}
	EXPECT_TRUE(comes_back(take_used(old), old));
}

TEST_F(ChannelPool, AGroupEnds)
{
	drv::ChannelConfig first, second;
	first.group = 1;
	second.group = 2;
	auto one = take(first), other = take(second);
	const drv::Channel *kept = other.get();
	give(std::move(one));
	give(std::move(other));
	device_->pool().drop(1);
	EXPECT_EQ(take(second).get(), kept);
	device_->pool().drop(1);
	EXPECT_FALSE(device_->pool().clear());
}

} // namespace
