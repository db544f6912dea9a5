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
	for (size_t i = 1; i < places_.size(); i++)
		if (!places_[i].is_used) {
			places_[i] = {true, instance};
			return static_cast<uint8_t>(i);
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
