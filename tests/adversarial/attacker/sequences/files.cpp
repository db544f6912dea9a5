// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of files
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drv/packet/packets.h"
#include "sequences.h"

namespace attacker {

namespace {

constexpr off_t FILE_BYTES = 1 << 20;

/* Return: the file's number, 0 when the firmware did not take it. */
uint32_t give(Actor &actor, base::Fd fd)
{
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_GIVE_FILE;
	if (!fd.valid() || !message.add(std::move(fd)))
		return 0;
	if (!actor.tell(message) || message.message.status != 0)
		return 0;
	return message.message.file.file;
}

base::Fd connected_socket_that_lingers()
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return {};
	const linger wait{1, 5};
	(void)setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &wait, sizeof(wait));
	close(ends[1]);
	return base::Fd(ends[0]);
}

} // namespace

/* The file shrinks, or is closed, under transfers. */
void move_file_data(Actor &actor)
{
	const std::string path = actor.settings().folder + "/" + std::to_string(getpid());
	base::Fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	Channel *channel = actor.channel();
	Memory *memory = actor.memory();
	if (!fd.valid() || !channel || !memory || ftruncate(fd.get(), FILE_BYTES) != 0)
		return;
	const uint32_t file = give(actor, base::Fd(dup(fd.get())));
	uint64_t end = 0;
	for (uint64_t i = 0, count = 1 + actor.below(8); i < count && file != 0; i++) {
		uint64_t bytes = 0;
		const uint64_t va = actor.range(*memory, bytes, FILE_BYTES);
		const unpu_file_transfer transfer{va, bytes, actor.below(FILE_BYTES),
						  actor.one_in(2) ? memory->va : 0};
		end = actor.publish(*channel, drv::file_packet(1, actor.one_in(2), file, transfer));
	}
	if (actor.one_in(2) && ftruncate(fd.get(), 0) != 0)
		return;
	if (file != 0 && actor.one_in(2))
		actor.settle(*channel, end);
	unpu_message close{};
	close.type = UNPU_MSG_FILE_CLOSE;
	close.file.file = file;
	(void)actor.ask(close);
	if (actor.one_in(2))
		(void)unlink(path.c_str());
}

void give_what_is_no_file(Actor &actor)
{
	int ends[2];
	switch (actor.below(5)) {
	case 0:
		if (pipe2(ends, O_CLOEXEC) == 0) {
			(void)give(actor, base::Fd(ends[0]));
			close(ends[1]);
		}
		break;
	case 1:
		(void)give(actor, connected_socket_that_lingers());
		break;
	case 2:
		(void)give(actor, base::Fd(open("/dev/zero", O_RDWR | O_CLOEXEC)));
		break;
	case 3:
		(void)give(actor, base::Fd(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
		break;
	default:
		(void)give(actor, base::Fd(memfd_create("file", MFD_CLOEXEC)));
		break;
	}
}

} // namespace attacker
