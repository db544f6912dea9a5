// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace umd {

/** struct ChaosSettings - what UNPU_HCCL_CHAOS asks for. */
struct ChaosSettings {
	bool is_on = false;
	uint64_t seed = 0;
	uint64_t delay_us = 300; /* the most, before a call is submitted */
	uint64_t packet_us = 50; /* the most, before some of its packets */
	uint64_t fail = 0;	 /* of 1000 calls: those that are submitted in part */
	uint64_t kill = 0;	 /* of 1000 calls: those that kill the process */
};

/** read_chaos() - "SEED" or "SEED:key=value:..." with the names of the fields as keys.
 * Return: false for another text. */
bool read_chaos(const std::string &text, ChaosSettings &settings);

/** class Chaos - adversity of one rank. The same seed, rank and calls give the same choices. Context: the lock of the
 * communicator. */
class Chaos {
public:
	Chaos(const ChaosSettings &settings, uint32_t rank) : settings_(settings), rank_(rank) {}

	bool is_on() const { return settings_.is_on; }

	/** begin_call() - waits, and may kill the process. */
	void begin_call();

	/** before_packet() - may wait. Return: NO_RESOURCE where the call is to fail. */
	base::Status before_packet();

private:
	uint64_t draw(uint64_t below);

	const ChaosSettings settings_;
	const uint32_t rank_;
	uint64_t draws_ = 0;
	uint64_t packets_left_ = UINT64_MAX; /* of a call that is to fail */
};

} // namespace umd
