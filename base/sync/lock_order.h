// SPDX-License-Identifier: MIT
#pragma once

namespace base {

/**
 * DOC: Order of locks
 *
 * The locks under which a thread may take another lock, by the names that they have as base::Mutex. A thread
 * that holds one of them takes only locks further down, or a lock that is not listed: such a lock is an inner
 * one, and its holder takes no lock at all. Documentation/architecture.rst says what each lock protects.
 */
constexpr const char *LOCK_ORDER[] = {
	"Registry::mutex",
	"acl dump",
	"Subscriptions::mutex",
	"cuda::initialise()",
	"Dumps::taking_",
	"Meetings::mutex_",
	"MeetingListener::thread_mutex_",
	"MeetingListener::mutex_",
	"Wire::opening_",
	"Comm::mutex",
	"Comms::thread_mutex_",
	"Comms::mutex_",
	"Flags::mutex_",
	"SendQueue::mutex_",
	"Process::mutex_",
	"Devices::mutex_",
	"TaskSink::mutex",
	"Context::mutex",
	"MultiExec::mutex_",
	"Model::lock",
	"Subscription::mutex_",
	"GraphExec::lock_",
	"Event::mutex",
	"Pools::mutex_",
	"Stream::gate_mutex",
	"Channel::requests_",
	"Channel::lock_",
	"Notify::mutex",
	"IpcEvent::mutex_",
	"IpcMemory::mutex_",
	"VirtualMemory::mutex_",
	"Registrations::mutex_",
	"Stager::mutex_",
	"HostCalls::mutex_",
	"CallListener::mutex_",
	"FunctionList::mutex_",
	"KernelPrinter::mutex_",
	"parting_mutex",
	"Peers::mutex_",
	"ReleasedMemory::mutex_",
	"Memory::mutex_",
	"AddressSpace::mutex_",
	"Mailbox::mutex_",
	"EmbeddedDevices::mutex",
	"Movers::mutex_",
	"Group::mutex_",
	"Engines::mutex_",
	"Storage::mutex_",
	"BackgroundWork::mutex_",
	"worker::Helper::mutex",
	"Supervisor::mutex_",
	"Workers::mutex_",
	/* Each of these locks protects only one list, so the page in the documentation does not list them one
	 * by one. */
	"Queues::mutex_",
	"TensorChannels::mutex_",
	"Buffers::mutex_",
	"Allocators::mutex",
	"Profiler::mutex_",
	"trace file_mutex",
	"references of user objects",
	"RetireList::mutex_",
};

} // namespace base
