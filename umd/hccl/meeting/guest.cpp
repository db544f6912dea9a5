// SPDX-License-Identifier: MIT
/**
 * DOC: Guest of a meeting
 *
 * A rank's side of the messages of words.h.
 */
#include "guest.h"

#include <cstdio>

#include <fmt/format.h>

#include "base/clock.h"
#include "umd/hccl/result.h"

namespace umd {

using base::Status;

/* After its time limit the host says who did not come. */
static constexpr uint64_t HOST_GRACE_S = 20;

HcclResult MeetingGuest::await(LetterKind kind, Letter &letter)
{
	const Status status = receive_letter(socket_, letter, deadline_ns_);
	if (status == Status::NOT_READY)
		return refuse(HCCL_E_TIMEOUT,
			      "the process that hosts the communicator does not answer");
	if (status != Status::OK)
		return refuse(HCCL_E_TCP_TRANSFER, "the process that hosts the communicator has "
						   "ended, or its meeting is over");
	if (letter.kind == LetterKind::REFUSAL)
		return refuse(static_cast<HcclResult>(letter.body.refusal.code),
			      letter.body.refusal.text);
	if (letter.kind != kind)
		return refuse(HCCL_E_INTERNAL,
			      "the host of the communicator said something unexpected");
	return HCCL_SUCCESS;
}

HcclResult MeetingGuest::enter(const Nonce &nonce, const Introduction &own, uint64_t wait_s,
			       Welcome &all)
{
	deadline_ns_ = base::deadline_after((wait_s + HOST_GRACE_S) * base::NS_PER_S);
	auto socket = connect_to(nonce);
	if (!socket)
		return refuse(HCCL_E_TCP_CONNECT,
			      "nobody is at the place that rootInfo names: the process that called "
			      "HcclGetRootInfo has ended or has another network namespace, its "
			      "HCCL_CONNECT_TIMEOUT has passed, or all ranks have come already");
	socket_ = socket.take();
	if (!is_same_user(socket_))
		return refuse(HCCL_E_TCP_CONNECT,
			      "the place that rootInfo names belongs to another user");
	const auto letter = std::make_unique<Letter>();
	(void)send_letter(socket_, LetterKind::HELLO, own);
	TRY(await(LetterKind::WELCOME, *letter));
	all = letter->body.welcome;
	return HCCL_SUCCESS;
}

HcclResult MeetingGuest::share(const RankKeys &own, KeyTable &all)
{
	const auto letter = std::make_unique<Letter>();
	(void)send_letter(socket_, LetterKind::KEYS, own);
	TRY(await(LetterKind::TABLE, *letter));
	all = letter->body.table;
	return HCCL_SUCCESS;
}

HcclResult MeetingGuest::settle()
{
	const auto letter = std::make_unique<Letter>();
	(void)send_letter(socket_, LetterKind::READY);
	return await(LetterKind::GO, *letter);
}

void MeetingGuest::refuse_all(HcclResult code, const std::string &text)
{
	Refusal refusal{};
	refusal.code = code;
	snprintf(refusal.text, sizeof(refusal.text), "%s", text.c_str());
	(void)send_letter(socket_, LetterKind::REFUSAL, refusal);
}

void MeetingGuest::leave(uint64_t calls)
{
	const auto letter = std::make_unique<Letter>();
	const uint64_t deadline_ns = base::deadline_after(base::NS_PER_S);
	if (send_letter(socket_, LetterKind::LEAVE, Leave{calls}) != Status::OK)
		return;
	while (receive_letter(socket_, *letter, deadline_ns) == Status::OK) {
		if (letter->kind == LetterKind::LEFT)
			return;
	}
}

MeetingGuest::News MeetingGuest::next_news(Letter &letter)
{
	const Status status = receive_letter(socket_, letter, 0);
	if (status == Status::NOT_READY)
		return News::NONE;
	if (status == Status::OK)
		return letter.kind == LetterKind::REFUSAL ? News::REFUSAL
		       : letter.kind == LetterKind::GONE  ? News::GONE
							  : News::NONE;
	letter.kind = LetterKind::REFUSAL;
	letter.body.refusal.code = HCCL_E_REMOTE;
	snprintf(letter.body.refusal.text, sizeof(letter.body.refusal.text),
		 "the process that hosts the communicator has ended");
	return News::LOST;
}

} // namespace umd
