// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace umd {

/** struct FaultSettings - what UNPU_HCCL_CHAOS asks for. */
struct FaultSettings {
	bool is_on = false;
	uint64_t seed = 0;
	uint64_t delay_us = 300; /* longest delay before a call is submitted */
	uint64_t packet_us = 50; /* longest delay before a packet; only some packets have one */
	uint64_t fail = 0;	 /* so many of 1000 calls fail after a part of their packets */
	uint64_t kill = 0;	 /* so many of 1000 calls kill the process */
};

/** read_faults() - parses "SEED" or "SEED:key=value:..." with the names of the fields as keys.
 * Return: false for another text. */
bool read_faults(const std::string &text, FaultSettings &settings);

/** class FaultInjector - fault injector of one rank. The same seed, rank and calls give the same faults. Context: the
 * lock of the communicator. */
class FaultInjector {
public:
	FaultInjector(const FaultSettings &settings, uint32_t rank)
		: settings_(settings), rank_(rank)
	{
	}

	bool is_on() const { return settings_.is_on; }

	/** begin_call() - delays the call, and may kill the process. */
	void begin_call();

	/** before_packet() - may delay the packet. Return: NO_RESOURCE if this call has to fail here. */
	base::Status before_packet();

private:
	uint64_t draw(uint64_t below);

	const FaultSettings settings_;
	const uint32_t rank_;
	uint64_t draws_ = 0;
	/* packets until the call fails; UINT64_MAX: the call does not fail */
	uint64_t packets_left_ = UINT64_MAX;
};

} // namespace umd
