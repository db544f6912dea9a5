// SPDX-License-Identifier: MIT
/**
 * DOC: Devices of one process
 *
 * Which devices may reach which others' memory. A program says so before or after it has set the other
 * device, so it is kept until both are open.
 */
#include <fmt/format.h>

#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

using base::Status;

static uint32_t bit(const DeviceState &state)
{
	return 1u << state.index;
}

void Runtime::link(DeviceState &state, DeviceState &peer)
{
	drv::Device *device = state.device_;
	drv::Device *other = peer.device_;
	if (state.peers & bit(peer) && device && other)
		device->peers().enable(*other);
}

void Runtime::link_peers(DeviceState &state)
{
	for (DeviceState &other : devices_) {
		link(state, other);
		link(other, state);
	}
}

Status Runtime::can_access_peer(int32_t index, int32_t peer, bool &reachable)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	TRY(check_index(peer));
	reachable = index != peer;
	return Status::OK;
}

Status Runtime::enable_peer(Context &context, int32_t peer)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(peer));
	DeviceState &other = devices_[static_cast<unsigned>(peer)];
	context.state->peers |= bit(other);
	link(*context.state, other);
	return Status::OK;
}

Status Runtime::disable_peer(Context &context, int32_t peer)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(peer));
	DeviceState &other = devices_[static_cast<unsigned>(peer)];
	context.state->peers &= ~bit(other);
	if (drv::Device *device = other.device_)
		(void)context.device().peers().disable(*device);
	return Status::OK;
}

Status Runtime::check_peer_range(const void *start, uint64_t bytes, int32_t user)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(user));
	drv::Place place;
	auto address = reinterpret_cast<uint64_t>(start);
	const DeviceHold device = locate(start, place);
	if (!device || place != drv::Place::DEVICE || !device->memory().covers(address, bytes))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("devPtr {}: the {} bytes from there are not inside one live "
				    "allocation of a device",
				    fmt::ptr(start), bytes));
	DeviceState *home = &device.state();
	DeviceState &state = devices_[static_cast<unsigned>(user)];
	if (&state == home)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("dstDevId is {}, the device that has the memory; name "
					     "another one",
					     user));
	if (!(state.peers & bit(*home)) && !(home->peers & bit(state)))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("device {} may not reach the memory of device {}; call "
				    "aclrtDeviceEnablePeerAccess first",
				    user, home->index));
	/* Whole chunks were mapped when the two met, or will be; reserved addresses are not. */
	drv::Device *peer = state.device_;
	if (peer && state.peers & bit(*home) &&
	    !peer->peers().reaches(address, bytes, place, UNPU_ACCESS_READ))
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("devPtr {} is memory that was mapped by aclrtMapMem, which "
				    "other devices do not reach; use aclrtMalloc",
				    fmt::ptr(start)));
	return Status::OK;
}

Status Runtime::peer_enabled(int32_t index, int32_t peer, bool &enabled)
{
	std::lock_guard lock(mutex_);
	if (check_index(index) != Status::OK || check_index(peer) != Status::OK)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("deviceId is {}, peerDeviceId is {}; one of them is not "
				    "a device",
				    index, peer));
	enabled = devices_[static_cast<unsigned>(index)].peers &
		  bit(devices_[static_cast<unsigned>(peer)]);
	return Status::OK;
}

} // namespace umd
