// SPDX-License-Identifier: MIT
/**
 * DOC: Machine's ring
 *
 * What passing work through a ring of 64-byte lines costs on two CPUs without any of our code: the lower bound of a
 * task in a batch. One producer and one consumer, each on a CPU of its own. A line carries its valid word, so that no
 * index moves with it; the consumer gives lines back by a count. By 1, each line is published and given back alone.
 * By 8, the producer publishes 8 lines after it has written all of them, and the consumer reads them together, so that
 * several lines are on their way at once.
 */
#include "machine.h"

#include <memory>
#include <string>
#include <thread>

#include "base/sync/ordering.h"

namespace bench {

namespace {

constexpr unsigned RING_SLOTS = 1024;
constexpr unsigned LINE_WORDS = 7;

struct alignas(64) Line {
	uint64_t payload[LINE_WORDS] = {};
	uint64_t valid = 0; /* number of the line that is in it, from 1 */
};

class Ring {
public:
	explicit Ring(unsigned by) : by_(by) {}

	/* @count: a multiple of by_ */
	void produce(uint64_t count)
	{
		for (uint64_t i = 0; i < count; i += by_) {
			await_room();
			for (unsigned k = 1; k <= by_; k++) {
				for (uint64_t &word : slot(made_ + k).payload)
					base::store_relaxed(word, made_ + k);
			}
			for (unsigned k = 1; k <= by_; k++)
				base::store_release(slot(made_ + k).valid, made_ + k);
			made_ += by_;
		}
	}

	/* Until the consumer has read all. */
	void await_end()
	{
		while (base::load_acquire(read_) != made_)
			base::cpu_relax();
	}

	void consume(uint64_t count)
	{
		uint64_t sum = 0;
		for (uint64_t done = 0; done < count; done += by_) {
			while (base::load_acquire(slot(done + by_).valid) != done + by_)
				base::cpu_relax();
			for (unsigned k = 1; k <= by_; k++) {
				const Line &line = slot(done + k);
				while (base::load_acquire(line.valid) != done + k)
					base::cpu_relax();
				for (const uint64_t &word : line.payload)
					sum += base::load_relaxed(word);
			}
			base::store_release(read_, done + by_);
		}
		sum_ = sum;
	}

private:
	Line &slot(uint64_t number) { return lines_[number % RING_SLOTS]; }

	/* Looks at the consumer's count only when the ring would be full by the last one seen. */
	void await_room()
	{
		while (made_ + by_ - seen_ > RING_SLOTS) {
			seen_ = base::load_acquire(read_);
			if (made_ + by_ - seen_ > RING_SLOTS)
				base::cpu_relax();
		}
	}

	const unsigned by_;
	/* Of the producer. */
	uint64_t made_ = 0;
	uint64_t seen_ = 0;
	/* Of the consumer, two lines apart, because CPUs prefetch lines in pairs. */
	alignas(128) uint64_t read_ = 0;
	alignas(128) uint64_t sum_ = 0; /* keeps the reads */
	alignas(128) Line lines_[RING_SLOTS];
};

} // namespace

void measure_ring(const Effort &effort, unsigned by, Round &round)
{
	const std::vector<int> cpus = usable_cpus();
	if (cpus.size() < 2)
		return;
	const unsigned samples = effort.scaled(400);
	constexpr unsigned WARM = 4;
	auto ring = std::make_unique<Ring>(by);
	std::vector<double> each_ns;
	std::thread consumer([&] {
		pin_thread(cpus[1]);
		ring->consume(uint64_t{samples + WARM} * RING_BATCH);
	});
	std::thread producer([&] {
		pin_thread(cpus[0]);
		const auto sample = [&] {
			const uint64_t start_ns = base::now_ns();
			ring->produce(RING_BATCH);
			ring->await_end();
			return static_cast<double>(base::now_ns() - start_ns) / RING_BATCH;
		};
		for (unsigned i = 0; i < WARM; i++)
			(void)sample();
		each_ns = take_samples(samples, sample);
	});
	producer.join();
	consumer.join();
	const double median_ns = quantile(each_ns, 0.5);
	round.push_back({by == 1 ? KEY_RING : KEY_RING_BY_8,
			 "a 64-byte line through a ring, by " + std::to_string(by),
			 {median_ns, quantile(each_ns, 0.99), each_ns}});
}

} // namespace bench
