// SPDX-License-Identifier: MIT
/**
 * DOC: Devices of one process
 *
 * Which devices may access the device memory of which other devices. A program may enable the access before
 * the other device is open; the setting is stored and takes effect when both are open. All devices access the
 * pinned memory of all others, and the host copies between the device memories of any two in the order of a stream.
 */
#include <fmt/format.h>

#include "devices.h"
#include "drv/device.h"
#include "open_device.h"
#include "umd/core/process/error.h"
#include "visitors.h"

namespace umd {

using base::Status;

static uint32_t bit(const DeviceState &state)
{
	return 1u << state.index;
}

void Devices::link(DeviceState &state, DeviceState &peer)
{
	drv::Device *device = state.device_;
	drv::Device *other = peer.device_;
	if (&state == &peer || !device || !other)
		return;
	device->peers().meet(*other);
	if (state.peers & bit(peer))
		device->peers().enable(*other);
	if (state.lenders & bit(peer))
		device->peers().enable_lent(*other, bit(state));
}

void Devices::link_peers(DeviceState &state)
{
	for (DeviceState &other : states_) {
		link(state, other);
		link(other, state);
	}
}

Status Devices::can_access_peer(int32_t index, int32_t peer, bool &reachable)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	TRY(check_index(peer));
	reachable = index != peer;
	return Status::OK;
}

Status Devices::enable_peer(OpenDevice &open, int32_t peer)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(peer));
	DeviceState &other = at(peer);
	open.state.peers |= bit(other);
	link(open.state, other);
	return Status::OK;
}

uint32_t Devices::lend(int32_t home, int32_t user)
{
	std::lock_guard lock(mutex_);
	DeviceState &state = at(user);
	state.lenders |= bit(at(home));
	link(state, at(home));
	return bit(state);
}

Status Devices::disable_peer(OpenDevice &open, int32_t peer)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(peer));
	DeviceState &other = at(peer);
	open.state.peers &= ~bit(other);
	if (drv::Device *device = other.device_)
		(void)open.device->peers().disable(*device);
	return Status::OK;
}

Status Devices::check_peer_range(const void *start, uint64_t bytes, int32_t user)
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
	DeviceState &state = at(user);
	if (&state == home)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("dstDevId is {}, the device that has the memory; name "
					     "another one",
					     user));
	if (!(state.peers & bit(*home)) && !(home->peers & bit(state)))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("device {} may not reach the memory of device {}; call "
				    "$device_enable_peer_access first",
				    user, home->index));
	/* A device maps the whole chunks of its peer, now or when both are open, but no reserved addresses. */
	drv::Device *peer = state.device_;
	if (peer && state.peers & bit(*home) &&
	    !peer->peers().reaches(address, bytes, place, UNPU_ACCESS_READ))
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("devPtr {} is memory that was mapped by $map_mem, which "
				    "other devices do not reach; use $malloc",
				    fmt::ptr(start)));
	return Status::OK;
}

drv::Fence Devices::fence_at(drv::Device &home, drv::Device &other, const drv::Fence &fence)
{
	auto here = home.peers().follow(other, fence);
	if (here)
		return *here;
	(void)other.wait(fence, base::NO_DEADLINE);
	return {};
}

bool Visitors::visits(const OpenDevice &user, const void *address, uint64_t bytes, uint32_t access)
{
	drv::Place place;
	const auto value = reinterpret_cast<uint64_t>(address);
	const DeviceHold home = Devices::get().locate(address, place);
	if (!home || place != drv::Place::DEVICE || home.holds(*user.device) ||
	    !home->memory().covers(value, bytes, access))
		return false;
	users_[static_cast<unsigned>(home.state().index)] |= bit(user.state);
	return true;
}

/* Whether @other may use memory of @home at @address. For device memory only tasks that the host performs
 * count (visitors.h): what the device itself accesses is the program's matter, by enable_peer(). */
static bool is_user(const DeviceHold &home, const DeviceHold &other, uint64_t address)
{
	if (home->space().place(address) == drv::Place::DEVICE)
		return Visitors::get().to(home.state()) & bit(other.state());
	return other->peers().maps_host_memory(*home, address);
}

std::vector<drv::Fence> Devices::fences_of_users(const DeviceHold &home, const void *address)
{
	const auto value = reinterpret_cast<uint64_t>(address);
	std::vector<drv::Fence> fences;
	if (Visitors::get().to(home.state()) == 0 &&
	    home->space().place(value) == drv::Place::DEVICE)
		return fences;
	for (const DeviceState &state : states_) {
		const DeviceHold other(state);
		if (!other || other.holds(*home) || !is_user(home, other, value))
			continue;
		for (const drv::Fence &fence : other->pending_fences()) {
			const drv::Fence here = fence_at(*home, *other, fence);
			if (!here.empty())
				fences.push_back(here);
		}
	}
	return fences;
}

Status Devices::peer_enabled(int32_t index, int32_t peer, bool &enabled)
{
	std::lock_guard lock(mutex_);
	if (check_index(index) != Status::OK || check_index(peer) != Status::OK)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("deviceId is {}, peerDeviceId is {}; the devices are 0 to {}",
				    index, peer, visible_.count() - 1));
	enabled = at(index).peers & bit(at(peer));
	return Status::OK;
}

} // namespace umd
