// SPDX-License-Identifier: MIT
/**
 * DOC: Functions whose instructions are checked
 *
 * instructions.py compiles this file for AArch64 and compares the instructions of each function with those that the
 * litmus tests assume. It is never run.
 */
#include "base/sync/ordering.h"

extern "C" {

uint64_t load(const uint64_t &word)
{
	return word;
}
uint64_t load_relaxed(const uint64_t &word)
{
	return base::load_relaxed(word);
}
uint64_t load_acquire(const uint64_t &word)
{
	return base::load_acquire(word);
}
uint64_t load_seq(const std::atomic<uint64_t> &word)
{
	return word.load();
}
void store(uint64_t &word, uint64_t value)
{
	word = value;
}
void store_relaxed(uint64_t &word, uint64_t value)
{
	base::store_relaxed(word, value);
}
void store_release(uint64_t &word, uint64_t value)
{
	base::store_release(word, value);
}
void store_seq(std::atomic<uint64_t> &word, uint64_t value)
{
	word.store(value);
}
uint64_t fetch_add(uint64_t &word, uint64_t value)
{
	return base::fetch_add(word, value);
}
uint64_t exchange(uint64_t &word, uint64_t value)
{
	return base::exchange(word, value);
}
bool compare_exchange(uint64_t &word, uint64_t expected, uint64_t value)
{
	return base::compare_exchange(word, expected, value);
}
void full_fence()
{
	base::full_fence();
}
void store_fence()
{
	base::store_fence();
}
void load_fence()
{
	base::load_fence();
}
void light_fence()
{
	base::light_fence(base::FenceScope::PROCESS);
}
void light_fence_without_membarrier()
{
	base::light_fence(base::FenceScope::NONE);
}
/* The compiler keeps the order of a light side, though no instruction does. */
uint64_t light_side(uint64_t &mine, const uint64_t &theirs)
{
	base::store_relaxed(mine, uint64_t{1});
	base::light_fence(base::FenceScope::PROCESS);
	return base::load_relaxed(theirs);
}
void cpu_relax()
{
	base::cpu_relax();
}
}
