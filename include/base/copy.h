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

/** copy_piece() - memmove() of a piece of a copy of @whole bytes, by the method that copies of about
 * that size were fastest with, here. Context: any thread */
void copy_piece(void *to, const void *from, size_t bytes, size_t whole);

/** copy_bytes() - the same of a copy in one piece. */
inline void copy_bytes(void *to, const void *from, size_t bytes)
{
	copy_piece(to, from, bytes, bytes);
}

/** copy_method() - for people: how copies of @bytes are made; "" while that is being found out. */
const char *copy_method(size_t bytes);

/** copy_streamed() - memcpy() that does not leave the target in the caches. */
void copy_streamed(std::byte *to, const std::byte *from, size_t bytes);

/** copy_string() - memcpy() by the processor's string instruction, if it has one. */
void copy_string(std::byte *to, const std::byte *from, size_t bytes);

} // namespace base
