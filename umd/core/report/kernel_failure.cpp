// SPDX-License-Identifier: MIT
/**
 * DOC: Failed kernels
 *
 * The device keeps a message for each of the latest failed kernels, with the cookie of the packet.
 */
#include "kernel_failure.h"

#include <cstdlib>
#include <cstring>

#include "umd/core/process/mode.h"
#include "umd/core/process/owned.h"

namespace umd {

using base::Status;

static constexpr uint64_t MOST_FAULT_BYTES = 4096;

bool is_kernel_failure(Status status)
{
	return status == Status::BAD_KERNEL || status == Status::KERNEL_FAULT_VECTOR ||
	       status == Status::KERNEL_FAULT_CORE || status == Status::KERNEL_TIMEOUT_VECTOR ||
	       status == Status::KERNEL_TIMEOUT_CORE;
}

bool KernelFailure::is_check() const
{
	/* What the worker finds at all levels, in its words. */
	for (const char *words : {": signal SIG", "[ASSERT] ", "the kernel called trap",
				  ": deadlock: ", ": its worker process ended"})
		if (sentence.find(words) != std::string::npos)
			return false;
	return true;
}

/* Of the first allocation that a sentence names by its address: who made it. The device does not know. */
static std::string maker_of(const std::string &sentence)
{
	std::string maker;
	for (size_t at = 0; maker.empty() && (at = sentence.find("0x", at)) != std::string::npos;
	     at++)
		maker = check::OwnedObjects::get().maker(
			strtoull(sentence.c_str() + at, nullptr, 16));
	return maker;
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
	if (check::is_on())
		failure.sentence += maker_of(failure.sentence);
	return failure;
}

} // namespace umd
