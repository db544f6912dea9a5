// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptor of a launch
 */
#include "kernel_launch.h"

#include <cstring>

namespace fw {

using base::Status;

Status KernelLaunch::decode(std::span<const uint64_t> words)
{
	constexpr size_t HEAD_WORDS = sizeof(head) / sizeof(words[0]);
	if (words.size() < HEAD_WORDS)
		return Status::BAD_KERNEL;
	memcpy(&head, words.data(), sizeof(head));
	const uint64_t room = (words.size() - HEAD_WORDS) * sizeof(words[0]);
	const bool is_elsewhere = head.flags & UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
	const uint64_t inside = is_elsewhere ? 0 : head.args_bytes;
	if (head.blocks == 0 || head.blocks > UNPU_KERNEL_WIRE_MAX_BLOCKS || inside > room ||
	    room - inside >= sizeof(words[0]) || head.args_bytes > UNPU_KERNEL_WIRE_MAX_ARGS ||
	    is_elsewhere != (head.args_va != 0) || head.args_va % sizeof(words[0]) ||
	    head.flags & ~UNPU_KERNEL_LAUNCH_FLAGS_MASK || head.check > UNPU_KERNEL_MAX_CHECK)
		return Status::BAD_KERNEL;
	args.assign(words.begin() + HEAD_WORDS, words.end());
	return Status::OK;
}

} // namespace fw
