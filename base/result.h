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

/** struct CodeOf - the code of an interface for a failure. An interface whose functions use TRY specializes
 * it for the type that they return: `static Code make(Status)`. */
template <class Code> struct CodeOf;

/**
 * class TryFailure - what TRY returns: a Status that becomes what the calling function returns. That is a Status,
 * something made of one, such as a Result, or the code of an interface.
 */
class TryFailure {
public:
	explicit TryFailure(Status status) : status_(status) {}
	template <class To>
	requires(std::is_convertible_v<Status, To>) operator To() const { return status_; }
	template <class To>
	requires requires { CodeOf<To>::make(Status::OK); }
	operator To() const { return CodeOf<To>::make(status_); }

private:
	Status status_;
};

/** HAS_VALUE - whether T is a Result, or a type that can be used as one. */
template <class T> constexpr bool HAS_VALUE = requires(T &tried)
{
	tried.take();
	tried.status();
};

/* The three steps of TRY. What is no Result is a code, and 0 is success in each interface. */
template <class T> inline bool try_failed(const T &tried)
{
	if constexpr (HAS_VALUE<T>)
		return !tried;
	else
		return tried != T{};
}

template <class T> inline auto try_failure(const T &tried)
{
	if constexpr (HAS_VALUE<T>)
		return TryFailure(tried.status());
	else if constexpr (std::is_same_v<T, Status>)
		return TryFailure(tried);
	else
		return tried;
}

template <class T> inline auto try_value(T &tried)
{
	if constexpr (HAS_VALUE<T>)
		return tried.take();
}

} // namespace base

/* TRY - yields the value of a Result, moved out. If @expression has failed, returns why from the calling function.
 * A Status or a code of an interface has no value: TRY of it is a statement.
 *
 * Make it a statement, or all that is assigned or initialized: in an initializer list, gcc and clang do not
 * destroy the parts that were made before a TRY that returns. */
#define TRY(expression) \
	__extension__({ \
		auto tried_ = (expression); \
		if (::base::try_failed(tried_)) \
			return ::base::try_failure(tried_); \
		::base::try_value(tried_); \
	})
