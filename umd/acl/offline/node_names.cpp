// SPDX-License-Identifier: MIT
/**
 * DOC: Names of failed nodes
 *
 * A failure names a node of a graph by a number. For nodes of models the number of their instance is beside it.
 */
#include "node_names.h"

#include <mutex>

#include "instance.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/process/failure_note.h"

namespace umd {

static std::string node_text(uint8_t program, uint32_t node)
{
	return NodeNames::get().text(program, node);
}

uint8_t NodeNames::add(const std::weak_ptr<const Instance> &instance)
{
	FailureNotes::get().set(node_text);
	const std::lock_guard lock(mutex_);
	/* A program may ask for a failure after the unload of the model. So a number is free for as long as possible
	 * before another instance has it, and is told as a node of that one. */
	for (size_t k = 1; k < places_.size(); k++) {
		last_ = last_ % (places_.size() - 1) + 1;
		if (!places_[last_].is_used) {
			places_[last_] = {true, instance};
			return static_cast<uint8_t>(last_);
		}
	}
	return 0;
}

void NodeNames::remove(uint8_t number)
{
	const std::lock_guard lock(mutex_);
	places_[number] = {};
}

std::string NodeNames::text(uint8_t number, uint32_t node)
{
	std::shared_ptr<const Instance> instance;
	{
		const std::lock_guard lock(mutex_);
		instance = places_[number].instance.lock();
	}
	if (!instance)
		return {};
	std::string text = instance->node_text(node);
	/* Another thread may have unloaded the model meanwhile, and this one may hold a lock. */
	KernelLeftovers::get().add_owner(std::move(instance));
	return text;
}

} // namespace umd
