// SPDX-License-Identifier: MIT
/**
 * DOC: Operations on files by io_uring
 *
 * Files are registered with the ring, and so is the device memory that large transfers touch, a granule
 * at a time: so the kernel looks them up and pins them once, not for each operation. If a registration
 * fails (RLIMIT_MEMLOCK), operations run without it. A registration keeps pages and files alive, so it
 * is released as soon as its segment or file is destroyed.
 */
#include <algorithm>
#include <array>
#include <cerrno>

#include <liburing.h>

#include "transfer.h"

namespace fw {

namespace {

constexpr unsigned DEPTH = 16;
constexpr unsigned FILES = 64;
constexpr unsigned BUFFERS = 256;
/* Bytes per registration: the size of a usual segment. */
constexpr uint64_t GRANULE_BYTES = uint64_t{32} << 20;
/* Below this, registering costs more than it saves. */
constexpr uint64_t FIXED_MIN_BYTES = uint64_t{4} << 20;

class UringQueue final : public DiskQueue {
public:
	explicit UringQueue(std::shared_ptr<const WakeEvent> poke) : poke_(std::move(poke)) {}
	~UringQueue() override
	{
		if (made_)
			io_uring_queue_exit(&ring_);
	}

	int init();

	const char *name() const override { return "io_uring"; }
	bool room() const override { return under_way_ < DEPTH; }
	void start(Piece &piece) override;
	Piece *next(bool wait, int64_t &result) override;
	void write_off(Piece &piece) override
	{
		piece.is_lost = true;
		under_way_--;
	}
	bool blocks() const override { return false; }
	void sweep() override;
	DiskCounts counts() const override { return counts_; }

private:
	struct File {
		std::weak_ptr<HostFile> file;
		bool direct = false;
		bool used = false;
	};
	struct Buffer {
		std::weak_ptr<Segment> segment;
		uint64_t granule = 0;
		uint64_t bytes = 0; /* 0: free */
		uint32_t operations = 0;
		uint64_t used_at = 0;
	};

	io_uring_sqe *entry();
	void watch_poke();
	int fixed_file(const std::shared_ptr<HostFile> &file, bool direct);
	int fixed_buffer(const Piece &piece);
	int add_buffer(const std::shared_ptr<Segment> &segment, uint64_t granule);
	void drop_buffer(unsigned slot);
	void drop_file(unsigned slot);

	const std::shared_ptr<const WakeEvent> poke_;
	io_uring ring_{};
	bool made_ = false;
	bool has_files_ = false;
	bool has_buffers_ = false;
	bool refused_ = false; /* the last registration failed; reset when one is released */
	bool poke_watched_ = false;
	unsigned under_way_ = 0;
	uint64_t clock_ = 0;
	uint64_t pokes_ = 0; /* the kernel writes the eventfd counter here */
	std::array<File, FILES> files_;
	std::array<Buffer, BUFFERS> buffers_;
	DiskCounts counts_;
};

int UringQueue::init()
{
	int rc = io_uring_queue_init(2 * DEPTH, &ring_, 0);
	if (rc < 0)
		return rc;
	made_ = true;
	io_uring_probe *probe = io_uring_get_probe_ring(&ring_);
	if (!probe)
		return -ENOSYS;
	bool all = true;
	for (int needed :
	     {IORING_OP_READ, IORING_OP_WRITE, IORING_OP_READ_FIXED, IORING_OP_WRITE_FIXED})
		all = all && io_uring_opcode_supported(probe, needed);
	io_uring_free_probe(probe);
	if (!all)
		return -ENOSYS;
	has_files_ = io_uring_register_files_sparse(&ring_, FILES) == 0;
	has_buffers_ = io_uring_register_buffers_sparse(&ring_, BUFFERS) == 0;
	return 0;
}

io_uring_sqe *UringQueue::entry()
{
	io_uring_sqe *sqe;
	while (!(sqe = io_uring_get_sqe(&ring_)))
		io_uring_submit(&ring_);
	return sqe;
}

void UringQueue::watch_poke()
{
	if (poke_watched_)
		return;
	io_uring_sqe *sqe = entry();
	io_uring_prep_read(sqe, poke_->fd(), &pokes_, sizeof(pokes_), 0);
	io_uring_sqe_set_data(sqe, nullptr);
	poke_watched_ = true;
}

int UringQueue::fixed_file(const std::shared_ptr<HostFile> &file, bool direct)
{
	int free = -1;
	for (unsigned i = 0; i < FILES && has_files_; i++) {
		const File &entry = files_[i];
		if (entry.used && entry.direct == direct && entry.file.lock() == file)
			return static_cast<int>(i);
		if (!entry.used && free < 0)
			free = static_cast<int>(i);
	}
	if (free < 0)
		return -1;
	int fd = direct ? file->direct.get() : file->fd.get();
	if (io_uring_register_files_update(&ring_, static_cast<unsigned>(free), &fd, 1) != 1)
		return -1;
	file->registrations.add(poke_);
	files_[static_cast<unsigned>(free)] = {file, direct, true};
	counts_.fixed_files++;
	return free;
}

void UringQueue::drop_file(unsigned slot)
{
	int none = -1;
	io_uring_register_files_update(&ring_, slot, &none, 1);
	files_[slot] = {};
	counts_.fixed_files--;
}

void UringQueue::drop_buffer(unsigned slot)
{
	iovec none{nullptr, 0};
	__u64 tag = 0;
	io_uring_register_buffers_update_tag(&ring_, slot, &none, &tag, 1);
	counts_.fixed_bytes -= buffers_[slot].bytes;
	buffers_[slot] = {};
	refused_ = false;
}

/* Registers a granule in a free slot, or replaces the least recently used one. */
int UringQueue::add_buffer(const std::shared_ptr<Segment> &segment, uint64_t granule)
{
	unsigned best = BUFFERS;
	for (unsigned i = 0; i < BUFFERS; i++) {
		if (buffers_[i].operations == 0 &&
		    (best == BUFFERS || buffers_[i].used_at < buffers_[best].used_at))
			best = i;
	}
	if (best == BUFFERS)
		return -1;
	if (buffers_[best].bytes)
		drop_buffer(best);
	uint64_t at = granule * GRANULE_BYTES;
	uint64_t bytes = std::min(GRANULE_BYTES, segment->bytes - at);
	iovec range{segment->data + at, bytes};
	__u64 tag = 0;
	if (io_uring_register_buffers_update_tag(&ring_, best, &range, &tag, 1) != 1) {
		refused_ = true;
		return -1;
	}
	segment->registrations.add(poke_);
	buffers_[best] = {segment, granule, bytes, 0, clock_};
	counts_.fixed_bytes += bytes;
	return static_cast<int>(best);
}

int UringQueue::fixed_buffer(const Piece &piece)
{
	const std::shared_ptr<Segment> &segment = piece.transfer->memory.segment();
	if (!has_buffers_ || piece.bounces || piece.transfer->bytes < FIXED_MIN_BYTES)
		return -1;
	/* An address in a reservation is outside the segment's own mapping. */
	auto offset = static_cast<uint64_t>(piece.buffer - segment->data);
	if (piece.buffer < segment->data || offset >= segment->bytes ||
	    piece.length > segment->bytes - offset)
		return -1;
	uint64_t granule = offset / GRANULE_BYTES;
	if ((offset + piece.length - 1) / GRANULE_BYTES != granule)
		return -1;
	for (unsigned i = 0; i < BUFFERS; i++) {
		const Buffer &entry = buffers_[i];
		if (entry.bytes && entry.granule == granule && entry.segment.lock() == segment)
			return static_cast<int>(i);
	}
	return refused_ ? -1 : add_buffer(segment, granule);
}

void UringQueue::start(Piece &piece)
{
	const Transfer &transfer = *piece.transfer;
	clock_++;
	int file = fixed_file(transfer.file, piece.is_direct);
	piece.slot = fixed_buffer(piece);
	io_uring_sqe *sqe = entry();
	int fd = file >= 0	   ? file
		 : piece.is_direct ? transfer.file->direct.get()
				   : transfer.file->fd.get();
	auto length = static_cast<unsigned>(piece.length);
	if (piece.slot >= 0) {
		if (transfer.is_write)
			io_uring_prep_write_fixed(sqe, fd, piece.buffer, length, piece.position,
						  piece.slot);
		else
			io_uring_prep_read_fixed(sqe, fd, piece.buffer, length, piece.position,
						 piece.slot);
		Buffer &buffer = buffers_[static_cast<unsigned>(piece.slot)];
		buffer.operations++;
		buffer.used_at = clock_;
		counts_.fixed_operations++;
	} else if (transfer.is_write) {
		io_uring_prep_write(sqe, fd, piece.buffer, length, piece.position);
	} else {
		io_uring_prep_read(sqe, fd, piece.buffer, length, piece.position);
	}
	if (file >= 0)
		sqe->flags |= IOSQE_FIXED_FILE;
	/* Kernel worker threads copy in parallel; without this the storage thread copies one piece
	 * after the other. */
	if (piece.is_apart)
		sqe->flags |= IOSQE_ASYNC;
	io_uring_sqe_set_data(sqe, &piece);
	under_way_++;
}

Piece *UringQueue::next(bool wait, int64_t &result)
{
	io_uring_cqe *completion = nullptr;
	watch_poke();
	if (io_uring_sq_ready(&ring_) > 0)
		io_uring_submit(&ring_);
	if (io_uring_peek_cqe(&ring_, &completion) != 0 || !completion) {
		if (!wait || io_uring_wait_cqe(&ring_, &completion) != 0)
			return nullptr;
	}
	auto *piece = static_cast<Piece *>(io_uring_cqe_get_data(completion));
	result = completion->res;
	io_uring_cqe_seen(&ring_, completion);
	if (!piece) {
		poke_watched_ = false;
		return nullptr;
	}
	under_way_ -= !piece->is_lost;
	if (piece->slot >= 0)
		buffers_[static_cast<unsigned>(piece->slot)].operations--;
	return piece;
}

void UringQueue::sweep()
{
	for (unsigned i = 0; i < BUFFERS; i++) {
		if (buffers_[i].bytes && buffers_[i].segment.expired())
			drop_buffer(i);
	}
	for (unsigned i = 0; i < FILES; i++) {
		if (files_[i].used && files_[i].file.expired())
			drop_file(i);
	}
}

} // namespace

std::unique_ptr<DiskQueue> make_uring_queue(std::shared_ptr<const WakeEvent> poke)
{
	auto queue = std::make_unique<UringQueue>(std::move(poke));
	if (queue->init() < 0)
		return nullptr;
	return queue;
}

} // namespace fw
