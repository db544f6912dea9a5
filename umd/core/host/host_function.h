// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace umd {

/** struct HostFunction - a function of the program that a stream or a graph calls. */
struct HostFunction {
	/** enum class By - the thread that runs it: the runtime's, or one that is subscribed to the
	 * stream. */
	enum class By : uint8_t { RUNTIME, REPORT_THREAD, HOST_FUNC_THREAD };

	void (*fn)(void *) = nullptr;
	void *args = nullptr;
	uint64_t stream = 0; /* handle of the stream whose thread runs it */
	By by = By::RUNTIME;
	bool holds = true;	/* the stream waits until the function returns */
	bool permanent = false; /* registered until remove(), for graphs; else it runs once */
};

} // namespace umd
