// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "base/ordering.h"

namespace umd {

/** enum class Kind - the type tag in a handle. */
enum class Kind : uint8_t {
	CONTEXT = 0x51,
	STREAM = 0x52,
	EVENT = 0x53,
	MODEL = 0x54,
	PHYSICAL = 0x55,
	POOL = 0x56,
	ALLOCATOR = 0x57,
	NOTIFY = 0x58,
	COUNTER = 0x59,
};

/**
 * class HandleTable - objects that users know by an opaque pointer.
 *
 * A handle is tag, generation and index, never an address: bits 0-23 index + 1, 24-55 generation,
 * 56-63 tag. Objects stay where they are for ever and are used again, so looking up a stale, foreign
 * or invented handle reads memory that is still an object and finds another generation in it.
 *
 * T has `uint64_t handle` (0 while free). Context: any thread; get() takes no lock.
 */
template <class T, Kind KIND> class HandleTable {
public:
	static constexpr uint32_t MAX_OBJECTS = 1u << 22;

	HandleTable() : chunks_(MAX_OBJECTS / CHUNK, nullptr) {}

	/** create() - a free object with a new handle, or nullptr past the limit. */
	T *create()
	{
		std::lock_guard lock(mutex_);
		uint32_t index;
		if (!free_.empty()) {
			index = free_.front();
			free_.pop_front();
		} else if (count_ < MAX_OBJECTS) {
			index = count_++;
			if (index % CHUNK == 0)
				base::store_release(chunks_[index / CHUNK], new T[CHUNK]);
		} else {
			return nullptr;
		}
		T &object = chunks_[index / CHUNK][index % CHUNK];
		uint64_t generation = ++generation_ & 0xffffffff;
		uint64_t handle =
			uint64_t{static_cast<uint8_t>(KIND)} << 56 | generation << 24 | (index + 1);
		base::store_release(object.handle, handle);
		live_++;
		return &object;
	}

	/** get() - the live object of a handle, or nullptr. */
	T *get(const void *handle) const
	{
		auto value = reinterpret_cast<uint64_t>(handle);
		uint32_t index = static_cast<uint32_t>(value & 0xffffff) - 1;
		if (value >> 56 != static_cast<uint8_t>(KIND) || index >= MAX_OBJECTS)
			return nullptr;
		T *chunk = base::load_acquire(chunks_[index / CHUNK]);
		if (!chunk)
			return nullptr;
		T &object = chunk[index % CHUNK];
		return base::load_acquire(object.handle) == value ? &object : nullptr;
	}

	/** destroy() - the handle is stale from now on. The object's fields are the caller's care. */
	void destroy(T &object)
	{
		uint32_t index = static_cast<uint32_t>(object.handle & 0xffffff) - 1;
		base::store_release(object.handle, uint64_t{0});
		std::lock_guard lock(mutex_);
		free_.push_back(index);
		live_--;
	}

	static uint32_t index(const T &object)
	{
		return static_cast<uint32_t>(object.handle & 0xffffff) - 1;
	}

	static void *pointer(const T &object) { return reinterpret_cast<void *>(object.handle); }

	uint32_t live()
	{
		std::lock_guard lock(mutex_);
		return live_;
	}

	/** for_each() - visits every live object. Context: nothing creates or destroys meanwhile. */
	template <class F> void for_each(F visit)
	{
		for (uint32_t i = 0; i < count_; i++) {
			T &object = chunks_[i / CHUNK][i % CHUNK];
			if (object.handle != 0)
				visit(object);
		}
	}

private:
	static constexpr uint32_t CHUNK = 256;

	std::mutex mutex_;
	std::vector<T *> chunks_;
	std::deque<uint32_t> free_;
	uint32_t count_ = 0;
	uint32_t live_ = 0;
	uint64_t generation_ = 0;
};

} // namespace umd
