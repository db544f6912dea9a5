/* SPDX-License-Identifier: MIT */
/*
 * DOC: Sort32, MrgSort and what is made of them
 *
 * A sorted list is an array of records of 8 bytes: the score, and the index as uint32_t. The score of a half has 2
 * bytes behind it that mean nothing. Lists descend, and records with the same score keep their order.
 */
#ifndef UNPU_ASCENDC_SORT_SORT_H
#define UNPU_ASCENDC_SORT_SORT_H

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/sort/stable.h"
#include "unpu_ascendc/tensor/local_tensor.h"

namespace AscendC {

template <typename T> struct MrgSortSrcList {
	LocalTensor<T> src1, src2, src3, src4;

	MrgSortSrcList() = default;
	MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c,
		       const LocalTensor<T> &d)
		: src1(a), src2(b), src3(c), src4(d)
	{
	}
};

struct MrgSort4Info {
	uint16_t elementLengths[4] = {};
	bool ifExhaustedSuspension = false;
	uint16_t validBit = 15;
	uint16_t repeatTimes = 1;

	MrgSort4Info() = default;
	MrgSort4Info(const uint16_t lengths[4], bool suspends, uint16_t valid, uint16_t repeats)
		: ifExhaustedSuspension(suspends), validBit(valid), repeatTimes(repeats)
	{
		for (int i = 0; i < 4; i++)
			elementLengths[i] = lengths[i];
	}
};

} // namespace AscendC

namespace unpu::lang {

inline constexpr uint32_t RECORD = 8;

template <class T> inline T score_of(const unsigned char *record)
{
	T score;

	memcpy(&score, record, sizeof(T));
	return score;
}
template <class T> inline void put_record(unsigned char *record, T score, uint32_t index)
{
	memset(record, 0, RECORD);
	memcpy(record, &score, sizeof(T));
	memcpy(record + 4, &index, 4);
}

/* Sorts @count scores with their indices into records. */
template <class T>
inline void sort_records(unsigned char *dst, const T *scores, const uint32_t *indices,
			 uint32_t count)
{
	uint32_t order[32];

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	sort_stably(order, count,
		    [&](uint32_t a, uint32_t b) { return float(scores[a]) > float(scores[b]); });
	for (uint32_t i = 0; i < count; i++)
		put_record(dst + i * RECORD, scores[order[i]], indices[order[i]]);
}

/*
 * Merges up to 4 lists into one. Where a list ends and @suspends is set, the rest of the others is left. Returns the
 * number of records that were written; @taken counts those of each list.
 */
template <class T>
inline uint32_t merge(unsigned char *dst, const unsigned char *const lists[4],
		      const uint16_t lengths[4], uint16_t valid, bool suspends, uint32_t taken[4])
{
	uint32_t written = 0;

	for (;;) {
		int best = -1;

		for (int i = 0; i < 4; i++) {
			if (!(valid >> i & 1))
				continue;
			if (taken[i] == lengths[i]) {
				if (suspends)
					return written;
				continue;
			}
			if (best < 0 ||
			    float(score_of<T>(lists[i] + taken[i] * RECORD)) >
				    float(score_of<T>(lists[best] + taken[best] * RECORD)))
				best = i;
		}
		if (best < 0)
			return written;
		memcpy(dst + written++ * RECORD, lists[best] + taken[best]++ * RECORD, RECORD);
	}
}

#define UNPU_SORT_TYPES(Name, T) \
	static_assert(unpu::lang::is_one_of<T, half, float>, #Name ": scores are half or float")

} // namespace unpu::lang

namespace AscendC {

/* Sorts groups of 32 scores. */
template <typename T>
void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &score,
	    const LocalTensor<uint32_t> &index, int32_t repeat, UNPU_WHERE)
{
	UNPU_SORT_TYPES(Sort32, T);
	const uint64_t groups = repeat > 0 ? static_cast<uint64_t>(repeat) : 0;
	const unpu::lang::Actor actor = {"Sort32", unpu::lang::Pipe::V, where};

	unpu::lang::require_local("Sort32", "dst", dst.address_, groups * 32 * unpu::lang::RECORD,
				  32, where);
	unpu::lang::require_local("Sort32", "score", score.address_, groups * 32 * sizeof(T), 32,
				  where);
	unpu::lang::require_local("Sort32", "index", index.address_, groups * 128, 32, where);
	if (unpu::lang::deepest > 1) {
		unpu::lang::note_use(actor, "score", score.address_.absAddr,
				     groups * 32 * sizeof(T));
		unpu::lang::note_use(actor, "index", index.address_.absAddr, groups * 128);
		unpu::lang::note_result(actor, "dst", dst.address_.absAddr,
					groups * 32 * unpu::lang::RECORD);
	}
	for (uint64_t i = 0; i < groups; i++)
		unpu::lang::sort_records(dst.address_.absAddr + i * 32 * unpu::lang::RECORD,
					 score.data() + i * 32, index.data() + i * 32, 32);
}

/* Merges sorted lists; with repeats, lists of the same lengths that lie one behind the other. */
template <typename T>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &info,
	     UNPU_WHERE)
{
	UNPU_SORT_TYPES(MrgSort, T);
	const LocalTensor<T> *const sources[4] = {&src.src1, &src.src2, &src.src3, &src.src4};
	const unpu::lang::Actor actor = {"MrgSort", unpu::lang::Pipe::V, where};
	const uint32_t repeats = info.repeatTimes ? info.repeatTimes : 1;
	uint32_t written = 0;
	uint64_t total = 0;

	if (info.validBit != 3 && info.validBit != 7 && info.validBit != 15 &&
	    unpu::lang::level() > 0)
		unpu::lang::fail(
			where,
			"MrgSort: validBit is %u; lists are the first 2 (3), 3 (7) or 4 (15)",
			info.validBit);
	for (int i = 0; i < 4; i++)
		total += info.validBit >> i & 1 ? info.elementLengths[i] : 0;
	for (int i = 0; i < 4; i++) {
		if (!(info.validBit >> i & 1))
			continue;
		const uint64_t bytes =
			((repeats - 1) * total + info.elementLengths[i]) * unpu::lang::RECORD;

		unpu::lang::require_local("MrgSort", "a source", sources[i]->address_, bytes, 8,
					  where);
		if (unpu::lang::deepest > 1)
			unpu::lang::note_use(actor, "a source", sources[i]->address_.absAddr,
					     info.elementLengths[i] * unpu::lang::RECORD);
	}
	unpu::lang::require_local("MrgSort", "dst", dst.address_,
				  repeats * total * unpu::lang::RECORD, 32, where);
	for (uint32_t repeat = 0; repeat < repeats; repeat++) {
		const unsigned char *lists[4];
		uint32_t taken[4] = {};

		for (int i = 0; i < 4; i++)
			lists[i] =
				sources[i]->address_.absAddr + repeat * total * unpu::lang::RECORD;
		written = unpu::lang::merge<T>(
			dst.address_.absAddr + repeat * total * unpu::lang::RECORD, lists,
			info.elementLengths, info.validBit, info.ifExhaustedSuspension, taken);
		memcpy(unpu::lang::state().merged, taken, sizeof(taken));
	}
	if (unpu::lang::deepest > 1)
		unpu::lang::note_result(actor, "dst", dst.address_.absAddr,
					((repeats - 1) * total + written) * unpu::lang::RECORD);
}

/* How many records the last MrgSort took from each list. */
inline void GetMrgSortResult(uint16_t &mrgSortList1, uint16_t &mrgSortList2, uint16_t &mrgSortList3,
			     uint16_t &mrgSortList4)
{
	const uint32_t *taken = unpu::lang::state().merged;

	mrgSortList1 = static_cast<uint16_t>(taken[0]);
	mrgSortList2 = static_cast<uint16_t>(taken[1]);
	mrgSortList3 = static_cast<uint16_t>(taken[2]);
	mrgSortList4 = static_cast<uint16_t>(taken[3]);
}

/* Splits records into scores and indices, 32 records in each repeat. */
template <typename T>
void Extract(const LocalTensor<T> &value, const LocalTensor<uint32_t> &index,
	     const LocalTensor<T> &sorted, int32_t repeat, UNPU_WHERE)
{
	UNPU_SORT_TYPES(Extract, T);
	const uint64_t count = repeat > 0 ? static_cast<uint64_t>(repeat) * 32 : 0;
	const unpu::lang::Actor actor = {"Extract", unpu::lang::Pipe::V, where};

	unpu::lang::require_local("Extract", "value", value.address_, count * sizeof(T), 32, where);
	unpu::lang::require_local("Extract", "index", index.address_, count * 4, 32, where);
	unpu::lang::require_local("Extract", "sorted", sorted.address_, count * unpu::lang::RECORD,
				  32, where);
	if (unpu::lang::deepest > 1) {
		unpu::lang::note_use(actor, "sorted", sorted.address_.absAddr,
				     count * unpu::lang::RECORD);
		unpu::lang::note_result(actor, "value", value.address_.absAddr, count * sizeof(T));
		unpu::lang::note_result(actor, "index", index.address_.absAddr, count * 4);
	}
	for (uint64_t i = 0; i < count; i++) {
		const unsigned char *record = sorted.address_.absAddr + i * unpu::lang::RECORD;

		value.data()[i] = unpu::lang::score_of<T>(record);
		memcpy(&index.data()[i], record + 4, 4);
	}
}

/* Prepares scores for Sort32. On this chip they need no change. */
template <typename T>
void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &, int32_t)
{
	concat = src;
}

/* Sorts groups of 32, or all of the @repeat groups with isFullSort. */
template <typename T, bool isFullSort>
void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat,
	  const LocalTensor<uint32_t> &index, LocalTensor<T> &, int32_t repeat, UNPU_WHERE)
{
	Sort32(dst, concat, index, repeat, where);
	if constexpr (isFullSort) {
		struct Record {
			unsigned char bytes[unpu::lang::RECORD];
		};
		Record *records = reinterpret_cast<Record *>(dst.address_.absAddr);

		unpu::lang::sort_stably(records, repeat > 0 ? uint64_t(repeat) * 32 : 0,
					[](const Record &a, const Record &b) {
						return float(unpu::lang::score_of<T>(a.bytes)) >
						       float(unpu::lang::score_of<T>(b.bytes));
					});
	}
}

/* Bytes of a list of @count scores, in elements of T. */
template <typename T> constexpr uint32_t GetSortOffset(uint32_t count)
{
	return count * unpu::lang::RECORD / sizeof(T);
}
template <typename T> constexpr uint32_t GetSortLen(uint32_t count)
{
	return count * unpu::lang::RECORD / sizeof(T);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_SORT_SORT_H */
