// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "umd/core/object/kernel_image.h"

namespace umd {

/** is_kernel_failure() - whether a task with @status was a launch of a kernel, for which the device has a
 * message. */
bool is_kernel_failure(base::Status status);

/** struct KernelFailure - a kernel that failed. */
struct KernelFailure {
	KernelImageRef image; /* nullptr if the image is unknown */
	uint32_t entry = 0;
	std::string sentence; /* may be empty */

	/** is_check() - whether UNPU_KERNEL_CHECK=0 leaves out what has found it. */
	bool is_check() const;
};

/** kernel_failure() - the device's information about the failed packet with @cookie. Context: no lock
 * held. */
KernelFailure kernel_failure(drv::Device &device, uint64_t cookie);

} // namespace umd
