/* SPDX-License-Identifier: MIT */
/*
 * DOC: Printing
 *
 * printf of kernels, and assertions. The text goes to the block's output, which the program prints when it
 * synchronises. With ASCENDC_DUMP=0 all of it compiles to nothing.
 */
#ifndef UNPU_ASCENDC_PRINT_PRINT_H
#define UNPU_ASCENDC_PRINT_PRINT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unpu_ascendc/core/services.h"
#include "unpu_ascendc/types/traits.h"

#ifndef ASCENDC_DUMP
#define ASCENDC_DUMP 1
#endif

namespace unpu::lang {

/* Converts an argument of a kernel's printf to what the C library's printf takes. */
template <class T> inline auto printable(const T &value)
{
	if constexpr (is_one_of<T, half, bfloat16_t>)
		return static_cast<double>(static_cast<float>(value));
	else if constexpr (std::is_same_v<T, AscendC::int4b_t>)
		return static_cast<int>(int8_t(value));
	else if constexpr (std::is_array_v<T>)
		return &value[0];
	else
		return value;
}

__attribute__((noinline)) inline int print_list(const char *format, va_list arguments)
{
	/* Host code in the same file calls this function when it calls printf(). */
	if (!services)
		return vprintf(format, arguments);
	char text[2048];
	const int length = vsnprintf(text, sizeof(text), format, arguments);

	if (length > 0)
		services->print(text,
				length < int(sizeof(text)) ? size_t(length) : sizeof(text) - 1);
	return length;
}

__attribute__((noinline)) inline int print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	const int length = print_list(format, arguments);

	va_end(arguments);
	return length;
}

/* What an argument is to the C library's printf: 'f' a floating-point number, 's' a pointer, 'd' an integer. */
template <class T> constexpr char kind_of_argument()
{
	return std::is_floating_point_v<T> ? 'f' : std::is_pointer_v<T> ? 's' : 'd';
}

inline bool fits(char conversion, char kind)
{
	if (strchr("fFeEgGaA", conversion))
		return kind == 'f';
	if (conversion == 's')
		return kind == 's';
	return kind != 'f';
}

/* The first argument that does not fit the format, from 1 on; 0: all fit, as the compiler checks it for the C library's
 * printf. @kinds: one letter for each argument. @conversion: the letter of the format that takes it; 0: there is no
 * such argument. */
__attribute__((noinline)) inline uint32_t find_misfit(const char *format, const char *kinds,
						      char *conversion)
{
	const uint32_t count = uint32_t(strlen(kinds));
	uint32_t used = 0;

	for (const char *at = strchr(format, '%'); at && at[1] != 0; at = strchr(at + 1, '%')) {
		for (at++; *at != 0 && strchr("-+ #0123456789.hlLqjzt*", *at); at++)
			if (*at == '*' && (++used > count || kinds[used - 1] != 'd'))
				return *conversion = used > count ? 0 : 'd', used;
		if (*at == 0)
			return 0;
		if (*at == '%')
			continue;
		if (++used > count || !fits(*at, kinds[used - 1]))
			return *conversion = used > count ? 0 : *at, used;
	}
	return 0;
}

/* Says what is wrong with a call of printf in place of its text, which would be any. */
__attribute__((noinline, cold)) inline int print_misfit(const char *format, char kind,
							uint32_t number, char conversion)
{
	const int length = int(strcspn(format, "\n"));

	if (conversion == 0)
		return print("[unpu: printf(\"%.*s\") has no argument %u]\n", length, format,
			     number);
	const char *given = kind == 'f'	  ? "a floating-point number"
			    : kind == 's' ? "a pointer"
					  : "an integer";

	return print("[unpu: argument %u of printf(\"%.*s\") is %s, which %%%c does not print]\n",
		     number, length, format, given, conversion);
}

/* printf of kernels. */
template <class... T> inline int print_checked(const char *format, const T &...arguments)
{
	static constexpr char KINDS[] = {kind_of_argument<T>()..., 0};
	char conversion = 0;

	if (const uint32_t number = services ? find_misfit(format, KINDS, &conversion) : 0)
		return print_misfit(format, KINDS[number - 1], number, conversion);
	return print(format, arguments...);
}

/* Ends the kernel because of an assertion. */
template <class... T>
[[noreturn]] __attribute__((noinline, cold)) inline void fail_assertion(const char *file,
									uint32_t line,
									const char *condition,
									const T &...text)
{
	char sentence[1024];
	int length = snprintf(sentence, sizeof(sentence), "[ASSERT] %s:%u: Assertion `%s' failed.",
			      file, line, condition);

	if constexpr (sizeof...(T) > 0) {
		const size_t used =
			length < int(sizeof(sentence)) ? size_t(length) : sizeof(sentence) - 1;

		sentence[used] = ' ';
		snprintf(sentence + used + (used + 1 < sizeof(sentence)),
			 sizeof(sentence) - used - 1, printable(text)...);
	}
	if (!services) {
		fprintf(stderr, "%s\n", sentence);
		abort();
	}
	services->print(sentence, strlen(sentence));
	services->print("\n", 1);
	end_kernel(UNPU_KERNEL_FAIL_ASSERT, file, line, sentence);
}

} // namespace unpu::lang

namespace AscendC {

template <class... T> inline int printf(const char *format, const T &...arguments)
{
	if (ASCENDC_DUMP != 0 || !unpu::lang::services)
		return unpu::lang::print_checked(format, unpu::lang::printable(arguments)...);
	return 0;
}
template <class... T> inline int PRINTF(const char *format, const T &...arguments)
{
	return AscendC::printf(format, arguments...);
}

} // namespace AscendC

/*
 * A kernel image has the C library's names too, for calls without the namespace. unpu-ascendcc keeps the lines between
 * the two marks in the text of the image, and drops them from the text of the program.
 */
#ifdef UNPU_ASCENDCC
__unpu_image_only_begin__ extern "C"
	__attribute__((weak, visibility("hidden"), format(printf, 1, 2))) int
	printf(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	const int length = ASCENDC_DUMP != 0 ? unpu::lang::print_list(format, arguments) : 0;

	va_end(arguments);
	return length;
}
extern "C" __attribute__((weak, visibility("hidden"))) int puts(const char *text)
{
	return ASCENDC_DUMP != 0 ? unpu::lang::print("%s\n", text) : 0;
}
extern "C" __attribute__((weak, visibility("hidden"))) int putchar(int letter)
{
	return ASCENDC_DUMP != 0 ? unpu::lang::print("%c", letter) : 0;
}
__unpu_image_only_end__
#endif

#endif /* UNPU_ASCENDC_PRINT_PRINT_H */
