// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "status.h"

namespace base {

/**
 * class Result - a value, or the status that says why there is none.
 *
 * Below the C API every function that can fail returns a Status or a Result; nothing throws.
 */
template <class T> class [[nodiscard]] Result {
public:
	Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
	Result(Status status) : state_(std::in_place_index<1>, status) {}

	bool ok() const { return state_.index() == 0; }
	explicit operator bool() const { return ok(); }
	Status status() const { return ok() ? Status::OK : std::get<1>(state_); }

	T &operator*() { return *std::get_if<0>(&state_); }
	const T &operator*() const { return *std::get_if<0>(&state_); }
	T *operator->() { return std::get_if<0>(&state_); }
	const T *operator->() const { return std::get_if<0>(&state_); }
	T take() { return std::move(*std::get_if<0>(&state_)); }

private:
	std::variant<T, Status> state_;
};

/** IS_PLAIN - whether T can be copied as bytes. */
template <class T>
constexpr bool IS_PLAIN = std::is_trivially_copyable_v<T> &&std::is_default_constructible_v<T>;

/** class Result - specialization for plain values, small enough to be returned in registers. */
template <class T>
requires(IS_PLAIN<T>) class [[nodiscard]] Result<T> {
public:
	Result(T value) : value_(value) {}
	Result(Status status) : failure_(static_cast<uint32_t>(status) + 1) {}

	bool ok() const { return failure_ == 0; }
	explicit operator bool() const { return ok(); }
	Status status() const { return ok() ? Status::OK : static_cast<Status>(failure_ - 1); }

	T &operator*() { return value_; }
	const T &operator*() const { return value_; }
	T *operator->() { return &value_; }
	const T *operator->() const { return &value_; }
	T take() { return value_; }

private:
	T value_{};
	uint32_t failure_ = 0; /* the status plus 1; 0: there is a value */
};

} // namespace base

/* TRY - if the code of @expression is not 0, returns it from the calling function. 0 is Status::OK, and
 * success in each interface. */
#define TRY(expression) \
	do { \
		if (auto try_code_ = (expression); try_code_ != decltype(try_code_){}) \
			return try_code_; \
	} while (0)
