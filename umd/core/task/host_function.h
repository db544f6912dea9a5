// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"

namespace umd {

/**
 * class HostWork - work of the runtime itself that a stream or a graph does on the host. A thread of its own
 * runs it, so that it does not wait for functions of the program.
 */
class HostWork {
public:
	virtual ~HostWork() = default;

	/** run() - Context: a thread of the runtime, no lock held; the stream waits for the return. One object
	 * may run several times, also at once. Return: OK, or the task fails. */
	virtual base::Status run() const = 0;

	/** is_brief() - whether run() neither waits nor takes long, so that a thread that polls may run it. */
	virtual bool is_brief() const { return false; }
};

/** struct HostFunction - a function of the program that a stream or a graph calls. */
struct HostFunction {
	/** enum class By - the thread that runs it: the runtime's, or one that is subscribed to the
	 * stream. */
	enum class By : uint8_t { RUNTIME, REPORT_THREAD, HOST_FUNC_THREAD };

	void (*fn)(void *) = nullptr;
	void *args = nullptr;
	uint64_t stream = 0; /* handle of the stream whose thread runs it */
	By by = By::RUNTIME;
	bool holds = true;	   /* the stream waits until the function returns */
	bool is_permanent = false; /* registered until remove(), for graphs; else it runs once */
	std::shared_ptr<const HostWork> work = nullptr; /* runs instead of @fn */
	uint64_t traced = 0;				/* its number in the trace; 0: none */
};

} // namespace umd
