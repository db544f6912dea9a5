// SPDX-License-Identifier: MIT
/**
 * DOC: What producer and consumer tell each other
 *
 * Two named pipes in a folder, one for each direction. How keys come from one process to another is a
 * program's own affair: a socket, a file or MPI would do as well.
 */
#ifndef UNPU_EXAMPLES_PAIR_LETTERS_H
#define UNPU_EXAMPLES_PAIR_LETTERS_H

#include <acl/acl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/stat.h>

#define CHECK(call) check((call), #call)

inline void check(aclError status, const char *call)
{
	if (status == ACL_SUCCESS)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

const size_t KEY_BYTES = 65;
const size_t BUFFER_BYTES = 1 << 20;

/* The keys that the consumer needs to import the objects of the producer. */
struct Offer {
	char key[KEY_BYTES];
	aclrtIpcEventHandle event;
};

inline FILE *open_pipe(const std::string &folder, const char *name, const char *mode)
{
	std::string path = folder + "/" + name;
	mkfifo(path.c_str(), 0600); /* the other one may have made it */
	FILE *pipe = std::fopen(path.c_str(), mode);
	if (!pipe) {
		std::perror(path.c_str());
		std::exit(1);
	}
	std::setbuf(pipe, nullptr);
	return pipe;
}

template <class T> void send(FILE *pipe, const T &letter)
{
	if (std::fwrite(&letter, sizeof(letter), 1, pipe) != 1) {
		std::perror("the pipe");
		std::exit(1);
	}
}

template <class T> T receive(FILE *pipe)
{
	T letter;
	if (std::fread(&letter, sizeof(letter), 1, pipe) != 1) {
		std::fprintf(stderr, "the other program has ended\n");
		std::exit(1);
	}
	return letter;
}

#endif
