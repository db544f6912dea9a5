// SPDX-License-Identifier: MIT
/**
 * DOC: rank of another machine
 *
 * far_rank unpu|gloo RANKS RANK FOLDER IP SAMPLES: one rank of several processes, which meet by files in FOLDER. Rank 0
 * prints "BYTES NANOSECONDS" for each sample of an AllReduce, for which unpu waits after each call or after each
 * BENCH_QUEUED of them. Where Gloo is not installed, "gloo" ends with 77.
 */
#include <acl/acl.h>
#include <hccl/hccl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#if BENCH_HAS_GLOO
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#endif

namespace {

constexpr uint64_t SIZES[] = {8, 4 << 10, 64 << 10, 1 << 20, 64 << 20};

struct Place {
	uint32_t ranks;
	uint32_t rank;
	std::string folder;
	std::string ip;
	unsigned samples;
};

/* Calls of one sample. */
unsigned batch_of(uint64_t bytes)
{
	return bytes <= 4 << 10 ? 64 : bytes <= 64 << 10 ? 20 : bytes <= 1 << 20 ? 5 : 1;
}

/* The first sample is the warm-up. */
void time_all(const Place &place, uint64_t bytes, const std::function<void()> &call)
{
	const unsigned batch = batch_of(bytes);
	for (unsigned sample = 0; sample <= place.samples; sample++) {
		const auto began = std::chrono::steady_clock::now();
		for (unsigned k = 0; k < batch; k++)
			call();
		const std::chrono::duration<double, std::nano> took =
			std::chrono::steady_clock::now() - began;
		if (place.rank == 0 && sample > 0)
			std::printf("%llu %.0f\n", static_cast<unsigned long long>(bytes),
				    took.count() / batch);
	}
}

void check(int code, const char *call)
{
	if (code == 0)
		return;
	const char *text = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s returned %d: %s\n", call, code, text ? text : "");
	std::exit(1);
}

#define CHECK(call) check(call, #call)

/* Rank 0 writes the root information, and the others wait for it. */
void meet(const Place &place, HcclRootInfo &info)
{
	const std::string name = place.folder + "/root";
	if (place.rank == 0) {
		CHECK(HcclGetRootInfo(&info));
		std::ofstream(name + ".new", std::ios::binary)
			.write(info.internal, sizeof(info.internal));
		std::filesystem::rename(name + ".new", name);
		return;
	}
	while (!std::filesystem::exists(name)) {
	}
	std::ifstream(name, std::ios::binary).read(info.internal, sizeof(info.internal));
}

void run_unpu(const Place &place)
{
	HcclRootInfo info;
	HcclComm comm;
	aclrtStream stream;
	void *from;
	void *to;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(std::atoi(std::getenv("BENCH_DEVICE"))));
	CHECK(aclrtCreateStream(&stream));
	meet(place, info);
	CHECK(HcclCommInitRootInfo(place.ranks, &info, place.rank, &comm));
	const char *text = std::getenv("BENCH_QUEUED");
	for (const uint64_t bytes : SIZES) {
		const unsigned queued = std::min(text ? static_cast<unsigned>(std::atoi(text)) : 1,
						 batch_of(bytes));
		unsigned calls = 0;
		CHECK(aclrtMalloc(&from, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtMalloc(&to, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtMemset(from, bytes, 0, bytes));
		CHECK(aclrtMemset(to, bytes, 0, bytes));
		time_all(place, bytes, [&] {
			CHECK(HcclAllReduce(from, to, bytes / sizeof(float), HCCL_DATA_TYPE_FP32,
					    HCCL_REDUCE_SUM, comm, stream));
			if (++calls % queued == 0)
				CHECK(aclrtSynchronizeStream(stream));
		});
		CHECK(aclrtSynchronizeStream(stream));
		CHECK(aclrtFree(from));
		CHECK(aclrtFree(to));
	}
	CHECK(HcclCommDestroy(comm));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclFinalize());
}

#if BENCH_HAS_GLOO
void run_gloo(const Place &place)
{
	using Sum = void (*)(void *, const void *, const void *, size_t);
	gloo::transport::tcp::attr where;
	where.hostname = place.ip;
	std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(where);
	gloo::rendezvous::FileStore store(place.folder);
	auto context = std::make_shared<gloo::rendezvous::Context>(static_cast<int>(place.rank),
								   static_cast<int>(place.ranks));
	context->connectFullMesh(store, device);
	for (const uint64_t bytes : SIZES) {
		std::vector<float> from(bytes / sizeof(float), 1), to(from.size());
		gloo::AllreduceOptions options(context);
		options.setInput(from.data(), from.size());
		options.setOutput(to.data(), to.size());
		options.setReduceFunction(static_cast<Sum>(&gloo::sum<float>));
		time_all(place, bytes, [&] { gloo::allreduce(options); });
	}
	gloo::BarrierOptions all(context);
	gloo::barrier(all);
}
#else
void run_gloo(const Place &)
{
	std::exit(77);
}
#endif

} // namespace

int main(int argc, char **argv)
{
	if (argc != 7)
		return 2;
	const Place place{static_cast<uint32_t>(std::atoi(argv[2])),
			  static_cast<uint32_t>(std::atoi(argv[3])), argv[4], argv[5],
			  static_cast<unsigned>(std::atoi(argv[6]))};
	(std::strcmp(argv[1], "unpu") == 0 ? run_unpu : run_gloo)(place);
	return 0;
}
