// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "base/result.h"
#include "drv/packet/fence.h"
#include "umd/core/process/check.h"
#include "umd/core/process/process.h"

namespace umd {

struct Model;
struct Stream;

/** class GraphWatch - what strict mode does around the launch of a graph, for those who share memory with its nodes.
 * Context: strict mode is on. */
class GraphWatch {
public:
	static GraphWatch &get() { return Process::own<GraphWatch>(); }

	/** using Check - called before the launch. Return: not OK: the launch is refused, sentence set. */
	using Check = base::Status (*)(Model &model, Stream &stream);
	/** using Note - called after it. @end: of the launch */
	using Note = void (*)(Model &model, const Stream &stream, const drv::Fence &end);

	void set(Check before, Note after)
	{
		check_.store(before);
		note_.store(after);
	}

	base::Status check(Model &model, Stream &stream) const
	{
		const Check before = check_.load();
		return before ? before(model, stream) : base::Status::OK;
	}

	void note(Model &model, const Stream &stream, const drv::Fence &end) const
	{
		const Note after = note_.load();
		if (after)
			after(model, stream, end);
	}

private:
	std::atomic<Check> check_{nullptr};
	std::atomic<Note> note_{nullptr};
};

} // namespace umd
