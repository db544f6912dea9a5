// SPDX-License-Identifier: MIT
/**
 * DOC: Held objects
 *
 * An API call that finds an object by its handle holds it with a hazard pointer until the call ends: it
 * publishes the object and then checks that the object still has the handle. The destroyer makes the
 * handle stale first. It frees or reuses the object when no hazard pointer names it. The pairs are G1 and
 * G2 of stay.h, with the handle as the mark.
 */
#pragma once

#include <cstdint>
#include <utility>

#include "base/status.h"
#include "hazard.h"

namespace umd {

/**
 * class Held - an object that no thread frees before the end of the scope, or the reason why there is none.
 * Context: the thread that made it. While it holds the object it takes no lock that a destroyer of such
 * objects may hold while it waits (deadlock); see leave().
 */
template <class T> class [[nodiscard]] Held {
public:
	/** struct Parts - the contents of a Held, which a function can return in registers. */
	struct Parts {
		T *object;
		uintptr_t rest;
	};

	Held() = default;
	Held(base::Status failure) : parts_{nullptr, static_cast<uintptr_t>(failure)} {}
	explicit Held(const Parts &parts) : parts_(parts) {}

	/** Held() - the live object of @handle in @table, or nothing. */
	template <class Table> Held(const Table &table, const void *handle)
	{
		if (T *object = table.find(handle)) [[likely]]
			take_if_live<Table>(*object, HazardPointer::find_free(), handle);
	}

	/** Held() - holds @object, if it has not ended; T has `std::atomic<bool> ends`. */
	explicit Held(T &object)
	{
		const void **slot = HazardPointer::find_free();
		HazardPointer::name(*slot, &object);
		if (!object.ends.load()) [[likely]]
			keep(object, slot);
		else
			HazardPointer::unname(*slot);
	}
	Held(Held &&from) noexcept : parts_(from.release()) {}
	Held &operator=(Held &&from) noexcept
	{
		leave();
		parts_ = from.release();
		return *this;
	}
	~Held() { leave(); }

	/** peek() - as Held(table, handle), but calls no function: empty if no slot is at hand. */
	template <class Table> static Held peek(const Table &table, const void *handle)
	{
		Held held;
		T *object = table.find(handle);
		const void **slot = HazardPointer::peek_free();
		if (object && slot) [[likely]]
			held.template take_if_live<Table>(*object, slot, handle);
		return held;
	}

	/** leave() - stops holding the object before the end of the scope. */
	void leave()
	{
		if (parts_.object)
			HazardPointer::unname(*reinterpret_cast<const void **>(parts_.rest));
		parts_ = NOTHING;
	}

	/** release() - moves the contents out; the caller makes a Held of them. */
	Parts release() { return std::exchange(parts_, NOTHING); }

	explicit operator bool() const { return parts_.object != nullptr; }
	base::Status status() const
	{
		return parts_.object ? base::Status::OK : static_cast<base::Status>(parts_.rest);
	}
	T &operator*() const { return *parts_.object; }
	T *operator->() const { return parts_.object; }
	T *get() const { return parts_.object; }

	/** take() - moves the hold out, as base::Result::take(), so that TRY yields it. */
	Held take() { return std::move(*this); }

private:
	static constexpr Parts NOTHING = {nullptr,
					  static_cast<uintptr_t>(base::Status::INVALID_HANDLE)};

	template <class Table> void take_if_live(T &object, const void **slot, const void *handle)
	{
		HazardPointer::name(*slot, &object);
		if (Table::is_live(object, handle)) [[likely]]
			keep(object, slot);
		else
			HazardPointer::unname(*slot);
	}

	void keep(T &object, const void **slot)
	{
		parts_ = {&object, reinterpret_cast<uintptr_t>(slot)};
	}

	/* @rest: the slot that names the object; or, if there is no object, the Status that tells why. */
	Parts parts_ = NOTHING;
};

} // namespace umd
