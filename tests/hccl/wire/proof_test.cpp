// SPDX-License-Identifier: MIT
/**
 * DOC: Tests of proofs
 *
 * Two sides of a connection, and somebody between them who does not know the secret.
 */
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "umd/hccl/meeting/local.h"
#include "umd/hccl/meeting/meeting_message.h"
#include "umd/hccl/proof/handshake.h"
#include "umd/hccl/wire/plugin.h"

using base::Fd;
using base::Status;
using umd::AesGcm;
using umd::Answer;
using umd::Cipher;
using umd::Handshake;
using umd::Key;
using umd::Knock;
using umd::Nonce;
using umd::Seal;
using umd::SEAL_BYTES;
using umd::Topic;
using umd::Wish;

namespace {

const Nonce SECRET = {1, 2, 3};
const Nonce NAME = umd::derive(Topic::DOOR, SECRET);

struct Ends {
	Fd caller, called;

	Ends()
	{
		int fds[2];
		EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
		caller = Fd(fds[0]);
		called = Fd(fds[1]);
	}
};

Handshake receive(const Key &known)
{
	return Handshake::receive([known](Wish wish, const Nonce &name, Key &key) {
		key = known;
		return wish == Wish::MEETING && name == NAME;
	});
}

template <class T> T take(const Fd &socket)
{
	T what{};
	EXPECT_EQ(base::calls::recv(socket.get(), &what, sizeof(what), 0, base::calls::NOW),
		  static_cast<ssize_t>(sizeof(what)));
	return what;
}

template <class T> void give(const Fd &socket, const T &what)
{
	EXPECT_EQ(base::calls::send(socket.get(), &what, sizeof(what), base::calls::NOW),
		  static_cast<ssize_t>(sizeof(what)));
}

} // namespace

TEST(Proof, BothSidesGetTheKeysOfEachOther)
{
	Ends ends;
	const Key key = umd::key_of(SECRET);
	Handshake caller = Handshake::call(Wish::MEETING, NAME, key);
	Handshake called = receive(key);
	EXPECT_EQ(caller.advance(ends.caller), Status::NOT_READY);
	EXPECT_FALSE(called.has_knocked());
	EXPECT_EQ(called.advance(ends.called), Status::NOT_READY);
	EXPECT_TRUE(called.has_knocked());
	EXPECT_EQ(caller.advance(ends.caller), Status::OK);
	EXPECT_EQ(called.advance(ends.called), Status::OK);
	EXPECT_EQ(caller.keys().said, called.keys().heard);
	EXPECT_EQ(caller.keys().heard, called.keys().said);
	EXPECT_NE(caller.keys().said, caller.keys().heard);
}

TEST(Proof, NobodyGetsInWithoutTheKey)
{
	for (const bool is_called : {false, true}) {
		Ends ends;
		const Key key = umd::key_of(SECRET);
		const Key other = umd::key_of(Nonce{9});
		Handshake caller = Handshake::call(Wish::MEETING, NAME, is_called ? key : other);
		Handshake called = receive(is_called ? other : key);
		(void)caller.advance(ends.caller);
		EXPECT_EQ(called.advance(ends.called), Status::NOT_READY);
		EXPECT_EQ(caller.advance(ends.caller), Status::BAD_MESSAGE);
	}
	Ends ends;
	Handshake stranger = Handshake::call(Wish::WIRE, NAME, umd::key_of(SECRET));
	Handshake called = receive(umd::key_of(SECRET));
	(void)stranger.advance(ends.caller);
	EXPECT_EQ(called.advance(ends.called), Status::BAD_MESSAGE);
}

/* What was said in one connection is of no use in another one, and no proof is good for the other side. */
TEST(Proof, OldProofsProveNothing)
{
	Ends first;
	const Key key = umd::key_of(SECRET);
	Handshake caller = Handshake::call(Wish::MEETING, NAME, key);
	Handshake called = receive(key);
	(void)caller.advance(first.caller);
	const auto knock = take<Knock>(first.called);
	give(first.caller, knock);
	(void)called.advance(first.called);
	const auto answer = take<Answer>(first.caller);
	give(first.called, answer);
	EXPECT_EQ(caller.advance(first.caller), Status::OK);
	const auto assent = take<umd::Mac>(first.called);
	for (const umd::Mac &proof : {assent, answer.proof}) {
		Ends second;
		Handshake again = receive(key);
		give(second.caller, knock);
		EXPECT_EQ(again.advance(second.called), Status::NOT_READY);
		give(second.caller, proof);
		EXPECT_EQ(again.advance(second.called), Status::BAD_MESSAGE);
	}
	Ends third;
	Handshake other = Handshake::call(Wish::MEETING, NAME, key);
	EXPECT_EQ(other.advance(third.caller), Status::NOT_READY);
	give(third.called, answer);
	EXPECT_EQ(other.advance(third.caller), Status::BAD_MESSAGE);
}

static umd::Mac mac_over(const Key &key, const char *what, const Knock &knock, const Key &answered,
			 Cipher cipher = Cipher::CHACHA20)
{
	const Answer answer{answered, cipher, {}};
	std::array<uint8_t, 8 + sizeof(knock) + offsetof(Answer, proof)> all{};
	memcpy(all.data(), what, strlen(what));
	memcpy(all.data() + 8, &knock, sizeof(knock));
	memcpy(all.data() + 8 + sizeof(knock), &answer, offsetof(Answer, proof));
	return umd::mac_of(key, all);
}

/* Who has recorded a connection and gets the secret later knows all that was said. */
TEST(Proof, TheSecretAndARecordDoNotGiveTheKeys)
{
	Ends ends;
	const Key key = umd::key_of(SECRET);
	Handshake caller = Handshake::call(Wish::MEETING, NAME, key);
	Handshake called = receive(key);
	(void)caller.advance(ends.caller);
	const auto knock = take<Knock>(ends.called);
	give(ends.caller, knock);
	(void)called.advance(ends.called);
	const auto answer = take<Answer>(ends.caller);
	give(ends.called, answer);
	ASSERT_EQ(caller.advance(ends.caller), Status::OK);
	ASSERT_EQ(mac_over(key, "answer", knock, answer.pair), answer.proof);
	EXPECT_NE(mac_over(key, "to host", knock, answer.pair), caller.keys().said);
	EXPECT_NE(mac_over(key, "to rank", knock, answer.pair), caller.keys().heard);
	/* With the own half of a pair he would have them. */
	Key own, said, common;
	ASSERT_EQ(umd::make_key_pair(own, said), Status::OK);
	Ends others;
	Handshake again = Handshake::call(Wish::MEETING, NAME, key);
	(void)again.advance(others.caller);
	const auto heard = take<Knock>(others.called);
	give(others.called, Answer{said, Cipher::CHACHA20, mac_over(key, "answer", heard, said)});
	ASSERT_EQ(again.advance(others.caller), Status::OK);
	ASSERT_TRUE(umd::agree(own, heard.pair, common));
	EXPECT_EQ(mac_over(umd::mac_of(key, common), "to host", heard, said), again.keys().said);
}

/* Points of a low order would make the common key known to all. */
TEST(Proof, KeysThatAreNoneOfAPairEndTheConnection)
{
	Ends ends;
	const Key key = umd::key_of(SECRET);
	for (const Key said : {Key{}, Key{1}}) {
		Handshake caller = Handshake::call(Wish::MEETING, NAME, key);
		(void)caller.advance(ends.caller);
		const auto knock = take<Knock>(ends.called);
		give(ends.called,
		     Answer{said, Cipher::CHACHA20, mac_over(key, "answer", knock, said)});
		EXPECT_EQ(caller.advance(ends.caller), Status::BAD_MESSAGE);
		(void)take<umd::Mac>(ends.called);
	}
}

constexpr uint32_t BOTH =
	static_cast<uint32_t>(Cipher::CHACHA20) | static_cast<uint32_t>(Cipher::AES_GCM);

TEST(Proof, BothSidesTakeTheBestCipherThatBothHave)
{
	const Key key = umd::key_of(SECRET);
	const Cipher best = AesGcm::is_there() ? Cipher::AES_GCM : Cipher::CHACHA20;
	for (const uint32_t ciphers : {1u, BOTH}) {
		Ends ends;
		Handshake caller = Handshake::call(Wish::MEETING, NAME, key, ciphers);
		Handshake called = receive(key);
		(void)caller.advance(ends.caller);
		EXPECT_EQ(called.advance(ends.called), Status::NOT_READY);
		EXPECT_EQ(caller.advance(ends.caller), Status::OK);
		EXPECT_EQ(called.advance(ends.called), Status::OK);
		EXPECT_EQ(caller.keys().cipher, ciphers == BOTH ? best : Cipher::CHACHA20);
		EXPECT_EQ(called.keys().cipher, caller.keys().cipher);
	}
}

/* A program between the two sides that changes their messages can't make them use another cipher. */
TEST(Proof, NobodyElseChoosesTheCipher)
{
	const Key key = umd::key_of(SECRET);
	for (const bool is_knock : {true, false}) {
		Ends first, second;
		Handshake caller = Handshake::call(Wish::MEETING, NAME, key, BOTH);
		Handshake called = receive(key);
		(void)caller.advance(first.caller);
		auto knock = take<Knock>(first.called);
		if (is_knock)
			knock.ciphers = static_cast<uint32_t>(Cipher::CHACHA20);
		give(second.caller, knock);
		ASSERT_EQ(called.advance(second.called), Status::NOT_READY);
		auto answer = take<Answer>(second.caller);
		if (!is_knock)
			answer.cipher = answer.cipher == Cipher::AES_GCM ? Cipher::CHACHA20
									 : Cipher::AES_GCM;
		give(first.called, answer);
		EXPECT_EQ(caller.advance(first.caller), Status::BAD_MESSAGE) << is_knock;
	}
	/* Nor does the other side take one that was not offered, or that there is not. */
	for (const Cipher cipher : {Cipher::AES_GCM, Cipher{0}, Cipher{4}, Cipher{BOTH}}) {
		Ends ends;
		Key own, said;
		ASSERT_EQ(umd::make_key_pair(own, said), Status::OK);
		Handshake caller = Handshake::call(Wish::MEETING, NAME, key);
		(void)caller.advance(ends.caller);
		const auto knock = take<Knock>(ends.called);
		give(ends.called,
		     Answer{said, cipher, mac_over(key, "answer", knock, said, cipher)});
		EXPECT_EQ(caller.advance(ends.caller), Status::BAD_MESSAGE);
	}
	for (const uint32_t ciphers : {0u, 2u, 4u, 5u}) {
		Knock knock{
			{'u', 'm', 'e', 't'}, umd::HANDSHAKE_VERSION, Wish::WIRE, ciphers, {}, {}};
		EXPECT_FALSE(umd::check_knock(knock)) << ciphers;
	}
}

namespace {

/* A test runs for each cipher that is there. */
std::vector<Cipher> ciphers()
{
	std::vector<Cipher> all{Cipher::CHACHA20};
	if (AesGcm::is_there())
		all.push_back(Cipher::AES_GCM);
	return all;
}

} // namespace

TEST(Proof, SealsAreOpenedInTheirOrderAlone)
{
	for (const Cipher cipher : ciphers()) {
		const std::array<uint8_t, 5> plain = {1, 2, 3, 4, 5};
		std::array<std::array<uint8_t, sizeof(plain) + SEAL_BYTES>, 2> sealed{};
		std::array<uint8_t, sizeof(plain)> opened{};
		Seal said(Key{1}, cipher);
		for (auto &each : sealed)
			said.close(plain, each.data());
		EXPECT_NE(sealed[0], sealed[1]);
		Seal heard(Key{1}, cipher);
		EXPECT_TRUE(heard.open(sealed[0], opened.data()));
		EXPECT_EQ(opened, plain);
		EXPECT_FALSE(heard.open(sealed[0], opened.data())) << "said twice";
		Seal late(Key{1}, cipher);
		EXPECT_FALSE(late.open(sealed[1], opened.data())) << "one is left out";
		EXPECT_FALSE(Seal(Key{2}, cipher).open(sealed[0], opened.data()))
			<< "of the other direction";
		sealed[0][2] ^= 1;
		EXPECT_FALSE(Seal(Key{1}, cipher).open(sealed[0], opened.data())) << "changed";
		EXPECT_FALSE(
			Seal(Key{1}, cipher).open(std::span(sealed[0]).first(3), opened.data()));
	}
}

/* Test case 14 of McGrew and Viega, "The Galois/Counter Mode of Operation". */
TEST(Proof, AesGcmIsWhatOthersHave)
{
	if (!AesGcm::is_there())
		GTEST_SKIP() << "there is no libcrypto.so.3, or the CPU has no instructions for it";
	const std::array<uint8_t, 16> plain{};
	const std::array<uint8_t, 12> number{};
	const std::array<uint8_t, 32> expected = {0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e,
						  0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
						  0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0,
						  0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19};
	std::array<uint8_t, 32> sealed{};
	const auto aes = AesGcm::make(Key{});
	ASSERT_TRUE(aes);
	ASSERT_TRUE(aes->close(plain, number.data(), sealed.data()));
	EXPECT_EQ(sealed, expected);
}

TEST(Proof, AKeySealsSoManyPieces)
{
	const std::array<uint8_t, 8> next = {'n', 'e', 'x', 't'};
	const Key second = umd::mac_of(Key{1}, next);
	for (const Cipher cipher : ciphers()) {
		const std::array<uint8_t, 1> plain = {7};
		std::array<uint8_t, 1 + SEAL_BYTES> sealed{};
		std::array<uint8_t, 1> opened{};
		Seal said(Key{1}, cipher), heard(Key{1}, cipher);
		uint64_t good = 0;
		for (uint64_t i = 0; i <= umd::SEAL_PIECES; i++) {
			said.close(plain, sealed.data());
			good += heard.open(sealed, opened.data()) && opened == plain ? 1 : 0;
		}
		EXPECT_EQ(good, umd::SEAL_PIECES + 1);
		if (cipher != Cipher::AES_GCM)
			continue;
		std::array<uint8_t, AesGcm::NUMBER_BYTES> number{};
		memcpy(number.data(), &umd::SEAL_PIECES, sizeof(umd::SEAL_PIECES));
		EXPECT_TRUE(AesGcm::make(second)->open(sealed, number.data(), opened.data()));
		EXPECT_FALSE(AesGcm::make(Key{1})->open(sealed, number.data(), opened.data()));
	}
}

TEST(Proof, NamesDoNotLeadToTheSecret)
{
	EXPECT_EQ(umd::derive(Topic::SOCKET, SECRET), umd::derive(Topic::SOCKET, SECRET));
	EXPECT_NE(umd::derive(Topic::SOCKET, SECRET), umd::derive(Topic::DOOR, SECRET));
	EXPECT_NE(umd::derive(Topic::SOCKET, SECRET), SECRET);
	const std::array<uint8_t, 3> parts = {7, 8, 9};
	const std::span<const uint8_t> all(parts);
	EXPECT_NE(umd::derive(Topic::RANK, all.first(1), all.subspan(1)),
		  umd::derive(Topic::RANK, all.first(2), all.subspan(2)));
}

static std::string hex_of(const Nonce &bytes)
{
	std::ostringstream text;
	for (const unsigned byte : bytes)
		text << std::hex << byte / 16 << byte % 16;
	return text.str();
}

/* Each user of the machine can read the names of Unix sockets. */
TEST(Proof, TheSocketOfAMeetingDoesNotShowTheSecret)
{
	const Nonce secret = {
		0xa5, 2, 3, 0x5a, 5, 6, 7, static_cast<uint8_t>(getpid() & 0xff),
		9,    9, 9, 9,	  9, 9, 9, static_cast<uint8_t>(getpid() >> 8 & 0xff)};
	const auto socket = umd::listen_for(secret);
	ASSERT_TRUE(socket.ok());
	std::ifstream file("/proc/net/unix");
	const std::string table((std::istreambuf_iterator<char>(file)), {});
	EXPECT_NE(table.find(hex_of(umd::derive(Topic::SOCKET, secret))), std::string::npos);
	EXPECT_EQ(table.find(hex_of(secret)), std::string::npos);
}

/* UCX proves nothing, and has ports of its own. */
TEST(Proof, NobodyGetsAnEngineThatProvesNothingWithoutAskingForIt)
{
	const char *before = getenv("UNPU_HCCL_WIRE");
	const std::string kept = before ? before : "";
	unsetenv("UNPU_HCCL_WIRE");
	umd::EngineChoice choice;
	EXPECT_EQ(umd::choose_engine(choice), HCCL_SUCCESS);
	EXPECT_EQ(choice.kind, umd::WireKind::SOCKETS);
	const char *interface = getenv("HCCL_SOCKET_IFNAME");
	const std::string named = interface ? interface : "";
	unsetenv("HCCL_SOCKET_IFNAME");
	setenv("UNPU_HCCL_WIRE", "ucx", 1);
	EXPECT_EQ(umd::choose_engine(choice), HCCL_E_PARA);
	before ? setenv("UNPU_HCCL_WIRE", kept.c_str(), 1) : unsetenv("UNPU_HCCL_WIRE");
	if (interface)
		setenv("HCCL_SOCKET_IFNAME", named.c_str(), 1);
}

TEST(Proof, MessagesAreCheckedAsAWhole)
{
	umd::MeetingMessage letter{};
	const auto read = [&](const umd::MeetingMessage &from) {
		return umd::read_message(umd::bytes_of(from).first(umd::MESSAGE_HEAD + from.bytes),
					 letter);
	};
	umd::MeetingMessage hello{};
	hello.kind = umd::MessageKind::HELLO;
	hello.bytes = sizeof(umd::Hello);
	umd::Introduction &who = hello.body.hello.who;
	who.version = umd::MEETING_VERSION;
	who.ranks = 2;
	who.rank = 1;
	hello.body.hello.members.fill(umd::NO_MEMBER);
	ASSERT_EQ(read(hello), Status::OK);
	for (const uint32_t ranks : {0u, 1u, umd::MAX_RANKS + 1, 1200u, ~0u}) {
		umd::MeetingMessage bad = hello;
		bad.body.hello.who.ranks = ranks;
		EXPECT_EQ(read(bad), Status::BAD_MESSAGE) << ranks;
	}
	umd::MeetingMessage welcome{};
	welcome.kind = umd::MessageKind::WELCOME;
	welcome.bytes = 2 * sizeof(umd::Introduction);
	auto &ranks = welcome.body.welcome;
	ranks[0] = ranks[1] = who;
	ranks[0].rank = 0;
	EXPECT_EQ(read(welcome), Status::BAD_MESSAGE) << "both have one device";
	ranks[1].device = 1;
	EXPECT_EQ(read(welcome), Status::OK);
	ranks[1].rank = 0;
	EXPECT_EQ(read(welcome), Status::BAD_MESSAGE);
	ranks[1].rank = 1;
	/* Not as many as they say, and bytes that are no whole number of them. */
	for (const size_t bytes : {sizeof(who), 3 * sizeof(who), 2 * sizeof(who) - 4, size_t{0}}) {
		welcome.bytes = static_cast<uint32_t>(bytes);
		EXPECT_EQ(read(welcome), Status::BAD_MESSAGE) << bytes;
	}
	EXPECT_TRUE(
		umd::is_message_size(umd::MESSAGE_HEAD + umd::MAX_RANKS * sizeof(umd::RankPlace)));
	EXPECT_FALSE(umd::is_message_size(umd::MESSAGE_HEAD +
					  (umd::MAX_RANKS + 1) * sizeof(umd::RankPlace)));
	umd::MeetingMessage keys{};
	keys.kind = umd::MessageKind::KEYS;
	keys.bytes = sizeof(umd::RankKeys);
	EXPECT_EQ(read(keys), Status::OK);
	keys.body.keys.place.wire_bytes = umd::WIRE_ADDRESS_MOST + 1;
	EXPECT_EQ(read(keys), Status::BAD_MESSAGE);
}
