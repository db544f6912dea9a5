/* SPDX-License-Identifier: MIT */
/*
 * DOC: Spin lock
 *
 * Of the checks, whose critical sections are short. <atomic> would cost each kernel a tenth of a second to compile.
 */
#ifndef UNPU_ASCENDC_CORE_SPIN_LOCK_H
#define UNPU_ASCENDC_CORE_SPIN_LOCK_H

namespace unpu::lang {

struct SpinLock {
	bool is_taken;

	void lock()
	{
		while (__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE))
			;
	}
	void unlock() { __atomic_clear(&is_taken, __ATOMIC_RELEASE); }
};

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CORE_SPIN_LOCK_H */
