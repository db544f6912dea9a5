// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace bench {

/** engine_threads() - as many threads as the device has engines: one for each CPU of this process. */
unsigned engine_threads();

/** share() - calls @work(first, count) with equal parts of @all units, in multiples of @grain, on as many threads,
 * of which the caller is one. */
void share(size_t all, size_t grain, const std::function<void(size_t first, size_t count)> &work);

/** stop_sharing() - ends the threads. */
void stop_sharing();

} // namespace bench
