/* SPDX-License-Identifier: MIT */
/*
 * DOC: Accesses to local memory
 *
 * What each function of the language tells the checks of level 2 and 3. Below level 2 these functions are not called,
 * or return at once.
 */
#ifndef UNPU_ASCENDC_CHECK_ACCESS_H
#define UNPU_ASCENDC_CHECK_ACCESS_H

#include "unpu_ascendc/check/shadow.h"

namespace unpu::lang {

/* Contiguous elements of one operand. */
struct Span {
	const char *name;
	unsigned char *base;
	uint32_t bits; /* of an element */

	uint64_t bytes(uint32_t count) const { return (uint64_t(count) * bits + 7) / 8; }
	unsigned char *at(uint32_t element) const { return base + uint64_t(element) * bits / 8; }
};

/* Bytes that the call needs: all have to be written before. */
inline void note_use(const Actor &actor, const char *name, const void *base, uint64_t bytes)
{
	Shadow *shadow = shadow_at(base);

	if (!shadow)
		return;
	shadow->require_written(actor.call, name, base, bytes, actor.where);
	shadow->read(actor, name, base, bytes);
}

/* Bytes that the call reads, whether they were written or not. */
inline void note_read(const Actor &actor, const char *name, const void *base, uint64_t bytes)
{
	Shadow *shadow = shadow_at(base);

	if (!shadow)
		return;
	shadow->require_owned(actor.call, name, base, bytes, actor.where);
	shadow->read(actor, name, base, bytes);
}

/* Bytes that the call writes. */
inline void note_result(const Actor &actor, const char *name, const void *base, uint64_t bytes)
{
	Shadow *shadow = shadow_at(base);

	if (!shadow)
		return;
	shadow->require_owned(actor.call, name, base, bytes, actor.where);
	shadow->mark(base, bytes, Shadow::WRITTEN);
	shadow->write(actor, name, base, bytes);
}

/*
 * Element @i of dst is computed of element @i of the sources: it is as defined as they are. Kernels may compute
 * with elements that were never written, if no result of them leaves the local memory.
 */
template <uint32_t N>
inline void note_elements(const Actor &actor, const Span (&spans)[N], uint32_t count)
{
	Shadow *shadows[N];

	for (uint32_t i = 0; i < N; i++)
		shadows[i] = shadow_at(spans[i].base);
	for (uint32_t i = 1; i < N; i++) {
		if (!shadows[i])
			continue;
		shadows[i]->require_owned(actor.call, spans[i].name, spans[i].base,
					  spans[i].bytes(count), actor.where);
		shadows[i]->read(actor, spans[i].name, spans[i].base, spans[i].bytes(count));
	}
	if (!shadows[0])
		return;
	shadows[0]->require_owned(actor.call, spans[0].name, spans[0].base, spans[0].bytes(count),
				  actor.where);
	for (uint32_t i = 0; i < count; i++) {
		unsigned char *result = spans[0].at(i);
		const uint64_t bytes = (spans[0].bits + 7) / 8;
		uint32_t k = 1;

		while (k < N && (!shadows[k] ||
				 shadows[k]->is_written(spans[k].at(i), (spans[k].bits + 7) / 8)))
			k++;
		if (k == N)
			shadows[0]->mark(result, bytes, Shadow::WRITTEN);
		else
			shadows[0]->mark_computed(result, bytes,
						  shadows[k]->source_of(spans[k].at(i), actor.call,
									spans[k].name,
									actor.where));
	}
	shadows[0]->write(actor, spans[0].name, spans[0].base, spans[0].bytes(count));
}

/* An access of the scalar unit to an element of a tensor. */
__attribute__((noinline)) inline void note_scalar(const void *at, uint32_t bytes, bool is_write,
						  const char *call, Where where)
{
	const Actor actor = {call, Pipe::S, where};

	if (is_write)
		note_result(actor, "the tensor", at, bytes);
	else
		note_use(actor, "the tensor", at, bytes);
}

/* The kernel has a pointer to the bytes from now on, so what it writes there is not seen. */
__attribute__((noinline)) inline void note_escape(const TBuffAddr &address)
{
	Shadow *shadow = shadow_at(address.absAddr);

	if (shadow)
		shadow->mark(address.absAddr, address.dataLen, Shadow::WRITTEN);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_ACCESS_H */
