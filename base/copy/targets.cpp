// SPDX-License-Identifier: MIT
/**
 * DOC: Highway's choice of instruction sets
 *
 * Highway consists of headers, except for the functions by which a program chooses one of the compiled
 * variants of a loop. These functions are defined here, so that the library of Highway is not needed. That
 * library measures the timer when it is loaded. The measurement took a third of the time of a short program,
 * and it uses an instruction that valgrind does not know. The names and types are those of Highway 1.0. With
 * any other version, base/CMakeLists.txt links the library instead.
 *
 * On x86 the instruction sets are those that Highway compiles by default. On other architectures only the
 * baseline is used.
 */
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <hwy/base.h>
#include <hwy/targets.h>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace hwy {

#if HWY_ARCH_X86
/* The bits of lzcnt and f16c in CPUID. clang 14 has no names for them. */
static bool has_conversions()
{
	unsigned a = 0, b = 0, c = 0, d = 0;
	const bool has_f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
	return has_f16c && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* __builtin_cpu_supports() also checks XCR0, by which the kernel allows the wide registers that it saves. */
static int64_t find_targets()
{
	__builtin_cpu_init();
	int64_t found = HWY_STATIC_TARGET;
	if (!__builtin_cpu_supports("ssse3"))
		return found;
	found |= HWY_SSSE3;
	if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
	    !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes"))
		return found;
	found |= HWY_SSE4;
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
	    !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") || !has_conversions())
		return found;
	found |= HWY_AVX2;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512bw"))
		found |= HWY_AVX3;
	return found;
}
#else
static int64_t find_targets()
{
	return HWY_STATIC_TARGET;
}
#endif

int64_t SupportedTargets()
{
	static const int64_t found = find_targets();
	return found;
}

ChosenTarget &GetChosenTarget()
{
	static constinit ChosenTarget chosen;
	return chosen;
}

/* Highway's own assertions call this function. Only builds for debugging have them. */
void Abort(const char *file, int line, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "%s:%d: ", file, line);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	abort();
}

} // namespace hwy
