// SPDX-License-Identifier: MIT
/**
 * DOC: Highway's choice of instruction sets
 *
 * Highway is headers, but for the functions by which a program chooses among the loops that were compiled. They are
 * here, because the library that has them measures the timer when it is loaded. That took a third of the time of a
 * short program, and an instruction that valgrind does not know. The names and types are of Highway 1.0;
 * base/CMakeLists.txt takes the library with any other.
 *
 * x86 has the sets that Highway compiles by default. Other architectures take their baseline.
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
/* lzcnt and f16c, which clang 14 has no names for. */
static bool has_conversions()
{
	unsigned a = 0, b = 0, c = 0, d = 0;
	const bool has_f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
	return has_f16c && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* __builtin_cpu_supports() asks the kernel's mask too, which says whether it saves the wide registers. */
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

/* Highway's own asserts end here; builds with them are those for debugging. */
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
