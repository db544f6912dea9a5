// SPDX-License-Identifier: MIT
/**
 * DOC: Ordering
 *
 * The only memory barriers in the tree. Every word that two threads or two processes share is read
 * and written through these functions, and each use names its pair of the table in
 * Documentation/synchronization.rst (R1/A1, R2/A2, R3/A3, D1, D2, B0 and others).
 *
 * light_fence() and heavy_fence() are the two sides of a store-load fence (Dekker): the side that
 * runs often passes the light one, the side that is about to sleep pays the heavy one. Where the
 * kernel offers membarrier the light side costs nothing; elsewhere both are full fences.
 *
 * A pair has a scope. Inside one process it uses the private membarrier, which reaches the threads of
 * that process. Between processes it uses the global membarrier, which reaches every registered process.
 * At the handshake both processes tell whether they could register; if either could not, both sides use
 * full fences.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace base {

static_assert(std::atomic_ref<uint64_t>::is_always_lock_free);
static_assert(std::atomic_ref<uint32_t>::is_always_lock_free);

/** load_acquire() - if it reads a value of store_release(), the writer's earlier stores are visible. */
template <class T> inline T load_acquire(const T &word)
{
	return std::atomic_ref<T>(const_cast<T &>(word)).load(std::memory_order_acquire);
}

/** load_relaxed() - one atomic load without ordering. */
template <class T> inline T load_relaxed(const T &word)
{
	return std::atomic_ref<T>(const_cast<T &>(word)).load(std::memory_order_relaxed);
}

/** store_release() - publishes all earlier stores to a thread whose load_acquire() reads this value. */
template <class T> inline void store_release(T &word, T value)
{
	std::atomic_ref<T>(word).store(value, std::memory_order_release);
}

/** store_relaxed() - one atomic store without ordering. */
template <class T> inline void store_relaxed(T &word, T value)
{
	std::atomic_ref<T>(word).store(value, std::memory_order_relaxed);
}

/** fetch_add() - atomic add with acquire and release; returns the old value. */
template <class T> inline T fetch_add(T &word, T value)
{
	return std::atomic_ref<T>(word).fetch_add(value, std::memory_order_acq_rel);
}

/** exchange() - atomic swap with acquire and release; returns the old value. */
template <class T> inline T exchange(T &word, T value)
{
	return std::atomic_ref<T>(word).exchange(value, std::memory_order_acq_rel);
}

/** compare_exchange() - true when @word held @expected and now holds @value. */
template <class T> inline bool compare_exchange(T &word, T expected, T value)
{
	return std::atomic_ref<T>(word).compare_exchange_strong(expected, value,
								std::memory_order_acq_rel);
}

/** full_fence() - orders earlier stores before later loads. */
inline void full_fence()
{
#if defined(UNPU_TSAN)
	/* TSan models read-modify-write operations, but not fences. */
	static constinit std::atomic<uint32_t> word{0};
	word.fetch_add(1, std::memory_order_seq_cst);
#else
	std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/**
 * class NoteOrder - tells TSan that a scope of this kind happens before every scope that begins after it
 * ends. The real order comes from words in memory that is mapped at two addresses, and TSan tracks memory
 * by address. TSan still reports races between scopes that overlap in time.
 */
class NoteOrder {
public:
#if defined(UNPU_TSAN)
	NoteOrder()
	{
		full_fence();
	}
	~NoteOrder()
	{
		full_fence();
	}
#else
	~NoteOrder() {}
#endif
};

/** enum class FenceScope - how far the heavy side of a store-load pair reaches. */
enum class FenceScope : uint32_t {
	NONE = 0,    /* nowhere: both sides pass full fences */
	PROCESS = 1, /* the threads of this process */
	MACHINE = 2, /* the threads of every process that called join_machine_fences() */
};

/** heavy_fence_available() - whether this process may use membarrier; registers it on first use. */
inline bool heavy_fence_available()
{
#if defined(BASE_NO_MEMBARRIER)
	/* The litmus tests are also built as if the kernel had no membarrier. */
	return false;
#else
	static constinit std::atomic<int> state{-1};
	int known = state.load(std::memory_order_relaxed);
	if (known < 0) {
		long rc = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
		known = rc == 0 ? 1 : 0;
		state.store(known, std::memory_order_relaxed);
	}
	return known != 0;
#endif
}

/** process_scope() - the scope of pairs whose sides are threads of this process. */
inline FenceScope process_scope()
{
	return heavy_fence_available() ? FenceScope::PROCESS : FenceScope::NONE;
}

/** join_machine_fences() - registers this process for the heavy fences of other processes. A pair may use
 * FenceScope::MACHINE if both of its processes are registered. Return: false if the kernel or a seccomp
 * filter refuses. */
inline bool join_machine_fences()
{
#if defined(BASE_NO_MEMBARRIER)
	return false;
#else
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
#endif
}

/** light_fence() - the frequent side of a store-load pair (D1: submitter, D2: signaller).
 * @scope: what both sides of the pair agreed on. */
inline void light_fence(FenceScope scope = process_scope())
{
	if (scope != FenceScope::NONE)
		std::atomic_signal_fence(std::memory_order_seq_cst);
	else
		full_fence();
}

/** visit_all_cpus() - the heavy fence for a process in which membarrier stopped working after both sides
 * had agreed on it, for example through a new seccomp filter. The calling thread runs on every CPU in
 * turn; each context switch is a full fence on that CPU. Slow. Aborts if the kernel refuses this too:
 * without the fence, wake-ups get lost and two threads can hold one lock. */
void visit_all_cpus(FenceScope scope);

/** heavy_fence() - the sleeping side of a store-load pair (D1: device, D2: waiter).
 * @scope: what both sides of the pair agreed on. */
inline void heavy_fence(FenceScope scope = process_scope())
{
	if (scope != FenceScope::NONE) {
		int command = scope == FenceScope::PROCESS ? MEMBARRIER_CMD_PRIVATE_EXPEDITED
							   : MEMBARRIER_CMD_GLOBAL_EXPEDITED;
		if (syscall(SYS_membarrier, command, 0, 0) != 0) [[unlikely]]
			visit_all_cpus(scope);
	}
	full_fence();
}

/** store_fence() - orders earlier stores before later stores (T1: a ring's writer). */
inline void store_fence()
{
#if !defined(UNPU_TSAN)
	/* TSan does not model fences; under TSan atomic accesses keep their order anyway. */
	std::atomic_thread_fence(std::memory_order_release);
#endif
}

/** load_fence() - orders earlier loads before later loads (T1: the thread that copies a trace ring). */
inline void load_fence()
{
#if !defined(UNPU_TSAN)
	std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

/** cpu_relax() - hints to the CPU that this is a polling loop. */
inline void cpu_relax()
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	asm("isb");
#endif
}

} // namespace base
