// SPDX-License-Identifier: MIT
/**
 * DOC: Steps of the decoder
 *
 * The decoder of examples/decoder: 64 steps, each with a call of every operator, and the same by a captured step.
 */
#include "base/clock.h"
#include "examples/decoder/step.h"
#include "operators.h"

namespace bench {

namespace {

using decoder::POSITIONS;

template <class Work> double step_ns(decoder::Step &step, aclrtStream stream, const Work &work)
{
	step.restart(1);
	const uint64_t begin_ns = base::now_ns();
	for (int64_t i = 0; i < POSITIONS; i++)
		work();
	CHECK(aclrtSynchronizeStream(stream));
	return static_cast<double>(base::now_ns() - begin_ns) / POSITIONS;
}

} // namespace

void measure_decoder(const Effort &effort, Round &round)
{
	aclrtStream stream = nullptr;
	aclmdlRI graph = nullptr;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	{
		decoder::Model model;
		decoder::Step step(model);
		step.restart(1);
		CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
		step.run(stream);
		CHECK(aclmdlRICaptureEnd(stream, &graph));
		std::vector<double> eager, captured, overhead;
		for (unsigned i = 0; i < effort.scaled(20) + 1; i++) {
			const double one = step_ns(step, stream, [&] { step.run(stream); });
			const double other = step_ns(
				step, stream, [&] { CHECK(aclmdlRIExecuteAsync(graph, stream)); });
			if (i == 0)
				continue;
			eager.push_back(one);
			captured.push_back(other);
			overhead.push_back((one - other) / decoder::Step::operators());
		}
		const auto add = [&](const char *key, const char *title,
				     std::vector<double> &samples, const char *base,
				     uint64_t items) {
			const double median_ns = quantile(samples, 0.5);
			round.push_back({key,
					 title,
					 {median_ns, quantile(samples, 0.99), samples},
					 base,
					 Against::SPEED,
					 items});
		};
		const uint64_t operators = decoder::Step::operators();
		add("decoder.eager", "a step of the decoder, eager", eager, "", operators);
		add("decoder.captured", "a step of the decoder, captured", captured,
		    "decoder.eager", operators);
		add("decoder.overhead", "an operator, eager less captured", overhead, "", 1);
		CHECK(aclmdlRIDestroy(graph));
	}
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
}

} // namespace bench
