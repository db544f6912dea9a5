// SPDX-License-Identifier: MIT
/**
 * DOC: Texts of kernels
 */
#include "kernels.h"

#include <algorithm>
#include <cstring>

namespace fw {

using base::Status;

static constexpr size_t FAILED_MOST = 64;
/* What kernels have accessed leaves room for what others print. */
static constexpr uint64_t OBSERVED_MOST = UNPU_KERNEL_MAX_TEXT_BYTES / 2;

uint64_t KernelTexts::add(KernelJob &job)
{
	uint64_t added = 0;
	for (const std::byte *at = job.output.data(), *end = at + job.output.size(); at < end;) {
		unpu_kernel_output head;
		memcpy(&head, at, sizeof(head));
		const uint64_t whole = sizeof(head) + base::round_up(head.bytes, sizeof(uint64_t));
		const uint64_t most = head.core == UNPU_KERNEL_OBSERVED
					      ? OBSERVED_MOST
					      : UNPU_KERNEL_MAX_TEXT_BYTES;
		if (output_bytes_ + whole <= most) {
			output_.emplace_back(at, at + whole);
			output_bytes_ += whole;
			added += head.bytes;
		}
		at += whole;
	}
	if (job.status == Status::OK || job.sentence.empty())
		return added;
	unpu_kernel_output head{};
	head.cookie = job.cookie;
	head.image = job.head.image;
	head.entry = job.head.entry;
	head.block = job.block;
	head.core = job.core;
	add_failure(head, std::move(job.sentence));
	return added;
}

void KernelTexts::add_failure(unpu_kernel_output head, std::string sentence)
{
	head.bytes = static_cast<uint32_t>(sentence.size());
	failed_.push_back({head, std::move(sentence)});
	if (failed_.size() > FAILED_MOST)
		failed_.pop_front();
}

Status KernelTexts::take_output(std::byte *to, uint64_t bytes, uint64_t &stored)
{
	stored = 0;
	while (!output_.empty() && output_.front().size() <= bytes - stored) {
		memcpy(to + stored, output_.front().data(), output_.front().size());
		stored += output_.front().size();
		output_bytes_ -= output_.front().size();
		output_.pop_front();
	}
	return stored == 0 && !output_.empty() ? Status::ARRAY_TOO_SMALL : Status::OK;
}

Status KernelTexts::copy_failure(uint64_t cookie, std::byte *to, uint64_t bytes,
				 uint64_t &stored) const
{
	const auto found =
		std::find_if(failed_.rbegin(), failed_.rend(),
			     [&](const Failed &failed) { return failed.head.cookie == cookie; });
	stored = 0;
	if (found == failed_.rend())
		return Status::OK;
	unpu_kernel_output head = found->head;
	if (bytes < sizeof(head))
		return Status::ARRAY_TOO_SMALL;
	head.bytes = static_cast<uint32_t>(std::min<uint64_t>(head.bytes, bytes - sizeof(head)));
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), found->sentence.data(), head.bytes);
	stored = sizeof(head) + head.bytes;
	return Status::OK;
}

} // namespace fw
