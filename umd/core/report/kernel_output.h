// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "drv/device.h"

namespace umd {

/** has_kernel_output() - whether kernels of the channel have printed since the last call. If not, it only
 * reads one word.
 * @seen: the count at the last call; the caller keeps one for each channel */
inline bool has_kernel_output(const drv::Channel &channel, std::atomic<uint64_t> &seen)
{
	const uint64_t now = channel.kernel_output();
	return now != seen.load() && seen.exchange(now) != now;
}

/** print_kernel_output() - prints to stdout all that kernels of this process have printed on the device.
 * Context: no lock held. */
void print_kernel_output(drv::Device &device);

} // namespace umd
