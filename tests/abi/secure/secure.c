/* SPDX-License-Identifier: MIT */
/*
 * DOC: bounded functions of memory and text
 *
 * Built as C and as C++, and linked with libc_sec.so alone, as programs do that use nothing else of the
 * toolkit.
 */
#include "securec.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check_number(const char *what, int line, long got, long wanted)
{
	if (got == wanted)
		return;
	printf("line %d: %s is %ld, not %ld\n", line, what, got, wanted);
	failures++;
}

static void check_text(const char *what, int line, const char *got, const char *wanted)
{
	if (strcmp(got, wanted) == 0)
		return;
	printf("line %d: %s is '%s', not '%s'\n", line, what, got, wanted);
	failures++;
}

#define CHECK(call, wanted) check_number(#call, __LINE__, (long)(call), (long)(wanted))
#define CHECK_TEXT(got, wanted) check_text(#got, __LINE__, got, wanted)
#define TOO_LARGE (SECUREC_MEM_MAX_LEN + 1)

/* Which failures touch the destination, and how. */
static void check_memory(void)
{
	const char zeros[8] = {0};
	char room[8] = "1234567";

	CHECK(memset_s(room, sizeof(room), 'x', 3), EOK);
	CHECK_TEXT(room, "xxx4567");
	CHECK(memset_s(NULL, 8, 0, 1), EINVAL);
	CHECK(memset_s(NULL, 0, 0, 1), ERANGE);
	CHECK(memset_s(room, 0, 0, 0), ERANGE);
	CHECK(memset_s(room, TOO_LARGE, 0, 1), ERANGE);
	CHECK_TEXT(room, "xxx4567");
	CHECK(memset_s(room, 7, 'y', 9), ERANGE_AND_RESET);
	CHECK_TEXT(room, "yyyyyyy");

	CHECK(memcpy_s(room, sizeof(room), "abcdefg", 8), EOK);
	CHECK_TEXT(room, "abcdefg");
	CHECK(memcpy_s(room, sizeof(room), room, sizeof(room)), EOK);
	CHECK(memcpy_s(room, sizeof(room), "z", 0), EOK);
	CHECK(memcpy_s(NULL, 8, "z", 1), EINVAL);
	CHECK(memcpy_s(room, 0, "z", 1), ERANGE);
	CHECK(memcpy_s(room, TOO_LARGE, "z", 1), ERANGE);
	CHECK_TEXT(room, "abcdefg");
	CHECK(memcpy_s(room, sizeof(room), NULL, 1), EINVAL_AND_RESET);
	CHECK(memcmp(room, zeros, sizeof(room)), 0);
	memset(room, 'a', sizeof(room));
	CHECK(memcpy_s(room, 4, "1234567", 5), ERANGE_AND_RESET);
	CHECK(memcmp(room, "\0\0\0\0aaaa", sizeof(room)), 0);
	memset(room, 'a', sizeof(room));
	CHECK(memcpy_s(room, sizeof(room), room + 3, 4), EOVERLAP_AND_RESET);
	CHECK(memcmp(room, zeros, sizeof(room)), 0);
	memset(room, 'a', sizeof(room));
	CHECK(memcpy_s(room + 3, 4, room, 4), EOVERLAP_AND_RESET);
	CHECK(memcpy_s(room + 4, 4, "1234", 4), EOK);
	CHECK(memcpy_s(room, 4, room + 4, 4), EOK);
	CHECK(memcmp(room, "12341234", sizeof(room)), 0);

	CHECK(memmove_s(room + 1, 7, room, 7), EOK);
	CHECK(memcmp(room, "11234123", sizeof(room)), 0);
	CHECK(memmove_s(NULL, 1, room, 1), EINVAL);
	CHECK(memmove_s(room, 0, room, 0), ERANGE);
	CHECK(memmove_s(room, sizeof(room), NULL, 1), EINVAL_AND_RESET);
	CHECK(memcmp(room, zeros, sizeof(room)), 0);
	room[1] = 'b';
	CHECK(memmove_s(room, 2, "1234", 3), ERANGE_AND_RESET);
	CHECK(memcmp(room, zeros, sizeof(room)), 0);
}

static void check_copies_of_text(void)
{
	char room[8] = "before";

	CHECK(strcpy_s(room, sizeof(room), "1234567"), EOK);
	CHECK_TEXT(room, "1234567");
	CHECK(strcpy_s(room, sizeof(room), room), EOK);
	CHECK(strcpy_s(NULL, 8, "a"), EINVAL);
	CHECK(strcpy_s(room, 0, "a"), ERANGE);
	CHECK(strcpy_s(room, TOO_LARGE, "a"), ERANGE);
	CHECK_TEXT(room, "1234567");
	CHECK(strcpy_s(room, sizeof(room), room + 2), EOVERLAP_AND_RESET);
	CHECK_TEXT(room, "");
	CHECK(strcpy_s(room, sizeof(room), "12345678"), ERANGE_AND_RESET);
	CHECK_TEXT(room, "");
	CHECK(strcpy_s(room, sizeof(room), NULL), EINVAL_AND_RESET);

	CHECK(strncpy_s(room, sizeof(room), "123456789", 7), EOK);
	CHECK_TEXT(room, "1234567");
	CHECK(strncpy_s(room, sizeof(room), "ab", 100), EOK);
	CHECK_TEXT(room, "ab");
	CHECK(strncpy_s(room, sizeof(room), "ab", 0), EOK);
	CHECK_TEXT(room, "");
	CHECK(strncpy_s(room, sizeof(room), "12345678", 8), ERANGE_AND_RESET);
	CHECK(strncpy_s(room, sizeof(room), "1", TOO_LARGE), ERANGE_AND_RESET);
	CHECK(strncpy_s(room, sizeof(room), "1", (size_t)-1), ERANGE_AND_RESET);
	CHECK(strncpy_s(room, sizeof(room), NULL, 1), EINVAL_AND_RESET);
	CHECK(strncpy_s(NULL, 8, "1", 1), EINVAL);
	CHECK(strncpy_s(room, 0, "1", 1), ERANGE);
}

static void check_joins(void)
{
	char room[8] = "";
	char full[4] = {'a', 'b', 'c', 'd'};

	CHECK(strcat_s(room, sizeof(room), "123"), EOK);
	CHECK(strcat_s(room, sizeof(room), "4567"), EOK);
	CHECK_TEXT(room, "1234567");
	CHECK(strcat_s(room, sizeof(room), ""), EOK);
	CHECK(strcat_s(NULL, 8, "1"), EINVAL);
	CHECK(strcat_s(room, 0, "1"), ERANGE);
	CHECK_TEXT(room, "1234567");
	CHECK(strcat_s(room, sizeof(room), "8"), ERANGE_AND_RESET);
	CHECK_TEXT(room, "");
	CHECK(strcat_s(room, sizeof(room), NULL), EINVAL_AND_RESET);
	CHECK(strcat_s(full, sizeof(full), "e"), EINVAL_AND_RESET);
	CHECK_TEXT(full, "");
	CHECK(strcpy_s(room, sizeof(room), "123"), EOK);
	CHECK(strcat_s(room, sizeof(room), room + 1), EOVERLAP_AND_RESET);

	CHECK(strcpy_s(room, sizeof(room), "123"), EOK);
	CHECK(strncat_s(room, sizeof(room), "456789", 4), EOK);
	CHECK_TEXT(room, "1234567");
	CHECK(strncat_s(room, sizeof(room), "8", 0), EOK);
	CHECK(strncat_s(room, sizeof(room), "8", 1), ERANGE_AND_RESET);
	CHECK(strncat_s(room, sizeof(room), "8", TOO_LARGE), ERANGE_AND_RESET);
	CHECK(strncat_s(room, sizeof(room), NULL, 1), EINVAL_AND_RESET);
}

static void check_parts(void)
{
	char text[] = ",one,,two;three";
	char *rest = NULL;

	CHECK_TEXT(strtok_s(text, ",;", &rest), "one");
	CHECK_TEXT(strtok_s(NULL, ",;", &rest), "two");
	CHECK_TEXT(strtok_s(NULL, ",;", &rest), "three");
	CHECK(strtok_s(NULL, ",;", &rest) == NULL, 1);
	CHECK(strtok_s(text, NULL, &rest) == NULL, 1);
	CHECK(strtok_s(text, ",", NULL) == NULL, 1);
	rest = NULL;
	CHECK(strtok_s(NULL, ",", &rest) == NULL, 1);
}

static int format_list(char *dest, size_t room, size_t count, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int format_list(char *dest, size_t room, size_t count, const char *format, ...)
{
	va_list values;
	int length;

	va_start(values, format);
	length = count == 0 ? vsprintf_s(dest, room, format, values)
			    : vsnprintf_s(dest, room, count, format, values);
	va_end(values);
	return length;
}

static void check_formats(void)
{
	char room[8] = "before";

	CHECK(sprintf_s(room, sizeof(room), "%d-%s", 12, "abcd"), 7);
	CHECK_TEXT(room, "12-abcd");
	CHECK(sprintf_s(NULL, 8, "%d", 1), -1);
	CHECK(sprintf_s(room, 0, "%d", 1), -1);
	CHECK(sprintf_s(room, TOO_LARGE, "%d", 1), -1);
	CHECK_TEXT(room, "12-abcd");
	CHECK(sprintf_s(room, sizeof(room), "%d", 12345678), -1);
	CHECK_TEXT(room, "");
	CHECK(format_list(room, sizeof(room), 0, "%c%u", 'x', 7u), 2);
	CHECK_TEXT(room, "x7");

	CHECK(snprintf_s(room, sizeof(room), 7, "%s", "1234567"), 7);
	CHECK_TEXT(room, "1234567");
	/* The beginning is what the caller asked for. */
	CHECK(snprintf_s(room, sizeof(room), 3, "%s", "1234567"), -1);
	CHECK_TEXT(room, "123");
	CHECK(snprintf_s(room, sizeof(room), 0, "%s", "1"), -1);
	CHECK_TEXT(room, "");
	CHECK(snprintf_s(room, sizeof(room), 100, "%s", "1234567"), 7);
	CHECK(snprintf_s(room, sizeof(room), 100, "%s", "12345678"), -1);
	CHECK_TEXT(room, "");
	CHECK(snprintf_s(NULL, 8, 4, "%s", "1"), -1);
	CHECK(snprintf_s(room, 0, 0, "%s", "1"), -1);
	CHECK(format_list(room, sizeof(room), 2, "%s", "12"), 2);
	CHECK_TEXT(room, "12");
}

int main(void)
{
	check_memory();
	check_copies_of_text();
	check_joins();
	check_parts();
	check_formats();
	return failures != 0;
}
