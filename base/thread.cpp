// SPDX-License-Identifier: MIT
/**
 * DOC: The end of a thread
 *
 * What a thread keeps for itself goes back when it ends. A key of the C library does it, not a
 * destructor: those of thread-local objects run before the program's own, which may still call us.
 */
#include "base/thread.h"

namespace base {

static thread_local constinit AtThreadExit *first = nullptr;

/* The C library calls again if a hook was added meanwhile. */
static void run_hooks(bool in_fork)
{
	while (AtThreadExit *hook = first) {
		first = hook->next;
		hook->wanted = false;
		hook->run(*hook, in_fork);
	}
}

static void end_thread(void *)
{
	run_hooks(false);
}

void forget_thread_exit()
{
	run_hooks(true);
}

struct Key {
	pthread_key_t key;
	bool made;
};

static Key make_key()
{
	Key key{};
	key.made = pthread_key_create(&key.key, end_thread) == 0;
	return key;
}

bool at_thread_exit(AtThreadExit &hook)
{
	static const Key key = make_key();
	if (hook.wanted)
		return true;
	if (!key.made || pthread_setspecific(key.key, &first) != 0)
		return false;
	hook.wanted = true;
	hook.next = first;
	first = &hook;
	return true;
}

} // namespace base
