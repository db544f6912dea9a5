// SPDX-License-Identifier: MIT
/**
 * DOC: oneDNN
 *
 * Its primitives, called by several threads, each of which does a part alone.
 */
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

namespace bench {

/** onednn_engine() - of the CPU. */
const dnnl::engine &onednn_engine();

/** struct Primitive - with the arguments that it takes, in the order of Primitives::run(). */
struct Primitive {
	dnnl::primitive primitive;
	std::vector<std::pair<int, dnnl::memory::desc>> arguments;
};

/** class Primitives - one for each size of a part, and for each thread: a primitive has memory of its own. */
class Primitives {
public:
	explicit Primitives(std::function<Primitive(int64_t count)> make) : make_(std::move(make))
	{
	}

	/** run() - does @count units. @places: where the arguments begin. Context: any thread. */
	void run(int64_t count, const std::vector<void *> &places);

private:
	const Primitive &find(int64_t count);

	std::function<Primitive(int64_t count)> make_;
	std::mutex mutex_;
	std::map<std::pair<std::thread::id, int64_t>, Primitive> made_;
};

} // namespace bench
