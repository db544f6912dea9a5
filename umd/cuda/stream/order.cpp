// SPDX-License-Identifier: MIT
/**
 * DOC: Order between the legacy stream and the blocking streams
 */
#include "order.h"

namespace umd::cuda {

/* Calls @visit for each stream that takes turns with @legacy. */
template <class F> static void for_others(Stream &legacy, F visit)
{
	std::lock_guard lock(legacy.context->mutex);
	for (Stream *stream : legacy.context->streams) {
		if (stream->takes_turns && stream->channel)
			visit(*stream);
	}
}

bool others_done(Stream &legacy)
{
	drv::Device &device = legacy.context->device();
	bool are_done = true;
	for_others(legacy, [&](Stream &stream) {
		are_done = are_done && device.done(stream.channel->last());
	});
	return are_done;
}

void Turn::begin()
{
	drv::Device &device = legacy_->context->device();
	for_others(*legacy_, [&](Stream &stream) {
		drv::Fence last = stream.channel->last();
		if (!device.done(last))
			add_gate(*legacy_, last);
	});
}

void Turn::end()
{
	drv::Device &device = legacy_->context->device();
	drv::Fence last = legacy_->channel->last();
	if (device.done(last))
		return;
	for_others(*legacy_, [&](Stream &stream) { add_gate(stream, last); });
}

} // namespace umd::cuda
