// SPDX-License-Identifier: MIT
/**
 * DOC: Gloo
 *
 * Each rank is a thread with a context of its own, which all connect by TCP on the loopback device.
 */
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/transport/tcp/device.h>

#include <barrier>
#include <thread>

#include "collectives/rivals.h"

namespace bench {

namespace {

using Sum = void (*)(void *, const void *, const void *, size_t);

/* struct Shared - what the ranks of one measure have. */
struct Shared {
	explicit Shared(uint32_t count) : ranks(count), line(static_cast<ptrdiff_t>(count)) {}
	const uint32_t ranks;
	gloo::rendezvous::HashStore store;
	std::barrier<> line;
	std::vector<double> samples_ns; /* of rank 0 */
};

void run_rank(Shared &shared, uint32_t rank, uint64_t bytes, unsigned samples, unsigned batch)
{
	gloo::transport::tcp::attr where;
	where.hostname = "127.0.0.1";
	std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(where);
	auto context = std::make_shared<gloo::rendezvous::Context>(static_cast<int>(rank),
								   static_cast<int>(shared.ranks));
	context->connectFullMesh(shared.store, device);
	std::vector<float> from(bytes / sizeof(float), 1), to(from.size());
	gloo::AllreduceOptions options(context);
	options.setInput(from.data(), from.size());
	options.setOutput(to.data(), to.size());
	options.setReduceFunction(static_cast<Sum>(&gloo::sum<float>));
	/* The first sample is the warm-up. */
	for (unsigned i = 0; i <= samples; i++) {
		shared.line.arrive_and_wait();
		const uint64_t began = base::now_ns();
		for (unsigned k = 0; k < batch; k++)
			gloo::allreduce(options);
		shared.line.arrive_and_wait();
		if (rank == 0 && i > 0)
			shared.samples_ns.push_back(static_cast<double>(base::now_ns() - began) /
						    batch);
	}
}

} // namespace

Summary gloo_all_reduce(uint32_t ranks, uint64_t bytes, unsigned samples, unsigned batch)
{
	Shared shared(ranks);
	std::vector<std::thread> threads;
	for (uint32_t rank = 0; rank < ranks; rank++)
		threads.emplace_back([&, rank] { run_rank(shared, rank, bytes, samples, batch); });
	for (std::thread &thread : threads)
		thread.join();
	Summary summary;
	summary.batches_ns = shared.samples_ns;
	summary.median_ns = median_of(shared.samples_ns);
	summary.p99_ns = quantile(shared.samples_ns, 0.99);
	return summary;
}

} // namespace bench
