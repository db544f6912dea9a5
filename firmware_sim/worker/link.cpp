// SPDX-License-Identifier: MIT
/**
 * DOC: Link to a worker
 *
 * A process that has failed is not used again. The next load or launch starts another one, which gets the memory
 * and the images of the client first.
 */
#include "link.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/json/controls.h"
#include "base/kernel_info.h"
#include "base/os/calls/confinement.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/machine.h"

namespace fw {

using base::Status;

Status WorkerLink::init(uint32_t threads, Start *how, uint64_t heap_bytes, Lanes &lanes,
			uint32_t cube_cores, uint64_t answer_ns)
{
	answer_ns_ = answer_ns;
	heap_bytes_ = heap_bytes;
	threads_ = threads;
	start_ = how;
	cube_cores_ = cube_cores;
	lanes_ = &lanes;
	wake_ = base::Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	return wake_.valid() ? Status::OK : Status::NO_RESOURCE;
}

void WorkerLink::wake()
{
	const uint64_t one = 1;
	(void)base::calls::write(wake_.get(), &one, sizeof(one));
}

void WorkerLink::stop_load()
{
	base::store_release(stops_, uint32_t{1});
	wake();
}

bool WorkerLink::wait(uint64_t deadline_ns, bool kick)
{
	/* A negative descriptor is ignored. */
	pollfd waits[3] = {{wake_.get(), POLLIN, 0},
			   {process_.is_running() ? process_.socket().get() : -1, POLLIN, 0},
			   {kick ? lanes_->kick().get() : -1, POLLIN, 0}};
	if (base::calls::poll(waits, std::size(waits), deadline_ns) <= 0)
		return true;
	uint64_t count;
	if (waits[0].revents)
		(void)base::calls::read(wake_.get(), &count, sizeof(count));
	if (waits[2].revents)
		lanes_->drain_kick();
	return waits[1].revents == 0;
}

uint64_t WorkerLink::answer_deadline_ns() const
{
	return is_debugged_ ? base::NO_DEADLINE : base::deadline_after(answer_ns_);
}

bool WorkerLink::send(const unpu_worker_message &head, std::initializer_list<int> files)
{
	iovec part{const_cast<unpu_worker_message *>(&head), sizeof(head)};
	msghdr message{};
	message.msg_iov = &part;
	message.msg_iovlen = 1;
	alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))]{};
	if (files.size() != 0) {
		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
		cmsghdr *rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
		memcpy(CMSG_DATA(rights), files.begin(), files.size() * sizeof(int));
	}
	messages_++;
	return base::calls::sendmsg(process_.socket().get(), message, answer_deadline_ns()) > 0;
}

bool WorkerLink::send_map(const MemoryChange &range)
{
	if (!range.file)
		return true;
	unpu_worker_message head{};
	head.type = UNPU_WORKER_MAP;
	head.va = range.va;
	head.bytes = range.bytes;
	head.offset = range.offset;
	head.access = range.access;
	return send(head, {range.file->get()});
}

bool WorkerLink::send_load(const KernelImage &image, int table)
{
	unpu_worker_message head{};
	head.type = UNPU_WORKER_LOAD;
	head.image = image.number;
	head.va = image.objects;
	/* The worker takes the last descriptor first. */
	return send(head, {image.file.get(), table});
}

/* Waits for the answer to a message of @type. */
WorkerLink::Answer WorkerLink::await(uint32_t type, unpu_worker_answer &answer)
{
	const uint64_t deadline_ns = answer_deadline_ns();
	for (;;) {
		if (base::load_acquire(stops_) != 0)
			return Answer::STOPPED;
		if (wait(deadline_ns, false)) {
			if (base::now_ns() >= deadline_ns)
				return Answer::LATE;
			continue;
		}
		const ssize_t bytes =
			base::calls::recv(process_.socket().get(), &answer, sizeof(answer),
					  MSG_TRUNC, base::calls::NOW);
		if (bytes != sizeof(answer) || answer.type != type)
			return Answer::DEAD;
		return Answer::GOOD;
	}
}

/* Why a process that was started may not have answered. */
static std::string silence_sentence()
{
	rlimit limit{};
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_max < worker_address_bytes())
		return fmt::format("the worker process needs {} MiB of addresses, and RLIMIT_AS "
				   "(ulimit -v) of the firmware is {} MiB",
				   worker_address_bytes() >> 20, limit.rlim_max >> 20);
	return "the worker process is of another version than the firmware, or this kernel does "
	       "not confine it (Landlock and seccomp)";
}

Status WorkerLink::begin_process()
{
	why_.clear();
	is_debugged_ = base::is_traced();
	auto process = TRY(start_(why_));
	lanes_->clear();
	messages_ = 0;
	process_ = std::move(process);
	unpu_worker_message head{};
	head.type = UNPU_WORKER_HELLO;
	head.count = threads_;
	head.image = cube_cores_;
	head.bytes = worker_address_bytes();
	head.offset = heap_bytes_;
	unpu_worker_answer answer;
	const Answer how = send(head, {lanes_->kick().get(), lanes_->file().get()})
				   ? await(UNPU_WORKER_HELLO, answer)
				   : Answer::DEAD;
	if (how == Answer::GOOD && answer.entries == UNPU_WORKER_VERSION)
		return Status::OK;
	process_.kill();
	why_ = silence_sentence();
	return how == Answer::LATE ? Status::TIMEOUT : Status::NOT_SUPPORTED;
}

/* Makes one file for the tables of all images. One is enough, and code of the client could keep every
 * descriptor that its process gets. */
Status WorkerLink::make_table()
{
	if (table_.valid())
		return Status::OK;
	auto table =
		TRY(base::create_sealed("unpu-kernels", KernelImage::TABLE_BYTES, UNPU_PAGE_4K));
	table_ = std::move(table.fd);
	return Status::OK;
}

Status WorkerLink::start()
{
	if (process_.is_running())
		return Status::OK;
	TRY(begin_process());
	for (const auto &[va, range] : memory_) {
		if (!send_map(range)) {
			process_.kill();
			return Status::NO_RESOURCE;
		}
	}
	if (images_.empty())
		return Status::OK;
	if (const Status status = make_table(); status != Status::OK) {
		process_.kill();
		return status;
	}
	for (const auto &[number, image] : images_) {
		unpu_worker_answer answer;
		const Answer how = send_load(*image, table_.get()) ? await(UNPU_WORKER_LOAD, answer)
								   : Answer::DEAD;
		if (how == Answer::GOOD && answer.result == UNPU_WORKER_OK)
			continue;
		process_.kill();
		return how == Answer::LATE ? Status::TIMEOUT : Status::BAD_KERNEL;
	}
	return Status::OK;
}

void WorkerLink::refuse(KernelJob &job, Status status)
{
	job.status = status;
	job.sentence = why_.empty() ? "no worker process can be started" : why_;
	if (status == Status::TIMEOUT && !job.is_load)
		fail(job, Ending::SILENT, {}, {});
}

void WorkerLink::change(MemoryChange change)
{
	unpu_worker_message head{};
	head.va = change.va;
	head.bytes = change.bytes;
	head.access = change.access;
	bool is_sent = true;
	switch (change.kind) {
	case MemoryChange::Kind::MAP:
		is_sent = !process_.is_running() || send_map(change);
		memory_[change.va] = std::move(change);
		break;
	case MemoryChange::Kind::UNMAP:
		head.type = UNPU_WORKER_UNMAP;
		if (memory_.erase(change.va) != 0 && process_.is_running())
			is_sent = send(head);
		break;
	case MemoryChange::Kind::PROTECT:
		head.type = UNPU_WORKER_PROTECT;
		if (const auto found = memory_.find(change.va); found != memory_.end()) {
			found->second.access = change.access;
			is_sent = !process_.is_running() || send(head);
		}
		break;
	}
	if (!is_sent)
		process_.kill();
}

void WorkerLink::forget(uint32_t image)
{
	unpu_worker_message head{};
	head.type = UNPU_WORKER_UNLOAD;
	head.image = image;
	if (images_.erase(image) != 0 && process_.is_running() && !send(head))
		process_.kill();
}

void WorkerLink::ask_place(uint32_t number)
{
	unpu_worker_message head{};
	head.type = UNPU_WORKER_WHERE;
	head.count = number;
	if (process_.is_running() && !send(head))
		process_.kill();
}

/* Copies and checks the table of entries that the worker has written. */
Status WorkerLink::fetch_infos(const base::Fd &table, uint32_t count, KernelJob &job)
{
	auto mapped = TRY(base::map_shared(table, KernelImage::TABLE_BYTES, false, UNPU_PAGE_4K));
	const uint64_t bytes = count * sizeof(unpu_kernel_info);
	if (count == 0 || bytes > KernelImage::TABLE_BYTES)
		return Status::BAD_KERNEL;
	const Status charged = job.account->charge(Resource::MEMORY, bytes, job.image->table);
	if (charged != Status::OK) {
		job.sentence = fmt::format("the table of the image's {} kernels takes {} KiB of "
					   "the client's memory, which has less left "
					   "(--quota-memory); unload an image, or load one with "
					   "fewer kernels",
					   count, bytes >> 10);
		return charged;
	}
	std::vector<unpu_kernel_info> infos(count);
	memcpy(infos.data(), mapped.data(), bytes);
	for (unpu_kernel_info &info : infos) {
		info.name[sizeof(info.name) - 1] = 0;
		base::blank_controls({info.name, strlen(info.name)});
		if (!base::is_good_kernel(info)) {
			job.sentence =
				fmt::format("the parameters of kernel {} do not fit into its {} "
					    "bytes of arguments",
					    info.name, info.args_bytes);
			return Status::BAD_KERNEL;
		}
	}
	job.image->infos = std::move(infos);
	return Status::OK;
}

void WorkerLink::load(KernelJob &job)
{
	Status started = make_table();
	if (started == Status::OK)
		started = start();
	if (started != Status::OK)
		return refuse(job, started);
	unpu_worker_answer answer;
	const Answer how = send_load(*job.image, table_.get()) ? await(UNPU_WORKER_LOAD, answer)
							       : Answer::DEAD;
	job.status = Status::BAD_KERNEL;
	if (how == Answer::GOOD && answer.result == UNPU_WORKER_OK) {
		job.status = fetch_infos(table_, answer.entries, job);
		if (job.status == Status::OK || job.status == Status::QUOTA)
			images_[job.image->number] = job.image;
		if (job.status == Status::QUOTA)
			return forget(job.image->number);
		if (job.status == Status::OK)
			return;
		if (!job.sentence.empty())
			return process_.kill();
	}
	if (how == Answer::GOOD && answer.result == UNPU_WORKER_BAD_IMAGE) {
		job.sentence = lanes_->message_sentence(answer);
		return;
	}
	process_.kill();
	job.sentence = how == Answer::LATE ? "the image does not end to initialise itself"
					   : "the worker process ended while it loaded the image";
}

/* How many instances of the kernel run on cores of one kind. Each block of KERNEL_TYPE_MIX_AIC_1_2 (5) has two vector
 * instances. */
static uint64_t instances(const KernelJob &job, bool on_vector_cores)
{
	return uint64_t{job.head.blocks} * (on_vector_cores && job.info().type == 5 ? 2 : 1);
}

static bool is_vector(const KernelJob &job)
{
	/* KERNEL_TYPE_AIV_ONLY and MIX_AIV_1_0 */
	return job.info().type == 0 || job.info().type == 2;
}

void WorkerLink::fail(KernelJob &job, Ending how, const unpu_worker_answer &answer,
		      const std::string &text)
{
	const bool vector = is_vector(job);
	job.status = vector ? Status::KERNEL_FAULT_VECTOR : Status::KERNEL_FAULT_CORE;
	job.core = vector;
	job.sentence = std::string("kernel ") + job.info().name;
	switch (how) {
	case Ending::ANSWERED:
		return describe_failure(job, answer, text);
	case Ending::LATE:
		job.status = vector ? Status::KERNEL_TIMEOUT_VECTOR : Status::KERNEL_TIMEOUT_CORE;
		job.sentence += ": it did not end within " +
				std::to_string(job.limit_ns / base::NS_PER_MS) + " ms";
		if (job.is_watchdogs)
			job.sentence += ", the limit of the device's watchdog (watchdog_ms)";
		if (!text.empty())
			job.sentence += "; it was here: " + text;
		return;
	case Ending::STOPPED:
		job.sentence += ": it was stopped";
		return;
	case Ending::DEAD:
		job.sentence += ": its worker process ended";
		return;
	case Ending::SILENT:
		job.status = vector ? Status::KERNEL_TIMEOUT_VECTOR : Status::KERNEL_TIMEOUT_CORE;
		job.sentence += ": its worker process was started and does not answer";
		return;
	case Ending::BESIDE:
		job.sentence +=
			": it ran beside a kernel that failed or was stopped, in one process";
		return;
	}
}

static std::string hex(uint64_t number)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(number));
	return text;
}

/* Describes where @address lies relative to the memory of the worker. */
std::string WorkerLink::near(uint64_t address) const
{
	auto after = memory_.upper_bound(address);
	if (after == memory_.begin())
		return "no device memory lies there or below";
	const MemoryChange &range = std::prev(after)->second;
	const uint64_t into = address - range.va;
	if (into < range.bytes && !range.file)
		return fmt::format(
			"kernels can't have the memory [{:#x}, {:#x}): {}", range.va,
			range.va + range.bytes,
			range.is_part
				? "it is a part of an allocation of another process, which has to "
				  "export all of it, as physical memory; or copy the part first"
				: "the firmware has too many open files (ulimit -n)");
	const std::string place =
		into < range.bytes ? "the access is not allowed in"
				   : fmt::format("it is {} bytes behind", into - range.bytes);
	return fmt::format("{} the device memory [{:#x}, {:#x})", place, range.va,
			   range.va + range.bytes);
}

std::string WorkerLink::describe_limit() const
{
	return fmt::format(": it has no memory left; its worker may have {} MiB besides device "
			   "memory and the memories of its cores, which --quota-memory and the "
			   "memory of the machine bound",
			   heap_bytes_ >> 20);
}

std::string WorkerLink::describe_signal(const unpu_worker_answer &answer)
{
	static constexpr const char *MEMORIES[] = {"UB", "L1", "L0A", "L0B", "L0C"};
	const char *name = sigabbrev_np(static_cast<int>(answer.signal));
	std::string text = std::string("signal SIG") + (name ? name : "?");
	if (answer.guard == UNPU_WORKER_NO_MEMORY)
		return text + describe_limit();
	if (answer.signal != SIGSEGV && answer.signal != SIGBUS)
		return text;
	if (answer.guard == UNPU_WORKER_NO_ADDRESS)
		return text + ": the pointer has more bits than an address of this machine";
	text += ", address " + hex(answer.address) + ": ";
	if (answer.guard == 1)
		return text + "the stack of the block, 1 MiB, is full";
	if (answer.guard >= 2 && answer.guard < 2 + std::size(MEMORIES))
		return text + "it is outside of " + MEMORIES[answer.guard - 2];
	return text + near(answer.address);
}

/* Asks a new process for the source line, because the failed process is not reliable any more. */
std::string WorkerLink::find_line(const unpu_worker_answer &answer)
{
	if (!images_.contains(answer.image) || start() != Status::OK)
		return {};
	unpu_worker_message head{};
	head.type = UNPU_WORKER_RESOLVE;
	head.image = answer.image;
	head.va = answer.pc;
	unpu_worker_answer found;
	if (!send(head) || await(UNPU_WORKER_RESOLVE, found) != Answer::GOOD) {
		process_.kill();
		return {};
	}
	return lanes_->message_sentence(found);
}

void WorkerLink::describe_failure(KernelJob &job, const unpu_worker_answer &answer,
				  const std::string &text)
{
	constexpr uint32_t FAIL_SIGNAL = 4; /* UNPU_KERNEL_FAIL_SIGNAL */
	job.block = answer.block;
	job.core = answer.core;
	job.sentence = std::string("kernel ") + job.info().name + ", " +
		       (answer.core ? "vector" : "cube") + " block " +
		       std::to_string(answer.block) + " of " +
		       std::to_string(instances(job, answer.core)) + ": ";
	if (answer.failure != FAIL_SIGNAL) {
		job.sentence += text;
		return;
	}
	job.address = answer.address;
	job.sentence += describe_signal(answer);
	if (const std::string line = find_line(answer); !line.empty())
		job.sentence += ", at " + line;
}

} // namespace fw
