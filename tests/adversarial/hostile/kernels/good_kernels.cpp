// SPDX-License-Identifier: MIT
/*
 * DOC: the good client of kernels
 */
#include "good_kernels.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace attack {

namespace {

constexpr uint64_t BYTES = 64 << 10, WORDS = BYTES / sizeof(uint64_t);
constexpr useconds_t PAUSE_US = 500;

} // namespace

bool GoodKernels::start(const std::string &socket)
{
	if (peer_.open(socket) ||
	    peer_.peer().create(UNPU_SEGMENT_DEVICE, BYTES, memory_) != Status::OK ||
	    peer_.peer().place(memory_) != Status::OK)
		return false;
	thread_ = std::thread([this] {
		while (!stop_ && !wrong_) {
			wrong_ = run_round(++rounds_);
			usleep(PAUSE_US);
		}
	});
	return true;
}

const char *GoodKernels::run_round(uint64_t pattern)
{
	if (peer_.run(Command::FILL, {memory_.va, WORDS, pattern}) != Status::OK)
		return "a kernel failed";
	const auto *words = memory_.as<const uint64_t>();
	const bool holds = std::all_of(words, words + WORDS,
				       [pattern](uint64_t word) { return word == pattern; });
	return holds ? nullptr : "a kernel has not stored what it was asked for";
}

bool GoodKernels::stop()
{
	stop_ = true;
	if (thread_.joinable())
		thread_.join();
	return !wrong_ && rounds_ != 0;
}

void GoodKernels::print() const
{
	printf("the good client of kernels: %ju rounds, %s\n", uintmax_t(rounds_),
	       wrong_ ? wrong_ : "all right");
}

} // namespace attack
