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

/** struct Message - one message between this rank and another, or a part of an operation made of them. */
struct Message {
	uint32_t rank = 0; /* the other one */
	bool is_send = false;
	uint64_t address = 0;
	uint64_t bytes = 0;
	CallNote note; /* the same at both ends */
};

/** using Plan - submits the packets of an operation. */
using Plan = std::function<base::Status(Emitter &)>;

/** class Operation - one call on a communicator and a stream. Context: one thread. */
class Operation {
public:
	/** begin() - finds both.
	 * Return: HCCL_E_PTR, HCCL_E_PARA, the failure of the communicator; with the sentence set. */
	HcclResult begin(Collective call, HcclComm comm, aclrtStream stream);

	Comm &comm() { return *comm_; }
	uint32_t ranks() const { return comm_->ranks(); }
	uint32_t rank() const { return comm_->rank(); }

	/** check_type() - @bytes: receives the size of an element. Return: HCCL_E_NOT_SUPPORT, HCCL_E_PARA. */
	HcclResult check_type(const char *name, HcclDataType type, uint64_t &bytes) const;

	/** check_root() - Return: HCCL_E_PARA. */
	HcclResult check_root(const char *name, uint32_t rank) const;

	/** check_buffer() - whether the device may access @count elements of @bytes bytes at @address, which the
	 * operation will do. Return: HCCL_E_PTR, HCCL_E_PARA. */
	HcclResult check_buffer(const char *name, const void *address, uint64_t count,
				uint64_t bytes, uint32_t access);

	/** check_extent() - the same for bytes of which the operation uses a part. note_use() - uses them. */
	HcclResult check_extent(const char *name, const void *address, uint64_t count,
				uint64_t bytes, uint32_t access) const;
	void note_use(uint64_t address, uint64_t bytes, uint32_t access);

	/** collect() - submits a collective operation.
	 * @note: what has to be the same on all ranks
	 * @messages: that are part of it
	 * Return: HCCL_E_PARA where another rank has called something else. */
	HcclResult collect(const CallNote &note, const Plan &plan,
			   const std::vector<Message> &messages = {});

	/** exchange() - submits messages, none of which waits for another, after @plan. Return: as collect(). */
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
	std::vector<recorder::CollectiveNote::Use> uses_; /* while something is recorded */
};

} // namespace umd
