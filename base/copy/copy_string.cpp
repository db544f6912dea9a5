// SPDX-License-Identifier: MIT
/**
 * DOC: Copies by the string instruction
 *
 * Uses `rep movsb` on x86-64. Sanitizer builds use memcpy(), because the sanitizers intercept only that.
 */
#include <cstring>

#include "copy.h"

namespace base {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__x86_64__)
#define BASE_NO_STRING 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BASE_NO_STRING 1
#endif
#endif

void copy_string(std::byte *to, const std::byte *from, size_t bytes)
{
#ifdef BASE_NO_STRING
	memcpy(to, from, bytes);
#else
	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#endif
}

} // namespace base
