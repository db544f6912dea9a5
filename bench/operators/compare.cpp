// SPDX-License-Identifier: MIT
/**
 * DOC: Comparing
 *
 * A sample is as many runs as take about two milliseconds. The operator and its rivals give one sample each by
 * turns, so a machine that changes its speed changes it for all of them.
 */
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "operators.h"
#include "process/client.h"
#include "tensors.h"

namespace bench {

namespace {

constexpr double SAMPLE_NS = 2e6;
constexpr unsigned MOST_RUNS = 400;
/* A row of which one run takes longer has fewer samples. */
constexpr double LONG_NS = 1e8;

using Runs = std::function<void(unsigned runs)>;

double time_of(const Runs &work, unsigned runs)
{
	const uint64_t begin_ns = base::now_ns();
	work(runs);
	return static_cast<double>(base::now_ns() - begin_ns) / runs;
}

/* struct Contender - one of those that take turns. */
struct Contender {
	Runs work;
	unsigned runs = 1;
	double first_ns = 0;
	std::vector<double> samples_ns = {};

	void warm_up()
	{
		work(1);
		first_ns = time_of(work, 1);
		runs = static_cast<unsigned>(
			std::clamp(SAMPLE_NS / first_ns, 1.0, double{MOST_RUNS}));
	}

	Summary summary()
	{
		std::vector<double> sorted = samples_ns;
		const double median_ns = quantile(sorted, 0.5);
		return {median_ns, quantile(sorted, 0.99), std::move(samples_ns)};
	}
};

} // namespace

void compare(const Effort &effort, Round &round, const std::string &key, const std::string &title,
	     uint64_t bytes, const std::function<void()> &submit, const std::vector<Rival> &rivals)
{
	std::vector<Contender> all;
	all.push_back({[&](unsigned runs) {
		for (unsigned i = 0; i < runs; i++)
			submit();
		CHECK(aclrtSynchronizeStream(operator_stream()));
	}});
	for (const Rival &rival : rivals)
		all.push_back({[&rival](unsigned runs) {
			for (unsigned i = 0; i < runs; i++)
				rival.run();
		}});
	for (Contender &one : all)
		one.warm_up();
	const unsigned samples = all[0].first_ns > LONG_NS ? 1 : effort.scaled(15);
	for (unsigned i = 0; i < samples; i++)
		for (Contender &one : all)
			one.samples_ns.push_back(time_of(one.work, one.runs));
	std::string fastest;
	double best_ns = 0;
	for (size_t i = 0; i < rivals.size(); i++) {
		Measure measure{key + "." + rivals[i].name,
				title + ": " + rivals[i].title,
				all[i + 1].summary(),
				"",
				Against::SPEED,
				1,
				bytes};
		if (fastest.empty() || measure.summary.median_ns < best_ns) {
			best_ns = measure.summary.median_ns;
			fastest = measure.key;
		}
		round.push_back(std::move(measure));
	}
	round.push_back({key, title, all[0].summary(), fastest, Against::SPEED, 1, bytes});
}

} // namespace bench
