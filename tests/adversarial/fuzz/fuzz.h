// SPDX-License-Identifier: MIT
/**
 * DOC: what the fuzz targets at the wire have in common
 *
 * A target lives in one process with one device, and is the only thread that steps it. So no thread
 * sleeps, and an input ends after a bounded number of steps. Before the next input, the target
 * removes the objects of the last one, and now and then the whole client.
 */
#pragma once

#include <functional>

#include "input.h"
#include "tests/unit/support/wire_client.h"

namespace fuzz {

/* Steps of one input; what still moves then may be an endless loop, which a graph can have. */
constexpr unsigned STEPS = 512;

/* step() - Return: whether the device came to rest. */
inline bool step(fw::Device &device, unsigned steps = STEPS)
{
	for (unsigned i = 0; i < steps; i++) {
		if (!device.step())
			return true;
	}
	return false;
}

/* break_on_failure() - a check of the client that fails is a finding. */
inline void break_on_failure()
{
	testing::GTEST_FLAG(break_on_failure) = true;
}

/* class World - a device, a client of it with a channel, made again now and then. */
class World {
public:
	World() : device_(wire::make_device()) { break_on_failure(); }
	virtual ~World() = default;

	/* client() - at the beginning of an input. */
	wire::Client &client()
	{
		if (!client_ || ++inputs_ % INPUTS_PER_CLIENT == 0 ||
		    client_->broken() != base::Status::OK)
			renew();
		return *client_;
	}

protected:
	static constexpr uint64_t INPUTS_PER_CLIENT = 1024;

	/* set_up() - what inputs need of a client without a past, besides its channel. */
	virtual void set_up() = 0;

	/* settle() - the packets up to @wanted have so many steps, or are aborted. */
	void settle(uint64_t wanted, unsigned steps = STEPS)
	{
		if (step(*device_, steps) && channel_->retired() == wanted)
			return;
		expect(client_->broken() != base::Status::OK ||
			       channel_->abort() == base::Status::OK,
		       "a channel can't be aborted");
	}

	/* check() - at the end of an input. A client can stop its channel, and spoil the timeline of
	 * any other one of its own. */
	void check()
	{
		if (client_->broken() != base::Status::OK || works())
			return;
		renew_channel();
		if (works())
			return;
		renew();
		expect(works(), "a new client's channel is stuck");
	}

	std::unique_ptr<fw::Device> device_;
	std::unique_ptr<wire::Client> client_;
	std::unique_ptr<wire::Channel> channel_;

private:
	void renew()
	{
		channel_.reset();
		client_.reset();
		client_ = std::make_unique<wire::Client>(*device_);
		set_up();
		renew_channel();
	}

	void renew_channel()
	{
		if (channel_)
			(void)channel_->destroy();
		channel_ = std::make_unique<wire::Channel>(*client_);
	}

	bool works()
	{
		(void)channel_->control(UNPU_CHANNEL_CLEAR_STATUS);
		uint64_t wanted = channel_->publish(drv::nop_packet(1));
		return step(*device_) && channel_->retired() == wanted;
	}

	uint64_t inputs_ = 0;
};

} // namespace fuzz
