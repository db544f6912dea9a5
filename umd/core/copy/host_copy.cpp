// SPDX-License-Identifier: MIT
/**
 * DOC: Copies by the host in the order of a stream
 *
 * A device in another process can't access memory of the program. When a stream or a graph reaches a copy of
 * such memory, the device calls the host, as for a host function. A thread of the runtime then copies between
 * the program's memory and the aperture.
 */
#include "host_copy.h"

#include <new>

#include <fmt/format.h>

#include "base/copy/fill.h"
#include "base/os/mapped.h"
#include "drv/device.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/registrations.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

Status copy_rows(const Box &box, const HostView &to, const HostView &from)
{
	for (uint64_t slice = 0; slice < box.depth; slice++) {
		for (uint64_t row = 0; row < box.height; row++)
			TRY(move_bytes(to, slice * box.dst_slice + row * box.dst_pitch, from,
				       slice * box.src_slice + row * box.src_pitch, box.width));
	}
	return Status::OK;
}

bool is_registered(const void *address, uint64_t bytes, uint32_t access)
{
	Place place;
	const DeviceHold device = Devices::get().locate(address, place);
	return device && device->memory().registered(number(address), bytes, access);
}

namespace {

/* A registered range that a copy uses. The end of the registration waits for the end of this object. */
class RegistrationUse {
public:
	RegistrationUse() = default;
	~RegistrationUse()
	{
		if (use_ != 0)
			Registrations::get().end_use(use_);
	}
	RegistrationUse(const RegistrationUse &) = delete;
	RegistrationUse &operator=(const RegistrationUse &) = delete;

	/* Return: MMU_FAULT if the registration has ended, or the program has unmapped the memory. */
	Status begin(const void *address, uint64_t bytes, uint32_t access)
	{
		use_ = Registrations::get().begin_use(number(address), bytes);
		return is_registered(address, bytes, access) &&
				       base::is_mapped(number(address), bytes)
			       ? Status::OK
			       : Status::MMU_FAULT;
	}

private:
	uint64_t use_ = 0;
};

/* One end of a copy. */
class End {
public:
	End(void *address, uint64_t bytes, uint32_t access)
		: address_(address), bytes_(bytes), access_(access)
	{
		Place place;
		const DeviceHold device = Devices::get().locate(address, place);
		is_programs_ = !device || device->space().adopted(number(address));
		is_registered_ = is_registered(address, bytes, access);
	}

	/* Device memory may have been freed since the copy was submitted: as long as a task may use it, the
	 * device keeps its chunk, but not what was mapped into a reservation.
	 * Return: MMU_FAULT if the memory is gone. */
	Status view(HostView &view, RegistrationUse &use) const
	{
		view.address = number(address_);
		if (is_programs_) {
			view.view = static_cast<std::byte *>(address_);
			return is_registered_ ? use.begin(address_, bytes_, access_) : Status::OK;
		}
		Place place;
		view.other = Devices::get().locate(address_, place);
		if (!view.other)
			return Status::MMU_FAULT;
		view.device = &*view.other;
		const drv::Chunk *chunk = keep_chunk(view);
		if (!chunk || (chunk->has_pieces &&
			       !view.device->memory().covers(view.address, bytes_, access_)))
			return Status::MMU_FAULT;
		view.view = chunk->aperture(view.address, bytes_);
		return Status::OK;
	}

private:
	void *const address_;
	const uint64_t bytes_;
	const uint32_t access_;
	bool is_programs_;
	bool is_registered_;
};

/* Translates the status of a copy: an error for which a call would be refused becomes a fault of the task. */
Status end_of(Status status)
{
	return status == Status::INVALID_ARGUMENT ? Status::MMU_FAULT : status;
}

class HostCopy final : public HostWork {
public:
	HostCopy(const Box &box, uint64_t dst_bytes, uint64_t src_bytes)
		: box_(box), dst_(box.dst, dst_bytes, UNPU_ACCESS_WRITE),
		  src_(const_cast<void *>(box.src), src_bytes, UNPU_ACCESS_READ)
	{
	}

	Status run() const override
	{
		HostView to;
		HostView from;
		RegistrationUse written;
		RegistrationUse read;
		TRY(dst_.view(to, written));
		TRY(src_.view(from, read));
		return end_of(copy_rows(box_, to, from));
	}

	const Box &box() const { return box_; }

private:
	const Box box_;
	const End dst_;
	const End src_;
};

class HostFill final : public HostWork {
public:
	HostFill(void *dst, uint64_t bytes, uint32_t pattern, uint32_t width)
		: dst_(dst), bytes_(bytes), pattern_(pattern), width_(width)
	{
	}

	Status run() const override
	{
		RegistrationUse use;
		TRY(use.begin(dst_, bytes_, UNPU_ACCESS_WRITE));
		return end_of(fill_bytes(host_view(dst_), bytes_, pattern_, width_));
	}

	unpu_fill fill() const { return {number(dst_), bytes_, pattern_, width_, 0}; }

private:
	void *const dst_;
	const uint64_t bytes_;
	const uint32_t pattern_;
	const uint32_t width_;
};

class StagedCopy final : public HostWork {
public:
	StagedCopy(void *dst, std::unique_ptr<std::byte[]> data, uint64_t bytes)
		: dst_(dst, bytes, UNPU_ACCESS_WRITE), start_(number(dst)), data_(std::move(data)),
		  bytes_(bytes)
	{
	}

	Status run() const override
	{
		HostView to;
		RegistrationUse written;
		TRY(dst_.view(to, written));
		return end_of(move_bytes(to, 0, host_view(data_.get()), 0, bytes_));
	}

	unpu_fill fill() const { return {start_, bytes_, 0, 1, 0}; }

private:
	const End dst_;
	const uint64_t start_;
	const std::unique_ptr<std::byte[]> data_;
	const uint64_t bytes_;
};

} // namespace

Result<std::shared_ptr<const HostWork>> staged_copy(void *dst, const HostView &from, uint64_t bytes)
{
	std::unique_ptr<std::byte[]> data(new (std::nothrow) std::byte[bytes]);
	if (!data)
		return set_error(
			Status::NO_MEMORY,
			fmt::format("there is no memory for the {} bytes of a copy that is "
				    "staged; copy less at a time",
				    bytes));
	TRY(move_bytes(host_view(data.get()), 0, from, 0, bytes));
	return std::shared_ptr<const HostWork>(
		std::make_shared<StagedCopy>(dst, std::move(data), bytes));
}

Result<std::shared_ptr<const HostWork>> host_copy(const Box &box)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(reaches_of(box, dst_bytes, src_bytes));
	return std::shared_ptr<const HostWork>(
		std::make_shared<HostCopy>(box, dst_bytes, src_bytes));
}

std::shared_ptr<const HostWork> host_fill(void *dst, uint64_t bytes, uint32_t pattern,
					  uint32_t width)
{
	return std::make_shared<HostFill>(dst, bytes, pattern, width);
}

bool find_copied(const HostWork &work, Box &box)
{
	const auto *copy = dynamic_cast<const HostCopy *>(&work);
	if (copy)
		box = copy->box();
	return copy;
}

bool find_filled(const HostWork &work, unpu_fill &fill)
{
	const auto *made = dynamic_cast<const HostFill *>(&work);
	const auto *staged = made ? nullptr : dynamic_cast<const StagedCopy *>(&work);
	if (made)
		fill = made->fill();
	else if (staged)
		fill = staged->fill();
	return made || staged;
}

} // namespace umd
