// SPDX-License-Identifier: MIT
/**
 * DOC: hccl
 *
 * Collective operations of 2 and 4 devices of one process: the time of an AllReduce of 8 bytes from the calls to the
 * end of all streams, and of a captured one; and the speed of large ones. The machine's own copy by two threads is
 * measured in the same round, and so are Gloo, Open MPI and MPICH where they are installed.
 */
#include <acl/acl.h>
#include <hccl/hccl.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "collectives/rivals.h"
#include "harness/program.h"
#include "process/client.h"

using namespace bench;

static constexpr uint64_t LARGE_BYTES = 64 << 20;
static constexpr const char *KEY_COPY = "machine.copy";

static void check_hccl(HcclResult code, const char *call)
{
	if (code == HCCL_SUCCESS)
		return;
	const char *text = aclGetRecentErrMsg();
	fmt::print(stderr, "{} returned {}: {}\n", call, static_cast<int>(code), text ? text : "");
	std::exit(1);
}

#define CHECK_HCCL(call) check_hccl((call), #call)

namespace {

/* class Ranks - the ranks of a communicator, with a stream and two buffers each. */
class Ranks {
public:
	explicit Ranks(uint32_t count) : comms_(count), streams_(count), from_(count), to_(count)
	{
		std::vector<int32_t> devices;
		for (uint32_t rank = 0; rank < count; rank++) {
			devices.push_back(static_cast<int32_t>(rank));
			CHECK(aclrtSetDevice(devices[rank]));
			CHECK(aclrtCreateStream(&streams_[rank]));
			CHECK(aclrtMalloc(&from_[rank], LARGE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
			CHECK(aclrtMalloc(&to_[rank], LARGE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
			CHECK(aclrtMemset(from_[rank], LARGE_BYTES, 0, LARGE_BYTES));
			CHECK(aclrtMemset(to_[rank], LARGE_BYTES, 0, LARGE_BYTES));
		}
		CHECK_HCCL(HcclCommInitAll(count, devices.data(), comms_.data()));
	}

	~Ranks()
	{
		for (uint32_t rank = 0; rank < comms_.size(); rank++) {
			CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
			CHECK_HCCL(HcclCommDestroy(comms_[rank]));
			CHECK(aclrtFree(from_[rank]));
			CHECK(aclrtFree(to_[rank]));
			CHECK(aclrtDestroyStream(streams_[rank]));
		}
		for (uint32_t rank = 0; rank < comms_.size(); rank++)
			CHECK(aclrtResetDeviceForce(static_cast<int32_t>(rank)));
	}
	Ranks(const Ranks &) = delete;
	Ranks &operator=(const Ranks &) = delete;

	uint32_t size() const { return static_cast<uint32_t>(comms_.size()); }

	/* Calls @call on each rank, and waits for all streams. */
	template <class Call> void run(const Call &call) const
	{
		for (uint32_t rank = 0; rank < size(); rank++) {
			CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
			call(rank);
		}
		for (uint32_t rank = 0; rank < size(); rank++) {
			CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
			CHECK(aclrtSynchronizeStream(streams_[rank]));
		}
	}

	void all_reduce(uint32_t rank, uint64_t count) const
	{
		CHECK_HCCL(HcclAllReduce(from_[rank], to_[rank], count, HCCL_DATA_TYPE_FP32,
					 HCCL_REDUCE_SUM, comms_[rank], streams_[rank]));
	}
	void all_gather(uint32_t rank, uint64_t count) const
	{
		CHECK_HCCL(HcclAllGather(from_[rank], to_[rank], count / size(),
					 HCCL_DATA_TYPE_FP32, comms_[rank], streams_[rank]));
	}
	void broadcast(uint32_t rank, uint64_t count) const
	{
		CHECK_HCCL(HcclBroadcast(to_[rank], count, HCCL_DATA_TYPE_FP32, 0, comms_[rank],
					 streams_[rank]));
	}
	aclrtStream stream(uint32_t rank) const { return streams_[rank]; }

private:
	std::vector<HcclComm> comms_;
	std::vector<aclrtStream> streams_;
	std::vector<void *> from_;
	std::vector<void *> to_;
};

} // namespace

static Measure large(const Ranks &ranks, const Effort &effort, const char *name,
		     void (Ranks::*call)(uint32_t, uint64_t) const)
{
	Measure made{fmt::format("large.{}.{}", name, ranks.size()),
		     fmt::format("{} of 64 MiB, {} ranks", name, ranks.size()),
		     {}};
	made.summary = measure({1, effort.scaled(12), 1, 0}, [&] {
		ranks.run([&](uint32_t rank) { (ranks.*call)(rank, LARGE_BYTES / 4); });
	});
	made.base = KEY_COPY;
	made.bytes = LARGE_BYTES;
	return made;
}

static Measure replayed(const Ranks &ranks, const Effort &effort)
{
	std::vector<aclmdlRI> models(ranks.size());
	ranks.run([&](uint32_t rank) {
		CHECK(aclmdlRICaptureBegin(ranks.stream(rank), ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		ranks.all_reduce(rank, 2);
		CHECK(aclmdlRICaptureEnd(ranks.stream(rank), &models[rank]));
	});
	Measure made{fmt::format("small.replay.{}", ranks.size()),
		     fmt::format("captured AllReduce of 8 bytes, {} ranks", ranks.size()),
		     {}};
	made.summary = measure({20, effort.scaled(20), 50, effort.scaled(200)}, [&] {
		ranks.run([&](uint32_t rank) {
			CHECK(aclmdlRIExecuteAsync(models[rank], ranks.stream(rank)));
		});
	});
	for (aclmdlRI model : models)
		CHECK(aclmdlRIDestroy(model));
	made.base.clear();
	return made;
}

/* A row of a rival, with its time by that of ours. */
[[maybe_unused]] static Measure rival(const char *who, uint32_t count, uint64_t bytes,
				      const Summary &summary)
{
	const bool is_small = bytes != LARGE_BYTES;
	Measure made{fmt::format("{}.{}.{}", is_small ? "small" : "large", who, count),
		     fmt::format("AllReduce of {} bytes by {}, {} ranks", bytes, who, count),
		     summary};
	made.base = fmt::format("{}.{}", is_small ? "small" : "large.AllReduce", count);
	made.bytes = is_small ? 0 : bytes;
	return made;
}

static void measure_rivals(uint32_t count, const Effort &effort, Round &round)
{
#if BENCH_HAS_GLOO
	round.push_back(rival("Gloo", count, 8, gloo_all_reduce(count, 8, effort.scaled(20), 50)));
	round.push_back(rival("Gloo", count, LARGE_BYTES,
			      gloo_all_reduce(count, LARGE_BYTES, effort.scaled(6), 1)));
#endif
	for (const Mpi &mpi : installed_mpis()) {
		Summary small;
		Summary large;
		if (mpi_all_reduce(mpi, count, 8, effort.scaled(20), 50, small))
			round.push_back(rival(mpi.name, count, 8, small));
		if (mpi_all_reduce(mpi, count, LARGE_BYTES, effort.scaled(6), 1, large))
			round.push_back(rival(mpi.name, count, LARGE_BYTES, large));
	}
}

static void measure_ranks(uint32_t count, const Effort &effort, Round &round)
{
	const Ranks ranks(count);
	Measure small{fmt::format("small.{}", count),
		      fmt::format("AllReduce of 8 bytes, {} ranks", count),
		      {}};
	small.summary = measure({20, effort.scaled(20), 50, effort.scaled(200)}, [&] {
		ranks.run([&](uint32_t rank) { ranks.all_reduce(rank, 2); });
	});
	small.base.clear();
	round.push_back(small);
	round.push_back(replayed(ranks, effort));
	round.push_back(large(ranks, effort, "AllReduce", &Ranks::all_reduce));
	round.push_back(large(ranks, effort, "AllGather", &Ranks::all_gather));
	round.push_back(large(ranks, effort, "Broadcast", &Ranks::broadcast));
}

/* Two threads copy 32 MiB each. */
static Measure machine_copy(const Effort &effort)
{
	std::vector<std::vector<char>> from(2, std::vector<char>(LARGE_BYTES / 2, 1));
	std::vector<std::vector<char>> to(2, std::vector<char>(LARGE_BYTES / 2, 2));
	Measure made{KEY_COPY, "memcpy of 64 MiB by two threads", {}};
	made.summary = measure({1, effort.scaled(12), 1, 0}, [&] {
		std::thread other([&] { std::memcpy(to[1].data(), from[1].data(), to[1].size()); });
		std::memcpy(to[0].data(), from[0].data(), to[0].size());
		other.join();
	});
	made.base.clear();
	made.bytes = LARGE_BYTES;
	return made;
}

static std::vector<Round> measure_rounds(const Options &options)
{
	std::vector<Round> rounds(options.rounds);
	CHECK(aclInit(nullptr));
	for (unsigned i = 0; i < options.rounds; i++) {
		progress(options, i, "collective operations");
		rounds[i].push_back(machine_copy(options.effort));
		for (uint32_t count : {2u, 4u})
			measure_ranks(count, options.effort, rounds[i]);
		for (uint32_t count : {2u, 4u})
			measure_rivals(count, options.effort, rounds[i]);
	}
	progress_end();
	CHECK(aclFinalize());
	return rounds;
}

int main(int argc, char **argv)
{
	/* Unless the user has one of his own. */
	(void)setenv("UNPU_DEVICE", "sim:devices=4", 0);
	return run_program(
		{"hccl", "Collective operations of several devices.", {}, measure_rounds, {}, {}},
		argc, argv);
}
