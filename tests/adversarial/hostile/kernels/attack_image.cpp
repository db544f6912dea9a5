// SPDX-License-Identifier: MIT
/*
 * DOC: a hostile image
 *
 * Its kernel does what a kernel may not do, by system calls of its own.
 */
#include <algorithm>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"
#include "base/sync/ordering.h"
#include "kernels/abi/image.h"
#include "kernels/abi/worker.h"

namespace {

using attack::Arguments;
using attack::Command;

const unpu_kernel_services *services;

void send_signals(const uint64_t *words)
{
	(void)fcntl(UNPU_WORKER_SOCKET, F_SETOWN, static_cast<int>(words[0]));
	(void)fcntl(UNPU_WORKER_SOCKET, F_SETSIG, static_cast<int>(words[1]));
	(void)fcntl(UNPU_WORKER_SOCKET, F_SETFL, O_ASYNC | O_RDWR);
}

void grow(const uint64_t *words, uint64_t *out)
{
	void *more = mremap(reinterpret_cast<void *>(words[0]), words[1], words[2], MREMAP_MAYMOVE);
	out[0] = more != MAP_FAILED;
	if (more == MAP_FAILED)
		return;
	auto *word = reinterpret_cast<uint64_t *>(static_cast<char *>(more) + words[3]);
	out[1] = *word;
	*word = 0;
}

/* Whether the file of a descriptor has the word behind its first MiB. It then spoils it. */
bool has_word(int file, uint64_t word)
{
	void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 1 << 20);
	if (memory == MAP_FAILED)
		return false;
	auto *first = static_cast<uint64_t *>(memory);
	const bool has = *first == word;
	if (has)
		*first = 0;
	munmap(memory, 4096);
	return has;
}

uint64_t receive()
{
	char bytes[256], control[256];
	iovec part{bytes, sizeof(bytes)};
	msghdr message{};
	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	return recvmsg(UNPU_WORKER_SOCKET, &message, MSG_DONTWAIT) > 0;
}

/* The numbers of descriptors begin again and again at the lowest free one. */
void steal(const uint64_t *words, uint64_t *out)
{
	constexpr int NUMBERS = 24;
	const uint64_t end_ns = services->now_ns() + words[0] * 1000000;
	while (services->now_ns() < end_ns) {
		out[1] += receive();
		for (int file = UNPU_WORKER_KICK + 1; file < NUMBERS; file++)
			out[0] += has_word(file, words[1]);
	}
}

/* Files of the client's own memory have descriptors for a moment, when the worker maps them. */
void keep(const uint64_t *words, uint64_t *out)
{
	constexpr int NUMBERS = 24;
	constexpr uint64_t MOST = 64, PAGE = 4096;
	ino_t known[MOST];
	char *kept[MOST];
	uint64_t count = 0;
	const uint64_t end_ns = services->now_ns() + words[0] * 1000000;
	while (services->now_ns() < end_ns && base::load_relaxed(out[1]) == 0 && count < MOST) {
		for (int file = UNPU_WORKER_KICK + 1; file < NUMBERS; file++) {
			struct stat seen;
			if (fstat(file, &seen) != 0 || seen.st_size != static_cast<off_t>(words[1]))
				continue;
			bool is_new = true;
			for (uint64_t i = 0; i < count; i++)
				is_new = is_new && known[i] != seen.st_ino;
			void *memory = is_new ? mmap(nullptr, words[1], PROT_READ | PROT_WRITE,
						     MAP_SHARED, file, 0)
					      : MAP_FAILED;
			if (memory == MAP_FAILED)
				continue;
			known[count] = seen.st_ino;
			kept[count++] = static_cast<char *>(memory);
			base::store_relaxed(out[0], count);
		}
	}
	for (uint64_t i = 0; base::load_relaxed(out[1]) != 0 && i < count; i++) {
		for (uint64_t at = 0; at < words[1]; at += PAGE) {
			kept[i][at] = 1;
			out[2] = out[2] + PAGE;
		}
	}
}

void hog(uint64_t bytes, uint64_t *out)
{
	constexpr uint64_t PIECE = 1 << 20, PAGE = 4096;
	for (const int kind : {MAP_SHARED, MAP_PRIVATE}) {
		while (out[0] < bytes) {
			void *piece = mmap(nullptr, PIECE, PROT_READ | PROT_WRITE,
					   kind | MAP_ANONYMOUS, -1, 0);
			if (piece == MAP_FAILED)
				break;
			for (uint64_t i = 0; i < PIECE; i += PAGE)
				static_cast<char *>(piece)[i] = 1;
			out[0] += PIECE;
		}
	}
	if (out[0] < bytes)
		delete[] new char[bytes];
}

void spin(uint64_t ms)
{
	const uint64_t end_ns = services->now_ns() + ms * 1000000;
	while (services->now_ns() < end_ns) {
	}
}

void print(uint64_t times)
{
	char text[1024];
	memset(text, 'x', sizeof(text));
	for (uint64_t i = 0; i < times; i++)
		services->print(text, sizeof(text));
}

void run(const unsigned char *args)
{
	Arguments given;
	memcpy(&given, args, sizeof(given));
	auto *out = reinterpret_cast<uint64_t *>(given.out);
	switch (given.command) {
	case Command::NOTHING:
		return;
	case Command::SIGNAL:
		return send_signals(given.words);
	case Command::GROW:
		return grow(given.words, out);
	case Command::STEAL:
		return steal(given.words, out);
	case Command::KEEP:
		return keep(given.words, out);
	case Command::HOG:
		return hog(given.words[0], out);
	case Command::SPIN:
		return spin(given.words[0]);
	case Command::PRINT:
		return print(given.words[0]);
	case Command::READ:
		*out = *reinterpret_cast<const uint64_t *>(given.words[0]);
		return;
	case Command::FILL:
		std::fill_n(reinterpret_cast<uint64_t *>(given.words[0]), given.words[1],
			    given.words[2]);
		return;
	}
}

const unpu_kernel_param PARAMS[] = {
	{UNPU_KERNEL_PARAM_POINTER, 8, 0, 0},  {UNPU_KERNEL_PARAM_POINTER, 8, 8, 0},
	{UNPU_KERNEL_PARAM_POINTER, 8, 16, 0}, {UNPU_KERNEL_PARAM_POINTER, 8, 24, 0},
	{UNPU_KERNEL_PARAM_POINTER, 8, 32, 0}, {UNPU_KERNEL_PARAM_POINTER, 8, 40, 0},
};
const unpu_kernel_entry ENTRY = {
	"attack", run, PARAMS, 6, sizeof(Arguments), UNPU_KERNEL_AIV_ONLY, 0, nullptr, nullptr};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(
	void)
{
	static const struct unpu_kernel_image image = {
		UNPU_KERNEL_IMAGE_VERSION, sizeof(image), &ENTRY,
		[](const unpu_kernel_services *given) { services = given; }};
	return &image;
}
