// SPDX-License-Identifier: MIT
/**
 * DOC: AES-256-GCM
 *
 * libcrypto of OpenSSL 3 does the work, because it is several times as fast as libsodium. It is loaded when
 * the first connection to another network needs it. It gets a library context of its own, so it reads no
 * configuration file, and shares no settings with a program that uses the same library. The declarations
 * below follow its manual pages, and are stable in all versions of libcrypto.so.3.
 */
#include "aes_gcm.h"

#include <algorithm>
#include <climits>

#include <dlfcn.h>
#include <sodium.h>

namespace umd {

static constexpr int GET_TAG = 0x10, SET_TAG = 0x11; /* commands of EVP_CIPHER_CTX_ctrl() */

struct AesGcm::Library {
	void *(*new_settings)();
	void *(*fetch)(void *settings, const char *name, const char *properties);
	void *(*new_context)();
	void (*free_context)(void *context);
	int (*init)(void *context, const void *cipher, void *engine, const uint8_t *key,
		    const uint8_t *number, int is_sealing);
	int (*update)(void *context, uint8_t *to, int *done, const uint8_t *from, int bytes);
	int (*finish)(void *context, uint8_t *to, int *done);
	int (*control)(void *context, int what, int bytes, void *at);
	void *cipher;
};

template <class F> static bool find(void *library, const char *name, F &function)
{
	function = reinterpret_cast<F>(dlsym(library, name));
	return function != nullptr;
}

/* Whether the CPU has the AES instructions. Without them the library uses tables, which are slower than
 * ChaCha20, or leak the key to other programs through the cache. */
static bool has_instructions()
{
	return sodium_init() >= 0 && sodium_runtime_has_aesni() != 0 &&
	       sodium_runtime_has_pclmul() != 0;
}

/* Return: nullptr if the library or a symbol is missing. The library is never unloaded. */
const AesGcm::Library *AesGcm::load()
{
	static Library found;
	void *library =
		has_instructions() ? dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL) : nullptr;
	if (!library || !find(library, "OSSL_LIB_CTX_new", found.new_settings) ||
	    !find(library, "EVP_CIPHER_fetch", found.fetch) ||
	    !find(library, "EVP_CIPHER_CTX_new", found.new_context) ||
	    !find(library, "EVP_CIPHER_CTX_free", found.free_context) ||
	    !find(library, "EVP_CipherInit_ex", found.init) ||
	    !find(library, "EVP_CipherUpdate", found.update) ||
	    !find(library, "EVP_CipherFinal_ex", found.finish) ||
	    !find(library, "EVP_CIPHER_CTX_ctrl", found.control))
		return nullptr;
	void *settings = found.new_settings();
	found.cipher = settings ? found.fetch(settings, "AES-256-GCM", nullptr) : nullptr;
	return found.cipher ? &found : nullptr;
}

const AesGcm::Library *AesGcm::library()
{
	static const Library *const found = load();
	return found;
}

bool AesGcm::is_there()
{
	return library() != nullptr;
}

std::unique_ptr<AesGcm> AesGcm::make(const Key &key)
{
	const Library *all = library();
	void *context = all ? all->new_context() : nullptr;
	if (!context)
		return nullptr;
	std::unique_ptr<AesGcm> made(new AesGcm(*all, context));
	/* Only the key is set here. Each piece sets the direction and its number. */
	if (all->init(context, all->cipher, nullptr, key.data(), nullptr, 1) != 1)
		return nullptr;
	return made;
}

AesGcm::~AesGcm()
{
	library_.free_context(context_);
}

bool AesGcm::run(std::span<const uint8_t> from, const uint8_t *number, uint8_t *to, bool is_sealing)
{
	int done = 0;
	if (from.size() > INT_MAX ||
	    library_.init(context_, nullptr, nullptr, nullptr, number, is_sealing) != 1)
		return false;
	return library_.update(context_, to, &done, from.data(), static_cast<int>(from.size())) ==
		       1 &&
	       static_cast<size_t>(done) == from.size();
}

bool AesGcm::close(std::span<const uint8_t> plain, const uint8_t *number, uint8_t *to)
{
	int none = 0;
	uint8_t *tag = to + plain.size();
	return run(plain, number, to, true) && library_.finish(context_, tag, &none) == 1 &&
	       library_.control(context_, GET_TAG, TAG_BYTES, tag) == 1;
}

bool AesGcm::open(std::span<const uint8_t> sealed, const uint8_t *number, uint8_t *to)
{
	if (sealed.size() < TAG_BYTES)
		return false;
	int none = 0;
	uint8_t tag[TAG_BYTES];
	const std::span<const uint8_t> data = sealed.first(sealed.size() - TAG_BYTES);
	std::copy(sealed.end() - TAG_BYTES, sealed.end(), tag);
	return run(data, number, to, false) &&
	       library_.control(context_, SET_TAG, TAG_BYTES, tag) == 1 &&
	       library_.finish(context_, tag, &none) == 1;
}

} // namespace umd
