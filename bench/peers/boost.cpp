// SPDX-License-Identifier: MIT
/**
 * DOC: Boost
 *
 * Lockfree's queue of one producer and one consumer, which polls, and Interprocess' message queue,
 * which sleeps.
 */
#include <string>

#include <boost/interprocess/ipc/message_queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <unistd.h>

#include "peers/echo.h"
#include "peers/peer.h"

namespace bench {

namespace {

namespace ipc = boost::interprocess;

constexpr size_t DEPTH = 1024;

struct Lockfree {
	bool send(const Descriptor &descriptor) { return queue.push(descriptor); }
	bool receive(Descriptor &descriptor) { return queue.pop(descriptor); }

	boost::lockfree::spsc_queue<Descriptor, boost::lockfree::capacity<DEPTH>> queue;
};

/* A queue of this process' own name, gone when it is. */
class Messages {
public:
	explicit Messages(const char *which)
		: name_("unpu-bench-" + std::to_string(getpid()) + which),
		  queue_(ipc::create_only, name_.c_str(), DEPTH, sizeof(Descriptor))
	{
	}
	~Messages() { ipc::message_queue::remove(name_.c_str()); }

	void send(const Descriptor &descriptor) { queue_.send(&descriptor, sizeof(descriptor), 0); }
	void receive(Descriptor &descriptor)
	{
		size_t bytes;
		unsigned priority;
		queue_.receive(&descriptor, sizeof(descriptor), bytes, priority);
	}

private:
	const std::string name_;
	ipc::message_queue queue_;
};

} // namespace

static void measure_messages(const Effort &effort, Round &round)
{
	Messages there("-there");
	Messages back("-back");
	std::thread thread([&] {
		Descriptor descriptor;
		do {
			there.receive(descriptor);
			back.send(descriptor);
		} while (descriptor.words[0] != 0);
	});
	Descriptor descriptor;
	auto trip = [&](uint64_t word) {
		descriptor.words[0] = word;
		there.send(descriptor);
		back.receive(descriptor);
	};
	add_trip(effort, round, "boost_message_queue", "trip",
		 "Boost.Interprocess message queue, there and back", [&] { trip(1); });
	trip(0);
	thread.join();
}

void run_boost(const Effort &effort, Round &round)
{
	{
		Lockfree there;
		Lockfree back;
		Echo<Lockfree> echo(there, back);
		add_trip(effort, round, "boost_lockfree", "trip",
			 "Boost.Lockfree queue, there and back", [&] { echo.trip(); });
	}
	measure_messages(effort, round);
}

} // namespace bench
