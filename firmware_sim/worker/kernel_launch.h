// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "uapi/kernel.h"

namespace fw {

/** struct KernelLaunch - the decoded descriptor of a KERNEL packet. */
struct KernelLaunch {
	unpu_kernel_launch head{};
	/* Rounded up to whole words; empty with ARGS_IN_MEMORY. */
	std::vector<uint64_t> args;

	/** decode() - copies and checks a descriptor, without its image. Return: BAD_KERNEL. */
	base::Status decode(std::span<const uint64_t> words);

	/** bytes() - memory that the object takes in addition to its own size. */
	uint64_t bytes() const { return args.capacity() * sizeof(args[0]); }
};

} // namespace fw
