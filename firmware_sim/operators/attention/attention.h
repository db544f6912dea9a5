// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/view.h"

namespace fw::tensor {

/* Slots and attributes of ATTENTION. */
enum AttentionSlot : unsigned { OUT, LSE, QUERY, KEY, VALUE, PSE, MASK };
enum AttentionAttribute : unsigned { SCALE, BEFORE, BEHIND, SPARSE_MODE, LENGTHS, KEY_LENGTHS };

/** struct AttentionSizes - how a call of ATTENTION is divided into units: each unit has some queries of some
 * heads that share the keys. */
struct AttentionSizes {
	explicit AttentionSizes(const Call &call);

	/* The maximum number of rows in a unit, and the number of keys that are multiplied at a time. */
	static constexpr int64_t ROWS = 128, KEYS = 256;

	int64_t units() const { return batches * groups * units_across * units_down; }
	int64_t rows_per_unit() const { return heads_per_unit * queries_per_unit; }

	int64_t batches, heads, queries, keys;
	int64_t depth;	/* elements of a query and of a key */
	int64_t width;	/* elements of a value */
	int64_t groups; /* number of heads of the keys */
	int64_t heads_per_group;
	int64_t heads_per_unit, queries_per_unit;
	int64_t units_across; /* units into which the heads of a group are divided */
	int64_t units_down;   /* units into which the queries are divided */
};

/** attention_bytes() - scratch memory of attend(). */
size_t attention_bytes(const AttentionSizes &sizes);

/** attend() - computes a unit. */
void attend(const Call &call, const AttentionSizes &sizes, int64_t unit, std::byte *scratch);

} // namespace fw::tensor
