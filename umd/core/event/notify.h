// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/result.h"
#include "drv/packet/packets.h"
#include "umd/core/object/notify_object.h"

namespace umd {

struct Context;
struct Stream;

constexpr uint32_t NOTIFY_DEVICE_USE_ONLY = 1;

/** create_notify() - creates it on the context's device. @counter: any value is possible, else 0 or 1.
 * Return: INVALID_ARGUMENT for unknown @flags, NO_NOTIFY. */
base::Result<Notify *> create_notify(Context &context, bool counter, uint64_t flags);

/** destroy_notify() - never blocks; queued tasks that use it still run.
 * Return: false if another thread destroyed it first, so that @handle is stale. */
bool destroy_notify(Notify &notify, const void *handle);

/** record_notify() - appends a task to @stream that does @op with @value.
 * Return: INVALID_ARGUMENT for DEVICE_USE_ONLY; INVALID_HANDLE when its device was reset. */
base::Status record_notify(Notify &notify, Stream &stream, unpu_signal_op op, uint32_t value);

/** wait_notify() - makes the next task of @stream wait. @wait: the condition, without the semaphore.
 * Return: as record_notify(); INVALID_ARGUMENT on another device than the notify lives on. */
base::Status wait_notify(Notify &notify, Stream &stream, unpu_sem_wait wait);

/** clear_notify() - sets the notify to 0 from the host; waits for no stream. */
base::Status clear_notify(Notify &notify);

/** export_notify() - a key for other processes. Each call returns the same key.
 * @any_process: any process may import it, else those of allow_notify()
 * Return: INVALID_ARGUMENT for an imported one, QUOTA. */
base::Result<unpu_export_key> export_notify(Notify &notify, bool any_process);

/** allow_notify() - allows processes to import. Return: INVALID_ARGUMENT if it was not exported, QUOTA. */
base::Status allow_notify(Notify &notify, std::span<const uint32_t> pids);

/** import_notify() - opens a notify of another process. Return: NOT_SUPPORTED, SAME_PROCESS, NOT_SHARED,
 * NOT_ALLOWED, NO_NOTIFY. */
base::Result<Notify *> import_notify(Context &context, const unpu_export_key &key);

} // namespace umd
