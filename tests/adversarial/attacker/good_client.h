// SPDX-License-Identifier: MIT
/*
 * DOC: the good client
 *
 * It keeps to the rules. It checks each result, and notes how long the firmware lets it wait.
 */
#ifndef UNPU_TESTS_ATTACKER_GOOD_CLIENT_H
#define UNPU_TESTS_ATTACKER_GOOD_CLIENT_H

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/adversarial/hostile/hostile_peer.h"

namespace attacker {

class GoodClient {
public:
	/* start() - false when the firmware does not take it. */
	bool start(const std::string &socket);
	/* stop() - ends the rounds, and attaches once more. Return: whether all was right. */
	bool stop();
	void print() const;
	struct Waits {
		uint64_t p99_ns = 0;
		uint64_t worst_ns = 0;
	};
	/* take_waits() - its waits since the last call, and how long it waits now. */
	Waits take_waits();

private:
	bool open();
	/* run_round() - nullptr, or what is wrong. */
	const char *run_round(uint32_t pattern);

	std::string socket_;
	std::unique_ptr<hostile::Peer> peer_;
	hostile::Channel channel_;
	hostile::Memory memory_;
	std::atomic<bool> stop_{false};
	std::thread thread_;
	std::vector<uint64_t> waits_ns_;
	std::atomic<uint64_t> began_ns_{0}; /* its round; 0 between rounds */
	std::mutex mutex_;
	std::vector<uint64_t> recent_ns_; /* under the mutex: waits since take_waits() */
	const char *wrong_ = nullptr;
};

} // namespace attacker

#endif
