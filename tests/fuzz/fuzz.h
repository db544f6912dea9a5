// SPDX-License-Identifier: MIT
/**
 * DOC: what the fuzz targets at the wire have in common
 *
 * A target lives in one process with one device that it alone steps: nothing sleeps, and an input
 * ends after a bounded number of steps. What one input leaves behind is taken away before the next,
 * now and then together with the client.
 */
#pragma once

#include <functional>

#include "input.h"
#include "tests/unit/wire_client.h"

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

/* class World - a device and a client of it, made again now and then. */
class World {
public:
	World() : device_(wire::make_device()) { break_on_failure(); }

	/* client() - at the beginning of an input. */
	wire::Client &client()
	{
		if (!client_ || ++inputs_ % INPUTS_PER_CLIENT == 0 ||
		    client_->broken() != base::Status::OK)
			renew();
		return *client_;
	}

	/* renew() - a client without a past. */
	virtual void renew()
	{
		client_.reset();
		client_ = std::make_unique<wire::Client>(*device_);
	}
	virtual ~World() = default;

protected:
	static constexpr uint64_t INPUTS_PER_CLIENT = 1024;

	std::unique_ptr<fw::Device> device_;
	std::unique_ptr<wire::Client> client_;

private:
	uint64_t inputs_ = 0;
};

} // namespace fuzz
