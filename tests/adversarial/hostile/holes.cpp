// SPDX-License-Identifier: MIT
/*
 * DOC: holes in pages of the kernel's pool
 *
 * Memory of the kernel's pool of huge pages: the only kind in which the kernel may have no page for
 * a thread that reads a hole. If the machine has no such pages and lets the test have none, the
 * case prints that and passes.
 */
#include "hostile.h"

#include <array>
#include <cstdio>
#include <fstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drv/packet/packets.h"

namespace hostile {

namespace {

constexpr uint32_t TIMELINE = UNPU_SEM_FIRST_FREE;

/* The kernel's pool of huge pages, in which there is something for as long as this lives, where the
 * machine has one or lets us make one. */
class PagePool {
public:
	PagePool()
	{
		std::ifstream(ALL) >> before_;
		fill();
	}
	~PagePool()
	{
		hog_ = base::Fd();
		if (changed_)
			std::ofstream(ALL) << before_;
	}
	PagePool(const PagePool &) = delete;
	PagePool &operator=(const PagePool &) = delete;

	/* Also where another test has taken pages meanwhile. */
	void fill()
	{
		unsigned all = 0;
		std::ifstream(ALL) >> all;
		std::ifstream(FREE) >> free_;
		if (free_ >= WANTED)
			return;
		if (std::ofstream(ALL) << all + WANTED << std::flush)
			changed_ = true;
		std::ifstream(FREE) >> free_;
	}

	bool has_pages() const { return free_ >= WANTED; }

	/* Takes the remaining pages of the pool, and each time those that others have given back since. */
	void use_up()
	{
		constexpr off_t PAGE = base::HUGE_PAGE_BYTES;
		if (!hog_.valid())
			hog_ = base::Fd(memfd_create("hog", MFD_CLOEXEC | MFD_HUGETLB));
		while (fallocate(hog_.get(), 0, hogged_ * PAGE, PAGE) == 0)
			hogged_++;
	}

private:
	static constexpr const char *ALL = "/proc/sys/vm/nr_hugepages";
	static constexpr const char *FREE =
		"/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages";
	static constexpr unsigned WANTED = 4;

	unsigned free_ = 0;
	unsigned before_ = 0;
	bool changed_ = false;
	base::Fd hog_;
	off_t hogged_ = 0; /* pages */
};

Status create_of_pool(Peer &peer, Memory &memory, PagePool &pool)
{
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	for (;;) {
		const Status status = peer.create(UNPU_SEGMENT_DEVICE, base::HUGE_PAGE_BYTES,
						  memory, UNPU_PAGE_HUGETLB);
		if (status == Status::OK || base::now_ns() >= end_ns)
			return status;
		usleep(1000);
		pool.fill();
	}
}

} // namespace

/* Once by the device's own thread, once by an engine. */
End holes_that_no_page_is_left_for(Peer &peer, const Place &place)
{
	constexpr uint64_t PAGE = base::HUGE_PAGE_BYTES;
	PagePool pool;
	auto second = Peer::attach(place.path);
	CHECK(second);
	if (!pool.has_pages()) {
		printf("(no huge pages here) ");
		return nullptr;
	}
	std::array<Memory, 2> memories;
	std::array<Channel, 2> channels;
	const std::array<Peer *, 2> peers = {&peer, second.get()};
	for (size_t i = 0; i < 2; i++) {
		CHECK(create_of_pool(*peers[i], memories[i], pool) == Status::OK);
		CHECK(peers[i]->place(memories[i]) == Status::OK);
		CHECK(channels[i].open(*peers[i], TIMELINE) == Status::OK);
		CHECK(channels[i].run(drv::fill_packet(1, memories[i].va, PAGE, 1, 1)) ==
		      Status::OK);
	}
	const unpu_packet fills[] = {drv::fill_packet(1, memories[0].va + 64, 64, 1, 1),
				     drv::fill_packet(1, memories[1].va, PAGE, 1, 1)};
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	for (size_t i = 0; i < 2; i++) {
		/* Another test may give pages back in between: then the fill is done. */
		while (peers[i]->broken() == Status::OK && base::now_ns() < end_ns) {
			CHECK(fallocate(memories[i].fd.get(),
					FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, PAGE) == 0);
			pool.use_up();
			(void)channels[i].run(fills[i]);
		}
		CHECK(peers[i]->broken() == Status::MMU_FAULT);
	}
	return nullptr;
}

} // namespace hostile
