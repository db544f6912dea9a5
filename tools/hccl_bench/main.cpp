// SPDX-License-Identifier: MIT
/**
 * DOC: hccl_bench
 *
 * Times a collective operation over the devices of one process, with the options and columns that benchmarks
 * of collectives usually have: bytes, elements, time, bytes per time (algbw), and algbw times the factor of
 * what the operation must move at least (busbw). It measures once with separate buffers and once in place.
 * The program checks the results.
 */
#include <acl/acl.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "elements.h"

using namespace hccl_bench;

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	fmt::print(stderr, "hccl_bench: {} returned {}: {}\n", call, status, why ? why : "");
	std::exit(1);
}

#define CHECK(call) check((call), #call)

struct Wishes {
	std::string collective = "all_reduce";
	uint64_t min_bytes = 8;
	uint64_t max_bytes = 32 << 20;
	uint64_t factor = 2;
	uint64_t step_bytes = 0;
	uint32_t ranks = 2;
	unsigned iterations = 20;
	unsigned warmups = 5;
	std::string type = "fp32";
	std::string op = "sum";
	uint32_t root = 0;
	bool is_checked = true;
};

/* struct Call - the arguments of one rank's call. */
struct Call {
	void *send;
	void *receive;
	uint64_t count; /* the count argument of the operation */
	HcclDataType type;
	HcclReduceOp op;
	uint32_t root;
	uint32_t rank;
	uint32_t ranks;
	HcclComm comm;
	aclrtStream stream;
};

/* struct Collective - an operation. has_send_parts, has_receive_parts: whether the send or the receive buffer
 * has a part of count elements for each rank.
 * factor: the least number of bytes that the link of a rank has to carry, divided by the bytes of the buffer;
 * it depends on the number of ranks */
struct Collective {
	HcclResult (*run)(const Call &);
	bool has_send_parts, has_receive_parts;
	bool has_op, has_root;
	double (*factor)(double ranks);
	unsigned (*wanted)(const Call &, uint64_t i);
	bool (*has_result)(const Call &);
	bool has_place; /* whether the operation can run in place */
};

static double once(double)
{
	return 1;
}
static double to_others(double ranks)
{
	return (ranks - 1) / ranks;
}
static double there_and_back(double ranks)
{
	return 2 * (ranks - 1) / ranks;
}
static bool everyone(const Call &)
{
	return true;
}
static bool root_only(const Call &call)
{
	return call.rank == call.root;
}
/* Element @i of the data that rank @rank sends. */
static unsigned sent(const Call &call, uint32_t rank, uint64_t i)
{
	return number(call.op, rank, i);
}

static const std::map<std::string, Collective> COLLECTIVES = {
	{"all_reduce",
	 {[](const Call &c) {
		  return HcclAllReduce(c.send, c.receive, c.count, c.type, c.op, c.comm, c.stream);
	  },
	  false, false, true, false, there_and_back,
	  [](const Call &c, uint64_t i) { return combined(c.op, c.ranks, i); }, everyone, true}},
	{"reduce",
	 {[](const Call &c) {
		  return HcclReduce(c.send, c.receive, c.count, c.type, c.op, c.root, c.comm,
				    c.stream);
	  },
	  false, false, true, true, once,
	  [](const Call &c, uint64_t i) { return combined(c.op, c.ranks, i); }, root_only, false}},
	{"broadcast",
	 {[](const Call &c) {
		  return HcclBroadcast(c.receive, c.count, c.type, c.root, c.comm, c.stream);
	  },
	  false, false, false, true, once,
	  [](const Call &c, uint64_t i) { return sent(c, c.root, i); }, everyone, true}},
	{"all_gather",
	 {[](const Call &c) {
		  return HcclAllGather(c.send, c.receive, c.count, c.type, c.comm, c.stream);
	  },
	  false, true, false, false, to_others,
	  [](const Call &c, uint64_t i) {
		  return sent(c, static_cast<uint32_t>(i / c.count), i % c.count);
	  },
	  everyone, false}},
	{"reduce_scatter",
	 {[](const Call &c) {
		  return HcclReduceScatter(c.send, c.receive, c.count, c.type, c.op, c.comm,
					   c.stream);
	  },
	  true, false, true, false, to_others,
	  [](const Call &c, uint64_t i) { return combined(c.op, c.ranks, c.rank * c.count + i); },
	  everyone, false}},
	{"scatter",
	 {[](const Call &c) {
		  return HcclScatter(c.send, c.receive, c.count, c.type, c.root, c.comm, c.stream);
	  },
	  true, false, false, true, to_others,
	  [](const Call &c, uint64_t i) { return sent(c, c.root, c.rank * c.count + i); }, everyone,
	  false}},
	{"all_to_all",
	 {[](const Call &c) {
		  return HcclAlltoAll(c.send, c.count, c.type, c.receive, c.count, c.type, c.comm,
				      c.stream);
	  },
	  true, true, false, false, to_others,
	  [](const Call &c, uint64_t i) {
		  return sent(c, static_cast<uint32_t>(i / c.count),
			      c.rank * c.count + i % c.count);
	  },
	  everyone, true}},
	{"send_recv",
	 {[](const Call &c) {
		  HcclSendRecvItem items[] = {
			  {HCCL_SEND, c.send, c.count, c.type, (c.rank + 1) % c.ranks},
			  {HCCL_RECV, c.receive, c.count, c.type,
			   (c.rank + c.ranks - 1) % c.ranks}};
		  return HcclBatchSendRecv(items, 2, c.comm, c.stream);
	  },
	  false, false, false, false, once,
	  [](const Call &c, uint64_t i) { return sent(c, (c.rank + c.ranks - 1) % c.ranks, i); },
	  everyone, false}},
};

namespace {

/* class Ranks - the devices, each with two buffers. */
class Ranks {
public:
	explicit Ranks(const Wishes &wishes)
		: wishes_(wishes), what_(COLLECTIVES.at(wishes.collective)),
		  type_(*find_type(wishes.type)), calls_(wishes.ranks)
	{
		std::vector<int32_t> devices;
		std::vector<HcclComm> comms(wishes.ranks);
		(void)find_op(wishes.op, op_);
		for (uint32_t rank = 0; rank < wishes.ranks; rank++) {
			Call &call = calls_[rank];
			devices.push_back(static_cast<int32_t>(rank));
			CHECK(aclrtSetDevice(devices[rank]));
			CHECK(aclrtCreateStream(&call.stream));
			CHECK(aclrtMalloc(&call.send, wishes.max_bytes, ACL_MEM_MALLOC_HUGE_FIRST));
			CHECK(aclrtMalloc(&call.receive, wishes.max_bytes,
					  ACL_MEM_MALLOC_HUGE_FIRST));
			call.type = type_.number;
			call.op = what_.has_op ? op_ : HCCL_REDUCE_SUM;
			call.root = wishes.root;
			call.rank = rank;
			call.ranks = wishes.ranks;
		}
		CHECK(HcclCommInitAll(wishes.ranks, devices.data(), comms.data()));
		for (uint32_t rank = 0; rank < wishes.ranks; rank++)
			calls_[rank].comm = comms[rank];
	}
	~Ranks()
	{
		for (uint32_t rank = 0; rank < wishes_.ranks; rank++) {
			const Call &call = calls_[rank];
			CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
			CHECK(HcclCommDestroy(call.comm));
			CHECK(aclrtFree(call.send));
			CHECK(aclrtFree(call.receive));
			CHECK(aclrtDestroyStream(call.stream));
		}
	}
	Ranks(const Ranks &) = delete;
	Ranks &operator=(const Ranks &) = delete;

	void measure(uint64_t bytes);

private:
	/* How many bytes of the larger buffer belong to one element of the count argument. */
	uint64_t unit() const
	{
		const bool has_parts = what_.has_send_parts || what_.has_receive_parts;
		return type_.bytes * (has_parts ? wishes_.ranks : 1);
	}
	void each(const std::function<void(Call &)> &act)
	{
		for (uint32_t rank = 0; rank < wishes_.ranks; rank++) {
			CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
			act(calls_[rank]);
		}
	}
	void run(bool in_place)
	{
		each([&](const Call &given) {
			Call call = given;
			if (in_place)
				call.send = call.receive;
			check(what_.run(call), wishes_.collective.c_str());
		});
	}
	void finish()
	{
		each([](const Call &call) { CHECK(aclrtSynchronizeStream(call.stream)); });
	}
	void fill(uint64_t count);
	uint64_t wrong(uint64_t count);
	std::string columns(uint64_t bytes, uint64_t count, bool in_place);

	const Wishes &wishes_;
	const Collective &what_;
	const Type &type_;
	HcclReduceOp op_ = HCCL_REDUCE_SUM;
	std::vector<Call> calls_;
};

/* Writes the data that the rank sends into both buffers, because an operation in place uses only the buffer
 * for the result. */
void Ranks::fill(uint64_t count)
{
	each([&](Call &call) {
		call.count = count;
		const uint64_t all = count * (what_.has_send_parts ? wishes_.ranks : 1);
		Bytes data(all * type_.bytes);
		for (uint64_t i = 0; i < all; i++)
			put(type_, sent(call, call.rank, i), data.data() + i * type_.bytes);
		if (data.empty())
			return;
		for (void *to : {call.send, call.receive})
			CHECK(aclrtMemcpy(to, data.size(), data.data(), data.size(),
					  ACL_MEMCPY_HOST_TO_DEVICE));
	});
}

uint64_t Ranks::wrong(uint64_t count)
{
	uint64_t found = 0;
	each([&](const Call &call) {
		const uint64_t all = count * (what_.has_receive_parts ? wishes_.ranks : 1);
		Bytes data(all * type_.bytes);
		Bytes element(type_.bytes);
		if (data.empty() || !what_.has_result(call))
			return;
		CHECK(aclrtMemcpy(data.data(), data.size(), call.receive, data.size(),
				  ACL_MEMCPY_DEVICE_TO_HOST));
		for (uint64_t i = 0; i < all; i++) {
			put(type_, what_.wanted(call, i), element.data());
			found += std::equal(element.begin(), element.end(),
					    data.begin() + static_cast<ptrdiff_t>(i * type_.bytes))
					 ? 0
					 : 1;
		}
	});
	return found;
}

std::string Ranks::columns(uint64_t bytes, uint64_t count, bool in_place)
{
	std::string errors = "N/A";
	fill(count);
	if (wishes_.is_checked) {
		run(in_place);
		finish();
		errors = fmt::format("{}", wrong(count));
	}
	for (unsigned i = 0; i < wishes_.warmups; i++)
		run(in_place);
	finish();
	const auto began = std::chrono::steady_clock::now();
	for (unsigned i = 0; i < wishes_.iterations; i++)
		run(in_place);
	finish();
	const std::chrono::duration<double, std::micro> took =
		std::chrono::steady_clock::now() - began;
	const double us = took.count() / wishes_.iterations;
	const double speed = static_cast<double>(bytes) / us / 1e3;
	return fmt::format("{:>10.2f} {:>8.3f} {:>8.3f} {:>7}", us, speed,
			   speed * what_.factor(wishes_.ranks), errors);
}

/* @most: the maximum number of bytes. It is rounded down to whole elements, and nothing is measured if no
 * element fits. */
void Ranks::measure(uint64_t most)
{
	const uint64_t count = most / unit();
	const uint64_t bytes = count * unit();
	if (count == 0)
		return;
	const std::string apart = columns(bytes, count, false);
	const std::string one = what_.has_place ? columns(bytes, count, true) : "";
	fmt::print("{:>12} {:>12} {:>8} {:>7} {:>5} {} {}\n", bytes, count, type_.name,
		   what_.has_op ? wishes_.op : "none",
		   what_.has_root ? std::to_string(wishes_.root) : "-1", apart, one);
	std::fflush(stdout);
}

} // namespace

static void add_options(CLI::App &app, Wishes &wishes)
{
	std::vector<std::string> names;
	for (const auto &[name, each] : COLLECTIVES)
		names.push_back(name);
	const auto sizes = CLI::AsSizeValue(false);
	app.add_option("collective", wishes.collective, "What to time")
		->check(CLI::IsMember(names));
	app.add_option("-b,--minbytes", wishes.min_bytes, "The first size")
		->transform(sizes)
		->check(CLI::PositiveNumber);
	app.add_option("-e,--maxbytes", wishes.max_bytes, "The last size")->transform(sizes);
	app.add_option("-f,--stepfactor", wishes.factor, "From a size to the next one")
		->check(CLI::Range(2, 1 << 20));
	app.add_option("-i,--stepbytes", wishes.step_bytes, "The same as a sum instead")
		->transform(sizes);
	app.add_option("-g,--ngpus,--npus", wishes.ranks, "Devices")->check(CLI::Range(1, 16));
	app.add_option("-n,--iters", wishes.iterations, "Timed calls")
		->check(CLI::Range(1, 1 << 20));
	app.add_option("-w,--warmup_iters", wishes.warmups, "Calls before these");
	app.add_option("-d,--datatype", wishes.type, "Type of the elements")
		->check(CLI::IsMember(type_names()));
	app.add_option("-o,--op", wishes.op, "Reduction")
		->check(CLI::IsMember({"sum", "prod", "max", "min"}));
	app.add_option("-r,--root", wishes.root, "Root");
	app.add_option("-c,--check", wishes.is_checked, "Whether results are checked: 0 or 1");
}

int main(int argc, char **argv)
{
	Wishes wishes;
	CLI::App app(
		"Times a collective operation of the devices that UNPU_DEVICE gives; without it, "
		"of as many of this process as -g says.",
		"hccl_bench");
	add_options(app, wishes);
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? 0 : 2;
	}
	(void)setenv("UNPU_DEVICE", fmt::format("sim:devices={}", wishes.ranks).c_str(), 0);
	CHECK(aclInit(nullptr));
	fmt::print("# {} over {} devices, {} warm-ups and {} timed calls\n", wishes.collective,
		   wishes.ranks, wishes.warmups, wishes.iterations);
	fmt::print("#{:>11} {:>12} {:>8} {:>7} {:>5} {:>10} {:>8} {:>8} {:>7} {:>10} {:>8} {:>8} "
		   "{:>7}\n",
		   "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong",
		   "time", "algbw", "busbw", "#wrong");
	fmt::print("#{:>11} {:>12} {:>8} {:>7} {:>5} {:>10} {:>8} {:>8} {:>7} {:>10} {:>8} {:>8}\n",
		   "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)",
		   "(GB/s)", "(GB/s)");
	{
		Ranks ranks(wishes);
		uint64_t bytes = wishes.min_bytes;
		while (bytes <= wishes.max_bytes) {
			ranks.measure(bytes);
			bytes = wishes.step_bytes != 0 ? bytes + wishes.step_bytes
						       : bytes * wishes.factor;
		}
	}
	CHECK(aclFinalize());
	return 0;
}
