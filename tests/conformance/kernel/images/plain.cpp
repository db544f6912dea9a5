// SPDX-License-Identifier: MIT
/*
 * DOC: a kernel image made by hand
 *
 * It knows kernels/abi alone, as the output of any compiler could. Each entry unpacks its own arguments.
 */
#include <cstdio>
#include <cstring>

#include "kernels/abi/image.h"

namespace {

const unpu_kernel_services *services;

template <class T> T argument(const unsigned char *args, unsigned slot)
{
	T value;
	std::memcpy(&value, args + 8 * slot, sizeof(value));
	return value;
}

/* The part of @count elements that the block has. */
struct Part {
	uint32_t begin;
	uint32_t end;

	explicit Part(uint32_t count)
	{
		const unpu_kernel_block &block = *services->block();
		begin = static_cast<uint32_t>(block.index * count / block.count);
		end = static_cast<uint32_t>((block.index + 1) * count / block.count);
	}
};

/* (int32_t *data, int32_t addend, uint32_t count) */
void add(const unsigned char *args)
{
	auto *data = argument<int32_t *>(args, 0);
	const auto addend = argument<int32_t>(args, 1);
	const Part part(argument<uint32_t>(args, 2));
	for (uint32_t i = part.begin; i < part.end; i++)
		data[i] += addend;
}

struct Pair {
	int32_t left;
	int32_t right;
	int32_t third;
};

/* (int32_t *out, Pair pair, const int32_t *more) */
void store(const unsigned char *args)
{
	auto *out = argument<int32_t *>(args, 0);
	const auto pair = argument<Pair>(args, 1);
	const auto *more = argument<const int32_t *>(args, 3);
	out[0] = pair.left;
	out[1] = pair.right;
	out[2] = pair.third;
	out[3] = more[0];
	out[4] = more[1];
}

/* (uint64_t *out): stores the fields of the block */
void tell(const unsigned char *args)
{
	const unpu_kernel_block &block = *services->block();
	auto *out = argument<uint64_t *>(args, 0) + 4 * block.index;
	out[0] = block.index;
	out[1] = block.count;
	out[2] = block.tiling_key;
	out[3] = block.core;
}

void nothing(const unsigned char *) {}

void speak(const unsigned char *args)
{
	char text[64];
	const int bytes = std::snprintf(text, sizeof(text), "block %d says %d\n",
					static_cast<int>(services->block()->index),
					argument<int32_t>(args, 0));
	services->print(text, static_cast<size_t>(bytes));
}

void trap(const unsigned char *)
{
	services->fail(UNPU_KERNEL_FAIL_TRAP, "plain.cpp", 99, "the kernel called Trap()");
}

/* (int32_t *data): writes where the program says */
void poke(const unsigned char *args)
{
	*argument<int32_t *>(args, 0) = 1;
}

void hang(const unsigned char *)
{
	for (;;)
		services->yield();
}

constexpr unpu_kernel_param POINTER_0 = {UNPU_KERNEL_PARAM_POINTER, 8, 0, 0};
const unpu_kernel_param ADD[] = {
	POINTER_0, {UNPU_KERNEL_PARAM_SCALAR, 4, 8, 0}, {UNPU_KERNEL_PARAM_SCALAR, 4, 16, 0}};
const unpu_kernel_param STORE[] = {POINTER_0,
				   {UNPU_KERNEL_PARAM_STRUCT, sizeof(Pair), 8, 0},
				   {UNPU_KERNEL_PARAM_POINTER, 8, 24, 0}};
const unpu_kernel_param ONE[] = {POINTER_0};
const unpu_kernel_param NUMBER[] = {{UNPU_KERNEL_PARAM_SCALAR, 4, 0, 0}};

const unpu_kernel_entry ENTRIES[] = {
	{"add", add, ADD, 3, 24, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[1], nullptr},
	{"store", store, STORE, 3, 32, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[2], nullptr},
	{"tell", tell, ONE, 1, 8, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[3], nullptr},
	{"nothing", nothing, nullptr, 0, 0, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[4], nullptr},
	{"speak", speak, NUMBER, 1, 8, UNPU_KERNEL_AIV_ONLY, UNPU_KERNEL_HAS_DUMP, &ENTRIES[5],
	 nullptr},
	{"trap", trap, nullptr, 0, 0, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[6], nullptr},
	{"trap_cube", trap, nullptr, 0, 0, UNPU_KERNEL_AIC_ONLY, 0, &ENTRIES[7], nullptr},
	{"poke", poke, ONE, 1, 8, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[8], nullptr},
	{"hang", hang, nullptr, 0, 0, UNPU_KERNEL_AIV_ONLY, 0, &ENTRIES[9], nullptr},
	{"tell_cube", tell, ONE, 1, 8, UNPU_KERNEL_AIC_ONLY, 0, nullptr, nullptr},
};

void attach(const unpu_kernel_services *given)
{
	services = given;
}

const struct unpu_kernel_image IMAGE = {UNPU_KERNEL_IMAGE_VERSION, sizeof(struct unpu_kernel_image),
					ENTRIES, attach};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(
	void)
{
	return &IMAGE;
}
