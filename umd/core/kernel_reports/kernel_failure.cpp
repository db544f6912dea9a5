// SPDX-License-Identifier: MIT
/**
 * DOC: Failed kernels
 *
 * The device keeps a sentence for each of the last kernels that failed, with the cookie of the packet.
 */
#include "kernel_failure.h"

#include <cstring>

namespace umd {

using base::Status;

static constexpr uint64_t MOST_FAULT_BYTES = 4096;

bool is_kernel_failure(Status status)
{
	return status == Status::BAD_KERNEL || status == Status::KERNEL_FAULT_VECTOR ||
	       status == Status::KERNEL_FAULT_CORE || status == Status::KERNEL_TIMEOUT_VECTOR ||
	       status == Status::KERNEL_TIMEOUT_CORE;
}

KernelFailure kernel_failure(drv::Device &device, uint64_t cookie)
{
	KernelFailure failure;
	auto text = device.kernel_text(UNPU_KERNEL_TEXT_FAULT, MOST_FAULT_BYTES, cookie);
	unpu_kernel_output head{};
	if (!text || text->size() < sizeof(head))
		return failure;
	memcpy(&head, text->data(), sizeof(head));
	failure.image = KernelImages::get().find(device, head.image);
	failure.entry = head.entry;
	failure.sentence = text->substr(sizeof(head), head.bytes);
	return failure;
}

} // namespace umd
