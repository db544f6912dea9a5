// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/os/shm.h"
#include "sender.h"
#include "umd/hccl/wire/engine.h"

namespace umd {

/** class FrameReader - parses the bytes of another process; no other code does. Bytes may arrive in any
 * pieces. Context: the wire's thread. */
class FrameReader {
public:
	explicit FrameReader(const WireUpcalls &upcalls) : up_(upcalls) {}
	FrameReader(const FrameReader &) = delete;
	FrameReader &operator=(const FrameReader &) = delete;
	/** ~FrameReader() - reports data that have arrived only in part as incomplete. */
	~FrameReader();

	/** feed() - parses the next bytes. Return: false if no process of this library would send them. */
	bool feed(std::span<const uint8_t> bytes);

	/** place() - the destination of the next bytes, if they need no parsing; empty: pass the bytes to
	 * feed(). filled() - says that @bytes bytes were written there. */
	std::span<uint8_t> place() const;
	void filled(uint64_t bytes);

private:
	/* Data up to this size are collected in this object. */
	static constexpr uint64_t SMALL = 256;

	bool begin_data();
	void end_data();

	const WireUpcalls &up_;
	std::array<uint8_t, sizeof(Frame) + FRAME_HEAD_MOST> head_{};
	Frame frame_{};
	uint64_t have_ = 0; /* bytes received of the frame and the head */
	bool is_data_ = false;
	uint64_t came_ = 0;	/* bytes received of the data */
	uint8_t *to_ = nullptr; /* destination of large data; nullptr: they are dropped */
	void *receipt_ = nullptr;
	std::array<uint8_t, SMALL> small_{};
};

/** class Receiver - receives the messages of one other process. Context: the wire's thread. */
class Receiver {
public:
	/** @keys: keys of a TCP connection, whose handshake is complete */
	Receiver(const WireUpcalls &upcalls, base::Fd socket, const SessionKeys &keys);
	/** @handshake: the handshake of a Unix socket, still to be done */
	Receiver(const WireUpcalls &upcalls, base::Fd socket, Handshake handshake);

	int socket() const { return socket_.get(); }
	bool is_tcp() const { return is_tcp_; }
	bool is_proved() const { return is_proved_; }

	/** read() - reads some or all of the available bytes. @is_empty: receives whether nothing is left.
	 * Return: false if the connection has ended, or if the other side is not this library. */
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
