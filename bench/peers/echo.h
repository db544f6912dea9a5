// SPDX-License-Identifier: MIT
#pragma once

#include <thread>

#include "base/sync/ordering.h"

namespace bench {

/** struct Descriptor - as much as a command is. */
struct alignas(64) Descriptor {
	uint64_t words[8] = {};
};

/**
 * class Echo - a thread that answers each descriptor of one queue by one in the other; both sides
 * poll. @send puts one in and says whether there was room, @receive takes one out if there is one.
 */
template <class Queue> class Echo {
public:
	Echo(Queue &there, Queue &back) : there_(there), back_(back), thread_([this] { serve(); })
	{
	}
	~Echo()
	{
		base::store_release(stop_, 1u);
		thread_.join();
	}

	void trip()
	{
		Descriptor descriptor;
		descriptor.words[0] = ++sent_;
		while (!there_.send(descriptor))
			base::cpu_relax();
		while (!back_.receive(descriptor))
			base::cpu_relax();
	}

private:
	void serve()
	{
		Descriptor descriptor;
		while (base::load_acquire(stop_) == 0) {
			if (!there_.receive(descriptor)) {
				base::cpu_relax();
				continue;
			}
			while (!back_.send(descriptor))
				base::cpu_relax();
		}
	}

	Queue &there_;
	Queue &back_;
	uint64_t sent_ = 0;
	uint32_t stop_ = 0;
	std::thread thread_;
};

} // namespace bench
