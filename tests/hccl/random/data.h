// SPDX-License-Identifier: MIT
/*
 * DOC: what the buffers of a case have before and after it
 *
 * Data repeat after PERIOD elements. So do reductions of them, so that what 64 MiB have to be costs no more than what a
 * few elements have to be.
 */
#ifndef UNPU_TESTS_HCCL_RANDOM_DATA_H
#define UNPU_TESTS_HCCL_RANDOM_DATA_H

#include "oracle.h"
#include "random_plan.h"

namespace hccl_random {

using hccl_test::Bytes;

/* The data of all ranks for one case, a period each, and their reduction. */
struct Tables {
	Tables(const Plan &plan, const Case &one);
	std::vector<Bytes> ranks;
	Bytes folded; /* of calls that reduce */
};

/* A part of a buffer: elements of a table that begins at @offset of its sequence. */
struct Segment {
	uint64_t at;
	uint64_t count;
	const Bytes *table;
	uint64_t offset;
};

/* The part of a result that @rank receives, with places in its receive buffer. */
std::vector<Segment> result_of(const Plan &plan, const Case &one, uint32_t rank,
			       const Tables &tables);

/* Writes the segments into @buffer. */
void lay_out(Bytes &buffer, HcclDataType type, const std::vector<Segment> &segments);

/* "" if the two are equal; otherwise where they differ. NaNs are equal, and so are zeros of both signs. */
std::string difference(HcclDataType type, const Bytes &found, const Bytes &expected);

} // namespace hccl_random

#endif
