// SPDX-License-Identifier: MIT
/**
 * DOC: what Gloo makes of the same calls
 *
 * Gloo moves bytes and leaves the reduction to a function of the caller. Its order is another one than ours, so only
 * reductions are compared for which that is all the same: of integers, which wrap.
 */
#include "gloo.h"

#include <stdexcept>

namespace hccl_random {

/* More would take long, and show no more. */
static constexpr uint64_t MOST_BYTES = 1 << 20;

static bool is_integer(HcclDataType type)
{
	return type <= HCCL_DATA_TYPE_INT32 ||
	       (type >= HCCL_DATA_TYPE_INT64 && type <= HCCL_DATA_TYPE_UINT32);
}

bool can_compare(const Plan &plan, const Case &one)
{
	const uint64_t bytes = one.count * plan.ranks * hccl_test::width(one.type);
	switch (one.kind) {
	case Kind::ALL_REDUCE:
	case Kind::REDUCE:
		return is_integer(one.type) && bytes > 0 && bytes <= MOST_BYTES;
	case Kind::BROADCAST:
	case Kind::ALL_GATHER:
	case Kind::ALL_TO_ALL:
	case Kind::SCATTER:
		return bytes > 0 && bytes <= MOST_BYTES && !one.is_in_place;
	default:
		return false;
	}
}

} // namespace hccl_random

#ifndef TEST_HAS_GLOO

uint64_t hccl_random::compare_with_gloo(const Plan &, const std::vector<const Case *> &,
					const std::vector<std::vector<Bytes>> &)
{
	return 0;
}

#else

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/broadcast.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>

#include <cstring>
#include <exception>
#include <memory>
#include <thread>

namespace hccl_random {

namespace {

using Context = std::shared_ptr<gloo::rendezvous::Context>;

/* to = left op right, for @count elements of the type of @one. */
void combine(const Case &one, void *to, const void *left, const void *right, size_t count)
{
	const size_t bytes = count * hccl_test::width(one.type);
	const auto *first = static_cast<const uint8_t *>(left);
	const auto *second = static_cast<const uint8_t *>(right);
	const Bytes result = hccl_test::fold(
		one.type, one.op, {Bytes(first, first + bytes), Bytes(second, second + bytes)});
	memcpy(to, result.data(), bytes);
}

/* A call with the rank's buffers as elements of type T. Return: what the rank has received. */
template <class T>
Bytes call(const Context &context, const Plan &plan, const Case &one, Bytes send, uint32_t rank)
{
	const size_t size = sizeof(T);
	const bool is_root = rank == one.root;
	const bool is_broadcast = one.kind == Kind::BROADCAST;
	Bytes receive((is_broadcast ? one.count : receive_elements(plan, one, rank)) * size);
	T *const from = reinterpret_cast<T *>(send.data());
	T *const to = reinterpret_cast<T *>(receive.data());
	const auto function = [&one](void *out, const void *left, const void *right, size_t count) {
		combine(one, out, left, right, count);
	};
	if (one.kind == Kind::ALL_REDUCE) {
		gloo::AllreduceOptions options(context);
		options.setInput(from, one.count);
		options.setOutput(to, one.count);
		options.setReduceFunction(function);
		gloo::allreduce(options);
	} else if (one.kind == Kind::REDUCE) {
		/* Gloo wants an output of all ranks. */
		Bytes output(one.count * size);
		gloo::ReduceOptions options(context);
		options.setInput(from, one.count);
		options.setOutput(reinterpret_cast<T *>(output.data()), one.count);
		options.setRoot(static_cast<int>(one.root));
		options.setReduceFunction(function);
		gloo::reduce(options);
		if (is_root)
			receive = output;
	} else if (is_broadcast) {
		gloo::BroadcastOptions options(context);
		if (is_root)
			options.setInput(from, one.count);
		options.setOutput(to, one.count);
		options.setRoot(static_cast<int>(one.root));
		gloo::broadcast(options);
	} else if (one.kind == Kind::ALL_GATHER) {
		gloo::AllgatherOptions options(context);
		options.setInput(from, one.count);
		options.setOutput(to, one.count * plan.ranks);
		gloo::allgather(options);
	} else if (one.kind == Kind::ALL_TO_ALL) {
		gloo::AlltoallOptions options(context);
		options.setInput(from, one.count * plan.ranks);
		options.setOutput(to, one.count * plan.ranks);
		gloo::alltoall(options);
	} else {
		std::vector<T *> parts;
		gloo::ScatterOptions options(context);
		for (uint32_t i = 0; is_root && i < plan.ranks; i++)
			parts.push_back(from + i * one.count);
		if (is_root)
			options.setInputs(parts, one.count);
		options.setOutput(to, one.count);
		options.setRoot(static_cast<int>(one.root));
		gloo::scatter(options);
	}
	return receive;
}

Bytes call_by_width(const Context &context, const Plan &plan, const Case &one, uint32_t rank)
{
	const Tables tables(plan, one);
	const uint64_t elements = send_elements(plan, one, rank);
	Bytes send(elements * hccl_test::width(one.type));
	lay_out(send, one.type, {{0, elements, &tables.ranks[rank], 0}});
	switch (hccl_test::width(one.type)) {
	case 1:
		return call<uint8_t>(context, plan, one, std::move(send), rank);
	case 2:
		return call<uint16_t>(context, plan, one, std::move(send), rank);
	case 4:
		return call<uint32_t>(context, plan, one, std::move(send), rank);
	default:
		return call<uint64_t>(context, plan, one, std::move(send), rank);
	}
}

void run_rank(const Plan &plan, uint32_t rank, const std::vector<const Case *> &cases,
	      const std::vector<std::vector<Bytes>> &found, gloo::rendezvous::HashStore &store)
{
	gloo::transport::tcp::attr where;
	where.hostname = "127.0.0.1";
	std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(where);
	const auto context = std::make_shared<gloo::rendezvous::Context>(
		static_cast<int>(rank), static_cast<int>(plan.ranks));
	context->connectFullMesh(store, device);
	for (size_t i = 0; i < cases.size(); i++) {
		const Bytes theirs = call_by_width(context, plan, *cases[i], rank);
		const std::string text = difference(cases[i]->type, found[i][rank], theirs);
		if (!text.empty())
			throw std::runtime_error(describe(*cases[i]) +
						 " is not as with Gloo: " + text);
	}
}

} // namespace

uint64_t compare_with_gloo(const Plan &plan, const std::vector<const Case *> &cases,
			   const std::vector<std::vector<Bytes>> &found)
{
	gloo::rendezvous::HashStore store;
	std::vector<std::exception_ptr> failures(plan.ranks);
	std::vector<std::thread> threads;
	if (cases.empty() || plan.ranks == 1)
		return 0;
	for (uint32_t rank = 0; rank < plan.ranks; rank++)
		threads.emplace_back([&, rank] {
			try {
				run_rank(plan, rank, cases, found, store);
			} catch (...) {
				failures[rank] = std::current_exception();
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	for (const std::exception_ptr &failure : failures) {
		if (failure)
			std::rethrow_exception(failure);
	}
	return cases.size();
}

} // namespace hccl_random

#endif
