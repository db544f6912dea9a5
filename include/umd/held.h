// SPDX-License-Identifier: MIT
/**
 * DOC: Held objects
 *
 * A call that finds an object by its handle holds it until the call ends, by a hazard pointer: it names
 * the object and then checks that the object still has the handle. A thread that takes an object away
 * makes the handle stale. It frees the object, or uses it again, when no hazard pointer names it. The
 * pairs are G1 and G2 of stay.h, with the handle as the mark.
 */
#pragma once

#include <utility>

#include "base/status.h"
#include "umd/stay.h"

namespace umd {

/**
 * class Held - an object that is not taken away before the end of the scope, or why there is none.
 * Context: the thread that made it. While it holds the object it waits for no lock that a thread which
 * takes such objects away may have; see leave().
 */
template <class T> class [[nodiscard]] Held {
public:
	Held() = default;
	Held(base::Status failure) : failure_(failure) {}

	/** Held() - the live object of @handle in @table, or nothing. */
	template <class Table> Held(const Table &table, const void *handle)
	{
		T *object = table.find(handle);
		if (!object)
			return;
		pointer_.set(object);
		if (table.is_live(*object, handle)) [[likely]]
			object_ = object;
	}

	/** Held() - @object, if it has not ended; T has `std::atomic<bool> ends`. */
	explicit Held(T &object)
	{
		pointer_.set(&object);
		if (!object.ends.load()) [[likely]]
			object_ = &object;
	}
	Held(Held &&from) noexcept
		: pointer_(std::move(from.pointer_)), object_(std::exchange(from.object_, nullptr)),
		  failure_(from.failure_)
	{
	}
	Held &operator=(Held &&from) noexcept
	{
		pointer_ = std::move(from.pointer_);
		object_ = std::exchange(from.object_, nullptr);
		failure_ = from.failure_;
		return *this;
	}

	/** leave() - lets it go before the end of the scope. */
	void leave()
	{
		pointer_.clear();
		object_ = nullptr;
	}

	explicit operator bool() const { return object_ != nullptr; }
	base::Status status() const { return object_ ? base::Status::OK : failure_; }
	T &operator*() const { return *object_; }
	T *operator->() const { return object_; }
	T *get() const { return object_; }

	/** take() - as that of base::Result; the object is held for as long as this lives. */
	T *take() const { return object_; }

private:
	HazardPointer pointer_;
	T *object_ = nullptr;
	base::Status failure_ = base::Status::INVALID_HANDLE;
};

} // namespace umd
