// SPDX-License-Identifier: MIT
/**
 * DOC: The end of a thread
 *
 * Runs a thread's exit hooks, which free its thread-local state. A pthread key calls them, not a C++
 * destructor: our thread-local destructors could run before those of the program, which may still call
 * this library.
 */
#include "thread.h"

namespace base {

static thread_local constinit AtThreadExit *first = nullptr;

/* If a hook adds another one, at_thread_exit() sets the key again and the C library calls this again. */
static void run_hooks(bool in_fork)
{
	while (AtThreadExit *hook = first) {
		first = hook->next;
		hook->is_wanted = false;
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
	if (hook.is_wanted)
		return true;
	if (!key.made || pthread_setspecific(key.key, &first) != 0)
		return false;
	hook.is_wanted = true;
	hook.next = first;
	first = &hook;
	return true;
}

} // namespace base
