// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "secret.h"

namespace umd {

/** class AesGcm - AES-256-GCM by one key, of libcrypto.so.3 where the system has it. Context: one thread at a time. */
class AesGcm {
public:
	/** is_there() - whether the library is there and the CPU has instructions for it. The first call loads the
	 * library. Context: any thread. */
	static bool is_there();

	/** make() - Return: nullptr without the library, or without memory. */
	static std::unique_ptr<AesGcm> make(const Key &key);
	~AesGcm();
	AesGcm(const AesGcm &) = delete;
	AesGcm &operator=(const AesGcm &) = delete;

	/** NUMBER_BYTES - no number is used twice with a key. TAG_BYTES - that sealed bytes have more. */
	static constexpr size_t NUMBER_BYTES = 12;
	static constexpr size_t TAG_BYTES = 16;

	/** close(), open() - seals or opens; an object does one of them alone. @to may be the place of what is opened.
	 * Return: false: not sealed by this key and number; without memory. */
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
