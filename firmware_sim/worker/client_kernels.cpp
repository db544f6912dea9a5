// SPDX-License-Identifier: MIT
/**
 * DOC: Texts of kernels
 */
#include "client_kernels.h"

#include <algorithm>
#include <cstring>

#include "firmware_sim/schedule/token_work.h"

namespace fw {

using base::Status;

static constexpr size_t FAILED_MOST = 64;
/* Limit for records of accesses, so that there is room for printed output. */
static constexpr uint64_t OBSERVED_MOST = UNPU_KERNEL_MAX_TEXT_BYTES / 2;

/* The size of the record at @at. */
static uint64_t record_bytes(const std::byte *at, uint64_t &text_bytes)
{
	unpu_kernel_output head;
	memcpy(&head, at, sizeof(head));
	text_bytes = head.bytes;
	return sizeof(head) + base::round_up(head.bytes, sizeof(uint64_t));
}

/* Adds the records of a piece that fit into @room. Return: bytes of their texts. */
uint64_t KernelTexts::add_some(OutputPiece &piece, uint64_t room)
{
	uint64_t kept = 0, added = 0;
	for (uint64_t text = 0; kept < piece.records.size(); added += text) {
		const uint64_t whole = record_bytes(piece.records.data() + kept, text);
		if (kept + whole > room)
			break;
		kept += whole;
	}
	piece.records.resize(kept);
	return added;
}

/* If a piece does not fit, a part of the first such piece is kept. */
uint64_t KernelTexts::add(KernelJob &job)
{
	uint64_t added = 0;
	bool is_cut = false;
	note_token_work("output of a kernel", 0, job.output.size());
	for (OutputPiece &piece : job.output) {
		const uint64_t most =
			piece.is_observed ? OBSERVED_MOST : UNPU_KERNEL_MAX_TEXT_BYTES;
		const uint64_t room = most - std::min(most, output_bytes_);
		const bool fits = piece.records.size() <= room;
		if (!fits && is_cut)
			continue;
		added += fits ? piece.text_bytes : add_some(piece, room);
		is_cut = is_cut || !fits;
		output_bytes_ += piece.records.size();
		if (!piece.records.empty())
			output_.push_back(std::move(piece.records));
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

Status KernelTexts::take_output(uint64_t bytes, std::vector<std::byte> &taken)
{
	uint64_t items = 0;
	for (; !output_.empty() && items < TOKEN_ITEMS; items++) {
		const std::vector<std::byte> &first = output_.front();
		if (taken.empty() && taken_bytes_ == 0 && first.size() > TOKEN_BYTES &&
		    first.size() <= bytes) {
			/* One record, which is moved. */
			taken = std::move(output_.front());
			output_bytes_ -= taken.size();
			output_.pop_front();
			return Status::OK;
		}
		uint64_t text = 0;
		const std::byte *at = first.data() + taken_bytes_;
		const uint64_t whole = record_bytes(at, text);
		if (taken.size() + whole > std::min(bytes, TOKEN_BYTES))
			break;
		taken.insert(taken.end(), at, at + whole);
		taken_bytes_ += whole;
		output_bytes_ -= whole;
		if (taken_bytes_ == first.size()) {
			output_.pop_front();
			taken_bytes_ = 0;
		}
	}
	note_token_work("KERNEL_TEXT", taken.size(), items);
	return taken.empty() && !output_.empty() ? Status::ARRAY_TOO_SMALL : Status::OK;
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
