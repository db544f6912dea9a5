// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels of a client
 *
 * The first image starts the supervisor of a worker. It learns each change of the address space from then on. An
 * upkeep thread copies images and long answers, because a client chooses how long they are. A device without threads
 * of its own waits for its worker.
 */
#include <algorithm>
#include <cstring>
#include <elf.h>

#include <fmt/format.h>

#include "client.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/schedule/token_work.h"
#include "firmware_sim/worker/kernel_launch.h"

namespace fw {

using base::Status;

Status Client::serve_kernels(const unpu_message &request, unpu_message &reply)
{
	switch (request.type) {
	case UNPU_MSG_KERNEL_LOAD:
		return kernel_load(request.kernel, reply.kernel);
	case UNPU_MSG_KERNEL_INFO:
		return kernel_info(request.kernel);
	case UNPU_MSG_KERNEL_UNLOAD:
		return kernel_unload(request.kernel);
	case UNPU_MSG_KERNEL_TEXT:
		return kernel_text(request.text, reply.text);
	default:
		return Status::BAD_MESSAGE;
	}
}

/* The longest wait for a kernel in a step that has a deadline. */
static constexpr uint64_t STEP_NS = 50 * base::NS_PER_MS;

static bool is_stepped(const Core &core)
{
	return core.config.features & UNPU_FEATURE_STEPPED || core.config.schedule;
}

bool Client::has_kernels() const
{
	return kernels_.supervisor && core.workers.works(*kernels_.supervisor);
}

/* Whether the worker may get the descriptor of a segment. A descriptor gives access to the whole segment, and
 * the client's kernels can access everything that the worker has. So the rule is the same as for
 * TAKE_SEGMENT: if the client has imported only a part of a segment, the worker gets no descriptor, unless
 * the client's own process exported it. */
static bool may_map(const Segment &segment)
{
	return !segment.of || segment.bytes == segment.of->bytes || segment.is_own_process;
}

static MemoryChange change_of(uint64_t va, uint64_t bytes, uint32_t access, uint64_t offset,
			      const Segment &segment)
{
	const Segment &whole = segment.of ? *segment.of : segment;
	MemoryChange change;
	change.va = va;
	change.bytes = bytes;
	change.access = access;
	change.offset = offset + static_cast<uint64_t>(segment.data - whole.data);
	change.is_part = !may_map(segment);
	if (!change.is_part)
		change.file = whole.file;
	return change;
}

void Client::follow_map(const unpu_msg_map &request, MemoryChange::Kind kind)
{
	if (request.va >= kernels_.untold)
		return;
	MemoryChange change;
	if (kind == MemoryChange::Kind::MAP) {
		change = change_of(request.va, request.bytes, request.access, request.offset,
				   *segments_.find(request.segment)->second);
	}
	change.kind = kind;
	change.va = request.va;
	change.bytes = request.bytes;
	change.access = request.access;
	core.workers.change(*kernels_.supervisor, std::move(change));
}

/* Which quota has too little left for a worker. */
static std::string lack_of_worker(const Account &account, const Config &config)
{
	if (account.left(Resource::THREADS) == 0)
		return "the worker of kernels takes a thread of the firmware, and files of the "
		       "client, or of others of its user, use all that it may have";
	const uint64_t descriptors = account.left(Resource::DESCRIPTORS);
	if (descriptors < Workers::DESCRIPTORS)
		return fmt::format("the worker of kernels takes {} descriptors of the firmware, of "
				   "which the client has {} left ({})",
				   Workers::DESCRIPTORS, descriptors, config.descriptor_limit);
	return fmt::format("the worker of kernels takes {} MiB of the client's memory, which has "
			   "{} MiB left (--quota-memory)",
			   Workers::charged_bytes(config.quotas.memory_bytes) >> 20,
			   account.left(Resource::MEMORY) >> 20);
}

Status Client::start_supervisor()
{
	if (kernels_.supervisor)
		return Status::OK;
	const uint64_t quota = core.config.quotas.memory_bytes;
	auto started = core.workers.start(account, quota);
	if (started.status() == Status::QUOTA)
		kernels_.texts.load_failure = lack_of_worker(*account, core.config);
	if (!started)
		return started.status();
	kernels_.supervisor = started.take();
	return Status::OK;
}

/* Tells a new supervisor what is mapped, so many mappings in a turn.
 * Return: NOT_READY: there are more, and the request is served again from its beginning. */
Status Client::tell_mappings()
{
	const bool is_alone = is_stepped(core);
	uint64_t told = 0;
	kernels_.untold = mmu.for_some(
		kernels_.untold, is_alone ? UINT64_MAX : TOKEN_ITEMS,
		[&](uint64_t va, uint64_t bytes, uint32_t access, const MappedPart &part) {
			told++;
			if (part.segment->is_clients)
				return;
			core.workers.change(
				*kernels_.supervisor,
				change_of(va, bytes, access, part.offset, *part.segment));
		});
	if (!is_alone)
		note_token_work("mappings for a worker", 0, told);
	if (kernels_.untold == UINT64_MAX)
		return Status::OK;
	core.timers.add(lacking_, base::now_ns());
	is_unanswered_ = true;
	return Status::NOT_READY;
}

/* Makes a file for a copy of the image. */
Status Client::create_copy(const unpu_msg_kernel &request, KernelImage &image, ImageCopy &copy)
{
	const Translation found = mmu.translate(request.va, request.bytes, UNPU_ACCESS_READ);
	if (found.status != Status::OK)
		return found.status;
	if (request.bytes < sizeof(Elf64_Ehdr) || memcmp(found.data, ELFMAG, SELFMAG) != 0) {
		kernels_.texts.load_failure = "the file is not an ELF file";
		return Status::BAD_KERNEL;
	}
	const uint64_t bytes = base::round_up(request.bytes, base::PAGE_BYTES);
	if (account->charge(Resource::MEMORY, bytes, image.memory) != Status::OK) {
		kernels_.texts.load_failure =
			fmt::format("the image takes {} bytes of the client's memory, which has {} "
				    "left (--quota-memory)",
				    bytes, account->left(Resource::MEMORY));
		return Status::QUOTA;
	}
	if (account->charge(Resource::DESCRIPTORS, 1, image.descriptor) != Status::OK) {
		kernels_.texts.load_failure =
			fmt::format("the image takes a descriptor of the firmware, and the client "
				    "has none left ({})",
				    core.config.descriptor_limit);
		return Status::QUOTA;
	}
	auto file = TRY(base::create_single_writer("unpu-image", bytes, copy.writer));
	image.file = std::move(file.fd);
	image.bytes = bytes;
	copy.source = mmu.hold(request.va, request.bytes);
	copy.bytes = request.bytes;
	return Status::OK;
}

void ImageCopy::run()
{
	for (uint64_t at = 0; at < bytes; at += BackgroundWork::SLICE_BYTES) {
		const uint64_t some = std::min(bytes - at, BackgroundWork::SLICE_BYTES);
		memcpy(writer.data() + at, source.data() + at, some);
		BackgroundWork::note_work(some);
	}
	writer = {};
	source = {};
}

Status Client::kernel_load(const unpu_msg_kernel &request, unpu_msg_kernel &reply)
{
	if (request.image || request.entries)
		return Status::BAD_MESSAGE;
	kernels_.texts.load_failure.clear();
	if (core.null()) {
		kernels_.texts.load_failure = "null: does no work and runs no kernels; use sim:";
		return Status::NOT_SUPPORTED;
	}
	if (kernels_.images.size() >= UNPU_KERNEL_MAX_IMAGES)
		return Status::QUOTA;
	if (request.bytes > UNPU_KERNEL_MAX_IMAGE_BYTES)
		return Status::BAD_KERNEL;
	auto job = std::make_unique<KernelJob>();
	auto copy = std::make_shared<ImageCopy>();
	job->image = std::make_shared<KernelImage>();
	TRY(create_copy(request, *job->image, *copy));
	TRY(start_supervisor());
	TRY(tell_mappings());
	job->image->number = ++kernels_.last_image;
	job->image->objects = request.objects;
	job->is_load = true;
	job->account = account;
	job->client = this;
	if (is_stepped(core)) {
		copy->run();
		job = core.workers.run_now(*kernels_.supervisor, std::move(job), base::NO_DEADLINE);
		admit_image(*job, reply);
		return job->status;
	}
	is_unanswered_ = true;
	begin_copy(std::move(copy), std::move(job));
	return Status::NOT_READY;
}

/* An upkeep thread copies, in turns with those of other clients. Then the worker loads the copy. */
void Client::begin_copy(std::shared_ptr<ImageCopy> copy, std::unique_ptr<KernelJob> load)
{
	copying_.load = std::move(load);
	if (!core.background.available() || copy->bytes <= TOKEN_BYTES) {
		note_token_work("KERNEL_LOAD", copy->bytes);
		copy->run();
		return end_copy(Status::OK);
	}
	auto job = std::make_unique<Job>();
	job->work = [copy] { copy->run(); };
	job->bytes = copy->bytes;
	submit_upkeep(std::move(job), copying_);
}

void Client::end_copy(Status status)
{
	std::unique_ptr<KernelJob> load = std::move(copying_.load);
	/* The client is detaching. */
	if (!load)
		return;
	if (status != Status::OK)
		return answer_late(status);
	load->owner = &kernel_loading_;
	kernel_loading_.is_in_worker = true;
	core.workers.submit(*kernels_.supervisor, std::move(load));
}

void Client::submit_upkeep(std::unique_ptr<Job> job, Waiter &owner)
{
	job->owner = &owner;
	job->client = number;
	job->client_queue = &client_queue;
	owner.is_in_engine = true;
	core.background.submit(std::move(job));
}

/* Stores an answer of @bytes bytes in the client's memory. @from: keeps the bytes alive. The request is
 * answered when the bytes have been stored. */
Status Client::store(uint64_t va, uint64_t bytes, std::shared_ptr<const std::byte> from)
{
	const Translation to = mmu.translate(va, bytes, UNPU_ACCESS_WRITE);
	if (to.status != Status::OK)
		return to.status;
	if (bytes <= TOKEN_BYTES || !core.background.available()) {
		note_token_work("an answer", core.background.available() ? bytes : 0);
		memcpy(to.data, from.get(), bytes);
		return Status::OK;
	}
	auto job = std::make_unique<Job>();
	job->work = [held = std::make_shared<Hold>(mmu.hold(va, bytes)), from = std::move(from),
		     bytes] { memcpy(held->data(), from.get(), bytes); };
	job->bytes = bytes;
	is_unanswered_ = true;
	submit_upkeep(std::move(job), storing_);
	return Status::NOT_READY;
}

/* The worker may have it still; then its thread frees it. */
void Client::free_image(std::shared_ptr<KernelImage> image)
{
	const uint64_t bytes = image->bytes;
	if (kernels_.supervisor)
		core.workers.keep(*kernels_.supervisor, std::move(image->memory), bytes);
	core.free_later(std::move(image), bytes, [](auto &dead) { dead.reset(); });
}

void Client::admit_image(KernelJob &job, unpu_msg_kernel &reply)
{
	if (job.status != Status::OK) {
		kernels_.texts.load_failure = std::move(job.sentence);
		free_image(std::move(job.image));
		return;
	}
	reply.image = job.image->number;
	reply.entries = static_cast<uint32_t>(job.image->infos.size());
	kernels_.images[reply.image] = std::move(job.image);
}

void Client::end_kernel(KernelJob &job)
{
	if (job.is_load) {
		if (job.owner)
			admit_image(job, reply_.kernel);
		return;
	}
	if (job.status != Status::OK && !job.sentence.empty())
		note(job.sentence);
	const uint64_t bytes = kernels_.texts.add(job);
	if (bytes != 0)
		semaphores.set_output(job.timeline, kernels_.printed[job.timeline] += bytes);
}

void Client::disown_kernel(Waiter &waiter)
{
	if (kernels_.supervisor)
		core.workers.disown(*kernels_.supervisor, waiter);
}

Status Client::kernel_info(const unpu_msg_kernel &request)
{
	const auto found = kernels_.images.find(request.image);
	if (found == kernels_.images.end())
		return Status::INVALID_HANDLE;
	const auto &infos = found->second->infos;
	const uint64_t bytes = infos.size() * sizeof(infos[0]);
	if (request.objects)
		return Status::BAD_MESSAGE;
	if (request.entries != infos.size() || request.bytes < bytes)
		return Status::INVALID_ARGUMENT;
	return store(request.va, bytes,
		     {found->second, reinterpret_cast<const std::byte *>(infos.data())});
}

Status Client::kernel_unload(const unpu_msg_kernel &request)
{
	if (request.va || request.bytes || request.entries || request.objects)
		return Status::BAD_MESSAGE;
	const auto found = kernels_.images.find(request.image);
	if (found == kernels_.images.end())
		return Status::INVALID_HANDLE;
	free_image(std::move(found->second));
	kernels_.images.erase(found);
	core.workers.forget(*kernels_.supervisor, request.image);
	return await_frees();
}

static uint64_t copy_text(const std::string &text, std::byte *to, uint64_t most)
{
	const uint64_t bytes = std::min<uint64_t>(text.size(), most);
	memcpy(to, text.data(), bytes);
	return bytes;
}

Status Client::kernel_text(const unpu_msg_kernel_text &request, unpu_msg_kernel_text &reply)
{
	const bool has_cookie =
		request.kind == UNPU_KERNEL_TEXT_FAULT || request.kind == UNPU_KERNEL_TEXT_PLACE;
	if (request.reserved || (!has_cookie && request.cookie))
		return Status::BAD_MESSAGE;
	const Translation to = mmu.translate(request.va, request.bytes, UNPU_ACCESS_WRITE);
	if (to.status != Status::OK)
		return to.status;
	reply = request;
	switch (request.kind) {
	case UNPU_KERNEL_TEXT_OUTPUT:
		return take_output(request, reply);
	case UNPU_KERNEL_TEXT_FAULT:
		return kernels_.texts.copy_failure(request.cookie, to.data, request.bytes,
						   reply.bytes);
	case UNPU_KERNEL_TEXT_LOAD:
		reply.bytes = copy_text(kernels_.texts.load_failure, to.data, request.bytes);
		return Status::OK;
	case UNPU_KERNEL_TEXT_PLACE:
		reply.bytes = 0;
		if (kernels_.supervisor)
			reply.bytes = copy_text(
				Workers::place(*kernels_.supervisor, *this, request.cookie),
				to.data, request.bytes);
		return Status::OK;
	default:
		return Status::INVALID_ARGUMENT;
	}
}

Status Client::take_output(const unpu_msg_kernel_text &request, unpu_msg_kernel_text &reply)
{
	auto taken = std::make_shared<std::vector<std::byte>>();
	TRY(kernels_.texts.take_output(request.bytes, *taken));
	reply.bytes = taken->size();
	return reply.bytes == 0 ? Status::OK
				: store(request.va, reply.bytes, {taken, taken->data()});
}

void Client::explain(uint64_t cookie, std::string sentence)
{
	unpu_kernel_output head = {};

	head.cookie = cookie;
	kernels_.texts.add_failure(head, std::move(sentence));
}

/* Fills in a job for the launch. The arguments may be in memory that an earlier task has written. */
Outcome Client::prepare_launch(const Task &task, KernelJob &job)
{
	const unpu_kernel_launch &head = task.kernel->head;
	const auto found = kernels_.images.find(head.image);
	if (found == kernels_.images.end())
		return {Status::BAD_KERNEL, 0};
	job.image = found->second;
	if (head.entry >= job.image->infos.size())
		return {Status::BAD_KERNEL, 0};
	job.head = head;
	if (head.args_bytes < job.info().args_bytes)
		return {Status::BAD_KERNEL, 0};
	job.args = task.kernel->args;
	if (head.flags & UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY && head.args_bytes != 0) {
		const Translation args =
			mmu.translate(head.args_va, head.args_bytes, UNPU_ACCESS_READ);
		if (args.status != Status::OK)
			return {args.status, args.address};
		/* A launch may wait long for others, and each channel can have one. */
		const Status charged =
			account->charge(Resource::MEMORY, head.args_bytes, job.args_memory);
		if (charged != Status::OK) {
			explain(task.packet.cookie,
				fmt::format("kernel {}: its {} bytes of arguments are more than "
					    "the client's memory has left (--quota-memory); let "
					    "earlier launches end, or free memory",
					    job.info().name, head.args_bytes));
			return {charged, head.args_va};
		}
		job.args.resize((head.args_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t));
		note_token_work("arguments of a kernel", head.args_bytes);
		memcpy(job.args.data(), args.data, head.args_bytes);
	}
	job.client = this;
	job.cookie = task.packet.cookie;
	job.timeline = task.timeline;
	/* If neither the launch nor the client sets a limit, the watchdog's limit for tasks applies to the
	 * kernel. */
	const uint64_t watchdog_ns = core.watchdog.limit_ns();
	const uint64_t asked_ns = head.timeout_ns ? head.timeout_ns : execute_limit_ns;
	job.is_watchdogs = asked_ns == 0 && watchdog_ns != 0;
	job.limit_ns = asked_ns ? asked_ns : watchdog_ns ? watchdog_ns : base::NO_DEADLINE;
	return {};
}

Outcome Client::launch_kernel(const Task &task)
{
	auto job = std::make_unique<KernelJob>();
	if (const Outcome refused = prepare_launch(task, *job); refused.status != Status::OK)
		return refused;
	job->owner = &task.owner;
	if (is_stepped(core)) {
		/* A request to the device may have several kernels before it, so it must not wait long for
		 * each of them. */
		const uint64_t until_ns =
			core.step_deadline_ns == base::NO_DEADLINE
				? base::NO_DEADLINE
				: std::min(core.step_deadline_ns, base::deadline_after(STEP_NS));
		job = core.workers.run_now(*kernels_.supervisor, std::move(job), until_ns);
		if (job) {
			const Status status = job->status;
			const uint64_t address = job->address;
			end_kernel(*job);
			core.watches.look();
			return {status, address};
		}
	} else {
		core.workers.submit(*kernels_.supervisor, std::move(job));
	}
	task.owner.is_in_worker = true;
	core.poll_kernels();
	return blocked();
}

} // namespace fw
