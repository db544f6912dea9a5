// SPDX-License-Identifier: MIT
/**
 * DOC: Samples
 *
 * How everything here is timed. The median comes from batches of operations, so that it holds no
 * reading of the clock; the 99th percentile comes from single operations and holds one. Operations
 * that take long are timed one by one for both.
 */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace bench {

/** struct Summary - of the samples of one measure in one round, nanoseconds per operation. */
struct Summary {
	double median_ns = 0;
	double p99_ns = 0;
	std::vector<double> batches_ns = {}; /* per operation, of each batch */
	std::vector<double> singles_ns = {}; /* of each operation that was timed alone */
};

/**
 * struct Plan - how often an operation runs
 * @warm: before anything is timed
 * @batches: samples of @batch operations each
 * @batch: operations per sample; with 1 the same samples give the 99th percentile
 * @singles: samples of one operation each
 */
struct Plan {
	unsigned warm = 1;
	unsigned batches = 1;
	unsigned batch = 1;
	unsigned singles = 0;

	uint64_t operations() const { return warm + uint64_t{batches} * batch + singles; }
};

/** quantile() - the smallest sample that @part of all do not exceed; 0 when there are none.
 * @samples: sorted afterwards
 */
inline double quantile(std::vector<double> &samples, double part)
{
	if (samples.empty())
		return 0;
	std::sort(samples.begin(), samples.end());
	const double rank = std::ceil(part * static_cast<double>(samples.size()));
	return samples[rank < 1 ? 0 : static_cast<size_t>(rank) - 1];
}

/** median_of() - of a copy. */
inline double median_of(std::vector<double> samples)
{
	return quantile(samples, 0.5);
}

/** take_samples() - calls @sample so often, as one benchmark with times of its own.
 * Context: one thread at a time. */
std::vector<double> take_samples(unsigned count, const std::function<double()> &sample);

/** measure() - times @operation by @plan.
 * @drain: called after each batch with the clock stopped, and after as many singles
 */
template <class Operation, class Drain>
Summary measure(const Plan &plan, Operation &&operation, Drain &&drain)
{
	for (unsigned i = 0; i < plan.warm; i++)
		operation();
	drain();
	auto batches = take_samples(plan.batches, [&] {
		const uint64_t start_ns = base::now_ns();
		for (unsigned k = 0; k < plan.batch; k++)
			operation();
		const uint64_t end_ns = base::now_ns();
		drain();
		return static_cast<double>(end_ns - start_ns) / plan.batch;
	});
	unsigned done = 0;
	auto singles = take_samples(plan.singles, [&] {
		const uint64_t start_ns = base::now_ns();
		operation();
		const uint64_t end_ns = base::now_ns();
		if (++done % plan.batch == 0)
			drain();
		return static_cast<double>(end_ns - start_ns);
	});
	drain();
	const double median_ns = quantile(batches, 0.5);
	const double p99_ns = quantile(singles.empty() ? batches : singles, 0.99);
	return {median_ns, p99_ns, std::move(batches), std::move(singles)};
}

template <class Operation> Summary measure(const Plan &plan, Operation &&operation)
{
	return measure(plan, operation, [] {});
}

} // namespace bench
