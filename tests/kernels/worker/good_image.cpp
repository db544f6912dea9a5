// SPDX-License-Identifier: MIT
/*
 * DOC: An image of kernels, good and bad ones
 *
 * Written by hand, with the headers of kernels/abi alone.
 */
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/abi/image.h"
#include "kernels/abi/worker.h"

namespace {

const unpu_kernel_services *services;
const unpu_kernel_entry *entries;

template <class T> T argument(const unsigned char *args, unsigned index)
{
	T value;
	memcpy(&value, args + index * 8, sizeof(value));
	return value;
}

struct Entry {
	Entry(const char *name, void (*run)(const unsigned char *), uint32_t args,
	      uint32_t type = UNPU_KERNEL_AIV_ONLY)
		: entry{name, run, params, args, args * 8, type, 0, entries, nullptr}
	{
		for (uint32_t i = 0; i < args; i++)
			params[i] = {UNPU_KERNEL_PARAM_POINTER, 8, i * 8, 0};
		entries = &entry;
	}
	unpu_kernel_param params[4] = {};
	unpu_kernel_entry entry;
};

uint64_t index()
{
	return services->block()->index;
}

/* x, y, z, number of floats: z = x + y, each block a part. */
Entry add(
	"add",
	[](const unsigned char *args) {
		const auto *x = argument<const float *>(args, 0),
			   *y = argument<const float *>(args, 1);
		auto *z = argument<float *>(args, 2);
		const auto count = argument<uint64_t>(args, 3), blocks = services->block()->count;
		for (uint64_t i = count * index() / blocks; i < count * (index() + 1) / blocks; i++)
			z[i] = x[i] + y[i];
	},
	4);

/* out: each block stores what it knows of itself. */
Entry blocks(
	"blocks",
	[](const unsigned char *args) {
		const unpu_kernel_block &block = *services->block();
		auto *out = argument<uint64_t *>(args, 0);
		for (unsigned i = 0; i < UNPU_KERNEL_MEMORIES; i++)
			memset(block.local[i].base, 0x5a, block.local[i].bytes);
		uint64_t sum = 0;
		for (unsigned i = 0; i < UNPU_KERNEL_STATE_BYTES; i++)
			sum += block.state[i];
		memset(block.state, 0xff, UNPU_KERNEL_STATE_BYTES);
		out[block.index] = 1 + block.index + (block.count << 32) + (sum << 16);
	},
	1);

/* counter, out: every block adds 1, waits, and reads the counter. */
Entry sync_all(
	"sync_all",
	[](const unsigned char *args) {
		auto *counter = argument<uint64_t *>(args, 0), *out = argument<uint64_t *>(args, 1);
		for (unsigned round = 0; round < 3; round++) {
			std::atomic_ref(*counter).fetch_add(1);
			services->barrier(UNPU_KERNEL_SYNC_CORES);
		}
		out[index()] = *counter;
	},
	2);

/* The odd blocks do not wait. */
Entry half_sync(
	"half_sync",
	[](const unsigned char *) {
		if (index() % 2 == 0)
			services->barrier(UNPU_KERNEL_SYNC_CORES);
	},
	0);

/* out: vector cores of a mix wait for their cube core, and it for them. */
Entry mix(
	"mix",
	[](const unsigned char *args) {
		const unpu_kernel_block &block = *services->block();
		auto *out = argument<uint64_t *>(args, 0);
		if (block.core == UNPU_KERNEL_CORE_AIC) {
			out[3 * block.index] = 1;
			services->flag_set(2, 4);
			services->flag_wait(5);
			out[3 * block.index] += out[3 * block.index + 1] + out[3 * block.index + 2];
			return;
		}
		services->flag_wait(4);
		out[3 * (block.index / 2) + 1 + block.sub_index] = 10 + out[3 * (block.index / 2)];
		services->flag_set(2, 5);
		services->barrier(UNPU_KERNEL_SYNC_CORES);
	},
	1, UNPU_KERNEL_MIX_AIC_1_2);

/* word: block 0 polls until the last block has stored it. */
Entry spin(
	"spin",
	[](const unsigned char *args) {
		auto *word = argument<uint64_t *>(args, 0);
		if (index() + 1 == services->block()->count)
			std::atomic_ref(*word).store(1);
		while (std::atomic_ref(*word).load() == 0)
			services->yield();
	},
	1);

/* word: blocks pass it on, from the last to the first. */
Entry pass_on(
	"pass_on",
	[](const unsigned char *args) {
		auto *word = argument<uint64_t *>(args, 0);
		const uint64_t last = services->block()->count - 1;
		if (index() != last)
			services->block_wait(static_cast<uint32_t>(index()), 3);
		*word = *word * 3 + index();
		if (index() != 0)
			services->block_set(static_cast<uint32_t>(index() - 1), 3);
	},
	1);

/* address, value: stores it. */
Entry poke(
	"poke",
	[](const unsigned char *args) {
		*argument<uint64_t *>(args, 0) = argument<uint64_t>(args, 1);
	},
	2);

Entry beyond_ub(
	"beyond_ub",
	[](const unsigned char *) {
		const unpu_kernel_local &ub = services->block()->local[UNPU_KERNEL_UB];
		ub.base[ub.bytes + 8] = 1;
	},
	0);

__attribute__((noinline)) unsigned recurse(unsigned depth)
{
	unsigned char room[4096];
	memset(room, static_cast<int>(depth), sizeof(room));
	(void)services->now_ns();
	return depth ? recurse(depth - 1) + room[7] : room[9];
}

Entry deep(
	"deep", [](const unsigned char *) { (void)recurse(1000); }, 0);

Entry trap(
	"trap",
	[](const unsigned char *) {
		services->fail(UNPU_KERNEL_FAIL_TRAP, "user.cpp", 17, "Trap() was called");
	},
	0);

/* The last of the two vector instances of each block fails. */
Entry trap_of_mix(
	"trap_of_mix",
	[](const unsigned char *) {
		if (services->block()->core == UNPU_KERNEL_CORE_AIV && index() % 2 == 1)
			services->fail(UNPU_KERNEL_FAIL_TRAP, "user.cpp", 18, "Trap() was called");
	},
	0, UNPU_KERNEL_MIX_AIC_1_2);

Entry loop(
	"loop",
	[](const unsigned char *) {
		for (;;)
			(void)services->now_ns();
	},
	0);

/* ns: works until its thread has had so much of a CPU. */
Entry work(
	"work",
	[](const unsigned char *args) {
		const auto had_ns = [] {
			timespec time{};
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
			return static_cast<uint64_t>(time.tv_sec) * 1000000000 +
			       static_cast<uint64_t>(time.tv_nsec);
		};
		const uint64_t end_ns = had_ns() + argument<uint64_t>(args, 0);
		while (had_ns() < end_ns)
			continue;
	},
	1);

/* word: tells that it runs, and then loops. */
Entry loop_after(
	"loop_after",
	[](const unsigned char *args) {
		std::atomic_ref(*argument<uint64_t *>(args, 0)).store(1);
		for (;;)
			(void)services->now_ns();
	},
	1);

/* word: each block waits for another kernel, without letting other blocks run. */
Entry await_word(
	"await_word",
	[](const unsigned char *args) {
		while (std::atomic_ref(*argument<uint64_t *>(args, 0)).load() == 0)
			(void)services->now_ns();
	},
	1);

/* kind, word: writes what it likes to the board that the worker shares with its firmware. Its arguments are in it. */
Entry lie(
	"lie",
	[](const unsigned char *args) {
		auto *mine = const_cast<unsigned char *>(args - UNPU_WORKER_ARGS_AT);
		auto &lane = *reinterpret_cast<unpu_worker_lane *>(mine);
		unsigned char *first = mine - UNPU_WORKER_LANE_AT;
		auto &board = *reinterpret_cast<unpu_worker_board *>(first);
		const auto kind = argument<uint64_t>(args, 0);
		memset(mine + UNPU_WORKER_OUTPUT_AT, 0xff, 4096);
		memset(mine + UNPU_WORKER_TEXT_AT, 0x1b, UNPU_WORKER_TEXT_BYTES);
		if (kind == 0 || kind == 1) {
			memset(&lane.answer, 0xff, sizeof(lane.answer));
			lane.answer.result = kind == 0 ? UNPU_WORKER_OK : UNPU_WORKER_FAILED;
			if (kind == 1)
				lane.answer.failure = UNPU_KERNEL_FAIL_SIGNAL;
			std::atomic_ref(lane.ended).store(lane.posted);
			std::atomic_ref(board.ends).fetch_add(1);
		}
		if (kind == 2) {
			lane.started = 0;
			_exit(0);
		}
		if (kind == 3)
			memset(first, 0xff, UNPU_WORKER_BOARD_BYTES - UNPU_WORKER_OUTPUT_BYTES);
		for (uint64_t one = 1;;) {
			std::atomic_ref(board.ends).fetch_add(1);
			lane.sleeps = 1;
			(void)!write(UNPU_WORKER_KICK, &one, sizeof(one));
		}
	},
	1);

Entry divide(
	"divide",
	[](const unsigned char *args) {
		auto *word = argument<int64_t *>(args, 0);
		*word = 7 / *word;
	},
	1);

Entry say(
	"say",
	[](const unsigned char *) {
		char text[64];
		const int bytes =
			snprintf(text, sizeof(text), "block %u\n", static_cast<unsigned>(index()));
		services->print(text, static_cast<size_t>(bytes));
	},
	0);

/* times: prints 1 KiB so many times. */
Entry shout(
	"shout",
	[](const unsigned char *args) {
		char text[1024];
		memset(text, 'a', sizeof(text));
		for (uint64_t i = 0; i < argument<uint64_t>(args, 0); i++)
			services->print(text, sizeof(text));
	},
	1);

/* list, count, fails: each block calls observe() for its part of the list, whose entries are address, bytes, kind. */
Entry tell(
	"tell",
	[](const unsigned char *args) {
		const auto *list = argument<const uint64_t *>(args, 0);
		const auto count = argument<uint64_t>(args, 1);
		for (uint64_t i = index(); i < count; i += services->block()->count)
			services->observe(list[3 * i], list[3 * i + 1],
					  static_cast<uint32_t>(list[3 * i + 2]), "", 0);
		if (argument<uint64_t>(args, 2) != 0)
			services->fail(UNPU_KERNEL_FAIL_CHECK, "", 0, "it fails");
	},
	3);

/* out, bytes: how much private memory it can have, up to so much. */
Entry hoard(
	"hoard",
	[](const unsigned char *args) {
		constexpr uint64_t PIECE = 8 << 20;
		uint64_t has = 0;
		while (has < argument<uint64_t>(args, 1) &&
		       mmap(nullptr, PIECE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)
			has += PIECE;
		*argument<uint64_t *>(args, 0) = has;
	},
	2);

/* out: what the process is not allowed to do; a bit for each thing that it could do. */
Entry escape(
	"escape",
	[](const unsigned char *args) {
		uint64_t could = 0;
		could |= open("/etc/passwd", O_RDONLY) >= 0 ? 1 : 0;
		could |= open("/tmp/unpu-escape", O_CREAT | O_RDWR, 0600) >= 0 ? 2 : 0;
		could |= socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 4 : 0;
		could |= fork() >= 0 ? 8 : 0;
		could |= kill(getppid(), 0) == 0 ? 16 : 0;
		char *const argv[] = {nullptr};
		could |= execve("/bin/true", argv, argv) == 0 ? 32 : 0;
		could |= write(1, "x", 1) == 1 ? 64 : 0;
		*argument<uint64_t *>(args, 0) = could;
	},
	1);

} // namespace

extern "C" __attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(
	void)
{
	static struct unpu_kernel_image image = {
		UNPU_KERNEL_IMAGE_VERSION, sizeof(image), nullptr,
		[](const unpu_kernel_services *given) { services = given; }};
	image.entries = entries;
	return &image;
}
