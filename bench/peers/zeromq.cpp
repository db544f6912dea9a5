// SPDX-License-Identifier: MIT
/**
 * DOC: ZeroMQ
 *
 * A pair of sockets inside the process.
 */
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <zmq.h>

#include "peers/echo.h"
#include "peers/peer.h"

namespace bench {

static void require(bool good)
{
	if (good)
		return;
	std::fprintf(stderr, "ZeroMQ: %s\n", zmq_strerror(zmq_errno()));
	std::exit(1);
}

void run_zeromq(const Effort &effort, Round &round)
{
	void *context = zmq_ctx_new();
	void *here = zmq_socket(context, ZMQ_PAIR);
	require(here && zmq_bind(here, "inproc://trip") == 0);
	std::thread thread([&] {
		void *there = zmq_socket(context, ZMQ_PAIR);
		require(there && zmq_connect(there, "inproc://trip") == 0);
		Descriptor descriptor;
		do {
			require(zmq_recv(there, &descriptor, sizeof(descriptor), 0) > 0);
			require(zmq_send(there, &descriptor, sizeof(descriptor), 0) > 0);
		} while (descriptor.words[0] != 0);
		zmq_close(there);
	});
	Descriptor descriptor;
	auto trip = [&](uint64_t word) {
		descriptor.words[0] = word;
		require(zmq_send(here, &descriptor, sizeof(descriptor), 0) > 0);
		require(zmq_recv(here, &descriptor, sizeof(descriptor), 0) > 0);
	};
	add_trip(effort, round, "zeromq", "trip", "ZeroMQ inproc pair, there and back",
		 [&] { trip(1); });
	trip(0);
	thread.join();
	zmq_close(here);
	zmq_ctx_term(context);
}

} // namespace bench
