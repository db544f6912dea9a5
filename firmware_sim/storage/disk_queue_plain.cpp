// SPDX-License-Identifier: MIT
/**
 * DOC: Operations on files, one at a time
 *
 * For kernels and sandboxes without io_uring, and for a stepped device, which has no storage thread.
 */
#include <cerrno>

#include "base/os/calls/transfers.h"
#include "transfer.h"

namespace fw {

namespace {

class PlainQueue final : public DiskQueue {
public:
	explicit PlainQueue(std::shared_ptr<const WakeEvent> poke) : poke_(std::move(poke)) {}

	const char *name() const override { return "preadv"; }
	bool room() const override { return ended_ == nullptr; }
	bool blocks() const override { return true; }
	void start(Piece &piece) override;
	Piece *next(bool wait, int64_t &result) override;

private:
	const std::shared_ptr<const WakeEvent> poke_;
	Piece *ended_ = nullptr;
	int64_t result_ = 0;
};

void PlainQueue::start(Piece &piece)
{
	const HostFile &file = *piece.transfer->file;
	int fd = piece.is_direct ? file.direct.get() : file.fd.get();
	iovec vector{piece.buffer, piece.length};
	auto position = static_cast<off_t>(piece.position);
	/* A file of HostFile::stuck() is a pipe, which has no file positions. */
	if (file.other_end.valid())
		position = -1;
	ssize_t moved = piece.transfer->is_write ? base::calls::write_at(fd, vector, position)
						 : base::calls::read_at(fd, vector, position);
	result_ = moved < 0 ? -errno : moved;
	ended_ = &piece;
}

Piece *PlainQueue::next(bool wait, int64_t &result)
{
	if (ended_) {
		result = result_;
		return std::exchange(ended_, nullptr);
	}
	uint64_t pokes;
	if (wait && base::calls::read(poke_->fd(), &pokes, sizeof(pokes)) < 0)
		return nullptr;
	return nullptr;
}

} // namespace

std::unique_ptr<DiskQueue> make_plain_queue(std::shared_ptr<const WakeEvent> poke)
{
	return std::make_unique<PlainQueue>(std::move(poke));
}

} // namespace fw
