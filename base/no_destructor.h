// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <utility>

namespace base {

/** class NoDestructor - an object that is never destroyed: `static NoDestructor<T> made;` in a function. So
 * other threads may still use it while the process exits. */
template <class T> class NoDestructor {
public:
	template <class... Arguments> explicit NoDestructor(Arguments &&...arguments)
	{
		new (bytes_) T(std::forward<Arguments>(arguments)...);
	}
	NoDestructor(const NoDestructor &) = delete;
	NoDestructor &operator=(const NoDestructor &) = delete;

	T &operator*() { return *std::launder(reinterpret_cast<T *>(bytes_)); }
	T *operator->() { return &**this; }

private:
	alignas(T) unsigned char bytes_[sizeof(T)];
};

} // namespace base
