// SPDX-License-Identifier: MIT
/**
 * DOC: A thread's stack of contexts and its own streams
 *
 * A thread's own streams are destroyed when the thread ends, as if by cuStreamDestroy(). The device still
 * completes their work.
 */
#include "thread.h"

#include <pthread.h>

#include "umd/core/stream/stream.h"

namespace umd::cuda {

static void take_down(void *objects)
{
	auto *mine = static_cast<ThreadObjects *>(objects);
	for (const ThreadObjects::OwnStream &own : mine->streams) {
		const auto *handle = reinterpret_cast<const void *>(own.stream);
		Stream *stream = Stream::table().get(handle);
		if (!stream)
			continue;
		/* A capturing stream is not detached. */
		leave_sinks(*stream);
		(void)detach_stream(*stream, handle);
	}
	delete mine;
}

static pthread_key_t make_key()
{
	pthread_key_t key;
	pthread_key_create(&key, take_down);
	return key;
}

ThreadObjects &thread_objects()
{
	static const pthread_key_t key = make_key();
	void *mine = pthread_getspecific(key);
	if (!mine) {
		mine = new ThreadObjects;
		pthread_setspecific(key, mine);
	}
	return *static_cast<ThreadObjects *>(mine);
}

} // namespace umd::cuda
