// SPDX-License-Identifier: MIT
/*
 * DOC: tests of two processes or more
 *
 * The test runs in a process of its own, on a firmware that others can reach, and starts itself again
 * for each peer. What peers say to each other goes through a socket:
 *
 *	if (is_peer())
 *		return importer(parent());
 *	if (!alone_on_shared_firmware())
 *		return;
 *	Peer peer;
 *	peer.line().send(handle);
 */
#ifndef UNPU_TESTS_CUDA_PEER_H
#define UNPU_TESTS_CUDA_PEER_H

#include "support/child.h"

#include <sys/types.h>

namespace cuda_test {

/* One end of a connection. */
class Line {
public:
	explicit Line(int fd) : fd_(fd) {}

	template <class T> void send(const T &value) { send_bytes(&value, sizeof(value)); }
	template <class T> T receive()
	{
		T value = {};

		receive_bytes(&value, sizeof(value));
		return value;
	}

	/* The other process gets a descriptor of its own. */
	void send_file(int fd);
	int receive_file();

	/* A barrier: each of the two processes waits here for the other. */
	void meet();

private:
	void send_bytes(const void *bytes, size_t count);
	void receive_bytes(void *bytes, size_t count);

	int fd_;
};

bool is_peer();
/* Of several peers, from 0. */
int peer_number();
Line parent();

/* As alone(); without a firmware in UNPU_DEVICE that listens it starts one for the time of the test. */
bool alone_on_shared_firmware();

class Peer {
public:
	explicit Peer(int number = 0);
	/* Waits for its end, which has to be a good one unless it was killed. */
	~Peer();
	Peer(const Peer &) = delete;
	Peer &operator=(const Peer &) = delete;

	Line line() const { return Line(fd_); }
	void kill();

private:
	pid_t pid_ = -1;
	int fd_ = -1;
};

/* cuInit and a context, in a process that runs one test. */
class Session {
public:
	Session()
	{
		EXPECT_OK(cuInit(0));
		EXPECT_OK(cuDevicePrimaryCtxRetain(&context_, 0));
		EXPECT_OK(cuCtxSetCurrent(context_));
	}
	~Session() { EXPECT_OK(cuDevicePrimaryCtxRelease(0)); }

private:
	CUcontext context_ = nullptr;
};

} // namespace cuda_test

#endif
