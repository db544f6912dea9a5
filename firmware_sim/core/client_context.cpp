// SPDX-License-Identifier: MIT
/**
 * DOC: Context of a client
 */
#include "client_context.h"

#include <utility>

namespace fw {

ClientContext::ClientContext(Core &device, base::FenceScope scope, std::shared_ptr<Account> charged,
			     unpu_call_entry *queue)
	: core(device), account(std::move(charged)), fence(scope),
	  semaphores(device.inbox, device.config.quotas.semaphore_limit()), calls(queue, semaphores)
{
}

void ClientContext::stop_work(Waiter &waiter)
{
	/* BackgroundWork::disown() searches all its jobs, so it is not called for each line of a graph. */
	if (waiter.is_in_engine && !core.engines.disown(waiter))
		core.background.disown(waiter);
	if (waiter.is_in_storage)
		core.storage.cancel(waiter);
	if (waiter.is_in_worker)
		disown_kernel(waiter);
}

void ClientContext::forget(Waiter &waiter)
{
	if (waiter.parked_in)
		waiter.parked_in->unpark(waiter);
	core.timers.remove(waiter);
	calls.forget(waiter);
	stop_work(waiter);
	waiter.is_in_engine = false;
	waiter.is_in_storage = false;
	waiter.is_in_worker = false;
}

} // namespace fw
