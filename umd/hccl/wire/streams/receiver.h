// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/os/shm.h"
#include "sender.h"
#include "umd/hccl/wire/engine.h"

namespace umd {

/** class FrameReader - the one reader of what another process sends. Bytes may come in any pieces. Context: the wire's
 * thread. */
class FrameReader {
public:
	explicit FrameReader(const WireUpcalls &upcalls) : up_(upcalls) {}
	FrameReader(const FrameReader &) = delete;
	FrameReader &operator=(const FrameReader &) = delete;
	/** ~FrameReader() - data that have come in part are never whole. */
	~FrameReader();

	/** feed() - Return: false: no process of this library sends this. */
	bool feed(std::span<const uint8_t> bytes);

	/** place() - where the next bytes have to go anyway, without a copy; empty: feed() has to get them.
	 * filled() - so many are there. */
	std::span<uint8_t> place() const;
	void filled(uint64_t bytes);

private:
	/* Data up to this size are collected here. */
	static constexpr uint64_t SMALL = 256;

	bool begin_data();
	void end_data();

	const WireUpcalls &up_;
	std::array<uint8_t, sizeof(Frame) + FRAME_HEAD_MOST> head_{};
	Frame frame_{};
	uint64_t have_ = 0; /* of the frame and the head */
	bool is_data_ = false;
	uint64_t came_ = 0;	/* of the data */
	uint8_t *to_ = nullptr; /* large data; nullptr: they are dropped */
	void *receipt_ = nullptr;
	std::array<uint8_t, SMALL> small_{};
};

/** class Receiver - the way of messages from one other process. Context: the wire's thread. */
class Receiver {
public:
	/** @keys: of a TCP connection, which has proved itself */
	Receiver(const WireUpcalls &upcalls, base::Fd socket, const SessionKeys &keys);
	/** @handshake: of a Unix socket */
	Receiver(const WireUpcalls &upcalls, base::Fd socket, Handshake handshake);

	int socket() const { return socket_.get(); }
	bool is_tcp() const { return is_tcp_; }
	bool is_proved() const { return is_proved_; }

	/** read() - takes what has come, or a part of it. @is_empty: receives whether nothing is left.
	 * Return: false: the connection has ended, or is none of this library. */
	bool read(bool &is_empty);

private:
	bool read_plain(bool &is_empty);
	bool read_sealed(bool &is_empty);
	bool open_record(std::span<uint8_t> record);

	base::Fd socket_;
	const bool is_tcp_;
	bool is_proved_;
	Handshake handshake_;
	Seal seal_;
	FrameReader reader_;
	std::vector<uint8_t> input_;
	size_t have_ = 0;
};

} // namespace umd
