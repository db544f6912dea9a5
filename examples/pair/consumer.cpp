// SPDX-License-Identifier: MIT
/**
 * DOC: Consumer
 *
 * Takes a buffer and an event from another process, reads the buffer when the event says that it is
 * full, and writes an answer into it.
 */
#include "letters.h"

#include <vector>

int main(int argc, char **argv)
{
	std::string folder = argc > 1 ? argv[1] : ".";
	aclrtStream stream = nullptr;
	aclrtEvent ready = nullptr;
	void *buffer = nullptr;
	int32_t own = 0;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));

	FILE *in = open_pipe(folder, "to_consumer", "r");
	FILE *out = open_pipe(folder, "to_producer", "w");

	/* The number by which the firmware knows this process. */
	CHECK(aclrtDeviceGetBareTgid(&own));
	send(out, own);
	Offer offer = receive<Offer>(in);
	CHECK(aclrtIpcMemImportByKey(&buffer, offer.key, 0));
	CHECK(aclrtIpcOpenEventHandle(offer.event, &ready));

	/* The stream waits for the other process's record; the host waits for the stream. */
	std::vector<unsigned char> host(BUFFER_BYTES);
	CHECK(aclrtStreamWaitEvent(stream, ready));
	CHECK(aclrtSynchronizeStream(stream));
	CHECK(aclrtMemcpy(host.data(), BUFFER_BYTES, buffer, BUFFER_BYTES,
			  ACL_MEMCPY_DEVICE_TO_HOST));
	size_t wrong = 0;
	for (unsigned char byte : host)
		wrong += byte != 0x11;
	std::printf("consumer: found 0x%02x, %zu bytes are wrong\n", host[0], wrong);

	CHECK(aclrtMemsetAsync(buffer, BUFFER_BYTES, 0x22, BUFFER_BYTES, stream));
	CHECK(aclrtRecordEvent(ready, stream));
	send(out, 'r');
	std::printf("consumer: wrote 0x22\n");

	/* Not before the producer has seen it. */
	receive<char>(in);
	CHECK(aclrtSynchronizeStream(stream));
	CHECK(aclrtDestroyEvent(ready));
	CHECK(aclrtIpcMemClose(offer.key));
	send(out, 'c');
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return wrong ? 1 : 0;
}
