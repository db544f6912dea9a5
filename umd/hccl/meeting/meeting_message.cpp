// SPDX-License-Identifier: MIT
/**
 * DOC: Messages
 *
 * A process that knows the secret of a meeting may still run another library, or be faulty. So both sides
 * check each message completely before they use any part of it.
 */
#include "meeting_message.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "hccl/hccl_types.h"

namespace umd {

using base::Status;

/* Limits that ranks of this library never exceed. The process id is 0 if the firmware can't see the
 * process. */
static constexpr uint32_t PID_MOST = 1 << 22;
static constexpr uint64_t BUFFER_MOST = uint64_t{1} << 52;

/* struct Size - the allowed size of the body of one kind of messages. The body is a list of records of @bytes
 * bytes: at least one record (if @bytes is not 0), and at most @most. */
struct Size {
	size_t record = 0;
	size_t most = 1;

	bool fits(size_t bytes) const
	{
		if (record == 0)
			return bytes == 0;
		return bytes != 0 && bytes % record == 0 && bytes / record <= most;
	}
};

static bool find_size(MessageKind kind, Size &size)
{
	switch (kind) {
	case MessageKind::HELLO:
		size = {sizeof(Hello)};
		return true;
	case MessageKind::WELCOME:
		size = {sizeof(Introduction), MAX_RANKS};
		return true;
	case MessageKind::KEYS:
		size = {sizeof(RankKeys)};
		return true;
	case MessageKind::TABLE:
		size = {sizeof(RankPlace), MAX_RANKS};
		return true;
	case MessageKind::ISLAND:
		size = {sizeof(SeatKeys), UNPU_MAX_DEVICES};
		return true;
	case MessageKind::REFUSAL:
		size = {sizeof(Refusal)};
		return true;
	case MessageKind::LEAVE:
		size = {sizeof(Leave)};
		return true;
	case MessageKind::GONE:
		size = {sizeof(Gone)};
		return true;
	case MessageKind::READY:
	case MessageKind::GO:
	case MessageKind::LEFT:
	case MessageKind::AGAIN:
		size = {};
		return true;
	}
	return false;
}

bool is_message_size(size_t bytes)
{
	for (auto kind = static_cast<uint32_t>(MessageKind::HELLO);
	     kind <= static_cast<uint32_t>(MessageKind::ISLAND); kind++) {
		Size size;
		if (bytes >= MESSAGE_HEAD && find_size(static_cast<MessageKind>(kind), size) &&
		    size.fits(bytes - MESSAGE_HEAD))
			return true;
	}
	return false;
}

/* Whether @text ends within its array, and has no control characters, which could move the cursor of a
 * terminal. */
template <size_t N> static bool is_text(const char (&text)[N])
{
	const size_t length = strnlen(text, N);
	return length < N && std::none_of(text, text + length, [](char each) {
		       return (each >= 0 && each < ' ') || each == 0x7f;
	       });
}

/* A sub-communicator lists a different rank of its parent for each of its own ranks. Any other communicator
 * lists none. */
static bool check_members(const Members &members, uint32_t ranks)
{
	const uint32_t count = members[0] == NO_MEMBER ? 0 : ranks;
	for (uint32_t i = 0; i < MAX_RANKS; i++) {
		const bool is_used = i < count;
		if (is_used ? members[i] >= MAX_RANKS : members[i] != NO_MEMBER)
			return false;
		if (is_used && std::count(members.begin(), members.begin() + i, members[i]) != 0)
			return false;
	}
	return true;
}

static bool check_introduction(const Introduction &who)
{
	return who.version == MEETING_VERSION && who.ranks >= 1 && who.ranks <= MAX_RANKS &&
	       who.rank < who.ranks && who.device < UNPU_MAX_DEVICES && who.pid <= PID_MOST &&
	       who.is_host <= 1 && who.buffer_bytes <= BUFFER_MOST && is_text(who.name) &&
	       is_text(who.host);
}

static bool check_hello(const Hello &hello)
{
	return check_introduction(hello.who) && check_members(hello.members, hello.who.ranks);
}

template <class T> static bool is_zero(const T &object)
{
	const std::span<const uint8_t> bytes = bytes_of(object);
	return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

/* Checks that each rank is at its place in the list, and that no two ranks share a device. So an island has
 * at most UNPU_MAX_DEVICES ranks. */
static bool check_welcome(std::span<const Introduction> all)
{
	std::set<std::pair<uint64_t, uint32_t>> devices;
	for (size_t rank = 0; rank < all.size(); rank++) {
		const Introduction &who = all[rank];
		if (!check_introduction(who) || who.rank != rank || who.ranks != all.size() ||
		    !devices.emplace(who.instance, who.device).second)
			return false;
	}
	return true;
}

static bool check_place(const TcpPlace &place)
{
	bool is_over = false;
	for (const TcpAddress &address : place.at) {
		is_over = is_over || address.family == 0;
		const bool is_good =
			is_over ? is_zero(address)
				: (address.family == AF_INET || address.family == AF_INET6) &&
					  address.port != 0 && address.reserved == 0;
		if (!is_good)
			return false;
	}
	return true;
}

static bool check_rank_place(const RankPlace &place)
{
	return place.wire_bytes <= WIRE_ADDRESS_MOST && place.reserved == 0 &&
	       std::all_of(place.wire.begin() + place.wire_bytes, place.wire.end(),
			   [](uint8_t byte) { return byte == 0; }) &&
	       check_place(place.listener);
}

static bool check_body(const MeetingMessage &message)
{
	switch (message.kind) {
	case MessageKind::HELLO:
		return check_hello(message.body.hello);
	case MessageKind::WELCOME:
		return check_welcome(records_of(message, message.body.welcome));
	case MessageKind::KEYS:
		return check_rank_place(message.body.keys.place);
	case MessageKind::TABLE: {
		const auto places = records_of(message, message.body.table);
		return std::all_of(places.begin(), places.end(), check_rank_place);
	}
	case MessageKind::REFUSAL:
		return message.body.refusal.code != HCCL_SUCCESS &&
		       message.body.refusal.code <= HCCL_E_IN_STATUS &&
		       memchr(message.body.refusal.text, '\0', sizeof(message.body.refusal.text));
	case MessageKind::GONE:
		return message.body.gone.rank < MAX_RANKS && message.body.gone.is_lost <= 1;
	default:
		return true;
	}
}

Status read_message(std::span<const uint8_t> bytes, MeetingMessage &message)
{
	Size size;
	if (bytes.size() < MESSAGE_HEAD || bytes.size() > sizeof(message))
		return Status::BAD_MESSAGE;
	memcpy(&message, bytes.data(), bytes.size());
	const bool is_good = find_size(message.kind, size) && size.fits(message.bytes) &&
			     bytes.size() == MESSAGE_HEAD + message.bytes && check_body(message);
	return is_good ? Status::OK : Status::BAD_MESSAGE;
}

} // namespace umd
