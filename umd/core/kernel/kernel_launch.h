// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "umd/core/object/kernel_words.h"

namespace umd {

/** make_kernel_words() - checks a launch and encodes it.
 * @saturates: results that are too large become the largest number
 * Return: INVALID_ARGUMENT, INVALID_HANDLE if the image is of another device, NO_MEMORY; sets the error
 * message. */
base::Result<std::shared_ptr<KernelWords>> make_kernel_words(OpenDevice &open,
							     const KernelLaunch &launch,
							     bool saturates);

/** kernel_packet_of() - the packet for @words. */
unpu_packet kernel_packet_of(const KernelWords &words);

/** launch_kernel() - appends a launch to a stream, or to the graph that the stream captures.
 * @stream: a handle; nullptr is the default stream of the current context
 * Context: any thread; blocks while the stream's ring is full. Return: as make_kernel_words(), find_stream(). */
base::Status launch_kernel(void *stream, const KernelLaunch &launch);

} // namespace umd
