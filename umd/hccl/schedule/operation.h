// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "acl/acl_base_rt.h"
#include "base/status.h"
#include "umd/core/handle/held.h"
#include "umd/core/notes/collective_note.h"
#include "umd/hccl/comm/comm.h"
#include "umd/hccl/elements.h"

namespace umd {

class Emitter;
struct Stream;

/** struct Message - one message between this rank and another rank. Some operations are made of messages. */
struct Message {
	uint32_t rank = 0; /* the other rank */
	bool is_send = false;
	uint64_t address = 0;
	uint64_t bytes = 0;
	CallNote note; /* the note, which is equal at both ends */
};

/** using Plan - a function that submits the packets of an operation. */
using Plan = std::function<base::Status(Emitter &)>;

/** class Operation - one call on a communicator and a stream. Context: one thread. */
class Operation {
public:
	/** begin() - finds the communicator and the stream.
	 * Return: HCCL_E_PTR, HCCL_E_PARA, the failure of the communicator; sets the error message. */
	HcclResult begin(Collective call, HcclComm comm, aclrtStream stream);

	Comm &comm() { return *comm_; }
	uint32_t ranks() const { return comm_->ranks(); }
	uint32_t rank() const { return comm_->rank(); }

	/** check_type() - checks a type of elements. @bytes: receives the size of an element. Return:
	 * HCCL_E_NOT_SUPPORT, HCCL_E_PARA. */
	HcclResult check_type(const char *name, HcclDataType type, uint64_t &bytes) const;

	/** check_root() - checks the number of a root rank. Return: HCCL_E_PARA. */
	HcclResult check_root(const char *name, uint32_t rank) const;

	/** check_buffer() - checks that the device may access @count elements of @bytes bytes at @address,
	 * and records that the operation will. Return: HCCL_E_PTR, HCCL_E_PARA. */
	HcclResult check_buffer(const char *name, const void *address, uint64_t count,
				uint64_t bytes, uint32_t access);

	/** check_extent() - checks a range of which the operation uses only parts. note_use() - records one
	 * of these parts. */
	HcclResult check_extent(const char *name, const void *address, uint64_t count,
				uint64_t bytes, uint32_t access) const;
	void note_use(uint64_t address, uint64_t bytes, uint32_t access);

	/** collect() - submits a collective operation.
	 * @note: the arguments that have to be equal on all ranks
	 * @messages: the messages of which the operation is made
	 * Return: HCCL_E_PARA if another rank has made a different call. */
	HcclResult collect(const CallNote &note, const Plan &plan,
			   const std::vector<Message> &messages = {});

	/** exchange() - submits @plan and then messages. No message waits for another one. Return: as
	 * collect(). */
	HcclResult exchange(const Plan &plan, const std::vector<Message> &messages);

private:
	HcclResult note(const CallNote *call, const std::vector<Message> &messages,
			PendingCall &pending) REQUIRES(comm_->mutex);
	HcclResult refuse_left();
	HcclResult refuse_difference(const CallNote &own, const Difference &found,
				     const char *what);
	base::Status emit(const Plan &plan, const std::vector<Message> &messages,
			  PendingCall pending, const OrderSet &orders) REQUIRES(comm_->mutex);
	HcclResult submit(const CallNote *call, const Plan &plan,
			  const std::vector<Message> &messages);
	base::Status follow(const OrderSet &orders) REQUIRES(comm_->mutex);
	base::Status follow_captured(const Order &order);
	void pass(const OrderSet &orders) REQUIRES(comm_->mutex);
	recorder::CollectiveNote promised(const CallNote *call,
					  const std::vector<Message> &messages) const;
	base::Status note_in_capture(const recorder::CollectiveNote &note);
	void note_orders(const OrderSet &orders) const REQUIRES(comm_->mutex);
	void note_end(const OrderSet &orders) REQUIRES(comm_->mutex);
	base::Status emit_recorded(const Plan &plan, const std::vector<Message> &messages,
				   PendingCall pending, const recorder::CollectiveNote &note,
				   const OrderSet &orders) REQUIRES(comm_->mutex);

	Collective call_ = Collective::NONE;
	std::shared_ptr<Comm> comm_;
	Held<Stream> stream_;
	std::vector<recorder::CollectiveNote::Use> uses_; /* only used while a trace is recorded */
};

} // namespace umd
