// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace base {

/** overlap() - whether two ranges, neither of them empty, have a byte in common. */
inline bool overlap(std::span<const std::byte> one, std::span<const std::byte> other)
{
	auto distance =
		reinterpret_cast<uintptr_t>(one.data()) - reinterpret_cast<uintptr_t>(other.data());
	return distance < other.size() || -distance < one.size();
}

/** copy_piece() - memmove() of one piece of a copy of @whole bytes. It uses the method that was fastest
 * on this machine for copies of about @whole bytes. Context: any thread */
void copy_piece(void *to, const void *from, size_t bytes, size_t whole);

/** copy_bytes() - copy_piece() for a copy that consists of one piece. */
inline void copy_bytes(void *to, const void *from, size_t bytes)
{
	copy_piece(to, from, bytes, bytes);
}

/** copy_method() - name of the method for copies of @bytes; "" until measurements have chosen one. */
const char *copy_method(size_t bytes);

/** copy_streamed() - memcpy() with non-temporal stores, which do not fill the caches with the target. */
void copy_streamed(std::byte *to, const std::byte *from, size_t bytes);

/** copy_string() - memcpy() by the processor's string instruction, if it has one. */
void copy_string(std::byte *to, const std::byte *from, size_t bytes);

} // namespace base
