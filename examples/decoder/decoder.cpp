// SPDX-License-Identifier: MIT
/**
 * DOC: A small transformer decoder
 *
 *	decoder [--time] [--logits FILE]
 *
 * Generates 64 words greedily, first with a call of each operator for each step, then with one captured step that
 * runs 64 times. Both have to agree. --time also prints how many words each makes in a second; --logits writes
 * the numbers from which the words were chosen, for a check against another implementation.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "step.h"

using decoder::Model;
using decoder::POSITIONS;
using decoder::Step;

static constexpr int64_t FIRST_WORD = 1;
static constexpr unsigned ROUNDS = 5;

/* Return: seconds. */
template <class Work> static double measure(aclrtStream stream, const Work &work)
{
	const auto begin = std::chrono::steady_clock::now();
	for (int64_t i = 0; i < POSITIONS; i++)
		work();
	CHECK(aclrtSynchronizeStream(stream));
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

static aclmdlRI capture(Step &step, aclrtStream stream)
{
	aclmdlRI graph = nullptr;
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	step.run(stream);
	CHECK(aclmdlRICaptureEnd(stream, &graph));
	return graph;
}

static void print(const std::vector<int64_t> &words)
{
	for (size_t i = 0; i < words.size(); i++)
		std::printf("%4lld%s", static_cast<long long>(words[i]),
			    (i + 1) % 16 == 0 ? "\n" : " ");
}

static bool write_logits(const char *path, const std::vector<float> &logits)
{
	FILE *file = std::fopen(path, "wb");
	if (!file)
		return false;
	const size_t written = std::fwrite(logits.data(), sizeof(float), logits.size(), file);
	return std::fclose(file) == 0 && written == logits.size();
}

static double median(std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	return values[values.size() / 2];
}

static void print_times(Step &step, aclmdlRI graph, aclrtStream stream)
{
	std::vector<double> eager, captured;
	for (unsigned i = 0; i < ROUNDS; i++) {
		step.restart(FIRST_WORD);
		eager.push_back(measure(stream, [&] { step.run(stream); }));
		step.restart(FIRST_WORD);
		captured.push_back(
			measure(stream, [&] { CHECK(aclmdlRIExecuteAsync(graph, stream)); }));
	}
	const double one = median(eager), other = median(captured);
	std::printf("eager: %.0f words/s; captured: %.0f words/s, %.2f times as many\n",
		    POSITIONS / one, POSITIONS / other, one / other);
	std::printf("an operator costs %.2f us more when it is called: %u operators in a step\n",
		    (one - other) * 1e6 / POSITIONS / Step::operators(), Step::operators());
}

static int run(aclrtStream stream, bool with_times, const char *path)
{
	Model model;
	Step step(model);
	step.restart(FIRST_WORD);
	for (int64_t i = 0; i < POSITIONS; i++)
		step.run(stream);
	CHECK(aclrtSynchronizeStream(stream));
	const auto words = step.words(POSITIONS);
	const auto logits = step.logits(POSITIONS);
	print(words);

	const aclmdlRI graph = capture(step, stream);
	step.restart(FIRST_WORD);
	for (int64_t i = 0; i < POSITIONS; i++)
		CHECK(aclmdlRIExecuteAsync(graph, stream));
	CHECK(aclrtSynchronizeStream(stream));
	const bool agree = step.words(POSITIONS) == words && step.logits(POSITIONS) == logits;
	std::printf("the captured step %s\n", agree ? "makes the same" : "MAKES OTHERS");
	if (with_times)
		print_times(step, graph, stream);
	CHECK(aclmdlRIDestroy(graph));
	if (path && !write_logits(path, logits)) {
		std::perror(path);
		return 1;
	}
	return agree ? 0 : 1;
}

int main(int argc, char **argv)
{
	bool with_times = false;
	const char *path = nullptr;
	for (int i = 1; i < argc; i++) {
		if (std::strcmp(argv[i], "--time") == 0)
			with_times = true;
		else if (std::strcmp(argv[i], "--logits") == 0 && i + 1 < argc)
			path = argv[++i];
		else
			return std::fprintf(stderr, "decoder [--time] [--logits FILE]\n"), 2;
	}
	aclrtStream stream = nullptr;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	const int result = run(stream, with_times, path);
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return result;
}
