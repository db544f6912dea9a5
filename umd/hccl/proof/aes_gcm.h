// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "secret.h"

namespace umd {

/** class AesGcm - AES-256-GCM with one key. It uses libcrypto.so.3, if the system has that. Context: one
 * thread at a time. */
class AesGcm {
public:
	/** is_there() - whether the system has the library and the CPU has the AES instructions. The first
	 * call loads the library. Context: any thread. */
	static bool is_there();

	/** make() - makes a cipher for @key. Return: nullptr if there is no library or no memory. */
	static std::unique_ptr<AesGcm> make(const Key &key);
	~AesGcm();
	AesGcm(const AesGcm &) = delete;
	AesGcm &operator=(const AesGcm &) = delete;

	/** NUMBER_BYTES - size of the number of a piece (the nonce). A number is used only once with a key.
	 * TAG_BYTES - how many bytes longer the sealed bytes are. */
	static constexpr size_t NUMBER_BYTES = 12;
	static constexpr size_t TAG_BYTES = 16;

	/** close(), open() - encrypts or decrypts a piece. One object does only one of the two. @to may be
	 * the buffer that is opened.
	 * Return: false if the bytes were not sealed with this key and number, or if there is no memory. */
	bool close(std::span<const uint8_t> plain, const uint8_t *number, uint8_t *to);
	bool open(std::span<const uint8_t> sealed, const uint8_t *number, uint8_t *to);

private:
	struct Library;

	explicit AesGcm(const Library &library, void *context)
		: library_(library), context_(context)
	{
	}
	static const Library *load();
	static const Library *library();
	bool run(std::span<const uint8_t> from, const uint8_t *number, uint8_t *to,
		 bool is_sealing);

	const Library &library_;
	void *const context_;
};

} // namespace umd
