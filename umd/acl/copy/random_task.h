// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "drv/device.h"
#include "uapi/operator.h"
#include "umd/acl/front.h"

namespace umd {

/** enum RandomSlot - the words of a random task's parameter memory, in the device's order. */
enum RandomSlot : unsigned { SLOT_A, SLOT_B, SLOT_SEED, SLOT_COUNT, SLOTS };

constexpr uint64_t RANDOM_WORD = sizeof(uint64_t);
constexpr uint64_t RANDOM_BLOCK_BYTES = SLOTS * RANDOM_WORD;

/** struct RandomNumber - one number of a task, as the program gave it. */
struct RandomNumber {
	const char *name;
	const aclrtRandomParaInfo *info;
	uint64_t
		most_bytes; /* largest size that the program may give; RANDOM_WORD: any size up to 8 bytes; 0: the size of an element */
};

/** struct RandomTask - a checked task, before it is enqueued. */
struct RandomTask {
	unpu_operator op{};
	unpu_dtype dtype = UNPU_DTYPE_F32;
	uint64_t element_bytes = 0;
	RandomNumber numbers[SLOTS] = {};
};

/** set_seed_and_count() - checks the seed and the count of @info and stores them in @task.
 * Return: INVALID_ARGUMENT. */
base::Status set_seed_and_count(RandomTask &task, const aclrtRandomNumTaskInfo &info);

/** check_random_places() - checks all memory that the task accesses.
 * @block: also check the parameter memory. Return: INVALID_ARGUMENT. */
base::Status check_random_places(drv::Device &device, const RandomTask &task,
				 const aclrtRandomNumTaskInfo &info, bool block);

/** random_value() - the value of a number, or its address if the number is in device memory. */
uint64_t random_value(const aclrtRandomParaInfo &info);

/** gather_packets() - makes the two packets that put one number into its word of the parameter memory
 * at @block. @copy is a no-op unless the number is in other device memory. */
struct GatherPackets {
	unpu_packet store;
	unpu_packet copy;
};
GatherPackets gather_packets(uint64_t block, unsigned slot, const aclrtRandomParaInfo *info);

} // namespace umd
