// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace fw {

/**
 * class PageGuard - survives that pages of a mapping are gone.
 *
 * A client has descriptors of its memory and can punch holes into it. Where the pages came from the
 * kernel's pool of huge ones and that is empty by then, the kernel has none to put there, and whoever
 * touches the hole gets SIGBUS. A process that has installed the handler gets private zeros in its place
 * instead, and hears of it. Addresses that no guard has keep what the signal did before.
 *
 * Context: any thread but for install().
 */
class PageGuard {
public:
	/** install() - from now on there are guards in this process. Context: before there are threads. */
	static void install();
	static bool installed();

	/** take() - a guard of nothing; not valid() when there are no more, or none in this process. */
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

	/** watch() - guards [@data, @data + @bytes), in pages of @page_bytes, for as long as it lives. */
	void watch(const std::byte *data, uint64_t bytes, uint64_t page_bytes);

	/** struck() - whether a page was gone. */
	bool struck() const;

	/** strikes() - how many pages were, of all. One load. */
	static uint32_t strikes();

private:
	explicit PageGuard(uint32_t slot) : slot_(slot) {}

	uint32_t slot_ = 0; /* counted from 1 */
};

} // namespace fw
