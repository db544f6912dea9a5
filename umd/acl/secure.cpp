// SPDX-License-Identifier: MIT
/**
 * DOC: Bounded functions for memory and strings
 *
 * Implemented from their published descriptions. A failure leaves zeros or an empty string in the
 * destination, as described there, so that a caller that ignores the error code does not use partial
 * data.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "securec.h"

static errno_t check_destination(const void *dest, size_t room, size_t most)
{
	if (room == 0 || room > most)
		return ERANGE;
	return dest ? EOK : EINVAL;
}

/* Whether the ranges share a byte. */
static bool overlap(const void *one, size_t one_bytes, const void *other, size_t other_bytes)
{
	const auto first = reinterpret_cast<uintptr_t>(one);
	const auto second = reinterpret_cast<uintptr_t>(other);
	return first < second ? second - first < one_bytes : first - second < other_bytes;
}

errno_t memset_s(void *dest, size_t destMax, int c, size_t count)
{
	errno_t wrong = check_destination(dest, destMax, SECUREC_MEM_MAX_LEN);
	if (wrong != EOK)
		return wrong;
	memset(dest, c, std::min(count, destMax));
	return count > destMax ? ERANGE_AND_RESET : EOK;
}

static errno_t check_copy(const void *dest, size_t room, const void *src, size_t count)
{
	errno_t wrong = check_destination(dest, room, SECUREC_MEM_MAX_LEN);
	if (wrong != EOK)
		return wrong;
	if (!src)
		return EINVAL_AND_RESET;
	return count > room ? ERANGE_AND_RESET : EOK;
}

static errno_t reset_memory(void *dest, size_t room, errno_t code)
{
	if (code == EINVAL_AND_RESET || code == ERANGE_AND_RESET || code == EOVERLAP_AND_RESET)
		memset(dest, 0, room);
	return code;
}

errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count)
{
	errno_t wrong = check_copy(dest, destMax, src, count);
	if (wrong == EOK && dest != src && overlap(dest, count, src, count))
		wrong = EOVERLAP_AND_RESET;
	if (wrong != EOK)
		return reset_memory(dest, destMax, wrong);
	if (dest != src)
		memcpy(dest, src, count);
	return EOK;
}

errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count)
{
	errno_t wrong = check_copy(dest, destMax, src, count);
	if (wrong != EOK)
		return reset_memory(dest, destMax, wrong);
	memmove(dest, src, count);
	return EOK;
}

static errno_t reset_text(char *dest, errno_t code)
{
	*dest = '\0';
	return code;
}

/* Appends up to @count characters of @src and a zero after the first @used characters of @dest. */
static errno_t append(char *dest, size_t room, size_t used, const char *src, size_t count)
{
	if (!src)
		return reset_text(dest, EINVAL_AND_RESET);
	if (count > SECUREC_STRING_MAX_LEN && count != SIZE_MAX)
		return reset_text(dest, ERANGE_AND_RESET);
	if (src == dest && used == 0 && strnlen(src, room) <= std::min(count, room - 1))
		return EOK;
	/* Reads no more characters than fit into @dest. */
	const size_t length = strnlen(src, std::min(count, room - used));
	const size_t source_bytes = length + (length < count ? 1 : 0);
	if (overlap(dest, used + length + 1, src, source_bytes))
		return reset_text(dest, EOVERLAP_AND_RESET);
	if (length >= room - used)
		return reset_text(dest, ERANGE_AND_RESET);
	memcpy(dest + used, src, length);
	dest[used + length] = '\0';
	return EOK;
}

static errno_t concatenate(char *dest, size_t room, const char *src, size_t count)
{
	errno_t wrong = check_destination(dest, room, SECUREC_STRING_MAX_LEN);
	if (wrong != EOK)
		return wrong;
	const size_t used = strnlen(dest, room);
	if (used == room)
		return reset_text(dest, EINVAL_AND_RESET);
	return append(dest, room, used, src, count);
}

errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc)
{
	errno_t wrong = check_destination(strDest, destMax, SECUREC_STRING_MAX_LEN);
	return wrong == EOK ? append(strDest, destMax, 0, strSrc, SIZE_MAX) : wrong;
}

/* append() takes SIZE_MAX as "no bound", so a caller's count is limited to SIZE_MAX - 1. */
static size_t bounded(size_t count)
{
	return std::min<size_t>(count, SIZE_MAX - 1);
}

errno_t strncpy_s(char *strDest, size_t destMax, const char *strSrc, size_t count)
{
	errno_t wrong = check_destination(strDest, destMax, SECUREC_STRING_MAX_LEN);
	return wrong == EOK ? append(strDest, destMax, 0, strSrc, bounded(count)) : wrong;
}

errno_t strcat_s(char *strDest, size_t destMax, const char *strSrc)
{
	return concatenate(strDest, destMax, strSrc, SIZE_MAX);
}

errno_t strncat_s(char *strDest, size_t destMax, const char *strSrc, size_t count)
{
	return concatenate(strDest, destMax, strSrc, bounded(count));
}

char *strtok_s(char *strToken, const char *strDelimit, char **context)
{
	if (!strDelimit || !context || (!strToken && !*context))
		return nullptr;
	return strtok_r(strToken, strDelimit, context);
}

int vsprintf_s(char *strDest, size_t destMax, const char *format, va_list argList)
{
	if (check_destination(strDest, destMax, SECUREC_STRING_MAX_LEN) != EOK)
		return -1;
	const int length = format ? vsnprintf(strDest, destMax, format, argList) : -1;
	if (length >= 0 && static_cast<size_t>(length) < destMax)
		return length;
	*strDest = '\0';
	return -1;
}

int vsnprintf_s(char *strDest, size_t destMax, size_t count, const char *format, va_list argList)
{
	if (check_destination(strDest, destMax, SECUREC_STRING_MAX_LEN) != EOK)
		return -1;
	if (count >= destMax && count <= SECUREC_STRING_MAX_LEN)
		return vsprintf_s(strDest, destMax, format, argList);
	const bool takes = format && count < destMax;
	const int length = takes ? vsnprintf(strDest, count + 1, format, argList) : -1;
	if (length < 0)
		*strDest = '\0';
	return length >= 0 && static_cast<size_t>(length) <= count ? length : -1;
}

int sprintf_s(char *strDest, size_t destMax, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	const int length = vsprintf_s(strDest, destMax, format, values);
	va_end(values);
	return length;
}

int snprintf_s(char *strDest, size_t destMax, size_t count, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	const int length = vsnprintf_s(strDest, destMax, count, format, values);
	va_end(values);
	return length;
}
