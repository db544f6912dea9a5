// SPDX-License-Identifier: MIT
/**
 * DOC: Session of a worker
 */
#include "session.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"
#include "signals.h"
#include "uapi/operator.h"

namespace worker {

struct Session::Message {
	unpu_worker_message head;
	alignas(uint64_t) unsigned char body[sizeof(unpu_kernel_launch) +
					     UNPU_KERNEL_WIRE_MAX_ARGS];
	size_t body_bytes;
	int files[2];
	unsigned count; /* of files */

	int take_file() { return count ? files[--count] : -1; }
	bool receive();
};

/* Return: false: the firmware has ended. */
bool Session::Message::receive()
{
	iovec parts[2] = {{&head, sizeof(head)}, {body, sizeof(body)}};
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(files))];
	msghdr message{};
	message.msg_iov = parts;
	message.msg_iovlen = 2;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	ssize_t bytes;
	do {
		bytes = recvmsg(UNPU_WORKER_SOCKET, &message, MSG_CMSG_CLOEXEC);
	} while (bytes < 0 && errno == EINTR);
	if (bytes < static_cast<ssize_t>(sizeof(head)))
		return false;
	body_bytes = static_cast<size_t>(bytes) - sizeof(head);
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
		memcpy(board_, text.data(), reply.text_bytes);
	return send(UNPU_WORKER_SOCKET, &reply, sizeof(reply), MSG_NOSIGNAL) == sizeof(reply);
}

bool Session::hello(Message &message)
{
	const int file = message.take_file();
	void *board =
		mmap(nullptr, UNPU_WORKER_BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	const uint32_t threads = std::clamp(message.head.count, 1u, UNPU_WORKER_MAX_THREADS);
	handle_signals([](uint64_t &pc) { return session().find_image(pc); });
	if (board == MAP_FAILED || !close_files() || !pool_.start(threads) ||
	    !close_calls(message.head.bytes))
		return false;
	board_ = static_cast<unsigned char *>(board);
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

/* A kernel that needs memory which can't be mapped fails where it touches it. */
void Session::map(Message &message)
{
	const unpu_worker_message &head = message.head;
	const int file = message.take_file();
	const uint64_t before = head.va % PAGE_BYTES;
	if (head.offset % PAGE_BYTES == before) {
		void *where = reinterpret_cast<void *>(head.va - before);
		if (mmap(where, head.bytes + before, protection(head.access),
			 MAP_SHARED | MAP_FIXED_NOREPLACE, file,
			 static_cast<off_t>(head.offset - before)) == where)
			memory_[head.va] = {head.bytes, before};
	}
	close(file);
}

void Session::unmap(const unpu_worker_message &head)
{
	const auto found = memory_.find(head.va);
	if (found == memory_.end())
		return;
	const Mapped &mapped = found->second;
	munmap(reinterpret_cast<void *>(head.va - mapped.offset), mapped.bytes + mapped.offset);
	memory_.erase(found);
}

void Session::protect(const unpu_worker_message &head)
{
	const auto found = memory_.find(head.va);
	if (found == memory_.end())
		return;
	const Mapped &mapped = found->second;
	(void)mprotect(reinterpret_cast<void *>(head.va - mapped.offset),
		       mapped.bytes + mapped.offset, protection(head.access));
}

bool Session::find_memory(uint64_t address, unpu_kernel_memory_range &range) const
{
	range = {};
	auto after = memory_.upper_bound(address);
	if (after == memory_.begin())
		return false;
	--after;
	range = {after->first, after->second.bytes};
	return address - range.start < range.bytes;
}

uint32_t Session::find_image(uint64_t &pc) const
{
	for (const auto &[number, image] : images_) {
		if (image->contains(pc)) {
			pc = image->offset(pc);
			return number;
		}
	}
	return 0;
}

/* A descriptor number of its own for each image: the loader takes images of one path for one library. */
static int number_apart(int file, uint32_t image)
{
	constexpr int FIRST = 64;
	const int apart = fcntl(file, F_DUPFD_CLOEXEC, FIRST + static_cast<int>(image % 512));
	close(file);
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
	auto image = std::make_unique<Image>(file, message.head.image);
	if (image->load(services(), why)) {
		const size_t bytes = UNPU_KERNEL_MAX_ENTRIES * sizeof(unpu_kernel_info);
		void *infos = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, table, 0);
		if (infos != MAP_FAILED) {
			reply.result = UNPU_WORKER_OK;
			reply.entries = static_cast<uint32_t>(image->entries().size());
			for (uint32_t i = 0; i < reply.entries; i++)
				image->describe(i, static_cast<unpu_kernel_info *>(infos)[i]);
			munmap(infos, bytes);
			images_[message.head.image] = std::move(image);
		} else
			why = "the worker has no address space left";
	}
	close(table);
	return answer(reply, why);
}

bool Session::launch(const Message &message)
{
	unpu_kernel_launch head;
	unpu_worker_answer reply{};
	reply.type = UNPU_WORKER_LAUNCH;
	reply.result = UNPU_WORKER_BAD_LAUNCH;
	if (message.body_bytes < sizeof(head))
		return false;
	memcpy(&head, message.body, sizeof(head));
	const auto found = images_.find(head.image);
	if (found == images_.end() || head.entry >= found->second->entries().size() ||
	    head.args_bytes < found->second->entries()[head.entry]->args_bytes)
		return answer(reply, "the launch does not fit the image");
	Launch launch(*found->second->entries()[head.entry], head, message.body + sizeof(head),
		      cores_, ++launches_);
	pool_.run(launch);
	const Failure &failure = launch.failure();
	reply.result = failure.kind ? UNPU_WORKER_FAILED : UNPU_WORKER_OK;
	reply.failure = failure.kind;
	reply.core = failure.core;
	reply.block = failure.block;
	const auto output = launch.take_output(message.head.cookie, UNPU_WORKER_OUTPUT_BYTES);
	memcpy(board_ + UNPU_WORKER_TEXT_BYTES, output.data(), output.size());
	reply.output_bytes = output.size();
	return answer(reply, failure.sentence);
}

bool Session::resolve(const unpu_worker_message &head)
{
	unpu_worker_answer reply{};
	reply.type = UNPU_WORKER_RESOLVE;
	const auto found = images_.find(head.image);
	return answer(reply, found == images_.end() ? "" : found->second->find_line(head.va));
}

/* Return: false: the worker can't go on. */
bool Session::handle(Message &message)
{
	note_message(message.head.type);
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
		images_.erase(message.head.image);
		return true;
	case UNPU_WORKER_LAUNCH:
		return launch(message);
	case UNPU_WORKER_RESOLVE:
		return resolve(message.head);
	default:
		return false;
	}
}

int Session::run()
{
	static Message message;
	while (message.receive()) {
		if (!handle(message))
			return 1;
	}
	return 0;
}

} // namespace worker
