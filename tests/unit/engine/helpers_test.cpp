// SPDX-License-Identifier: MIT
/*
 * DOC: Threads that help engines, tested
 *
 * A gate blocks the threads of the engines, so that only helping threads work.
 */
#include <cstring>
#include <memory>
#include <vector>

#include <sched.h>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/sync/ordering.h"
#include "firmware_sim/core/core.h"
#include "firmware_sim/engine/engine.h"

namespace {

constexpr uint64_t BYTES = (uint64_t{5} << 20) + 100;
constexpr uint32_t ENGINES = 2;

class Helpers : public testing::Test {
protected:
	~Helpers() override { open(); }

	void open() { base::store_release(open_, uint32_t{1}); }

	/* A fill of all bytes with @value. */
	std::unique_ptr<fw::Job> fill(uint8_t value)
	{
		auto job = std::make_unique<fw::Job>();
		job->packet.opcode = UNPU_OP_FILL;
		job->packet.fill.bytes = BYTES;
		job->packet.fill.width = 1;
		job->packet.fill.pattern = value;
		job->bytes = BYTES;
		job->operands[0] = memory_.data();
		return job;
	}

	uint64_t filled(uint8_t value) const
	{
		uint64_t count = 0;
		for (std::byte byte : memory_)
			count += byte == std::byte{value};
		return count;
	}

	bool help(uint64_t value, uint64_t deadline_ns = base::NO_DEADLINE)
	{
		return engines_->help(word_, value, deadline_ns);
	}

	base::Status wait() const
	{
		while (!engines_->finished())
			sched_yield();
		return engines_->take_finished()->status;
	}

	uint64_t word_ = 1;
	std::vector<std::byte> memory_ = std::vector<std::byte>(BYTES);

	uint32_t told_ = 0; /* how often the device was told that a job has ended */

private:
	uint32_t open_ = 0;

protected:
	const std::unique_ptr<fw::Engines, fw::Stop> engines_{new fw::Engines(
		ENGINES, [this] { base::fetch_add(told_, uint32_t{1}); },
		[this](uint32_t) {
			while (base::load_acquire(open_) == 0)
				sched_yield();
		})};
};

TEST_F(Helpers, DoAllThatNoEngineHasCome)
{
	EXPECT_FALSE(help(2)) << "there is nothing to do";
	engines_->submit(fill(7));
	EXPECT_TRUE(help(2));
	EXPECT_EQ(filled(7), BYTES);
	EXPECT_TRUE(engines_->finished());
	EXPECT_EQ(wait(), base::Status::OK);
	EXPECT_FALSE(help(2));
}

TEST_F(Helpers, LeaveItToTheirCallerToTellTheDeviceThatAJobHasEnded)
{
	engines_->submit(fill(7));
	EXPECT_TRUE(help(1));
	EXPECT_FALSE(engines_->finished()) << "one piece of several is done";
	EXPECT_TRUE(help(2));
	EXPECT_TRUE(engines_->finished());
	EXPECT_EQ(base::load_relaxed(told_), 0u) << "the caller moves the device";
	EXPECT_EQ(wait(), base::Status::OK);
}

TEST_F(Helpers, LeaveTheRestWhenTheyHaveWhatTheyWaitFor)
{
	engines_->submit(fill(7));
	EXPECT_TRUE(help(1));
	EXPECT_GT(filled(7), 0u);
	EXPECT_LT(filled(7), BYTES / 2);
	EXPECT_FALSE(engines_->finished());
	open();
	EXPECT_EQ(wait(), base::Status::OK);
	EXPECT_EQ(filled(7), BYTES);
}

TEST_F(Helpers, LeaveTheRestWhenTheirTimeIsOver)
{
	engines_->submit(fill(7));
	EXPECT_TRUE(help(2, base::now_ns()));
	EXPECT_LT(filled(7), BYTES / 2);
	open();
	EXPECT_EQ(wait(), base::Status::OK);
	EXPECT_EQ(filled(7), BYTES);
}

TEST_F(Helpers, DoNoWorkThatHasNoPieces)
{
	bool done = false;
	auto job = std::make_unique<fw::Job>();
	job->work = [&done] { done = true; };
	job->bytes = BYTES;
	engines_->submit(std::move(job));
	engines_->submit(fill(7));
	EXPECT_FALSE(help(2));
	EXPECT_FALSE(done);
	open();
	EXPECT_EQ(wait(), base::Status::OK);
	EXPECT_EQ(wait(), base::Status::OK);
	EXPECT_TRUE(done);
	EXPECT_EQ(filled(7), BYTES);
}

TEST_F(Helpers, LeaveDroppedWork)
{
	engines_->submit(fill(7));
	engines_->drop_client(nullptr);
	EXPECT_FALSE(help(2));
	EXPECT_EQ(filled(7), 0u);
}

} // namespace
