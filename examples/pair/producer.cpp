// SPDX-License-Identifier: MIT
/**
 * DOC: Producer
 *
 * Fills a buffer on the device and lets another process have it, with an event that says when it is
 * full; waits on the device until that process has written its answer into the same buffer.
 *
 *	producer FOLDER &
 *	consumer FOLDER
 */
#include "letters.h"

#include <vector>

int main(int argc, char **argv)
{
	std::string folder = argc > 1 ? argv[1] : ".";
	aclrtStream stream = nullptr;
	aclrtEvent ready = nullptr;
	void *buffer = nullptr;
	Offer offer = {};

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtCreateEventExWithFlag(&ready, ACL_EVENT_IPC));
	CHECK(aclrtMalloc(&buffer, BUFFER_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));

	FILE *out = open_pipe(folder, "to_consumer", "w");
	FILE *in = open_pipe(folder, "to_producer", "r");

	/* A process with the key may import the buffer only if its number is listed here. */
	CHECK(aclrtIpcMemGetExportKey(buffer, BUFFER_BYTES, offer.key, KEY_BYTES, 0));
	int32_t consumer = receive<int32_t>(in);
	CHECK(aclrtIpcMemSetImportPid(offer.key, &consumer, 1));
	CHECK(aclrtIpcGetEventHandle(ready, &offer.event));

	/* Record before the consumer gets the offer: a wait is for the record that it finds. */
	CHECK(aclrtMemsetAsync(buffer, BUFFER_BYTES, 0x11, BUFFER_BYTES, stream));
	CHECK(aclrtRecordEvent(ready, stream));
	send(out, offer);
	std::printf("producer: offered a buffer of 0x11\n");

	/* The consumer has recorded the event; whether its work is done is for the device to know. */
	receive<char>(in);
	std::vector<unsigned char> host(BUFFER_BYTES);
	CHECK(aclrtStreamWaitEvent(stream, ready));
	CHECK(aclrtSynchronizeStream(stream));
	CHECK(aclrtMemcpy(host.data(), BUFFER_BYTES, buffer, BUFFER_BYTES,
			  ACL_MEMCPY_DEVICE_TO_HOST));
	size_t wrong = 0;
	for (unsigned char byte : host)
		wrong += byte != 0x22;
	std::printf("producer: got it back as 0x%02x, %zu bytes are wrong\n", host[0], wrong);

	/* Importers close first, then the exporter. */
	send(out, 'd');
	receive<char>(in);
	CHECK(aclrtIpcMemClose(offer.key));
	CHECK(aclrtFree(buffer));
	CHECK(aclrtDestroyEvent(ready));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return wrong ? 1 : 0;
}
