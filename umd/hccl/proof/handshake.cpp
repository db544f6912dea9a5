// SPDX-License-Identifier: MIT
/**
 * DOC: Steps of a handshake
 *
 * Each message fits into the buffer of a new socket. If a message can't be sent at once, the connection ends.
 */
#include "handshake.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace umd {

using base::Fd;
using base::Status;

static constexpr std::array<char, 4> MAGIC = {'u', 'm', 'e', 't'};

static constexpr uint32_t CIPHERS =
	static_cast<uint32_t>(Cipher::CHACHA20) | static_cast<uint32_t>(Cipher::AES_GCM);

static bool has(uint32_t ciphers, Cipher cipher)
{
	return (ciphers & static_cast<uint32_t>(cipher)) != 0;
}

uint32_t all_ciphers()
{
	return AesGcm::is_there() ? CIPHERS : static_cast<uint32_t>(Cipher::CHACHA20);
}

bool check_knock(const Knock &knock)
{
	return knock.magic == MAGIC && knock.version == HANDSHAKE_VERSION &&
	       has(knock.ciphers, Cipher::CHACHA20) && knock.ciphers <= CIPHERS &&
	       (knock.wish == Wish::MEETING || knock.wish == Wish::WIRE);
}

Handshake Handshake::call(Wish wish, const Nonce &name, const Key &key, uint32_t ciphers)
{
	Handshake made;
	made.step_ = Step::CALLING;
	made.knock_ = {MAGIC, HANDSHAKE_VERSION, wish, ciphers, name, {}};
	made.key_ = key;
	return made;
}

Handshake Handshake::receive(Find find)
{
	Handshake made;
	made.step_ = Step::CALLED;
	made.find_ = std::move(find);
	return made;
}

/* @what: the label of the proof; all labels have the same length */
Mac Handshake::mac(const Key &key, const char *what) const
{
	constexpr size_t ANSWERED = offsetof(Answer, proof);
	std::array<uint8_t, 8 + sizeof(knock_) + ANSWERED> all{};
	memcpy(all.data(), what, std::string_view(what).size());
	memcpy(all.data() + 8, &knock_, sizeof(knock_));
	memcpy(all.data() + 8 + sizeof(knock_), &answer_, ANSWERED);
	return mac_of(key, all);
}

static Status say(const Fd &socket, std::span<const uint8_t> bytes)
{
	const ssize_t sent =
		base::calls::send(socket.get(), bytes.data(), bytes.size(), base::calls::NOW);
	return sent == static_cast<ssize_t>(bytes.size()) ? Status::OK : Status::DEVICE_LOST;
}

Status Handshake::read(const Fd &socket, void *to, size_t bytes)
{
	while (have_ < bytes) {
		const ssize_t got = base::calls::recv(socket.get(), input_.data() + have_,
						      bytes - have_, 0, base::calls::NOW);
		if (got < 0 && errno == EAGAIN)
			return Status::NOT_READY;
		if (got <= 0)
			return Status::DEVICE_LOST;
		have_ += static_cast<size_t>(got);
	}
	memcpy(to, input_.data(), bytes);
	have_ = 0;
	return Status::OK;
}

Status Handshake::end(bool has_called)
{
	Key common;
	const bool good = agree(own_, has_called ? answer_.pair : knock_.pair, common);
	forget(own_);
	if (!good)
		return Status::BAD_MESSAGE;
	Key key = mac_of(key_, common);
	forget(common);
	const Mac from_caller = mac(key, "to host");
	const Mac from_called = mac(key, "to rank");
	forget(key);
	keys_ = has_called ? SessionKeys{from_caller, from_called, answer_.cipher}
			   : SessionKeys{from_called, from_caller, answer_.cipher};
	step_ = Step::DONE;
	return Status::OK;
}

Status Handshake::knock(const Fd &socket)
{
	TRY(make_key_pair(own_, knock_.pair));
	step_ = Step::KNOCKED;
	return say(socket, bytes_of(knock_));
}

Status Handshake::on_knock(const Fd &socket)
{
	TRY(read(socket, &knock_, sizeof(knock_)));
	if (!check_knock(knock_) || !find_(knock_.wish, knock_.name, key_))
		return Status::BAD_MESSAGE;
	TRY(make_key_pair(own_, answer_.pair));
	const bool may_aes = has(knock_.ciphers, Cipher::AES_GCM) && AesGcm::is_there();
	answer_.cipher = may_aes ? Cipher::AES_GCM : Cipher::CHACHA20;
	answer_.proof = mac(key_, "answer");
	step_ = Step::ANSWERED;
	return say(socket, bytes_of(answer_));
}

Status Handshake::on_answer(const Fd &socket)
{
	TRY(read(socket, &answer_, sizeof(answer_)));
	const bool is_cipher =
		answer_.cipher == Cipher::CHACHA20 || answer_.cipher == Cipher::AES_GCM;
	if (!is_same(answer_.proof, mac(key_, "answer")) || !is_cipher ||
	    !has(knock_.ciphers, answer_.cipher))
		return Status::BAD_MESSAGE;
	const Status said = say(socket, mac(key_, "assent"));
	return said == Status::OK ? end(true) : said;
}

Status Handshake::on_assent(const Fd &socket)
{
	Mac proof;
	TRY(read(socket, &proof, sizeof(proof)));
	if (!is_same(proof, mac(key_, "assent")))
		return Status::BAD_MESSAGE;
	return end(false);
}

Status Handshake::advance(const Fd &socket)
{
	Status status = Status::OK;
	while (step_ != Step::DONE && status == Status::OK) {
		switch (step_) {
		case Step::CALLING:
			status = knock(socket);
			break;
		case Step::KNOCKED:
			status = on_answer(socket);
			break;
		case Step::CALLED:
			status = on_knock(socket);
			break;
		case Step::ANSWERED:
			status = on_assent(socket);
			break;
		case Step::DONE:
			break;
		}
	}
	return status;
}

} // namespace umd
