// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "umd/core/object/context_object.h"

namespace umd {

/** class ContextSet - the contexts that an executable graph needs, each once. Context: the caller's lock. */
class ContextSet {
public:
	/** add() - adds a context. @context: its handle; 0 for none. */
	void add(uint64_t context);

	bool empty() const { return handles_.empty(); }

	/** are_live() - whether none of the contexts has ended. */
	bool are_live() const { return ended() == 0; }

	/** check() - Return: CONTEXT_DYING if one of the contexts has ended, sets the error message. */
	base::Status check() const;

	/** hold() - keeps all contexts alive as long as @holds exists.
	 * @kept: the context that the caller keeps alive anyway. Return: as check(). */
	base::Status hold(const Context &kept, std::vector<ContextHold> &holds) const;

private:
	uint64_t ended() const;

	std::vector<uint64_t> handles_;
};

} // namespace umd
