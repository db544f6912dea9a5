// SPDX-License-Identifier: MIT
/*
 * DOC: Running a tensor operator
 *
 * The views are placed in this process's memory, then a kernel computes any units of the operator. Scratch
 * memory is borrowed from a small pool, because the kernel of each piece wants the same amount again.
 */
#include "tensor_op.h"

#include <array>
#include <cstdlib>
#include <mutex>

#include "base/sync/mutex.h"
#include "base/sync/ordering.h"

namespace fw {

using base::Status;

namespace {

constexpr size_t SCRATCH_ALIGNMENT = 64;
/* Buffers that the pool keeps, and what it keeps no larger ones than. */
constexpr size_t KEPT_BUFFERS = 8;
constexpr size_t KEPT_BYTES = size_t{4} << 20;

struct Buffer {
	std::byte *data;
	size_t bytes;
};

constinit base::Mutex pool_mutex{"pool of scratch memory"};
constinit std::array<Buffer, KEPT_BUFFERS> pool GUARDED_BY(pool_mutex){};

/* class Scratch - memory for one call of a kernel. */
class Scratch {
public:
	explicit Scratch(size_t bytes)
	{
		if (bytes == 0)
			return;
		take(bytes);
		if (buffer_.data)
			return;
		bytes = (bytes + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
		buffer_ = {static_cast<std::byte *>(std::aligned_alloc(SCRATCH_ALIGNMENT, bytes)),
			   bytes};
	}

	~Scratch()
	{
		if (buffer_.data && !(buffer_.bytes <= KEPT_BYTES && give()))
			std::free(buffer_.data);
	}

	Scratch(const Scratch &) = delete;
	std::byte *data() const { return buffer_.data; }

private:
	void take(size_t bytes)
	{
		std::lock_guard lock(pool_mutex);
		for (Buffer &kept : pool) {
			if (kept.data && kept.bytes >= bytes) {
				buffer_ = kept;
				kept = {};
				return;
			}
		}
	}

	bool give()
	{
		std::lock_guard lock(pool_mutex);
		for (Buffer &kept : pool) {
			if (!kept.data) {
				kept = buffer_;
				return true;
			}
		}
		return false;
	}

	Buffer buffer_{};
};

} // namespace

TensorOp &TensorOp::operator=(const TensorOp &other)
{
	call_ = other.call_;
	kernel_ = other.kernel_;
	views_ = other.views_;
	words_ = other.words_;
	reaches_ = other.reaches_;
	units_ = other.units_;
	cost_bytes_ = other.cost_bytes_;
	scratch_bytes_ = other.scratch_bytes_;
	can_be_cut_ = other.can_be_cut_;
	always_succeeds_ = other.always_succeeds_;
	call_.views = views_.data();
	call_.words = words_.data();
	return *this;
}

Translation TensorOp::place(Mmu &mmu)
{
	for (size_t i = 0; i < reaches_.size(); i++) {
		const Reach &reach = reaches_[i];
		if (reach.bytes == 0)
			continue;
		const uint32_t access = reach.access & UNPU_ACCESS_MASK;
		std::byte *data = mmu.known(reach.first, reach.bytes, access);
		if (!data) {
			const Translation found = mmu.translate(reach.first, reach.bytes, access);
			if (found.status != Status::OK)
				return found;
			data = found.data;
		}
		views_[i].data = data + reach.before;
	}
	return {nullptr, Status::OK, 0};
}

void TensorOp::hold(const Mmu &mmu, std::vector<Hold> &held) const
{
	held.reserve(reaches_.size());
	for (const Reach &reach : reaches_)
		if (reach.bytes != 0)
			held.push_back(mmu.hold(reach.first, reach.bytes));
}

Status TensorOp::run(uint64_t first, uint64_t count, uint64_t &address) const
{
	if (count == 0)
		return Status::OK;
	const Scratch scratch(scratch_bytes_);
	if (scratch_bytes_ != 0 && !scratch.data())
		return Status::NO_MEMORY;
	const base::NoteOrder order;
	const tensor::Finding found = kernel_->run(call_, first, count, scratch.data());
	if (found.status != Status::OK) {
		const Reach &reach = reaches_[found.view];
		address = reach.first + static_cast<uint64_t>(reach.before) + found.offset;
	}
	return found.status;
}

} // namespace fw
