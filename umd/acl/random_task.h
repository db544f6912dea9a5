// SPDX-License-Identifier: MIT
#pragma once

#include "drv/device.h"
#include "front.h"
#include "uapi/operator.h"

namespace umd {

/** enum RandomSlot - words of a random task's parameter memory, in the device's order. */
enum RandomSlot : unsigned { SLOT_A, SLOT_B, SLOT_SEED, SLOT_COUNT, SLOTS };

constexpr uint64_t RANDOM_WORD = sizeof(uint64_t);
constexpr uint64_t RANDOM_BLOCK_BYTES = SLOTS * RANDOM_WORD;

/** struct RandomNumber - one number of a task, as it was given. */
struct RandomNumber {
	const char *name;
	const aclrtRandomParaInfo *info;
	uint64_t most_bytes; /* that it may have */
};

/** struct RandomTask - a task on its way to the device. */
struct RandomTask {
	unpu_operator op{};
	unpu_dtype dtype = UNPU_DTYPE_F32;
	uint64_t element_bytes = 0;
	RandomNumber numbers[SLOTS] = {};
};

/** set_seed_and_count() - from @info, checked. Return: INVALID_ARGUMENT. */
base::Status set_seed_and_count(RandomTask &task, const aclrtRandomNumTaskInfo &info);

/** check_random_places() - all memory that a task of @info touches.
 * @block: also its parameter memory. Return: INVALID_ARGUMENT. */
base::Status check_random_places(drv::Device &device, const RandomTask &task,
				 const aclrtRandomNumTaskInfo &info, bool block);

/** random_value() - a number's value, or its address. */
uint64_t random_value(const aclrtRandomParaInfo &info);

/** gather_packets() - put one number into its word of the parameter memory at @block; the second
 * does nothing unless the number is somewhere else. */
struct GatherPackets {
	unpu_packet store;
	unpu_packet copy;
};
GatherPackets gather_packets(uint64_t block, unsigned slot, const aclrtRandomParaInfo *info);

} // namespace umd
