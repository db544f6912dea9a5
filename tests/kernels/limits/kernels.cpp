// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels that do not end, or only on a chip with enough cores
 */
#include <atomic>
#include <cstring>

#include <unistd.h>

#include "kernel_operator.h"

#include "ub_limits.h"

using namespace AscendC;

/* Until another value is there. */
extern "C" __global__ __aicore__ void spin(GM_ADDR word)
{
	GlobalTensor<int32_t> x;

	x.SetGlobalBuffer((__gm__ int32_t *)word);
	while (x.GetValue(0) == 0) /* spins */
		;
}

/* The same by a plain pointer: the loop calls nothing. */
extern "C" __global__ __aicore__ void spin_plainly(GM_ADDR word)
{
	if (GetBlockIdx() == 0)
		return;
	const auto *x = reinterpret_cast<const std::atomic<int32_t> *>(word) + 5;

	while (x->load() == 0) /* spins plainly */
		;
}

/* A header of glibc defines this memchr() inline. It takes longer than the thread is followed. */
extern "C" __global__ __aicore__ void spin_in_header(GM_ADDR bytes, uint64_t count)
{
	const auto *x = reinterpret_cast<const std::atomic<int32_t> *>(bytes);

	while (!memchr((const void *)bytes, x->load() + 1, count))
		;
}

/* With the deepest checks, nearly all time passes in those of its instruction. */
extern "C" __global__ __aicore__ void spin_in_instructions(GM_ADDR word)
{
	TPipe pipe;
	TBuf<TPosition::VECCALC> buffer;
	GlobalTensor<int32_t> x;

	x.SetGlobalBuffer((__gm__ int32_t *)word);
	pipe.InitBuffer(buffer, 65536);
	const LocalTensor<int32_t> t = buffer.Get<int32_t>();
	Duplicate(t, 0, 16384);
	while (x.GetValue(0) == 0)
		Adds(t, t, 1, 16384); /* spins in instructions */
}

/* All blocks have to be there at once. */
extern "C" __global__ __aicore__ void meet(GM_ADDR word)
{
	GlobalTensor<int32_t> x;

	x.SetGlobalBuffer((__gm__ int32_t *)word);
	SyncAll(); /* meet waits */
	if (GetBlockIdx() == 0)
		x.SetValue(0, 1);
}

/* Block 0 does not come, and another waits for what nobody sets. */
extern "C" __global__ __aicore__ void part(GM_ADDR)
{
	GlobalTensor<int32_t> gm;
	LocalTensor<int32_t> ub;

	if (GetBlockIdx() == 1)
		CrossCoreWaitFlag(3); /* part waits for a flag */
	if (GetBlockIdx() == 2)
		IBWait(gm, ub, 0, 1); /* part waits for a block */
	if (GetBlockIdx() > 2)
		SyncAll(); /* part waits for all */
}

/* As for any chip but Ascend310P. */
extern "C" __global__ __aicore__ void use_ub(GM_ADDR word, uint32_t bytes, uint32_t behind)
{
	use_all_of_ub(word, bytes, behind);
}

__attribute__((noinline)) static void set_first(int32_t *numbers)
{
	numbers[0] = 5;
}

/* An array larger than a stack, of which only the far end is touched. */
extern "C" __global__ __aicore__ void use_stack(GM_ADDR word)
{
	int32_t numbers[400000];

	set_first(numbers);
	*(__gm__ int32_t *)word = numbers[0];
}

/* Says some things, and fails. */
extern "C" __global__ __aicore__ void say(GM_ADDR)
{
	TPipe pipe;
	TBuf<TPosition::VECCALC> buffer;
	const int block = int(GetBlockIdx());

	pipe.InitBuffer(buffer, 32);
	const LocalTensor<int32_t> t = buffer.Get<int32_t>();
	AscendC::printf("first of %d\n", block);
	Duplicate(t, 70 + block, 8);
	PRINTF("second of %d\n", block);
	DumpTensor(t, 3, 8);
	printf("last of %d\n", block);
	assert(block < 0);
	AscendC::printf("never of %d\n", block);
}

/* Says something, and does not end as a kernel does: by an access of no memory (0), a division by zero (1), abort()
 * (2), with its process (4), or in a loop (3). */
extern "C" __global__ __aicore__ void say_and_die(GM_ADDR word, uint32_t how)
{
	GlobalTensor<int32_t> x;

	x.SetGlobalBuffer((__gm__ int32_t *)word);
	printf("said before %u\n", how);
	if (how == 0)
		reinterpret_cast<std::atomic<int32_t> *>(16)->store(1);
	else if (how == 1)
		x.SetValue(0, 7 / x.GetValue(0));
	else if (how == 2)
		abort();
	else if (how == 4)
		_exit(1);
	while (x.GetValue(0) == 0)
		;
}

/* Prints arguments that fit their formats, and some that do not. */
extern "C" __global__ __aicore__ void say_wrongly(GM_ADDR word)
{
	AscendC::printf("%-3d|%*d|%5.1f|%s|%c|%p|%lu|100%%\n", 1, 4, 2, half(1.5), "x", 'c', word,
			uint64_t{7});
	AscendC::printf("%d\n", 1.5f);
	AscendC::printf("%u %.2f\n", 1u, 2);
	AscendC::printf("%s\n", 3);
	AscendC::printf("%d %d\n", 4);
}

int launch_say_wrongly(void *stream, void *word)
{
	return say_wrongly<<<1, nullptr, stream>>>(word);
}
int launch_say_and_die(void *stream, void *word, uint32_t how)
{
	return say_and_die<<<1, nullptr, stream>>>(word, how);
}
int launch_use_stack(void *stream, void *word)
{
	return use_stack<<<1, nullptr, stream>>>(word);
}
int launch_say(uint32_t blocks, void *stream, void *word)
{
	return say<<<blocks, nullptr, stream>>>(word);
}
int launch_spin(void *stream, void *word)
{
	return spin<<<1, nullptr, stream>>>(word);
}
int launch_spin_plainly(void *stream, void *word)
{
	return spin_plainly<<<2, nullptr, stream>>>(word);
}
int launch_spin_in_header(void *stream, void *bytes, uint64_t count)
{
	return spin_in_header<<<1, nullptr, stream>>>(bytes, count);
}
int launch_spin_in_instructions(void *stream, void *word)
{
	return spin_in_instructions<<<1, nullptr, stream>>>(word);
}
int launch_meet(uint32_t blocks, void *stream, void *word)
{
	return meet<<<blocks, nullptr, stream>>>(word);
}
int launch_part(uint32_t blocks, void *stream, void *word)
{
	return part<<<blocks, nullptr, stream>>>(word);
}
int launch_use_ub(void *stream, void *word, uint32_t bytes, uint32_t behind)
{
	return use_ub<<<1, nullptr, stream>>>(word, bytes, behind);
}
