// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace base {

/** class Zeroed - an array of a fixed number of words that are zero at first. The kernel gives a page of it when a
 * word of the page is used, so a large array that stays empty costs nothing. */
template <class T> class Zeroed {
	static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);

public:
	Zeroed() = default;
	explicit Zeroed(size_t count) : words_(static_cast<T *>(calloc(count, sizeof(T))))
	{
		if (!words_)
			throw std::bad_alloc();
	}

	T &operator[](size_t index) { return words_.get()[index]; }
	const T &operator[](size_t index) const { return words_.get()[index]; }

private:
	struct Free {
		void operator()(T *words) const { free(words); }
	};

	std::unique_ptr<T[], Free> words_;
};

} // namespace base
