// SPDX-License-Identifier: MIT
/**
 * DOC: Copies
 *
 * Each size is measured four ways, one after the other: memcpy() by one thread, both directions
 * between pinned and device memory on a stream, and the synchronous copy from ordinary memory. All
 * buffers have been touched through every mapping before, and the ordinary ones ask for huge pages,
 * so that memcpy() is at its best.
 */
#include "copies.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>

#include <sys/mman.h>
#include <thread>

#include "base/copy/copy.h"
#include "base/sync/ordering.h"

namespace bench {

namespace {

constexpr size_t KIB = 1024;
constexpr size_t MIB = KIB * KIB;
constexpr size_t SIZES[] = {8,	       64,	512,	  4 * KIB,  32 * KIB,
			    256 * KIB, 2 * MIB, 16 * MIB, 64 * MIB, 256 * MIB};

void *ordinary_memory(size_t bytes)
{
	void *memory =
		mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(memory != MAP_FAILED ? 0 : -1, "mmap");
	madvise(memory, bytes, MADV_HUGEPAGE);
	memset(memory, 1, bytes);
	return memory;
}

/* A call, so that no copy can be merged with the next. */
__attribute__((noinline)) void host_copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

using Way = void (*)(void *to, const void *from, size_t bytes);

void streamed_copy(void *to, const void *from, size_t bytes)
{
	base::copy_streamed(static_cast<std::byte *>(to), static_cast<const std::byte *>(from),
			    bytes);
}

void string_copy(void *to, const void *from, size_t bytes)
{
	base::copy_string(static_cast<std::byte *>(to), static_cast<const std::byte *>(from),
			  bytes);
}

struct NamedWay {
	const char *title;
	Way way;
};

constexpr NamedWay TWO_THREAD_WAYS[] = {
	{"two threads, memcpy (base)", host_copy},
	{"two threads, streamed (base)", streamed_copy},
	{"two threads, string (base)", string_copy},
};

/* class Halves - a thread that copies the second half of what the caller copies the first half of. */
class Halves {
public:
	explicit Halves(Way way) : way_(way), thread_([this] { serve(); }) {}
	~Halves()
	{
		bytes_ = 0;
		base::store_release(wanted_, wanted_ + 1);
		thread_.join();
	}

	void copy(void *to, const void *from, size_t bytes)
	{
		to_ = static_cast<char *>(to) + bytes / 2;
		from_ = static_cast<const char *>(from) + bytes / 2;
		bytes_ = bytes / 2;
		base::store_release(wanted_, wanted_ + 1);
		way_(to, from, bytes / 2);
		while (base::load_acquire(done_) != wanted_)
			base::cpu_relax();
	}

private:
	void serve()
	{
		for (uint32_t turn = 1;; turn++) {
			while (base::load_acquire(wanted_) != turn)
				base::cpu_relax();
			if (bytes_ == 0)
				return;
			way_(to_, from_, bytes_);
			base::store_release(done_, turn);
		}
	}

	const Way way_;
	void *to_ = nullptr;
	const void *from_ = nullptr;
	size_t bytes_ = 0;
	uint32_t wanted_ = 0;
	uint32_t done_ = 0;
	std::thread thread_;
};

std::string size_name(size_t bytes)
{
	if (bytes >= MIB)
		return std::to_string(bytes / MIB) + " MiB";
	if (bytes >= KIB)
		return std::to_string(bytes / KIB) + " KiB";
	return std::to_string(bytes) + " B";
}

/* Samples for about the same time at every size. A device tries its ways to copy first. */
Plan plan_for(size_t bytes, const Effort &effort)
{
	constexpr double BUDGET_NS = 40e6;
	const double expected_ns = 1000 + static_cast<double>(bytes) / 6;
	const auto fitting = static_cast<unsigned>(BUDGET_NS / expected_ns);
	const unsigned samples = effort.scaled(std::clamp(fitting, 4u, 2000u));
	if (bytes > 32 * KIB)
		return {4, std::max(samples, 3u), 1, 0};
	return {20, samples / 10 + 10, 10, samples};
}

} // namespace

/* An ordinary user may pin a few MiB on most machines: the largest sizes are left out then. */
void Copies::pin()
{
	std::string why;
	for (size_t i = std::size(SIZES); i-- > 0 && !pinned_;) {
		most_bytes_ = SIZES[i];
		if (aclrtMallocHost(&pinned_, most_bytes_) == ACL_SUCCESS)
			break;
		const char *said = aclGetRecentErrMsg();
		if (why.empty() && said)
			why = said;
	}
	check(pinned_ ? 0 : -1, "aclrtMallocHost");
	if (!why.empty())
		fprintf(stderr, "\nbench: no copies of more than %s: %s\n",
			size_name(most_bytes_).c_str(), why.c_str());
}

Copies::Copies(const Client &client) : client_(client)
{
	pin();
	source_ = ordinary_memory(most_bytes_);
	target_ = ordinary_memory(most_bytes_);
	CHECK(aclrtMalloc(&device_, most_bytes_, ACL_MEM_MALLOC_HUGE_FIRST));
	memset(pinned_, 1, most_bytes_);
	/* The host's mapping of device memory, then the device's mappings of both. */
	CHECK(aclrtMemcpy(device_, most_bytes_, source_, most_bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
	CHECK(aclrtMemcpyAsync(device_, most_bytes_, pinned_, most_bytes_,
			       ACL_MEMCPY_HOST_TO_DEVICE, client.first));
	client.sync(client.first);
}

Copies::~Copies()
{
	CHECK(aclrtFree(device_));
	CHECK(aclrtFreeHost(pinned_));
	munmap(target_, most_bytes_);
	munmap(source_, most_bytes_);
}

Summary Copies::in_halves(Way way, size_t bytes, const Plan &plan) const
{
	Halves halves(way);
	return measure(plan, [&] { halves.copy(target_, source_, bytes); });
}

void Copies::run_size(size_t bytes, const Effort &effort, Round &round) const
{
	const Plan plan = plan_for(bytes, effort);
	const std::string number = std::to_string(bytes);
	std::string base = "copy.memcpy." + number;
	const std::string name = size_name(bytes);
	auto add = [&](const char *key, const char *title, const Summary &summary) {
		round.push_back({std::string("copy.") + key + "." + number, name + ", " + title,
				 summary, base, Against::SPEED, 1, bytes});
	};
	auto async = [&](void *to, const void *from, aclrtMemcpyKind kind) {
		CHECK(aclrtMemcpyAsync(to, bytes, from, bytes, kind, client_.first));
		client_.sync(client_.first);
	};
	add("memcpy", "memcpy (base)", measure(plan, [&] { host_copy(target_, source_, bytes); }));
	if (bytes >= 16 * MIB) {
		const NamedWay *best = nullptr;
		Summary fastest;
		for (const NamedWay &named : TWO_THREAD_WAYS) {
			Summary summary = in_halves(named.way, bytes, plan);
			if (best && summary.median_ns >= fastest.median_ns)
				continue;
			best = &named;
			fastest = std::move(summary);
		}
		add("two_threads", best->title, fastest);
		base = "copy.two_threads." + number;
	}
	add("pinned_to_device", "pinned to device + synchronize",
	    measure(plan, [&] { async(device_, pinned_, ACL_MEMCPY_HOST_TO_DEVICE); }));
	add("device_to_pinned", "device to pinned + synchronize",
	    measure(plan, [&] { async(pinned_, device_, ACL_MEMCPY_DEVICE_TO_HOST); }));
	add("sync_to_device", "aclrtMemcpy to device", measure(plan, [&] {
		    CHECK(aclrtMemcpy(device_, bytes, source_, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
	    }));
}

/* As the machine's trip with a page: written by the host each time. */
void Copies::run_page(const Effort &effort, Round &round) const
{
	constexpr size_t BYTES = 4 * KIB;
	int value = 0;
	round.push_back({"copy.page", "4 KiB, written, pinned to device + synchronize",
			 measure(plan_for(BYTES, effort),
				 [&] {
					 memset(pinned_, ++value, BYTES);
					 CHECK(aclrtMemcpyAsync(device_, BYTES, pinned_, BYTES,
								ACL_MEMCPY_HOST_TO_DEVICE,
								client_.first));
					 client_.sync(client_.first);
				 }),
			 KEY_PAGE, Against::TIME, 1, BYTES});
}

void Copies::run(const Effort &effort, Round &round) const
{
	for (size_t bytes : SIZES)
		if (bytes <= most_bytes_)
			run_size(bytes, effort, round);
	run_page(effort, round);
}

} // namespace bench
