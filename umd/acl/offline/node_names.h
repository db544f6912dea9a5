// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/sync/mutex.h"
#include "umd/core/process/process.h"

namespace umd {

class Instance;

/** class NodeNames - finds the instance of a model to which a failed node of a graph belongs. A cookie has room for the
 * numbers of 255 of them; what more there are has the number 0, and failures of its nodes are told without a name.
 * Context: any thread, which may hold a lock of a context. */
class NodeNames {
public:
	static NodeNames &get() { return Process::own<NodeNames>(); }

	/** add() - Return: the number for the cookies of the instance's nodes. */
	uint8_t add(const std::weak_ptr<const Instance> &instance);
	void remove(uint8_t number);

	/** text() - "model 3 (look), Gather find (opset 17)"; "" for a number that no instance has. */
	std::string text(uint8_t number, uint32_t node);

private:
	base::Mutex mutex_{"NodeNames::mutex_"};
	struct Place {
		bool is_used = false;
		std::weak_ptr<const Instance> instance;
	};
	std::array<Place, 256> places_ GUARDED_BY(mutex_);
	size_t last_ GUARDED_BY(mutex_) = 0; /* the number given last */
};

} // namespace umd
