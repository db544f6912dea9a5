// SPDX-License-Identifier: MIT
/**
 * DOC: Streamed copies
 *
 * Copies four pages at a time, one cache line of each in turn, so that the hardware prefetchers follow four
 * streams. The stores bypass the caches. Highway compiles this file once for each instruction set.
 */
#include "copy.h"

#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/copy/copy_streamed.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace base::copy_streaming {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t LINE = 64;
constexpr size_t PAGE = 4096;
constexpr size_t PAGES = 4;
constexpr size_t AHEAD = 512;

using Bytes = hn::CappedTag<uint8_t, LINE>;

HWY_INLINE void stream_line(uint8_t *to, const uint8_t *from)
{
	const Bytes d;
	hwy::Prefetch(from + AHEAD);
	for (size_t i = 0; i < LINE; i += hn::Lanes(d))
		hn::Stream(hn::LoadU(d, from + i), d, to + i);
}

/* @to: aligned to a cache line. Return: bytes copied. */
size_t stream_pages(uint8_t *to, const uint8_t *from, size_t bytes)
{
	size_t done = 0;
	for (; done + PAGES * PAGE <= bytes; done += PAGES * PAGE) {
		for (size_t line = 0; line < PAGE; line += LINE) {
			for (size_t page = 0; page < PAGES; page++) {
				size_t at = done + page * PAGE + line;
				stream_line(to + at, from + at);
			}
		}
	}
	/* Non-temporal stores are weakly ordered: a later release store does not order them. */
	hwy::FlushStream();
	return done;
}

} // namespace HWY_NAMESPACE
} // namespace base::copy_streaming

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace base {

namespace copy_streaming {
HWY_EXPORT(stream_pages);
}

void copy_streamed(std::byte *to, const std::byte *from, size_t bytes)
{
	using namespace copy_streaming;
	constexpr size_t ALIGNMENT = 64;
	size_t head = -reinterpret_cast<uintptr_t>(to) % ALIGNMENT;
	if (bytes < head + ALIGNMENT) {
		memcpy(to, from, bytes);
		return;
	}
	memcpy(to, from, head);
	size_t done = head + HWY_DYNAMIC_DISPATCH(stream_pages)(
				     reinterpret_cast<uint8_t *>(to) + head,
				     reinterpret_cast<const uint8_t *>(from) + head, bytes - head);
	memcpy(to + done, from + done, bytes - done);
}

} // namespace base

#endif /* HWY_ONCE */
