// SPDX-License-Identifier: MIT
/**
 * DOC: oneDNN
 */
#include "library.h"

extern "C" void omp_set_num_threads(int threads);

namespace bench {

const dnnl::engine &onednn_engine()
{
	static const auto *engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
	return *engine;
}

const Primitive &Primitives::find(int64_t count)
{
	const std::lock_guard lock(mutex_);
	const std::pair key(std::this_thread::get_id(), count);
	auto found = made_.find(key);
	if (found == made_.end())
		found = made_.emplace(key, make_(count)).first;
	return found->second;
}

void Primitives::run(int64_t count, const std::vector<void *> &places)
{
	omp_set_num_threads(1); /* of this thread */
	const Primitive &found = find(count);
	dnnl::stream stream(onednn_engine());
	std::unordered_map<int, dnnl::memory> arguments;
	for (size_t i = 0; i < places.size(); i++)
		arguments.emplace(
			found.arguments[i].first,
			dnnl::memory(found.arguments[i].second, onednn_engine(), places[i]));
	found.primitive.execute(stream, arguments);
}

} // namespace bench
