// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace fw {

/**
 * class PageGuard - lets the process survive the loss of pages of a mapping.
 *
 * A client has descriptors of its memory and can punch holes into it. If the pages came from the
 * kernel's huge page pool and the pool is empty by then, the kernel cannot fill the hole, and a thread
 * that accesses it gets SIGBUS. With the handler installed, the hole gets private zero pages instead,
 * and lost_count() counts it. For addresses without a guard the previous signal action applies.
 *
 * Context: any thread but for install().
 */
class PageGuard {
public:
	/** install() - installs the SIGBUS handler of the process. Context: before there are threads. */
	static void install();
	static bool installed();

	/** take() - reserves a guard without a range; not valid() when all slots are taken or the
	 * handler is not installed. */
	static PageGuard take();

	PageGuard() = default;
	PageGuard(PageGuard &&other) noexcept : slot_(std::exchange(other.slot_, 0)) {}
	PageGuard &operator=(PageGuard &&other) noexcept
	{
		std::swap(slot_, other.slot_);
		return *this;
	}
	~PageGuard();

	bool valid() const { return slot_ != 0; }

	/** watch() - guards [@data, @data + @bytes), in pages of @page_bytes, until the destructor. */
	void watch(const std::byte *data, uint64_t bytes, uint64_t page_bytes);

	/** is_lost() - whether a page of the range was lost. */
	bool is_lost() const;

	/** lost_count() - number of pages lost in all ranges. Costs one load. */
	static uint32_t lost_count();

private:
	explicit PageGuard(uint32_t slot) : slot_(slot) {}

	uint32_t slot_ = 0; /* counted from 1 */
};

} // namespace fw
