// SPDX-License-Identifier: MIT
/**
 * DOC: Sampling
 *
 * Google Benchmark runs the measured function and calls back each time. Its own summary is not used,
 * because all samples are kept.
 */
#include "samples.h"

#include <benchmark/benchmark.h>

namespace bench {

namespace {

class Silent : public benchmark::BenchmarkReporter {
public:
	bool ReportContext(const Context &) override { return true; }
	void ReportRuns(const std::vector<Run> &) override {}
};

} // namespace

std::vector<double> take_samples(unsigned count, const std::function<double()> &sample)
{
	std::vector<double> samples;
	if (count == 0)
		return samples;
	samples.reserve(count);
	benchmark::RegisterBenchmark("samples",
				     [&](benchmark::State &state) {
					     for (auto _ : state) {
						     samples.push_back(sample());
						     state.SetIterationTime(samples.back() /
									    base::NS_PER_S);
					     }
				     })
		->Iterations(count)
		->UseManualTime();
	Silent reporter;
	benchmark::RunSpecifiedBenchmarks(&reporter, "samples");
	benchmark::ClearRegisteredBenchmarks();
	return samples;
}

} // namespace bench
