// SPDX-License-Identifier: MIT
/**
 * DOC: kernels
 *
 * The cost of user kernels: a launch beside a round trip of two futexes through another process, sums, products and
 * norms beside the operators that compute the same, the start of a program with kernels beside one without, checks of
 * level 1 beside none, and the compiler.
 */
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "harness/program.h"
#include "kernels/beside.h"
#include "kernels/levels.h"
#include "process/client.h"

int launch_nothing(uint32_t blocks, void *stream);

using namespace bench;

namespace {

constexpr const char *KEY_TRIP = "kernel.futex";
constexpr unsigned QUEUED = 1000;

bool starts = false; /* of the command line: this program only starts and ends */
std::string timed;   /* of the command line: this program only times that kernel */

std::vector<Floor> floors()
{
	return {
		{"kernel.empty", "empty kernel, launch and wait by a futex round trip",
		 Figure::RATIO, false, 2},
		{"kernel.queued", "each of 1000 queued launches", Figure::ITEM_NS, false, 3000},
		{"kernel.add", "sum of 64 MiB by the operator, speed", Figure::RATIO, true, 0.8},
		{"kernel.matmul.cube", "product of half by the operator, speed", Figure::RATIO,
		 true, 0.3},
		{"kernel.matmul.object", "product by a Matmul object by the operator, speed",
		 Figure::RATIO, true, 0.3},
		{"kernel.layernorm", "LayerNorm by the operator, speed", Figure::RATIO, true, 0.3},
		{"kernel.rmsnorm", "RmsNorm by the operator, speed", Figure::RATIO, true, 0.3},
		{"checks.loop.1", "scalar loop, level 1 of checks by level 0", Figure::RATIO, false,
		 1.1},
		{"checks.tiles.1", "sums of 2 KiB, level 1 of checks by level 0", Figure::RATIO,
		 false, 1.1},
		{"start.with", "start and end, by those of a program without kernels",
		 Figure::RATIO, false, 1.1},
		{"compile.add", "compile time of the vector sum", Figure::TIME_NS, false, 3e9},
	};
}

Measure measure_of(const char *key, const char *title, const char *base, Summary summary,
		   uint64_t items = 1, uint64_t bytes = 0)
{
	Measure measure;
	measure.key = key;
	measure.title = title;
	measure.base = base;
	measure.summary = std::move(summary);
	measure.items = items;
	measure.bytes = bytes;
	return measure;
}

/* class Echo - a process that answers: both sides sleep on a word each. */
class Echo {
public:
	Echo()
		: words_(static_cast<uint32_t *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
						      MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
	{
		child_ = fork();
		if (child_ == 0)
			serve();
	}
	~Echo()
	{
		base::store_release(words_[0], END);
		base::futex_wake_all(words_[0], true);
		waitpid(child_, nullptr, 0);
		munmap(words_, 4096);
	}
	Echo(const Echo &) = delete;
	Echo &operator=(const Echo &) = delete;

	void trip()
	{
		base::store_release(words_[0], ++turn_);
		base::futex_wake_all(words_[0], true);
		await(words_[16], turn_ - 1);
	}

private:
	static constexpr uint32_t END = ~uint32_t{0};

	static void await(const uint32_t &word, uint32_t last)
	{
		while (base::load_acquire(word) == last)
			(void)base::futex_wait(word, last, base::NO_DEADLINE, true);
	}

	[[noreturn]] void serve()
	{
		for (uint32_t last = 0;;) {
			await(words_[0], last);
			last = base::load_acquire(words_[0]);
			if (last == END)
				_exit(0);
			base::store_release(words_[16], last);
			base::futex_wake_all(words_[16], true);
		}
	}

	uint32_t *const words_;
	pid_t child_ = -1;
	uint32_t turn_ = 0;
};

void measure_launches(const Effort &effort, const Client &client, Round &round)
{
	const Plan plan{200, effort.scaled(50), 20, effort.scaled(1000)};
	Echo echo;
	round.push_back(measure_of(KEY_TRIP, "futex, there and back through another process", "",
				   measure(plan, [&] { echo.trip(); })));
	const auto launch = [&](uint32_t blocks) {
		return measure(plan, [&] {
			CHECK(launch_nothing(blocks, client.first));
			Client::sync(client.first);
		});
	};
	round.push_back(
		measure_of("kernel.empty", "empty kernel, launch and wait", KEY_TRIP, launch(1)));
	round.push_back(measure_of("kernel.empty.8", "empty kernel of 8 blocks, launch and wait",
				   KEY_TRIP, launch(8)));
	round.push_back(measure_of("kernel.queued", "1000 empty kernels, queued, and wait",
				   KEY_TRIP,
				   measure({1, effort.scaled(20), 1, 0},
					   [&] {
						   for (unsigned i = 0; i < QUEUED; i++)
							   CHECK(launch_nothing(1, client.first));
						   Client::sync(client.first);
					   }),
				   QUEUED));
}

double time_of(const std::string &command)
{
	const uint64_t begin_ns = base::now_ns();
	check(std::system(command.c_str()), command.c_str());
	return static_cast<double>(base::now_ns() - begin_ns);
}

/* The programs with and without kernels take turns, so that both see the same machine. */
void measure_programs(const Effort &effort, Round &round)
{
	const std::filesystem::path self = std::filesystem::canonical("/proc/self/exe");
	const std::string with = "'" + self.string() + "' --start";
	const std::string without = "'" + (self.parent_path() / "plain").string() + "'";
	std::vector<double> with_ns, without_ns;
	for (unsigned i = 0; i < effort.scaled(20); i++) {
		without_ns.push_back(time_of(without));
		with_ns.push_back(time_of(with));
	}
	round.push_back(measure_of("start.without", "start and end, a program without kernels", "",
				   {quantile(without_ns, 0.5), quantile(without_ns, 0.99)}));
	round.push_back(measure_of("start.with", "start and end, kernels that are not launched",
				   "start.without",
				   {quantile(with_ns, 0.5), quantile(with_ns, 0.99)}));
	const std::string compile = BENCH_ASCENDCC " -O2 -c " BENCH_EXAMPLE " -o /dev/null";
	round.push_back(
		measure_of("compile.add", "unpu-ascendcc -O2 examples/kernels/add.cpp", "",
			   measure({0, effort.scaled(3), 1, 0}, [&] { (void)time_of(compile); })));
}

std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	for (unsigned i = 0; i < options.rounds; i++) {
		Round &round = rounds.emplace_back();
		progress(options, i, "programs");
		measure_programs(options.effort, round);
		progress(options, i, "checks");
		measure_levels(options.effort, std::filesystem::canonical("/proc/self/exe"), round);
		Client client;
		client.open();
		progress(options, i, "launches");
		measure_launches(options.effort, client, round);
		progress(options, i, "operators");
		measure_beside_operators(options.effort, client, round);
		measure_beside_loops(options.effort, client, round);
		client.close();
	}
	progress_end();
	return rounds;
}

/* What the programs do that measure_programs() and measure_levels() start. Return: an exit code, or -1. */
int run_child(const Options &)
{
	if (!timed.empty())
		return time_kernel(timed);
	if (!starts)
		return -1;
	Client client;
	client.open();
	client.close();
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	const Program program = {
		"kernels",
		"the cost of user kernels",
		floors(),
		run_rounds,
		[](CLI::App &app) {
			app.add_flag("--start", starts, "starts and ends")->group("");
			app.add_option("--time", timed, "times that kernel")->group("");
		},
		run_child,
	};
	return run_program(program, argc, argv);
}
