// SPDX-License-Identifier: MIT
/**
 * DOC: Session of a worker
 */
#include "session.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "base/sync/ordering.h"
#include "uapi/operator.h"

namespace worker {

struct Session::Message {
	unpu_worker_message head;
	int files[2];
	unsigned count; /* of files */

	int take_file() { return count ? files[--count] : -1; }
	bool receive(int socket);
};

/* Return: false: the firmware has ended. */
bool Session::Message::receive(int socket)
{
	iovec part{&head, sizeof(head)};
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(files))];
	msghdr message{};
	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	const ssize_t bytes =
		base::calls::recvmsg(socket, message, MSG_CMSG_CLOEXEC, base::NO_DEADLINE);
	if (bytes < static_cast<ssize_t>(sizeof(head)))
		return false;
	count = 0;
	const cmsghdr *rights = CMSG_FIRSTHDR(&message);
	if (rights && rights->cmsg_type == SCM_RIGHTS) {
		count = static_cast<unsigned>((rights->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(files, CMSG_DATA(rights), count * sizeof(int));
	}
	return true;
}

bool Session::answer(unpu_worker_answer &reply, const std::string &text)
{
	reply.text_bytes =
		static_cast<uint32_t>(std::min<size_t>(text.size(), UNPU_WORKER_TEXT_BYTES));
	if (board_)
		memcpy(board_->text, text.data(), reply.text_bytes);
	return base::calls::send(socket_, &reply, sizeof(reply), base::NO_DEADLINE) ==
	       sizeof(reply);
}

/* The threads come first: afterwards the process can't start any. */
bool Session::hello(Message &message)
{
	const int file = message.take_file();
	void *board =
		mmap(nullptr, UNPU_WORKER_BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	base::calls::close(file);
	kick_ = home.keep_kick(message.take_file());
	if (board == MAP_FAILED || kick_ < 0)
		return false;
	board_ = static_cast<unpu_worker_board *>(board);
	if (message.head.image != 0)
		cube_cores_ = std::min(message.head.image, CUBE_CORES);
	const uint32_t threads = std::clamp(message.head.count, 1u, UNPU_WORKER_MAX_THREADS);
	Image::find_folder();
	if (!home.begin() || !pool.start(threads - 1, home))
		return false;
	for (uint32_t i = 0; i < UNPU_WORKER_LANES; i++) {
		if (!lanes_[i].start(*this, static_cast<unsigned char *>(board), i,
				     i == 0 && threads > 1))
			return false;
	}
	/* This thread, its helpers, and those of the lanes. */
	if (!home.close(threads + UNPU_WORKER_LANES, message.head.bytes, message.head.offset))
		return false;
	unpu_worker_answer reply{};
	reply.type = UNPU_WORKER_HELLO;
	reply.entries = UNPU_WORKER_VERSION;
	return answer(reply);
}

static int protection(uint32_t access)
{
	return (access & UNPU_ACCESS_READ ? PROT_READ : 0) |
	       (access & UNPU_ACCESS_WRITE ? PROT_READ | PROT_WRITE : 0);
}

/* Whether this process can read at @address, which another thread may map or unmap meanwhile. */
static bool is_accessible(const void *address)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	const bool can_read = base::calls::write(ends[1], address, 1) == 1;
	base::calls::close(ends[0]);
	base::calls::close(ends[1]);
	return can_read;
}

/* A kernel that needs memory which can't be mapped fails where it touches it. In a program the address is taken: by
 * memory that the program has mapped there itself, or by its reservation, which the mapping covers. */
void Session::map(Message &message)
{
	const unpu_worker_message &head = message.head;
	const int file = message.take_file();
	const uint64_t before = head.va % page_bytes();
	auto map_with = [&](int flags) {
		void *where = reinterpret_cast<void *>(head.va - before);
		return mmap(where, head.bytes + before, protection(head.access), MAP_SHARED | flags,
			    file, static_cast<off_t>(head.offset - before)) == where;
	};
	if (head.offset % page_bytes() == before) {
		Mapped mapped{head.bytes, before, map_with(MAP_FIXED_NOREPLACE), false};
		const bool is_taken = !mapped.is_own && home.is_program();
		if (is_taken && !is_accessible(reinterpret_cast<const void *>(head.va))) {
			mapped.is_own = map_with(MAP_FIXED);
			mapped.is_reserved = true;
		}
		if (mapped.is_own || is_taken) {
			const std::lock_guard lock(mutex_);
			memory_[head.va] = mapped;
		}
	}
	base::calls::close(file);
}

void Session::release(uint64_t va, const Mapped &mapped)
{
	void *where = reinterpret_cast<void *>(va - mapped.offset);
	const uint64_t bytes = mapped.bytes + mapped.offset;
	if (!mapped.is_own)
		return;
	if (!mapped.is_reserved) {
		munmap(where, bytes);
		return;
	}
	(void)mmap(where, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		   -1, 0);
	(void)madvise(where, bytes, MADV_DONTDUMP);
}

void Session::unmap(const unpu_worker_message &head)
{
	const std::lock_guard lock(mutex_);
	const auto found = memory_.find(head.va);
	if (found == memory_.end())
		return;
	release(found->first, found->second);
	memory_.erase(found);
}

void Session::protect(const unpu_worker_message &head)
{
	const auto found = memory_.find(head.va);
	if (found == memory_.end())
		return;
	const Mapped &mapped = found->second;
	if (mapped.is_own)
		(void)mprotect(reinterpret_cast<void *>(head.va - mapped.offset),
			       mapped.bytes + mapped.offset, protection(head.access));
}

/* The lock is held. */
bool Session::find_mapped(uint64_t address, unpu_kernel_memory_range &range) const
{
	range = {};
	auto after = memory_.upper_bound(address);
	if (after == memory_.begin())
		return false;
	--after;
	range = {after->first, after->second.bytes};
	return address - range.start < range.bytes;
}

/* Kernels move whole blocks of 32 bytes, also where the last one is not the program's to its end. */
static constexpr uint64_t round_up_to_block(uint64_t bytes)
{
	return (bytes + 31) / 32 * 32;
}

/* Memory of which no log tells is memory of other devices, or of a client that keeps no log. */
bool Session::find_memory(uint64_t address, uint64_t freed, unpu_kernel_memory_range &range,
			  bool is_exact)
{
	const std::lock_guard lock(mutex_);
	auto can_read = [this](uint64_t from, uint64_t bytes) {
		unpu_kernel_memory_range mapped;
		return find_mapped(from, mapped) && bytes <= mapped.bytes - (from - mapped.start);
	};
	const Objects::Found found = objects_.find(address, freed, can_read, range);
	if (found == Objects::Found::UNKNOWN)
		return find_mapped(address, range);
	if (is_exact)
		range.bytes = round_up_to_block(objects_.asked_bytes(range));
	return found == Objects::Found::LIVE && address - range.start < range.bytes;
}

uint64_t Session::asked_bytes(const unpu_kernel_memory_range &range)
{
	const std::lock_guard lock(mutex_);
	return objects_.asked_bytes(range);
}

/* The thread that has failed may hold the lock. */
uint32_t Session::find_image(uint64_t &pc) const
{
	const std::unique_lock lock(mutex_, std::try_to_lock);
	if (!lock)
		return 0;
	for (const auto &[number, image] : images_) {
		if (image->contains(pc)) {
			pc = image->offset(pc);
			return number;
		}
	}
	return 0;
}

/* The thread that is followed may hold the lock. */
bool Session::is_memory(uint64_t address) const
{
	const std::unique_lock lock(mutex_, std::try_to_lock);
	unpu_kernel_memory_range range;
	return lock && find_mapped(address, range);
}

std::string Session::find_line(uint64_t pc, bool &is_users) const
{
	const auto found = images_.find(find_image(pc));
	is_users = false;
	return found == images_.end() ? "" : found->second->find_line(pc, is_users);
}

/* A descriptor number of its own for each image: the loader takes images of one path for one library. */
static int number_apart(int file, uint32_t image)
{
	constexpr int FIRST = 64;
	const int apart = fcntl(file, F_DUPFD_CLOEXEC, FIRST + static_cast<int>(image % 512));
	base::calls::close(file);
	return apart;
}

bool Session::load(Message &message)
{
	const int table = message.take_file();
	const int file = number_apart(message.take_file(), message.head.image);
	unpu_worker_answer reply{};
	reply.type = UNPU_WORKER_LOAD;
	reply.result = UNPU_WORKER_BAD_IMAGE;
	std::string why;
	auto image = std::make_shared<Image>(file, message.head.image);
	if (image->load(services(), why)) {
		const size_t bytes = UNPU_KERNEL_MAX_ENTRIES * sizeof(unpu_kernel_info);
		void *infos = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, table, 0);
		if (infos != MAP_FAILED) {
			reply.result = UNPU_WORKER_OK;
			reply.entries = static_cast<uint32_t>(image->entries().size());
			for (uint32_t i = 0; i < reply.entries; i++)
				image->describe(i, static_cast<unpu_kernel_info *>(infos)[i]);
			munmap(infos, bytes);
			const std::lock_guard lock(mutex_);
			objects_.open(message.head.va);
			images_[message.head.image] = std::move(image);
		} else
			why = "the worker has no address space left";
	}
	base::calls::close(table);
	return answer(reply, why);
}

const unpu_kernel_entry *Session::find_entry(const unpu_kernel_launch &head,
					     std::shared_ptr<Image> &image) const
{
	const std::lock_guard lock(mutex_);
	const auto found = images_.find(head.image);
	if (found == images_.end() || head.entry >= found->second->entries().size())
		return nullptr;
	image = found->second;
	const unpu_kernel_entry *entry = found->second->entries()[head.entry];
	const bool fits = head.args_bytes >= entry->args_bytes &&
			  head.args_bytes <= UNPU_KERNEL_WIRE_MAX_ARGS;
	return fits ? entry : nullptr;
}

void Session::await_messages(uint64_t count) const
{
	const std::atomic_ref handled(const_cast<uint64_t &>(handled_));
	for (uint64_t now; (now = handled.load(std::memory_order_acquire)) < count;)
		handled.wait(now, std::memory_order_acquire);
}

bool Session::resolve(const unpu_worker_message &head)
{
	unpu_worker_answer reply{};
	reply.type = UNPU_WORKER_RESOLVE;
	const auto found = images_.find(head.image);
	bool is_users = false;
	return answer(reply,
		      found == images_.end() ? "" : found->second->find_line(head.va, is_users));
}

/* Launches that were posted before keep the image. The loader runs code of the image, which may fail, so it is called
 * without the lock. */
void Session::unload(uint32_t image)
{
	for (const Lane &lane : lanes_)
		lane.await_begin(handled_);
	std::unique_lock lock(mutex_);
	const auto gone = images_.extract(image);
	lock.unlock();
}

/* Return: false: the worker can't go on. */
bool Session::handle(Message &message)
{
	home.note_message(message.head.type);
	switch (message.head.type) {
	case UNPU_WORKER_HELLO:
		return hello(message);
	case UNPU_WORKER_MAP:
		map(message);
		return true;
	case UNPU_WORKER_UNMAP:
		unmap(message.head);
		return true;
	case UNPU_WORKER_PROTECT:
		protect(message.head);
		return true;
	case UNPU_WORKER_LOAD:
		return load(message);
	case UNPU_WORKER_UNLOAD:
		unload(message.head.image);
		return true;
	case UNPU_WORKER_WHERE:
		for (Lane &lane : lanes_)
			lane.tell_place(message.head.count);
		return true;
	case UNPU_WORKER_RESOLVE:
		return resolve(message.head);
	default:
		return false;
	}
}

int Session::run()
{
	Message message{};
	while (message.receive(socket_)) {
		if (!handle(message))
			return 1;
		const std::atomic_ref handled(handled_);
		handled.fetch_add(1, std::memory_order_release);
		handled.notify_all();
	}
	return 0;
}

void Session::kick(uint32_t armed)
{
	if (armed == 0 || base::exchange(kicked_, armed) == armed)
		return;
	const uint64_t one = 1;
	(void)base::calls::write(kick_, &one, sizeof(one));
}

Session::~Session()
{
	for (Lane &lane : lanes_)
		lane.stop();
	pool.stop();
	images_.clear();
	for (const auto &[va, mapped] : memory_)
		release(va, mapped);
	if (board_)
		munmap(board_, UNPU_WORKER_BOARD_BYTES);
	if (kick_ >= 0)
		base::calls::close(kick_);
	base::calls::close(socket_);
}

} // namespace worker
