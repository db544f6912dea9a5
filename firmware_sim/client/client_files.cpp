// SPDX-License-Identifier: MIT
/**
 * DOC: Transfers of a client
 *
 * The files that a client has handed over, and the transfers that its packets ask for.
 */
#include <cerrno>
#include <cstring>

#include "client.h"
#include "firmware_sim/core/command_processor.h"
#include "uapi/operator.h"
#include "uapi/socket.h"

namespace fw {

using base::Result;
using base::Status;

/* A packet has 16 bits for the file number. */
static constexpr uint32_t LAST_NUMBER = UINT16_MAX;

Result<uint32_t> Client::give_file(std::shared_ptr<HostFile> file)
{
	if (files_.size() >= UNPU_MAX_FILES)
		return Status::NO_RESOURCE;
	TRY(account->charge(Resource::DESCRIPTORS, file->direct.valid() ? 2 : 1,
			    file->descriptors));
	TRY(core.storage.open(&client_queue, account));
	/* Reuse a number as late as possible: packets in flight may still name the old file. */
	do {
		last_file_ = last_file_ % LAST_NUMBER + 1;
	} while (files_.contains(last_file_));
	files_.emplace(last_file_, std::move(file));
	return last_file_;
}

std::shared_ptr<HostFile> Client::find_file(uint32_t id) const
{
	auto found = files_.find(id);
	return found == files_.end() ? nullptr : found->second;
}

Status Client::file_close(const unpu_msg_file &request)
{
	if (request.reserved)
		return Status::BAD_MESSAGE;
	return files_.erase(request.file) ? Status::OK : Status::INVALID_HANDLE;
}

/* Initialises the state word of a transfer. Return: MMU_FAULT, ACCESS_FAULT. */
static Outcome open_state(ClientContext &client, const unpu_file_transfer &wanted,
			  Transfer &transfer)
{
	if (wanted.progress == 0)
		return {};
	Translation found = client.mmu.translate(wanted.progress, sizeof(unpu_file_state),
						 UNPU_ACCESS_READ | UNPU_ACCESS_WRITE);
	if (found.status != Status::OK)
		return {found.status, found.address};
	transfer.state = reinterpret_cast<unpu_file_state *>(found.data);
	transfer.state_memory = client.mmu.hold(wanted.progress, sizeof(unpu_file_state));
	unpu_file_state &state = *transfer.state;
	base::store_relaxed(state.bytes, uint64_t{0});
	base::store_relaxed(state.total, uint64_t{wanted.bytes});
	base::store_relaxed(state.error, uint32_t{0});
	memset(state.reserved, 0, sizeof(state.reserved));
	base::store_release(state.status,
			    /* R3: the host may already read the word */
			    uint32_t{UNPU_STATUS_NOT_READY});
	return {};
}

/* Ends a transfer whose file cannot be used: stores the error in its state.
 * Return: the outcome of the packet. */
static Outcome refuse(Transfer &transfer, int error)
{
	transfer.limit = transfer.bytes;
	transfer.stop(0, Status::BAD_FILE, error);
	transfer.close();
	return {Status::BAD_FILE, transfer.va};
}

/* @jammed: use a file that never answers (fault injection) */
static Outcome begin_transfer(const Task &task, bool jammed)
{
	ClientContext &client = task.client;
	const unpu_packet &packet = task.packet;
	if (client.core.null())
		return {};
	const unpu_file_transfer &wanted = packet.file;
	auto transfer = std::make_unique<Transfer>();
	transfer->is_write = packet.opcode == UNPU_OP_FILE_WRITE;
	Translation memory = client.mmu.translate(
		wanted.va, wanted.bytes, transfer->is_write ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE);
	if (memory.status != Status::OK)
		return {memory.status, memory.address};
	transfer->data = memory.data;
	transfer->bytes = wanted.bytes;
	transfer->offset = wanted.offset;
	transfer->va = wanted.va;
	transfer->memory = client.mmu.hold(wanted.va, wanted.bytes);
	Outcome outcome = open_state(client, wanted, *transfer);
	if (outcome.status != Status::OK)
		return outcome;
	transfer->file = client.find_file(packet.variant);
	if (!transfer->file)
		return refuse(*transfer, EBADF);
	if (!(transfer->is_write ? transfer->file->writes : transfer->file->reads))
		return refuse(*transfer, EBADF);
	if (jammed) {
		auto stuck = HostFile::stuck(transfer->is_write);
		if (!stuck)
			return refuse(*transfer, EMFILE);
		transfer->file = stuck.take();
	}
	transfer->owner = &task.owner;
	transfer->client_queue = &client.client_queue;
	transfer->client = client.number;
	transfer->cookie = packet.cookie;
	if (!client.core.storage.submit(std::move(transfer))) {
		task.owner.is_in_storage = true;
		return blocked();
	}
	auto done = client.core.storage.take_finished();
	if (!done->is_write)
		client.core.watches.wrote({done->data, done->moved});
	bool failed = done->status != Status::OK;
	return {done->status, failed ? done->va + done->moved : 0};
}

Outcome transfer_file(const Task &task)
{
	return begin_transfer(task, false);
}

bool jam_file(const Task &task)
{
	return task.client.core.storage.has_thread() && begin_transfer(task, true).is_blocked;
}

} // namespace fw
