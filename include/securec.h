/* SPDX-License-Identifier: MIT */
/*
 * DOC: Bounded functions of memory and text
 *
 * Functions like those of C11's Annex K, which take the size of what they write to and never write behind
 * it. Programs of the toolkit use them instead of memcpy(), strcpy() and sprintf().
 *
 * What they have in common: a size of 0, and one that is larger than SECUREC_MEM_MAX_LEN for memory or
 * SECUREC_STRING_MAX_LEN for text, is ERANGE, and nothing is written. A destination of NULL is EINVAL. The
 * codes with _AND_RESET tell of the other failures: memory is filled with zeros up to the size of the
 * destination, and text is made empty. The functions that format text return -1 where the others return
 * a code.
 *
 * Context: any thread; they never block. Both ends belong to the caller.
 */
#ifndef UNPU_SECUREC_H
#define UNPU_SECUREC_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#if defined(FUNC_VISIBILITY)
#define SECUREC_API __attribute__((visibility("default")))
#else
#define SECUREC_API
#endif

#ifndef EOK
#define EOK 0
#endif
#ifndef EOVERLAP_AND_RESET
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162
#define EOVERLAP_AND_RESET 182
#endif

#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL

#ifdef __cplusplus
extern "C" {
#endif

#ifndef errno_t
typedef int errno_t;
#endif

/**
 * memset_s() - fills memory with a byte
 * @dest: the memory
 * @destMax: bytes at @dest
 * @c: the byte
 * @count: bytes to fill
 *
 * Return: EOK, EINVAL, ERANGE, or ERANGE_AND_RESET when @count is larger than @destMax: then @destMax
 * bytes are filled with @c.
 */
SECUREC_API errno_t memset_s(void *dest, size_t destMax, int c, size_t count);

/**
 * memcpy_s() - copies memory
 * @dest: the destination
 * @destMax: bytes at @dest
 * @src: the source
 * @count: bytes to copy
 *
 * Return: EOK, EINVAL, ERANGE, EINVAL_AND_RESET for a @src of NULL, ERANGE_AND_RESET when @count is
 * larger than @destMax, or EOVERLAP_AND_RESET when both ends overlap and are not the same.
 */
SECUREC_API errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count);

/**
 * memmove_s() - copies memory that may overlap
 * @dest: the destination
 * @destMax: bytes at @dest
 * @src: the source
 * @count: bytes to copy
 *
 * Return: EOK, EINVAL, ERANGE, EINVAL_AND_RESET for a @src of NULL, or ERANGE_AND_RESET when @count is
 * larger than @destMax.
 */
SECUREC_API errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count);

/**
 * strcpy_s() - copies text with its zero
 * @strDest: the destination
 * @destMax: bytes at @strDest
 * @strSrc: the text
 *
 * Return: EOK, EINVAL, ERANGE, EINVAL_AND_RESET for a @strSrc of NULL, ERANGE_AND_RESET when the text does
 * not fit, or EOVERLAP_AND_RESET when both ends overlap and are not the same.
 */
SECUREC_API errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc);

/**
 * strncpy_s() - copies the beginning of a text and ends it with a zero
 * @strDest: the destination
 * @destMax: bytes at @strDest
 * @strSrc: the text
 * @count: characters to copy at most
 *
 * Return: EOK, EINVAL, ERANGE, EINVAL_AND_RESET for a @strSrc of NULL, ERANGE_AND_RESET when the characters
 * and the zero do not fit or @count is larger than SECUREC_STRING_MAX_LEN, or EOVERLAP_AND_RESET as for
 * strcpy_s().
 */
SECUREC_API errno_t strncpy_s(char *strDest, size_t destMax, const char *strSrc, size_t count);

/**
 * strcat_s() - appends a text to another
 * @strDest: the text that grows
 * @destMax: bytes at @strDest
 * @strSrc: what is appended
 *
 * Return: EOK, EINVAL, ERANGE, EINVAL_AND_RESET for a @strSrc of NULL and for a @strDest without a zero within
 * @destMax, ERANGE_AND_RESET when the whole does not fit, or EOVERLAP_AND_RESET when the texts overlap.
 */
SECUREC_API errno_t strcat_s(char *strDest, size_t destMax, const char *strSrc);

/**
 * strncat_s() - appends the beginning of a text to another
 * @strDest: the text that grows
 * @destMax: bytes at @strDest
 * @strSrc: what is appended
 * @count: characters to append at most
 *
 * Return: as strcat_s(), and ERANGE_AND_RESET when @count is larger than SECUREC_STRING_MAX_LEN.
 */
SECUREC_API errno_t strncat_s(char *strDest, size_t destMax, const char *strSrc, size_t count);

/**
 * strtok_s() - the next part of a text
 * @strToken: the text, which the call changes; NULL continues with the text of @context
 * @strDelimit: the characters that separate parts
 * @context: receives the place where the next call continues; belongs to the caller
 *
 * Return: the part, within the text; NULL after the last one, and for a @strDelimit or a @context of NULL.
 */
SECUREC_API char *strtok_s(char *strToken, const char *strDelimit, char **context);

/**
 * sprintf_s() - formats a text
 * @strDest: where it goes
 * @destMax: bytes at @strDest
 * @format: as of printf()
 *
 * Return: characters without the zero, or -1 with an empty text when it does not fit or an argument is wrong.
 */
SECUREC_API int sprintf_s(char *strDest, size_t destMax, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * vsprintf_s() - sprintf_s() with a list of values
 * @strDest: where the text goes
 * @destMax: bytes at @strDest
 * @format: as of printf()
 * @argList: the values
 *
 * Return: as sprintf_s().
 */
SECUREC_API int vsprintf_s(char *strDest, size_t destMax, const char *format, va_list argList)
	__attribute__((format(printf, 3, 0)));

/**
 * snprintf_s() - formats the beginning of a text
 * @strDest: where it goes
 * @destMax: bytes at @strDest
 * @count: characters to write at most, without the zero
 * @format: as of printf()
 *
 * Return: characters without the zero; -1 when the text is longer than @count, of which it has the beginning
 * then where @count is less than @destMax; -1 with an empty text when it does not fit otherwise or an argument
 * is wrong.
 */
SECUREC_API int snprintf_s(char *strDest, size_t destMax, size_t count, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * vsnprintf_s() - snprintf_s() with a list of values
 * @strDest: where the text goes
 * @destMax: bytes at @strDest
 * @count: characters to write at most, without the zero
 * @format: as of printf()
 * @argList: the values
 *
 * Return: as snprintf_s().
 */
SECUREC_API int vsnprintf_s(char *strDest, size_t destMax, size_t count, const char *format,
			    va_list argList) __attribute__((format(printf, 4, 0)));

#ifdef __cplusplus
}
#endif

#endif /* UNPU_SECUREC_H */
