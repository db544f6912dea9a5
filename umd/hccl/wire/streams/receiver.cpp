// SPDX-License-Identifier: MIT
/**
 * DOC: Receivers
 *
 * Large data of a Unix socket are read directly into their destination. Data of TCP are decrypted first.
 */
#include "receiver.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace umd {

using base::Fd;
using base::Status;

/* Size limit of the data of one message. */
static constexpr uint64_t BYTES_MOST = uint64_t{1} << 40;
/* How much is read from one process before other processes have their turn. */
static constexpr uint64_t TURN_BYTES = 4 << 20;

FrameReader::~FrameReader()
{
	if (is_data_ && to_)
		up_.arrived(up_.user, receipt_, 0);
}

std::span<uint8_t> FrameReader::place() const
{
	if (!is_data_ || !to_)
		return {};
	return {to_ + came_, frame_.bytes - came_};
}

void FrameReader::filled(uint64_t bytes)
{
	came_ += bytes;
	if (came_ == frame_.bytes)
		end_data();
}

bool FrameReader::begin_data()
{
	const uint8_t *head = head_.data() + sizeof(Frame);
	is_data_ = true;
	came_ = 0;
	to_ = nullptr;
	if (frame_.bytes > SMALL)
		to_ = static_cast<uint8_t *>(
			up_.place(up_.user, head, frame_.head_bytes, frame_.bytes, &receipt_));
	if (frame_.bytes == 0)
		end_data();
	return true;
}

void FrameReader::end_data()
{
	is_data_ = false;
	have_ = 0;
	if (frame_.bytes <= SMALL)
		up_.take(up_.user, head_.data() + sizeof(Frame), frame_.head_bytes, small_.data(),
			 frame_.bytes);
	else if (to_)
		up_.arrived(up_.user, receipt_, 1);
}

bool FrameReader::feed(std::span<const uint8_t> bytes)
{
	while (!bytes.empty()) {
		if (is_data_) {
			const uint64_t some =
				std::min<uint64_t>(bytes.size(), frame_.bytes - came_);
			uint8_t *to = frame_.bytes <= SMALL ? small_.data() : to_;
			if (to)
				memcpy(to + came_, bytes.data(), some);
			bytes = bytes.subspan(some);
			filled(some);
			continue;
		}
		const uint64_t wanted =
			sizeof(Frame) + (have_ < sizeof(Frame) ? 0 : frame_.head_bytes);
		const uint64_t some = std::min<uint64_t>(bytes.size(), wanted - have_);
		memcpy(head_.data() + have_, bytes.data(), some);
		have_ += some;
		bytes = bytes.subspan(some);
		if (have_ == sizeof(Frame)) {
			memcpy(&frame_, head_.data(), sizeof(frame_));
			if (frame_.head_bytes == 0 || frame_.head_bytes > FRAME_HEAD_MOST ||
			    frame_.reserved != 0 || frame_.bytes > BYTES_MOST)
				return false;
		} else if (have_ > sizeof(Frame) && have_ == sizeof(Frame) + frame_.head_bytes)
			(void)begin_data();
	}
	return true;
}

Receiver::Receiver(const WireUpcalls &upcalls, Fd socket, const SessionKeys &keys)
	: socket_(std::move(socket)), is_tcp_(true), is_proved_(true),
	  seal_(keys.heard, keys.cipher), reader_(upcalls)
{
}

Receiver::Receiver(const WireUpcalls &upcalls, Fd socket, Handshake handshake)
	: socket_(std::move(socket)), is_tcp_(false), is_proved_(false),
	  handshake_(std::move(handshake)), reader_(upcalls)
{
}

bool Receiver::read(bool &is_empty)
{
	if (!is_proved_) {
		const Status status = handshake_.advance(socket_);
		is_empty = status == Status::NOT_READY;
		if (status != Status::OK)
			return status == Status::NOT_READY;
		is_proved_ = true;
	}
	return is_tcp_ ? read_sealed(is_empty) : read_plain(is_empty);
}

/* @is_empty: receives whether the socket is empty. It is empty if the kernel returned fewer bytes than asked
 * for.
 * Return: false at the end of the connection. */
static bool receive(const Fd &socket, void *to, size_t most, uint64_t &bytes, bool &is_empty)
{
	const ssize_t got = base::calls::recv(socket.get(), to, most, 0, base::calls::NOW);
	const bool is_nothing = got < 0 && errno == EAGAIN;
	bytes = got > 0 ? static_cast<uint64_t>(got) : 0;
	is_empty = is_nothing || (got > 0 && bytes < most);
	return got > 0 || is_nothing;
}

bool Receiver::read_plain(bool &is_empty)
{
	input_.resize(RECORD_BYTES);
	uint64_t bytes = 0;
	is_empty = false;
	for (uint64_t all = 0; all < TURN_BYTES && !is_empty; all += bytes) {
		const std::span<uint8_t> place = reader_.place();
		uint8_t *to = place.empty() ? input_.data() : place.data();
		const size_t most = place.empty() ? input_.size() : place.size();
		if (!receive(socket_, to, most, bytes, is_empty))
			return false;
		if (!place.empty() && bytes != 0)
			reader_.filled(bytes);
		else if (!reader_.feed({to, bytes}))
			return false;
	}
	return true;
}

/* Decrypts a record. If all its bytes go to one destination, it is decrypted directly into that place,
 * without a copy. No user reads that place before the last byte of the message has arrived.
 * Return: false if the record was not made with the key. */
bool Receiver::open_record(std::span<uint8_t> record)
{
	const size_t bytes = record.size() - SEAL_BYTES;
	const std::span<uint8_t> place = reader_.place();
	if (place.size() >= bytes) {
		if (!seal_.open(record, place.data()))
			return false;
		reader_.filled(bytes);
		return true;
	}
	return seal_.open(record, record.data()) && reader_.feed({record.data(), bytes});
}

bool Receiver::read_sealed(bool &is_empty)
{
	uint32_t length = 0;
	uint64_t bytes = 0;
	input_.resize(sizeof(length) + RECORD_BYTES + SEAL_BYTES);
	is_empty = false;
	for (uint64_t all = 0; all < TURN_BYTES && !is_empty; all += bytes) {
		if (!receive(socket_, input_.data() + have_, input_.size() - have_, bytes,
			     is_empty))
			return false;
		have_ += bytes;
		size_t done = 0;
		while (have_ - done >= sizeof(length)) {
			memcpy(&length, input_.data() + done, sizeof(length));
			if (length <= SEAL_BYTES || length > RECORD_BYTES + SEAL_BYTES)
				return false;
			if (have_ - done < sizeof(length) + length)
				break;
			if (!open_record({input_.data() + done + sizeof(length), length}))
				return false;
			done += sizeof(length) + length;
		}
		memmove(input_.data(), input_.data() + done, have_ - done);
		have_ -= done;
	}
	return true;
}

} // namespace umd
