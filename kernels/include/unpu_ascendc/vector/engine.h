/* SPDX-License-Identifier: MIT */
/*
 * DOC: Engine of the vector unit
 *
 * An operation is a function of one element of each source. Here it becomes a loop over contiguous elements, which
 * compilers vectorise, and an instruction: with a count of elements, or with a mask, repeats and strides. half is
 * computed in float and rounded once.
 */
#ifndef UNPU_ASCENDC_VECTOR_ENGINE_H
#define UNPU_ASCENDC_VECTOR_ENGINE_H

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/types/convert.h"
#include "unpu_ascendc/vector/params.h"
#include "unpu_ascendc/vector/pattern.h"

/* Put before a loop whose iterations do not depend on each other: two operands are the same tensor, or do not
 * overlap. */
#if defined(__clang__)
#define UNPU_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define UNPU_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace unpu::lang {

/* The type that an operation on T computes with. */
template <class T> using Computed = std::conditional_t<std::is_same_v<T, half>, float, T>;

/* Gives a loop the next elements of a source. */
template <class T> struct Source {
	const T *elements;

	explicit Source(const T *of) : elements(of) {}
	const T *load(uint32_t first, uint32_t) { return elements + first; }
};
template <> struct Source<half> {
	const half *elements;
	float chunk[CHUNK];

	explicit Source(const half *of) : elements(of) {}
	const float *load(uint32_t first, uint32_t count)
	{
		widen(chunk, elements + first, count);
		return chunk;
	}
};

template <class D, class Op, class... In>
inline void apply(Op op, uint32_t count, D *dst, const In *...in)
{
	UNPU_INDEPENDENT
	for (uint32_t i = 0; i < count; i++)
		dst[i] = static_cast<D>(op(in[i]...));
}

template <class D, class Op, class... S>
inline void apply_in_chunks(Op op, bool saturate, uint32_t count, D *dst, Source<S>... sources)
{
	for (uint32_t first = 0; first < count; first += CHUNK) {
		const uint32_t now = count - first < CHUNK ? count - first : CHUNK;

		if constexpr (std::is_same_v<D, half>) {
			float results[CHUNK];

			apply(op, now, results, sources.load(first, now)...);
			if (saturate)
				saturate_to_half(results, now);
			narrow(dst + first, results, now);
		} else {
			apply(op, now, dst + first, sources.load(first, now)...);
		}
	}
}

/* Whether an operation has a loop() of its own, where a compiler makes slow code of one element after another. */
template <class Op> inline constexpr bool has_loop = false;

/* dst[i] = op(src[i]...) for contiguous elements. */
template <class D, class Op, class... S>
inline void loop(Op op, bool saturate, uint32_t count, D *dst, const S *...src)
{
	if constexpr (has_loop<Op>)
		op.loop(saturate, count, dst, src...);
	else if constexpr (is_one_of<half, D, S...>)
		apply_in_chunks<D, Op, S...>(op, saturate, count, dst, Source<S>(src)...);
	else
		apply(op, count, dst, src...);
}

/* An operand of an instruction: its strides are in blocks of 32 bytes. */
template <class T> struct Arg {
	using Element = T;

	const char *name;
	const LocalTensor<T> &tensor;
	uint32_t block = 1;
	uint32_t repeat = 8;

	Lane lane() const { return lane_of(name, tensor, block, repeat); }
	Span span() const { return {name, tensor.address_.absAddr, bits_per_element<T>}; }
};

template <class T>
inline void require_arg(const char *call, const Arg<T> &arg, uint64_t bytes, Where where)
{
	require_local(call, arg.name, arg.tensor.address_, bytes, 32, where);
}

template <class T> inline bool is_wrong_arg(const Arg<T> &arg, uint64_t bytes)
{
	return is_wrong_local(arg.tensor.address_, bytes, 32);
}

/* Fails with a message about the first operand of @count elements that is not valid. */
template <class... T>
__attribute__((noinline, cold)) void explain_args(const char *call, uint32_t count, Where where,
						  const Arg<T> &...args)
{
	(require_arg(call, args, bytes_of<T>(count), where), ...);
}

/* Level 2: a result that begins inside of a source, behind its first element, overwrites elements that the
 * instruction has not read yet. Then its result is undefined. */
template <class D, class S>
inline void require_apart(const char *call, const Arg<D> &dst, const Arg<S> &src, uint64_t bytes,
			  Where where)
{
	const uint64_t lead =
		static_cast<uint64_t>(dst.tensor.address_.absAddr - src.tensor.address_.absAddr);

	if (sizeof(D) == sizeof(S) && lead != 0 && lead < bytes && level() > 1)
		fail(where,
		     "%s: dst begins %llu bytes behind %s, which has %llu bytes: the instruction "
		     "overwrites what it has not read; let them be the same tensor, or two that do "
		     "not overlap",
		     call, static_cast<unsigned long long>(lead), src.name,
		     static_cast<unsigned long long>(bytes));
}

__attribute__((noinline, cold)) inline void explain_count(const char *call, int64_t count,
							  Where where)
{
	if (level() > 0)
		fail(where, "%s: count is %lld; it has to be positive", call,
		     static_cast<long long>(count));
}

/* An instruction on the first @count elements. */
template <class D, class Op, class... S>
inline void run_count(const char *call, Op op, int64_t count, Where where, const Arg<D> &dst,
		      const Arg<S> &...src)
{
	if (__builtin_expect(count <= 0, 0)) {
		explain_count(call, count, where);
		return;
	}
	const uint32_t elements = static_cast<uint32_t>(count);

	if (__builtin_expect(is_wrong_arg(dst, bytes_of<D>(elements)) |
				     (is_wrong_arg(src, bytes_of<S>(elements)) | ...),
			     0))
		explain_args(call, elements, where, dst, src...);
	if (__builtin_expect(deepest > 1, 0)) {
		const Span spans[] = {dst.span(), src.span()...};

		(require_apart(call, dst, src, bytes_of<D>(elements), where), ...);
		note_elements({call, Pipe::V, where}, spans, elements);
	}
	loop<D>(op, std::is_same_v<D, half> && block().saturate, elements, dst.tensor.data(),
		static_cast<const S *>(src.tensor.data())...);
}

template <uint32_t N, class... S, size_t... I, class D, class Op>
inline void run_lanes(const Lane (&lanes)[N], const Pattern &pattern, Op op, bool saturate, D *,
		      std::index_sequence<I...>)
{
	for_each_run(lanes, pattern, [&](unsigned char *const *at, uint32_t count) {
		loop<D>(op, saturate, count, reinterpret_cast<D *>(at[0]),
			reinterpret_cast<const S *>(at[I + 1])...);
	});
}

/* A mask that was set before the call may select elements behind its tensors. The chip allows that within UB. */
inline void require_lane(const char *call, const Lane &lane, const TBuffAddr &address,
			 const Pattern &pattern, Where where)
{
	TBuffAddr limit = address;

	if (pattern.is_inherited && level() == 1)
		limit.dataLen = bytes_behind(address);
	require_local(call, lane.name, limit, reach_of(lane, pattern), 32, where);
}

/* Checks the operands of an instruction with a mask, and reports their accesses to the checks of levels 2 and 3. */
template <uint32_t N>
inline void require_lanes(const char *call, const Lane (&lanes)[N],
			  const TBuffAddr *const (&addresses)[N], const Pattern &pattern,
			  Where where)
{
	for (uint32_t i = 0; i < N; i++)
		require_lane(call, lanes[i], *addresses[i], pattern, where);
	if (__builtin_expect(deepest > 1, 0)) {
		for_each_run(lanes, pattern, [&](unsigned char *const *at, uint32_t count) {
			Span spans[N];

			for (uint32_t i = 0; i < N; i++)
				spans[i] = {lanes[i].name, at[i], lanes[i].bits};
			note_elements({call, Pipe::V, where}, spans, count);
		});
	}
}

/* An instruction with a mask. */
template <class D, class Op, class... S>
inline void run_pattern(const char *call, Op op, const Pattern &pattern, Where where,
			const Arg<D> &dst, const Arg<S> &...src)
{
	const Lane lanes[] = {dst.lane(), src.lane()...};
	const TBuffAddr *const addresses[] = {&dst.tensor.address_, &src.tensor.address_...};

	require_lanes(call, lanes, addresses, pattern, where);
	run_lanes<sizeof...(S) + 1, S...>(
		lanes, pattern, op, std::is_same_v<D, half> && block().saturate,
		static_cast<D *>(nullptr), std::index_sequence_for<S...>{});
}

/* The number of elements in a repeat of an instruction on these types. The widest type decides. */
template <class... T> constexpr uint32_t repeat_elements()
{
	uint32_t least = 2048;

	((least = per_repeat<T> < least ? per_repeat<T> : least), ...);
	return least;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_VECTOR_ENGINE_H */
