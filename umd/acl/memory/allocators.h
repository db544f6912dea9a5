// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "base/status.h"
#include "base/sync/mutex.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct AllocatorHooks - the functions of an allocator that the program provides. */
struct AllocatorHooks {
	void *object = nullptr;
	void *(*alloc)(void *, size_t) = nullptr;
	void (*free)(void *, void *) = nullptr;
	void *(*alloc_advise)(void *, size_t, void *) = nullptr;
	void *(*address_of)(void *) = nullptr;
};

/** struct AllocatorDescription - hooks that a program is about to register. */
struct AllocatorDescription {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	AllocatorHooks hooks;
};

/** class Allocators - descriptions, and the hooks by stream. A registration is a copy, so the
 * description may change or be destroyed afterwards. Context: any thread. */
class Allocators {
public:
	static Allocators &get() { return Process::own<Allocators>(); }

	struct Registration {
		void *description;
		AllocatorHooks hooks;
	};

	base::Mutex mutex{"Allocators::mutex"};
	HandleTable<AllocatorDescription, Kind::ALLOCATOR> descriptions GUARDED_BY(mutex);
	/* indexed by the handle of the stream */
	std::map<uint64_t, Registration> by_stream GUARDED_BY(mutex);
};

} // namespace umd
