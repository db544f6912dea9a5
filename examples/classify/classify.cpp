// SPDX-License-Identifier: MIT
/**
 * DOC: A model from a file
 *
 * classify MODEL.om PICTURE.ppm prints the five classes to which the model gives the most. make_model.py makes both
 * files; atc compiles the model: Documentation/models.rst.
 */
#include <acl/acl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CHECK(call) check(static_cast<int>(call), #call)

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

/* The bytes of a picture become numbers of three planes, from 0 to 1. */
static std::vector<float> read_picture(const char *path, size_t pixels)
{
	std::vector<unsigned char> bytes(3 * pixels);
	unsigned width = 0, height = 0;
	std::FILE *file = std::fopen(path, "rb");
	if (!file || std::fscanf(file, "P6 %u %u 255", &width, &height) != 2 ||
	    width * height != pixels || std::fgetc(file) == EOF ||
	    std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
		std::fprintf(stderr, "%s is no PPM picture of %zu pixels\n", path, pixels);
		std::exit(1);
	}
	std::fclose(file);
	std::vector<float> planes(bytes.size());
	for (size_t i = 0; i < bytes.size(); i++)
		planes[i % 3 * pixels + i / 3] = static_cast<float>(bytes[i]) / 255;
	return planes;
}

/* A dataset with one buffer of device memory. */
static aclmdlDataset *make_dataset(size_t bytes, void **memory)
{
	aclmdlDataset *dataset = aclmdlCreateDataset();
	CHECK(aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(*memory, bytes)));
	return dataset;
}

static void destroy_dataset(aclmdlDataset *dataset, void *memory)
{
	CHECK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset, 0)));
	CHECK(aclmdlDestroyDataset(dataset));
	CHECK(aclrtFree(memory));
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		std::fprintf(stderr, "classify MODEL.om PICTURE.ppm\n");
		return 1;
	}
	uint32_t model = 0;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclmdlLoadFromFile(argv[1], &model));
	aclmdlDesc *desc = aclmdlCreateDesc();
	CHECK(aclmdlGetDesc(desc, model));
	const size_t in_bytes = aclmdlGetInputSizeByIndex(desc, 0),
		     out_bytes = aclmdlGetOutputSizeByIndex(desc, 0);
	const std::vector<float> image = read_picture(argv[2], in_bytes / sizeof(float) / 3);

	void *in = nullptr, *out = nullptr;
	aclmdlDataset *input = make_dataset(in_bytes, &in), *output = make_dataset(out_bytes, &out);
	std::vector<float> shares(out_bytes / sizeof(float));
	CHECK(aclrtMemcpy(in, in_bytes, image.data(), in_bytes, ACL_MEMCPY_HOST_TO_DEVICE));
	CHECK(aclmdlExecute(model, input, output));
	CHECK(aclrtMemcpy(shares.data(), out_bytes, out, out_bytes, ACL_MEMCPY_DEVICE_TO_HOST));

	std::vector<int> classes(shares.size());
	std::iota(classes.begin(), classes.end(), 0);
	std::sort(classes.begin(), classes.end(),
		  [&](int a, int b) { return shares[a] > shares[b]; });
	for (size_t i = 0; i < 5 && i < classes.size(); i++)
		std::printf("class %d: %.1f %%\n", classes[i], 100 * shares[classes[i]]);

	destroy_dataset(input, in);
	destroy_dataset(output, out);
	CHECK(aclmdlDestroyDesc(desc));
	CHECK(aclmdlUnload(model));
	return aclFinalize();
}
