// SPDX-License-Identifier: MIT
/**
 * DOC: calls on several streams and communicators at once, with data and without
 *
 * unpu_hccl_mixed threads RANKS SEED ROUNDS: the ranks are threads of this process, each with a device of its own.
 * unpu_hccl_mixed FOLDER RANKS SEED ROUNDS RANK DEVICE: one rank; FOLDER has
 * a FIFO root1, root2, ... for each other one than rank 0, which sends them the root information there.
 * It ends with 1 where a result is wrong or a call fails, and with 3 where a round does not end within a minute.
 */
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "player.h"

namespace hccl_mixed {

namespace {

constexpr unsigned PATIENCE_S = 60;

struct Options {
	std::string folder; /* "": the ranks are threads */
	uint32_t ranks;
	uint64_t seed;
	uint32_t rounds;
	uint32_t rank;
	int32_t device;
};

std::atomic<uint32_t> current{0};

void give_up(int)
{
	std::array<char, 80> text{};
	const int bytes =
		std::snprintf(text.data(), text.size(), "round %u does not end\n", current.load());
	(void)!write(2, text.data(), static_cast<size_t>(bytes));
	_exit(3);
}

void play_all(const Options &options, uint32_t rank, int32_t device, const HcclRootInfo &info)
{
	Player player(options.ranks, rank, device, info);
	for (uint32_t round = 0; round < options.rounds; round++) {
		alarm(PATIENCE_S);
		current = round;
		try {
			player.play(options.seed, round);
		} catch (const std::runtime_error &error) {
			throw std::runtime_error("rank " + std::to_string(rank) + ", round " +
						 std::to_string(round) + ", " + error.what());
		}
	}
	player.end();
}

/* Each rank but the first one has a FIFO in the folder. */
void share(const Options &options, HcclRootInfo &info)
{
	auto *bytes = reinterpret_cast<char *>(&info);
	const std::string path = options.folder + "/root";
	if (options.rank != 0) {
		std::ifstream file(path + std::to_string(options.rank), std::ios::binary);
		if (!file.read(bytes, sizeof(info)))
			throw std::runtime_error("rank 0 has no root information");
		return;
	}
	CHECK(HcclGetRootInfo(&info));
	for (uint32_t rank = 1; rank < options.ranks; rank++) {
		std::ofstream file(path + std::to_string(rank), std::ios::binary);
		if (!file.write(bytes, sizeof(info)).flush())
			throw std::runtime_error("the root information can't be written");
	}
}

void play_rank(const Options &options)
{
	HcclRootInfo info{};
	CHECK(aclrtSetDevice(options.device));
	share(options, info);
	play_all(options, options.rank, options.device, info);
}

void play_threads(const Options &options)
{
	HcclRootInfo info{};
	CHECK(aclrtSetDevice(0));
	CHECK(HcclGetRootInfo(&info));
	std::mutex mutex;
	std::string failure;
	std::vector<std::thread> threads;
	for (uint32_t rank = 0; rank < options.ranks; rank++) {
		threads.emplace_back([&, rank] {
			try {
				play_all(options, rank, static_cast<int32_t>(rank), info);
			} catch (const std::exception &error) {
				const std::lock_guard lock(mutex);
				std::fprintf(stderr, "%s\n", error.what());
				failure = "a rank has failed";
			}
		});
	}
	for (std::thread &thread : threads)
		thread.join();
	if (!failure.empty())
		throw std::runtime_error(failure);
}

int run(const Options &options)
{
	try {
		std::signal(SIGALRM, give_up);
		alarm(PATIENCE_S);
		CHECK(aclInit(nullptr));
		options.folder.empty() ? play_threads(options) : play_rank(options);
		CHECK(aclFinalize());
	} catch (const std::exception &error) {
		std::fprintf(stderr, "seed %llu: %s\n",
			     static_cast<unsigned long long>(options.seed), error.what());
		return 1;
	}
	return 0;
}

} // namespace

} // namespace hccl_mixed

int main(int argc, char **argv)
{
	const auto number = [&](int index) { return std::strtoull(argv[index], nullptr, 0); };
	const bool is_threads = argc == 5 && std::string(argv[1]) == "threads";
	if (!is_threads && argc != 7) {
		std::fprintf(stderr, "%s threads|FOLDER RANKS SEED ROUNDS [RANK DEVICE]\n",
			     argv[0]);
		return 2;
	}
	return hccl_mixed::run({is_threads ? "" : argv[1], static_cast<uint32_t>(number(2)),
				number(3), static_cast<uint32_t>(number(4)),
				is_threads ? 0 : static_cast<uint32_t>(number(5)),
				is_threads ? 0 : static_cast<int32_t>(number(6))});
}
