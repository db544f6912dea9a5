// SPDX-License-Identifier: MIT
/*
 * DOC: Running a tensor operator
 *
 * The views are placed in this process's memory, then a kernel computes any units of the operator. Scratch
 * memory is borrowed from a small pool, because the kernel of each piece wants the same amount again.
 */
#include "tensor_op.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "firmware_sim/kernels/overflow.h"
#include "uapi/packet.h"

namespace fw {

using base::Status;

namespace {

constexpr size_t SCRATCH_ALIGNMENT = 64;
/* How many buffers the pool keeps, and the maximum size of a buffer that it keeps. */
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
	checks_ = other.checks_;
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

Status TensorOp::run(uint64_t first, uint64_t count, const BadIndex &bad) const
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
		bad.address = reach.first + static_cast<uint64_t>(reach.before) + found.offset;
		bad.index = static_cast<uint64_t>(found.index);
	} else if (checks_ != 0 && first + count == units_ && find_overflow()) [[unlikely]] {
		return Status::OVERFLOW;
	}
	return found.status;
}

/* Kinds that move elements compute nothing that could overflow. */
static bool is_arithmetic(uint32_t kind)
{
	switch (kind) {
	case UNPU_TENSOR_FILL:
	case UNPU_TENSOR_CAT:
	case UNPU_TENSOR_SPLIT:
	case UNPU_TENSOR_PAD:
	case UNPU_TENSOR_REFLECTION_PAD:
	case UNPU_TENSOR_ROLL:
	case UNPU_TENSOR_GATHER:
	case UNPU_TENSOR_INDEX_COPY:
	case UNPU_TENSOR_INDEX_FILL:
	case UNPU_TENSOR_TRIL:
	case UNPU_TENSOR_TRIU:
	case UNPU_TENSOR_UPSAMPLE_NEAREST:
	case UNPU_TENSOR_IM2COL:
		return false;
	default:
		return true;
	}
}

/* A CAST to the same type moves elements as well. */
static bool may_overflow(const tensor::Call &call)
{
	if (call.kind == UNPU_TENSOR_CAST)
		return call.view(0).dtype != call.view(1).dtype;
	return is_arithmetic(call.kind);
}

void TensorOp::check_overflow(uint8_t flags)
{
	checks_ = flags & (UNPU_PACKET_OVERFLOW_FAILS | UNPU_PACKET_SATURATE);
	if (checks_ != 0 && !may_overflow(call_))
		checks_ = 0;
}

bool TensorOp::find_overflow() const
{
	bool any = false;
	for (size_t i = 0; i < views_.size(); i++) {
		if (!(reaches_[i].access & UNPU_ACCESS_WRITE) || reaches_[i].bytes == 0)
			continue;
		const tensor::View &view = views_[i];
		unpu_operator result{};
		result.ndim = view.ndim;
		result.operands[0].dtype = view.dtype;
		std::copy(view.dims.begin(), view.dims.end(), result.dims);
		std::copy(view.strides.begin(), view.strides.end(), result.operands[0].strides);
		any = fw::find_overflow(result, view.data, checks_ & UNPU_PACKET_SATURATE) || any;
	}
	return any;
}

} // namespace fw
