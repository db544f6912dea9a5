// SPDX-License-Identifier: MIT
/*
 * DOC: many ranks
 *
 * unpu_hccl_crowd RANKS FIRST COUNT FOLDER: ranks FIRST to FIRST + COUNT - 1 of RANKS, each a thread with a device of
 * its own. All run each operation twice, and compare every byte with plain loops. The processes meet by a file in
 * FOLDER, and leave there what the ranks took.
 */
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "oracle.h"

using namespace hccl_test;

namespace {

constexpr HcclDataType FLOAT = HCCL_DATA_TYPE_FP32;

[[noreturn]] void give_up(uint32_t rank, const std::string &what)
{
	const char *text = aclGetRecentErrMsg();
	fprintf(stderr, "rank %u: %s: %s\n", rank, what.c_str(), text ? text : "");
	_exit(1);
}

double seconds()
{
	const auto now = std::chrono::steady_clock::now().time_since_epoch();
	return std::chrono::duration<double>(now).count();
}

/* What takes long and is the same for all ranks of this process. */
class Known {
public:
	const Bytes &get(const std::string &name, const std::function<Bytes()> &make)
	{
		std::lock_guard lock(mutex_);
		const auto found = known_.find(name);
		return found == known_.end() ? known_[name] = make() : found->second;
	}

private:
	std::mutex mutex_;
	std::map<std::string, Bytes> known_;
};
Known known;

/* The slowest rank of this process, for each operation. */
class Times {
public:
	void note(const std::string &name, double span)
	{
		std::lock_guard lock(mutex_);
		const auto [found, is_new] = spans_.try_emplace(name, span);
		found->second = std::max(found->second, span);
		if (is_new)
			names_.push_back(name);
	}

	void write(std::ostream &out)
	{
		for (const std::string &name : names_)
			out << name << ' ' << spans_[name] << '\n';
	}

private:
	std::mutex mutex_;
	std::vector<std::string> names_;
	std::map<std::string, double> spans_;
};
Times times;

Bytes part_of(const Bytes &bytes, size_t from, size_t count)
{
	const auto begin = bytes.begin() + static_cast<ptrdiff_t>(from * sizeof(float));
	return Bytes(begin, begin + static_cast<ptrdiff_t>(count * sizeof(float)));
}

void append(Bytes &bytes, const Bytes &more)
{
	bytes.insert(bytes.end(), more.begin(), more.end());
}

/* What a rank has at first. */
const Bytes &data(uint32_t rank, size_t count, HcclDataType type = FLOAT)
{
	const auto make = [&] { return numbers(type, count, rank + 1); };
	return known.get("data " + std::to_string(rank) + " " + std::to_string(count) + " " +
				 std::to_string(type),
			 make);
}

class Rank {
public:
	Rank(uint32_t ranks, uint32_t number, int32_t device)
		: ranks_(ranks), number_(number), device_(device)
	{
	}

	void join(const HcclRootInfo &info)
	{
		const double begun = seconds();
		run("HcclCommInitRootInfo", HcclCommInitRootInfo(ranks_, &info, number_, &comm_));
		times.note("init", seconds() - begun);
	}

	void select() { run("aclrtSetDevice", aclrtSetDevice(device_)); }

	void open()
	{
		select();
		run("aclrtCreateStream", aclrtCreateStream(&stream_));
	}

	void live()
	{
		const std::vector<std::pair<const char *, void (Rank::*)()>> all = {
			{"barrier", &Rank::barrier},
			{"all_reduce_short", &Rank::all_reduce_short},
			{"all_reduce_long", &Rank::all_reduce_long},
			{"reduce", &Rank::reduce},
			{"broadcast", &Rank::broadcast},
			{"all_gather", &Rank::all_gather},
			{"all_gather_v", &Rank::all_gather_v},
			{"reduce_scatter", &Rank::reduce_scatter},
			{"reduce_scatter_v", &Rank::reduce_scatter_v},
			{"scatter", &Rank::scatter},
			{"all_to_all", &Rank::all_to_all},
			{"all_to_all_v", &Rank::all_to_all_v},
			{"all_to_all_vc", &Rank::all_to_all_vc},
			{"send_recv", &Rank::send_recv},
			{"batch", &Rank::batch}};
		for (const auto &[name, play] : all) {
			for (const char *turn : {" first", " again"}) {
				name_ = name;
				barrier();
				finish("");
				(this->*play)();
				finish(name_ + turn);
			}
		}
		for (const uint32_t other : {ranks_, ~0u}) {
			float nothing = 0;
			if (HcclBroadcast(&nothing, 0, FLOAT, other, comm_, stream_) != HCCL_E_PARA)
				give_up(number_, "a root that is no rank was taken");
		}
	}

	void close()
	{
		run("HcclCommDestroy", HcclCommDestroy(comm_));
		run("aclrtDestroyStream", aclrtDestroyStream(stream_));
	}

private:
	struct Check {
		void *memory;
		Bytes wanted;
	};

	template <class Code> void run(const char *what, Code code)
	{
		if (code != 0)
			give_up(number_, name_ + ", " + what + " returned " + std::to_string(code));
	}

	/* Memory of the device, with these contents. */
	void *put(const Bytes &bytes)
	{
		void *memory = nullptr;
		const size_t size = std::max<size_t>(bytes.size(), 1);
		run("aclrtMalloc", aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
		if (!bytes.empty())
			run("aclrtMemcpy", aclrtMemcpy(memory, size, bytes.data(), bytes.size(),
						       ACL_MEMCPY_HOST_TO_DEVICE));
		memory_.push_back(memory);
		begun_ = seconds();
		return memory;
	}

	/* Memory that has to have @wanted in the end. */
	void *receive(Bytes wanted)
	{
		void *memory = put(Bytes(wanted.size(), 0xa5));
		checks_.push_back({memory, std::move(wanted)});
		return memory;
	}

	void finish(const std::string &name)
	{
		run("aclrtSynchronizeStream", aclrtSynchronizeStream(stream_));
		if (!name.empty())
			times.note(name, seconds() - begun_);
		for (const Check &check : checks_) {
			Bytes found(check.wanted.size());
			if (!found.empty())
				run("aclrtMemcpy",
				    aclrtMemcpy(found.data(), found.size(), check.memory,
						found.size(), ACL_MEMCPY_DEVICE_TO_HOST));
			if (found != check.wanted)
				give_up(number_, name_ + " gave wrong data");
		}
		for (void *memory : memory_)
			run("aclrtFree", aclrtFree(memory));
		checks_.clear();
		memory_.clear();
		begun_ = seconds();
	}

	const Bytes &folded(size_t count, HcclDataType type, HcclReduceOp op) const
	{
		const auto make = [&] {
			std::vector<Bytes> all;
			for (uint32_t rank = 0; rank < ranks_; rank++)
				all.push_back(numbers(type, count, rank + 1));
			return fold(type, op, all);
		};
		return known.get(std::to_string(count) + " " + std::to_string(type) + " " +
					 std::to_string(op),
				 make);
	}

	std::vector<uint64_t> offsets_of(const std::vector<uint64_t> &counts) const
	{
		std::vector<uint64_t> offsets{0};
		for (const uint64_t count : counts)
			offsets.push_back(offsets.back() + count);
		return offsets;
	}

	template <class Count> std::vector<uint64_t> counts(Count count) const
	{
		std::vector<uint64_t> all;
		for (uint32_t rank = 0; rank < ranks_; rank++)
			all.push_back(count(rank));
		return all;
	}

	void barrier() { run("HcclBarrier", HcclBarrier(comm_, stream_)); }

	void all_reduce(size_t count, HcclReduceOp op)
	{
		void *to = receive(folded(count, FLOAT, op));
		void *from = put(data(number_, count));
		run("HcclAllReduce", HcclAllReduce(from, to, count, FLOAT, op, comm_, stream_));
	}
	void all_reduce_short() { all_reduce(5, HCCL_REDUCE_SUM); }
	/* In parts, which the ranks reduce. */
	void all_reduce_long() { all_reduce(10001, HCCL_REDUCE_SUM); }

	void reduce()
	{
		constexpr size_t COUNT = 1001;
		const uint32_t root = ranks_ - 1;
		const Bytes wanted = folded(COUNT, HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM);
		void *to = number_ == root ? receive(wanted) : receive(Bytes(wanted.size(), 0xa5));
		void *from = put(data(number_, COUNT, HCCL_DATA_TYPE_BFP16));
		run("HcclReduce", HcclReduce(from, to, COUNT, HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM,
					     root, comm_, stream_));
	}

	void broadcast()
	{
		constexpr size_t COUNT = 50001;
		const uint32_t root = ranks_ / 2 + 1;
		void *memory = put(data(number_, COUNT));
		checks_.push_back({memory, data(root, COUNT)});
		run("HcclBroadcast", HcclBroadcast(memory, COUNT, FLOAT, root, comm_, stream_));
	}

	void all_gather()
	{
		constexpr size_t COUNT = 37;
		Bytes wanted;
		for (uint32_t rank = 0; rank < ranks_; rank++)
			append(wanted, data(rank, COUNT));
		void *to = receive(wanted);
		void *from = put(data(number_, COUNT));
		run("HcclAllGather", HcclAllGather(from, to, COUNT, FLOAT, comm_, stream_));
	}

	void all_gather_v()
	{
		const auto sizes = counts([](uint32_t rank) { return rank % 5 * 300; });
		const auto offsets = offsets_of(sizes);
		Bytes wanted;
		for (uint32_t rank = 0; rank < ranks_; rank++)
			append(wanted, data(rank, sizes[rank]));
		void *to = receive(wanted);
		void *from = put(data(number_, sizes[number_]));
		run("HcclAllGatherV", HcclAllGatherV(from, sizes[number_], to, sizes.data(),
						     offsets.data(), FLOAT, comm_, stream_));
	}

	void reduce_scatter()
	{
		constexpr size_t COUNT = 11;
		const Bytes all = folded(COUNT * ranks_, FLOAT, HCCL_REDUCE_SUM);
		void *to = receive(part_of(all, number_ * COUNT, COUNT));
		void *from = put(data(number_, COUNT * ranks_));
		run("HcclReduceScatter",
		    HcclReduceScatter(from, to, COUNT, FLOAT, HCCL_REDUCE_SUM, comm_, stream_));
	}

	void reduce_scatter_v()
	{
		const auto sizes = counts([](uint32_t rank) { return rank % 4 * 3; });
		const auto offsets = offsets_of(sizes);
		const Bytes all = folded(offsets.back(), FLOAT, HCCL_REDUCE_MAX);
		void *to = receive(part_of(all, offsets[number_], sizes[number_]));
		void *from = put(data(number_, offsets.back()));
		run("HcclReduceScatterV",
		    HcclReduceScatterV(from, sizes.data(), offsets.data(), to, sizes[number_],
				       FLOAT, HCCL_REDUCE_MAX, comm_, stream_));
	}

	void scatter()
	{
		constexpr size_t COUNT = 9;
		constexpr uint32_t ROOT = 1;
		const Bytes all = data(ROOT, COUNT * ranks_);
		void *to = receive(part_of(all, number_ * COUNT, COUNT));
		void *from = put(number_ == ROOT ? all : Bytes());
		run("HcclScatter", HcclScatter(from, to, COUNT, FLOAT, ROOT, comm_, stream_));
	}

	void all_to_all()
	{
		constexpr size_t COUNT = 3;
		Bytes wanted;
		for (uint32_t rank = 0; rank < ranks_; rank++)
			append(wanted, part_of(data(rank, COUNT * ranks_), number_ * COUNT, COUNT));
		void *to = receive(wanted);
		void *from = put(data(number_, COUNT * ranks_));
		run("HcclAlltoAll",
		    HcclAlltoAll(from, COUNT, FLOAT, to, COUNT, FLOAT, comm_, stream_));
	}

	/* The counts of what @from sends. */
	std::vector<uint64_t> row(uint32_t from) const
	{
		return counts([&](uint32_t to) { return (from + 2 * to) % 4; });
	}

	Bytes wanted_of_rows(std::vector<uint64_t> &mine) const
	{
		Bytes wanted;
		for (uint32_t rank = 0; rank < ranks_; rank++) {
			const auto sizes = row(rank);
			const auto offsets = offsets_of(sizes);
			append(wanted, part_of(data(rank, offsets.back()), offsets[number_],
					       sizes[number_]));
			mine.push_back(sizes[number_]);
		}
		return wanted;
	}

	void all_to_all_v()
	{
		std::vector<uint64_t> mine;
		void *to = receive(wanted_of_rows(mine));
		const auto sizes = row(number_);
		const auto offsets = offsets_of(sizes);
		const auto places = offsets_of(mine);
		void *from = put(data(number_, offsets.back()));
		run("HcclAlltoAllV",
		    HcclAlltoAllV(from, sizes.data(), offsets.data(), FLOAT, to, mine.data(),
				  places.data(), FLOAT, comm_, stream_));
	}

	void all_to_all_vc()
	{
		std::vector<uint64_t> mine;
		std::vector<uint64_t> matrix;
		void *to = receive(wanted_of_rows(mine));
		for (uint32_t rank = 0; rank < ranks_; rank++) {
			const auto sizes = row(rank);
			matrix.insert(matrix.end(), sizes.begin(), sizes.end());
		}
		void *from = put(data(number_, offsets_of(row(number_)).back()));
		run("HcclAlltoAllVC",
		    HcclAlltoAllVC(from, matrix.data(), FLOAT, to, FLOAT, comm_, stream_));
	}

	/* Each with the one that is half of the ranks away. */
	void send_recv()
	{
		constexpr size_t COUNT = 30001;
		const uint32_t half = ranks_ / 2;
		const bool is_first = number_ < half;
		const uint32_t other = is_first ? number_ + half : number_ - half;
		void *to = receive(data(other, COUNT));
		void *from = put(data(number_, COUNT));
		const auto send = [&] {
			run("HcclSend", HcclSend(from, COUNT, FLOAT, other, comm_, stream_));
		};
		const auto take = [&] {
			run("HcclRecv", HcclRecv(to, COUNT, FLOAT, other, comm_, stream_));
		};
		is_first ? send() : take();
		is_first ? take() : send();
	}

	void batch()
	{
		std::vector<HcclSendRecvItem> items;
		for (const uint32_t step : {1u, 3u}) {
			const size_t count = 400 * step;
			const uint32_t next = (number_ + step) % ranks_;
			const uint32_t before = (number_ + ranks_ - step) % ranks_;
			items.push_back(
				{HCCL_RECV, receive(data(before, count)), count, FLOAT, before});
			items.push_back({HCCL_SEND, put(data(number_, count)), count, FLOAT, next});
		}
		run("HcclBatchSendRecv",
		    HcclBatchSendRecv(items.data(), static_cast<uint32_t>(items.size()), comm_,
				      stream_));
	}

	const uint32_t ranks_;
	const uint32_t number_;
	const int32_t device_;
	HcclComm comm_ = nullptr;
	aclrtStream stream_ = nullptr;
	std::string name_ = "start";
	double begun_ = 0;
	std::vector<void *> memory_;
	std::vector<Check> checks_;
};

/* The root information, which the process of rank 0 makes. */
HcclRootInfo meet(bool is_first, const std::string &folder)
{
	HcclRootInfo info;
	const std::string path = folder + "/root";
	if (is_first) {
		if (HcclGetRootInfo(&info) != HCCL_SUCCESS)
			give_up(0, "HcclGetRootInfo");
		std::ofstream(path + ".new", std::ios::binary).write(info.internal, sizeof(info));
		if (rename((path + ".new").c_str(), path.c_str()) != 0)
			give_up(0, "rename");
		return info;
	}
	if (!std::ifstream(path, std::ios::binary).read(info.internal, sizeof(info)))
		give_up(~0u, "there is no root information");
	return info;
}

/* What the process has: lines of /proc/self/status in KiB, and descriptors. */
void write_usage(std::ostream &out)
{
	std::ifstream status("/proc/self/status");
	for (std::string line; std::getline(status, line);) {
		for (const char *name : {"VmRSS", "RssAnon", "RssShmem", "Threads"}) {
			if (line.rfind(name, 0) == 0)
				out << name << ' ' << atol(line.c_str() + strlen(name) + 1) << '\n';
		}
	}
	DIR *folder = opendir("/proc/self/fd");
	int count = -3; /* the folder, and what opendir() needs for it */
	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	out << "descriptors " << count << '\n';
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	const auto ranks = static_cast<uint32_t>(atoi(argv[1]));
	const auto first = static_cast<uint32_t>(atoi(argv[2]));
	const int count = atoi(argv[3]);
	const std::string folder = argv[4];
	if (aclInit(nullptr) != 0)
		give_up(first, "aclInit");
	const HcclRootInfo info = meet(first == 0, folder);
	std::vector<Rank> all;
	for (int i = 0; i < count; i++)
		all.emplace_back(ranks, first + static_cast<uint32_t>(i), i);
	const auto each = [&](const std::function<void(Rank &)> &play) {
		std::vector<std::thread> threads;
		for (Rank &rank : all)
			threads.emplace_back([&] { play(rank); });
		for (std::thread &thread : threads)
			thread.join();
	};
	std::ofstream report(folder + "/report." + argv[2]);
	each([&](Rank &rank) {
		rank.open();
		rank.join(info);
	});
	report << "joined\n";
	write_usage(report);
	each([](Rank &rank) {
		rank.select();
		rank.live();
	});
	report << "done\n";
	write_usage(report);
	report << "times\n";
	times.write(report);
	each([](Rank &rank) {
		rank.select();
		rank.close();
	});
	return 0;
}
