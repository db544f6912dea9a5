// SPDX-License-Identifier: MIT
/**
 * DOC: Device addresses that the host reads or writes
 *
 * Device memory is not mapped at its address for the host, so a program that uses such an address as a pointer gets a
 * SIGSEGV, as it would with hardware. The handler says which memory it is and what to call. Then the signal takes its
 * earlier action.
 */
#include "fault.h"

#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "drv/attachment/address_space.h"
#include "nearest.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/owned.h"
#include "umd/core/process/words.h"

namespace umd::check {

static struct sigaction earlier;

static std::string explain(const void *address)
{
	const auto *devices = Process::find<Devices>();
	drv::Place place = drv::Place::OUTSIDE;
	const DeviceHold device = devices ? Devices::get().locate(address, place) : DeviceHold();
	if (place != drv::Place::DEVICE)
		return {};
	std::string memory = OwnedObjects::get().find(reinterpret_cast<uint64_t>(address));
	if (memory.empty())
		memory = tell_no_start(device, reinterpret_cast<uint64_t>(address));
	return expand_words(fmt::format(
		"unpu: UNPU_CHECK: SIGSEGV: the program used {} as a pointer, which is an address "
		"of "
		"device {}: {}. The host can't access device memory; copy it with $memcpy, or use "
		"memory of $malloc_host\n",
		address, device.state().index, memory));
}

/* The handler calls functions that allocate memory, which a signal handler should not do. Here that does no
 * further harm, because the process is about to end. */
static void handle(int signal, siginfo_t *info, void *)
{
	const std::string text = explain(info->si_addr);
	const ssize_t written = base::calls::write(STDERR_FILENO, text.data(), text.size());
	(void)written;
	/* The instruction runs again, and the signal takes the earlier action. */
	(void)sigaction(signal, &earlier, nullptr);
}

void explain_faults()
{
	struct sigaction wanted {};
	wanted.sa_sigaction = handle;
	wanted.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&wanted.sa_mask);
	static const bool is_explained = [&] {
		return sigaction(SIGSEGV, &wanted, &earlier) == 0;
	}();
	(void)is_explained;
}

} // namespace umd::check
