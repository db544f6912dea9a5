// SPDX-License-Identifier: MIT
/**
 * DOC: what ranks say to each other, fuzzed
 *
 * An input is one of these, by its first byte:
 *
 *	MESSAGE		kind:1, { offset:2, value:4 }...	a message that fits, changed in places
 *	BYTES		the bytes of a message
 *	CALLED		what a caller says to a handshake; CALLING	what it is answered
 *	FRAMES		{ bytes:1, that many }...		of a connection that is proved, in pieces
 *	RECORDS		the same, before they are unsealed
 *	ROOT		root information
 *	PROVED		a key, said by somebody who knows the secret
 *
 * What is taken keeps what its readers rely on. Nobody gets through a handshake without the key.
 */
#include <algorithm>
#include <list>
#include <memory>

#include <sys/socket.h>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "input.h"
#include "umd/hccl/calls/root_info.h"
#include "umd/hccl/meeting/meeting_message.h"
#include "umd/hccl/proof/handshake.h"
#include "umd/hccl/wire/streams/receiver.h"

using namespace fuzz;
using namespace umd;
using base::Fd;
using base::Status;

namespace {

enum What : uint8_t { MESSAGE, BYTES, CALLED, CALLING, FRAMES, RECORDS, ROOT, PROVED, KINDS };

constexpr uint64_t PLACE_MOST = 1 << 16;

bool ends(const char *text, size_t room)
{
	return memchr(text, '\0', room) != nullptr;
}

void check_who(const Introduction &who)
{
	expect(who.ranks >= 1 && who.ranks <= MAX_RANKS && who.rank < who.ranks,
	       "a rank has no place");
	expect(ends(who.name, sizeof(who.name)) && ends(who.host, sizeof(who.host)),
	       "a text has no end");
}

void check_members(const Members &members)
{
	for (const uint16_t member : members)
		expect(member < MAX_RANKS || member == NO_MEMBER, "a member is no rank");
}

void check_ranks(std::span<const Introduction> all)
{
	for (size_t rank = 0; rank < all.size(); rank++) {
		const uint64_t firmware = all[rank].instance;
		const auto is_near = [&](const Introduction &who) {
			return who.instance == firmware;
		};
		check_who(all[rank]);
		expect(all[rank].ranks == all.size() && all[rank].rank == rank,
		       "a rank is not at its place");
		expect(std::count_if(all.begin(), all.end(), is_near) <= UNPU_MAX_DEVICES,
		       "an island has too many ranks");
	}
}

void check_message(const MeetingMessage &message)
{
	switch (message.kind) {
	case MessageKind::HELLO:
		check_who(message.body.hello.who);
		return check_members(message.body.hello.members);
	case MessageKind::WELCOME:
		return check_ranks(records_of(message, message.body.welcome));
	case MessageKind::KEYS:
		return expect(message.body.keys.place.wire_bytes <= WIRE_ADDRESS_MOST,
			      "an address is too long");
	case MessageKind::TABLE:
		for (const RankPlace &place : records_of(message, message.body.table))
			expect(place.wire_bytes <= WIRE_ADDRESS_MOST, "an address is too long");
		return;
	case MessageKind::ISLAND:
		return expect(message.bytes <= sizeof(message.body.island),
			      "an island has too many ranks");
	case MessageKind::REFUSAL:
		return expect(ends(message.body.refusal.text, sizeof(message.body.refusal.text)),
			      "a refusal has no end");
	case MessageKind::GONE:
		return expect(message.body.gone.rank < MAX_RANKS, "a rank that is gone was none");
	default:
		return;
	}
}

Introduction good_rank(uint32_t rank)
{
	Introduction who{};
	who.version = MEETING_VERSION;
	who.ranks = 3;
	who.rank = rank;
	who.pid = 1;
	who.device = rank;
	return who;
}

/* A message that fits. Return: its bytes; 0 for no kind. */
size_t good_message(MessageKind kind, MeetingMessage &message)
{
	memset(static_cast<void *>(&message), 0, sizeof(message));
	message.kind = kind;
	switch (kind) {
	case MessageKind::HELLO:
		message.body.hello.who = good_rank(1);
		message.body.hello.members.fill(NO_MEMBER);
		message.bytes = sizeof(Hello);
		break;
	case MessageKind::WELCOME:
		for (uint32_t rank = 0; rank < 3; rank++)
			message.body.welcome[rank] = good_rank(rank);
		message.bytes = 3 * sizeof(Introduction);
		break;
	case MessageKind::KEYS:
		message.bytes = sizeof(RankKeys);
		break;
	case MessageKind::TABLE:
		message.bytes = 3 * sizeof(RankPlace);
		break;
	case MessageKind::ISLAND:
		message.bytes = 3 * sizeof(SeatKeys);
		break;
	case MessageKind::REFUSAL:
		message.body.refusal.code = HCCL_E_PARA;
		message.bytes = sizeof(Refusal);
		break;
	case MessageKind::LEAVE:
		message.bytes = sizeof(Leave);
		break;
	case MessageKind::GONE:
		message.bytes = sizeof(Gone);
		break;
	default:
		break;
	}
	return MESSAGE_HEAD + message.bytes;
}

void read(std::span<const uint8_t> bytes)
{
	static const auto message = std::make_unique<MeetingMessage>();
	if (read_message(bytes, *message) == Status::OK)
		check_message(*message);
}

void run_message(Input &input)
{
	static const auto message = std::make_unique<MeetingMessage>();
	const auto kind = static_cast<MessageKind>(input.take<uint8_t>() % 14);
	const size_t bytes = good_message(kind, *message);
	auto *at = reinterpret_cast<uint8_t *>(message.get());
	while (input.left() > 0) {
		const size_t offset = input.take<uint16_t>() % bytes;
		const auto value = input.take<uint32_t>();
		memcpy(at + offset, &value, std::min(sizeof(value), bytes - offset));
	}
	read({at, bytes});
}

std::vector<uint8_t> rest(Input &input)
{
	std::vector<uint8_t> bytes(input.left());
	input.take(bytes.data(), bytes.size());
	return bytes;
}

struct Ends {
	Fd own, other;
};

Ends make_ends()
{
	int fds[2];
	expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) == 0,
	       "there is no pair of sockets");
	return {Fd(fds[0]), Fd(fds[1])};
}

void run_handshake(Input &input, bool has_called)
{
	const Key key = key_of(Nonce{1, 2, 3});
	const Nonce name = derive(Topic::DOOR, Nonce{1, 2, 3});
	Handshake side = has_called ? Handshake::call(Wish::MEETING, name, key)
				    : Handshake::receive([&](Wish, const Nonce &said, Key &to) {
					      to = key;
					      return said == name;
				      });
	const Ends ends = make_ends();
	(void)side.advance(ends.own);
	while (input.left() > 0) {
		std::vector<uint8_t> bytes(std::min<size_t>(input.take<uint8_t>(), input.left()));
		input.take(bytes.data(), bytes.size());
		(void)base::calls::send(ends.other.get(), bytes.data(), bytes.size(), 0);
		const Status status = side.advance(ends.own);
		expect(status != Status::OK, "a handshake ended without the key");
		if (status != Status::NOT_READY)
			return;
	}
}

void run_proved(Input &input)
{
	const Key key = key_of(Nonce{1, 2, 3});
	Handshake caller = Handshake::call(Wish::MEETING, Nonce{}, key);
	const Ends ends = make_ends();
	(void)caller.advance(ends.own);
	Knock knock;
	(void)base::calls::recv(ends.other.get(), &knock, sizeof(knock), 0, base::calls::NOW);
	Answer answer;
	answer.pair = input.take<Key>();
	answer.cipher = static_cast<Cipher>(input.take<uint8_t>() ^ 1);
	std::array<uint8_t, 8 + sizeof(knock) + offsetof(Answer, proof)> all{'a', 'n', 's',
									     'w', 'e', 'r'};
	memcpy(all.data() + 8, &knock, sizeof(knock));
	memcpy(all.data() + 8 + sizeof(knock), &answer, offsetof(Answer, proof));
	answer.proof = mac_of(key, all);
	(void)base::calls::send(ends.other.get(), &answer, sizeof(answer), base::calls::NOW);
	const Status status = caller.advance(ends.own);
	expect(status == Status::OK || status == Status::BAD_MESSAGE, "a handshake does not end");
	expect((status == Status::OK) != (caller.keys().said == Key{}), "a key is known to all");
}

/* Where the data of messages go. */
class Sink {
public:
	Sink()
	{
		up_.user = this;
		up_.take = [](void *, const void *head, uint64_t head_bytes, const void *data,
			      uint64_t bytes) {
			touch(head, head_bytes);
			touch(data, bytes);
		};
		up_.place = [](void *self, const void *head, uint64_t head_bytes, uint64_t bytes,
			       void **receipt) -> void * {
			touch(head, head_bytes);
			if (bytes > PLACE_MOST)
				return nullptr;
			auto &places = static_cast<Sink *>(self)->places_;
			places.emplace_back(bytes);
			*receipt = &places.back();
			return places.back().data();
		};
		up_.arrived = [](void *self, void *receipt, int) {
			auto &places = static_cast<Sink *>(self)->places_;
			const auto found = std::find_if(
				places.begin(), places.end(),
				[receipt](const auto &each) { return &each == receipt; });
			expect(found != places.end(), "data came that were placed nowhere");
			places.erase(found);
		};
	}

	const WireUpcalls &upcalls() const { return up_; }
	bool is_empty() const { return places_.empty(); }

private:
	static void touch(const void *bytes, uint64_t count)
	{
		uint8_t sum = 0;
		for (uint64_t i = 0; i < count; i++)
			sum ^= static_cast<const uint8_t *>(bytes)[i];
		seen_ ^= sum;
	}

	static inline uint8_t seen_ = 0;
	WireUpcalls up_{};
	std::list<std::vector<uint8_t>> places_;
};

void run_frames(Input &input)
{
	Sink sink;
	{
		FrameReader reader(sink.upcalls());
		while (input.left() > 0) {
			std::vector<uint8_t> bytes(
				std::min<size_t>(input.take<uint8_t>(), input.left()));
			input.take(bytes.data(), bytes.size());
			/* Now and then without a copy. */
			const std::span<uint8_t> place = reader.place();
			if (bytes.size() % 2 == 0 && !bytes.empty() &&
			    place.size() > bytes.size()) {
				memcpy(place.data(), bytes.data(), bytes.size());
				reader.filled(bytes.size());
			} else if (!reader.feed(bytes))
				break;
		}
	}
	expect(sink.is_empty(), "a place was forgotten");
}

/* Half of them are sealed as they have to be. */
void run_records(Input &input)
{
	Sink sink;
	Ends ends = make_ends();
	const auto way = input.take<uint8_t>();
	const bool is_sealed = way % 2 != 0;
	const Cipher cipher =
		way / 2 % 2 != 0 && AesGcm::is_there() ? Cipher::AES_GCM : Cipher::CHACHA20;
	std::vector<uint8_t> bytes = rest(input);
	if (is_sealed && !bytes.empty()) {
		const auto length = static_cast<uint32_t>(bytes.size() + SEAL_BYTES);
		std::vector<uint8_t> record(sizeof(length) + length);
		memcpy(record.data(), &length, sizeof(length));
		Seal(Key{1}, cipher).close(bytes, record.data() + sizeof(length));
		bytes = std::move(record);
	}
	{
		Receiver receiver(sink.upcalls(), std::move(ends.own), {Key{2}, Key{1}, cipher});
		(void)base::calls::send(ends.other.get(), bytes.data(), bytes.size(), 0);
		bool is_empty = false;
		(void)receiver.read(is_empty);
	}
	expect(sink.is_empty(), "a place was forgotten");
}

void run_root(Input &input)
{
	HcclRootInfo info{};
	input.take(info.internal, sizeof(info.internal));
	MeetingPlace place;
	(void)read_root_info(info, place);
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	std::vector<Seed> all;
	static const auto message = std::make_unique<MeetingMessage>();
	for (uint8_t kind = 1; kind < 13; kind++) {
		all.push_back({"message-" + std::to_string(kind), {}});
		all.back().add(uint8_t{MESSAGE});
		all.back().add(kind);
	}
	all.push_back({"hello", {}});
	all.back().add(uint8_t{BYTES});
	(void)good_message(MessageKind::HELLO, *message);
	for (size_t i = 0; i < MESSAGE_HEAD + message->bytes; i++)
		all.back().add(reinterpret_cast<const uint8_t *>(message.get())[i]);
	for (const uint8_t what : {CALLED, CALLING}) {
		all.push_back({"handshake-" + std::to_string(what), {}});
		all.back().add(what);
		all.back().add(uint8_t{64});
		all.back().add(Knock{{'u', 'm', 'e', 't'},
				     HANDSHAKE_VERSION,
				     Wish::MEETING,
				     1,
				     derive(Topic::DOOR, Nonce{1, 2, 3}),
				     {}});
		all.back().add(uint8_t{32});
		all.back().add(Mac{});
	}
	for (const uint64_t bytes : {0, 100, 1000, 100000}) {
		all.push_back({"frame-" + std::to_string(bytes), {}});
		all.back().add(uint8_t{FRAMES});
		all.back().add(uint8_t{sizeof(Frame) + 48});
		all.back().add(Frame{48, 0, bytes});
		all.back().add(std::array<uint8_t, 48>{});
		all.back().add(uint8_t{200});
		all.back().add(std::array<uint8_t, 200>{});
	}
	all.push_back({"record", {}});
	all.back().add(uint8_t{RECORDS});
	all.back().add(uint8_t{1});
	all.back().add(Frame{48, 0, 300});
	all.back().add(std::array<uint8_t, 48>{});
	all.push_back({"proved", {}});
	all.back().add(uint8_t{PROVED});
	all.back().add(Key{9});
	HcclRootInfo info;
	write_root_info({}, {}, info);
	all.push_back({"root", {}});
	all.back().add(uint8_t{ROOT});
	for (size_t i = 0; i < 200; i++)
		all.back().add(info.internal[i]);
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	Input input(data, bytes);
	switch (input.take<uint8_t>() % KINDS) {
	case MESSAGE:
		run_message(input);
		break;
	case BYTES:
		read(rest(input));
		break;
	case CALLED:
		run_handshake(input, false);
		break;
	case CALLING:
		run_handshake(input, true);
		break;
	case FRAMES:
		run_frames(input);
		break;
	case RECORDS:
		run_records(input);
		break;
	case PROVED:
		run_proved(input);
		break;
	default:
		run_root(input);
	}
	return 0;
}
