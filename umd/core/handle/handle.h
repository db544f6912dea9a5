// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/os/thread.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "base/zeroed.h"
#include "handle_word.h"
#include "hazard.h"

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
	BUFFER = 0x5a,
	GRAPH = 0x5b,
	GRAPH_NODE = 0x5c,
	GRAPH_EXEC = 0x5d,
	USER_OBJECT = 0x5e,
	CHANNEL = 0x5f,
	STAMP = 0x50,
	MODEL_STREAM = 0x60,
	MODEL_TASK = 0x61,
	TASK_GROUP = 0x62,
	CONDITION = 0x63,
	LABEL = 0x64,
	LABEL_LIST = 0x65,
	FILE = 0x66,
	EXECUTOR = 0x67,
	BINARY = 0x68,
	FUNCTION = 0x69,
	KERNEL_ARGS = 0x6a,
	BINARY_DATA = 0x6b,
	DATA_BUFFER = 0x6c,
	TENSOR_DESC = 0x6d,
	EXCEPTION = 0x6e,
	PROFILE_CONFIG = 0x6f,
	SUBSCRIPTION = 0x70,
	PROFILE_STEP = 0x71,
	TENSOR = 0x72,
	SCALAR = 0x73,
	INT_ARRAY = 0x74,
	FLOAT_ARRAY = 0x75,
	BOOL_ARRAY = 0x76,
	TENSOR_LIST = 0x77,
	SCALAR_LIST = 0x78,
	RTC_PROGRAM = 0x79,
	DATASET = 0x7a,
	MODEL_DESC = 0x7b,
	MODEL_CONFIG = 0x7c,
	RUN_CONFIG = 0x7d,
	AIPP = 0x7e,
	OP_ATTR = 0x7f,
	OP = 0x80,
	PICTURE_CHANNEL = 0x81,
	PICTURE = 0x82,
	PICTURES = 0x83,
	REGION = 0x84,
	SCALING = 0x85,
};

/**
 * class HandleTable - objects that API users refer to by an opaque pointer.
 *
 * A handle is tag, generation and index, never an address: bits 0-23 index + 1, 24-55 generation,
 * 56-63 tag. Objects are reused, never freed. The look-up of a stale, foreign or invented handle
 * therefore reads valid memory and finds another generation there. An object that has used up its
 * generations is not reused, so no handle is ever given out twice.
 *
 * Each thread caches some free objects, so that threads which create and destroy objects write no common
 * cache line.
 *
 * T has `HandleWord handle` (0 while free). If T has `void on_idle()`, threads may hold its objects
 * (held.h): when no thread holds a retired object, the table calls on_idle() and reuses it.
 * `bool is_scarce()` tells whether a retired object may own a limited resource (semaphores, descriptors);
 * sweep() frees those of all threads. Context: any thread; get() takes no lock.
 *
 * A type with `IS_RARE` is one of which programs make few objects; its table uses less thread-local data.
 *
 * @GENERATIONS: how often an object may be used
 */
template <class T, Kind KIND, uint64_t GENERATIONS = uint64_t{1} << 32> class HandleTable {
public:
	static constexpr uint32_t MAX_OBJECTS = 1u << 22;

	HandleTable() : chunks_(MAX_OBJECTS / CHUNK) {}

	/** create() - gives a free object a new handle. Return: nullptr if all objects are in use. */
	T *create()
	{
		if ((kept().table != this || !kept().first) && !refill()) [[unlikely]]
			return nullptr;
		Entry &entry = *kept().first;
		kept().first = entry.next;
		kept().count--;
		uint64_t handle = uint64_t{static_cast<uint8_t>(KIND)} << 56 |
				  uint64_t{++entry.generation} << 24 | (entry.index + 1);
		entry.handle.set(handle);
		return &entry;
	}

	/** get() - the live object of a handle, or nullptr. */
	T *get(const void *handle) const
	{
		T *object = find(handle);
		return object && is_live(*object, handle) ? object : nullptr;
	}

	/** is_live() - whether @handle is the one that @object has now. */
	static bool is_live(const T &object, const void *handle)
	{
		return object.handle.now() == reinterpret_cast<uint64_t>(handle);
	}

	/** find() - the object that has @handle or had it; nullptr if @handle belongs to no object. */
	T *find(const void *handle) const
	{
		auto value = reinterpret_cast<uint64_t>(handle);
		uint32_t index = static_cast<uint32_t>(value & 0xffffff) - 1;
		if (value >> 56 != static_cast<uint8_t>(KIND) || index >= MAX_OBJECTS)
			return nullptr;
		Entry *chunk = base::load_acquire(chunks_[index / CHUNK]);
		if (!chunk)
			return nullptr;
		return &chunk[index % CHUNK];
	}

	/** retire() - makes the handle stale; the caller then calls recycle().
	 * Return: false if it was stale already. If several threads call it, exactly one gets true. */
	static bool retire(T &object, const void *handle)
	{
		auto value = reinterpret_cast<uint64_t>(handle);
		return value != 0 && object.handle.clear(value);
	}

	/** destroy() - retire() and recycle(). Context: no other thread can destroy the object, or a lock of
	 * the caller excludes that. */
	void destroy(T &object)
	{
		if (retire(object, pointer(object)))
			recycle(object);
	}

	/** recycle() - lets the table reuse a retired object. The caller has reset its fields, or
	 * on_idle() does. */
	void recycle(T &object)
	{
		auto &entry = static_cast<Entry &>(object);
		if constexpr (HELD) {
			if (object.is_scarce())
				return leave_scarce(entry);
			adopt();
			entry.next = kept().left;
			kept().left = &entry;
			if (++kept().left_count >= MOST_LEFT) [[unlikely]]
				sift();
		} else {
			keep(entry);
		}
	}

	/** sweep() - frees at once, without waiting for a full batch, the scarce objects that any thread
	 * retired and that no thread holds. */
	void sweep()
	{
		Entry *left;
		{
			std::lock_guard lock(mutex_);
			left = std::exchange(scarce_, nullptr);
			scarce_count_ = 0;
		}
		if (!left)
			return;
		const HazardSnapshot named;
		while (left) {
			Entry &entry = *std::exchange(left, left->next);
			if (named.has(static_cast<const T *>(&entry)))
				add_scarce(entry);
			else
				set_free(entry);
		}
	}

	static uint32_t index(const T &object) { return static_cast<const Entry &>(object).index; }

	static void *pointer(const T &object)
	{
		return reinterpret_cast<void *>(object.handle.now());
	}

	/** live() - the number of live objects. Context: as for_each(). */
	uint32_t live()
	{
		uint32_t count = 0;
		for_each([&](T &) { count++; });
		return count;
	}

	/** for_each() - visits every live object. Context: no thread creates or destroys objects
	 * meanwhile. */
	template <class F> void for_each(F visit)
	{
		for (uint32_t i = 0; i < count_; i++) {
			T &object = chunks_[i / CHUNK][i % CHUNK];
			if (object.handle != 0)
				visit(object);
		}
	}

	/** find_handle() - the handle of a live object for which @is_wanted returns true, or nullptr. Other threads may
	 * create and destroy objects meanwhile, so @is_wanted reads atomic words only. */
	template <class F> const void *find_handle(F is_wanted)
	{
		uint32_t count;
		{
			std::lock_guard lock(mutex_);
			count = count_;
		}
		for (uint32_t i = 0; i < count; i++) {
			const T &object = base::load_acquire(chunks_[i / CHUNK])[i % CHUNK];
			const uint64_t handle = object.handle.now();
			if (handle != 0 && is_wanted(object))
				return reinterpret_cast<const void *>(handle);
		}
		return nullptr;
	}

private:
	static constexpr uint32_t CHUNK = 256;
	/* KEPT: the most free objects that a thread caches. AT_ONCE: how many it fetches or returns at
	 * once. */
	static constexpr bool HELD = requires(T & object) { object.on_idle(); };
	static constexpr uint32_t KEPT = HELD ? 256 : 64;
	static constexpr uint32_t AT_ONCE = 32;
	/* Retired objects per batch: one heavy fence serves them all. */
	static constexpr uint32_t MOST_LEFT = KEPT / 2;

	struct Entry : T {
		uint32_t index = 0;
		uint32_t generation = 0;
		uint64_t uses = 0;
		Entry *next = nullptr;
	};

	/* struct Kept - a thread's cache of free objects of the table that it used last. Small, because a
	 * library that is loaded with dlopen() gets little space for thread-local data. */
	struct Kept : base::AtThreadExit {
		uint16_t count = 0;
		uint16_t left_count = 0;
		HandleTable *table = nullptr;
		Entry *first = nullptr;
		Entry *left = nullptr; /* retired; another thread may still hold them */
	};

	/* The cache of a rare type is allocated when a thread needs it. */
	static constexpr bool RARE = requires { T::IS_RARE; };
	using Own = std::conditional_t<RARE, Kept *, Kept>;
	static inline thread_local constinit Own own_{};

	static Kept &kept()
	{
		if constexpr (RARE) {
			if (!own_)
				own_ = new Kept;
			return *own_;
		} else {
			return own_;
		}
	}

	/* Puts a free object into the thread's cache. */
	void keep(Entry &entry)
	{
		if (++entry.uses == GENERATIONS) [[unlikely]]
			return;
		if (kept().table != this || kept().count == KEPT) [[unlikely]]
			make_room();
		entry.next = kept().first;
		kept().first = &entry;
		kept().count++;
	}

	void set_free(Entry &entry)
	{
		entry.on_idle();
		keep(entry);
	}

	/* Counts a scarce object. Return: how many scarce objects wait for sweep(). */
	unsigned add_scarce(Entry &entry)
	{
		std::lock_guard lock(mutex_);
		entry.next = scarce_;
		scarce_ = &entry;
		return ++scarce_count_;
	}

	void leave_scarce(Entry &entry)
	{
		if (add_scarce(entry) >= MOST_LEFT)
			sweep();
	}

	/* Reads the hazard pointers once for all objects that this thread retired, and frees those not
	 * held. */
	void sift()
	{
		const HazardSnapshot named;
		Entry *left = std::exchange(kept().left, nullptr);
		kept().left_count = 0;
		while (left) {
			Entry &entry = *left;
			left = entry.next;
			if (named.has(static_cast<const T *>(&entry))) [[unlikely]] {
				entry.next = kept().left;
				kept().left = &entry;
				kept().left_count++;
				continue;
			}
			set_free(entry);
		}
	}

	/* The first generations differ widely between entries, so that no two handles look alike. */
	void add_chunk(uint32_t first)
	{
		constexpr uint32_t SPREAD = 0x9e3779b1;
		Entry *chunk = new Entry[CHUNK];
		for (uint32_t i = 0; i < CHUNK; i++) {
			chunk[i].index = first + i;
			chunk[i].generation = (first + i) * SPREAD;
		}
		base::store_release(chunks_[first / CHUNK], chunk);
	}

	Entry *take() REQUIRES(mutex_)
	{
		if (Entry *entry = free_) {
			free_ = entry->next;
			return entry;
		}
		if (count_ == MAX_OBJECTS)
			return nullptr;
		uint32_t index = count_++;
		if (index % CHUNK == 0)
			add_chunk(index);
		return &chunks_[index / CHUNK][index % CHUNK];
	}

	/* In a forked child it only empties the cache: the objects belong to a table of the parent. */
	static void give_back_all(base::AtThreadExit &hook, bool in_fork)
	{
		auto &kept = static_cast<Kept &>(hook);
		if (in_fork) {
			kept.first = kept.left = nullptr;
			kept.count = kept.left_count = 0;
		} else if (kept.table)
			kept.table->leave_all();
		kept.table = nullptr;
	}

	static void end_cache(base::AtThreadExit &hook, bool in_fork)
	{
		give_back_all(hook, in_fork);
		if constexpr (RARE)
			delete std::exchange(own_, nullptr);
	}

	/* Objects that other threads still hold are never reused. */
	void leave_all()
	{
		if constexpr (HELD)
			sift();
		kept().left = nullptr;
		kept().left_count = 0;
		give_back(kept().count);
	}

	void give_back(uint32_t count)
	{
		std::lock_guard lock(mutex_);
		for (; count != 0; count--) {
			Entry *entry = kept().first;
			kept().first = entry->next;
			kept().count--;
			entry->next = free_;
			free_ = entry;
		}
	}

	/* Makes the thread's cache belong to this table. */
	void adopt()
	{
		if (kept().table == this)
			return;
		give_back_all(kept(), false);
		kept().table = this;
		kept().run = end_cache;
		/* If the hook can't be set, the cached objects are leaked when the thread ends; nothing else
		 * goes wrong. */
		(void)base::at_thread_exit(kept());
	}

	bool refill()
	{
		adopt();
		std::lock_guard lock(mutex_);
		for (unsigned i = 0; i < AT_ONCE; i++) {
			Entry *entry = take();
			if (!entry)
				break;
			entry->next = kept().first;
			kept().first = entry;
			kept().count++;
		}
		return kept().first != nullptr;
	}

	void make_room()
	{
		adopt();
		if (kept().count == KEPT)
			give_back(AT_ONCE);
	}

	base::Mutex mutex_{"HandleTable::mutex_"};
	base::Zeroed<Entry *> chunks_; /* atomic words */
	Entry *free_ GUARDED_BY(mutex_) = nullptr;
	/* retired; another thread may still hold them */
	Entry *scarce_ GUARDED_BY(mutex_) = nullptr;
	unsigned scarce_count_ GUARDED_BY(mutex_) = 0;
	uint32_t count_ = 0; /* set under the lock, and read by for_each() without */
};

} // namespace umd
