// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs with models of files
 *
 * The model is y = relu(x * w + b) of 2 x 4 floats.
 */
#include <atomic>
#include <initializer_list>
#include <string>
#include <thread>

#include "acl.h"

namespace {

constexpr size_t FLOATS = 32;

/* class Model - a load of it. */
class Model {
public:
	explicit Model(const char *name = "dense")
	{
		const std::string path = std::string(UNPU_TEST_MODELS) + "/" + name + ".om";
		OK(aclmdlLoadFromFile(path.c_str(), &id_));
	}
	~Model() { OK(aclmdlUnload(id_)); }
	Model(const Model &) = delete;
	Model &operator=(const Model &) = delete;

	/* @stream: NULL: the calling thread waits. @shape: of @x, where it has free dims */
	void run(aclrtStream stream, void *x, void *y, aclTensorDesc *shape = nullptr) const
	{
		const size_t bytes = shape ? aclGetTensorDescSize(shape) : FLOATS;
		aclmdlDataset *in = list(x, bytes), *out = list(y, bytes);
		if (shape)
			OK(aclmdlSetDatasetTensorDesc(in, shape, 0));
		OK(stream ? aclmdlExecuteAsync(id_, in, out, stream) : aclmdlExecute(id_, in, out));
		for (aclmdlDataset *dataset : {in, out}) {
			OK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset, 0)));
			OK(aclmdlDestroyDataset(dataset));
		}
	}

private:
	static aclmdlDataset *list(void *memory, size_t bytes)
	{
		aclmdlDataset *dataset = aclmdlCreateDataset();
		OK(aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(memory, bytes)));
		return dataset;
	}

	uint32_t id_ = 0;
};

} // namespace

PROGRAM(M01, "RACE-RAW")
{
	const Model model;
	aclrtStream copies = new_stream(), compute = new_stream();
	char *source = new_pinned(FLOATS), *x = new_memory(FLOATS), *y = new_memory(FLOATS);
	aclrtEvent ready = new_event();
	copy(copies, x, source, FLOATS);
	if (fixed) {
		record(ready, copies);
		wait(compute, ready);
	}
	model.run(compute, x, y);
	OK(aclrtSynchronizeDevice());
}

/* aclmdlExecute() follows no stream of the program. */
PROGRAM(M02, "RACE-RAW")
{
	const Model model;
	aclrtStream copies = new_stream();
	char *source = new_pinned(FLOATS), *x = new_memory(FLOATS), *y = new_memory(FLOATS);
	copy(copies, x, source, FLOATS);
	if (fixed)
		sync(copies);
	model.run(nullptr, x, y);
	OK(aclrtSynchronizeDevice());
}

PROGRAM(M03, "RACE-RAW")
{
	const Model model;
	aclrtStream compute = new_stream(), copies = new_stream();
	char *x = new_memory(FLOATS), *y = new_memory(FLOATS), *saved = new_pinned(FLOATS);
	aclrtEvent done = new_event();
	model.run(compute, x, y);
	if (fixed) {
		record(done, compute);
		wait(copies, done);
	}
	copy(copies, saved, y, FLOATS);
	OK(aclrtSynchronizeDevice());
}

PROGRAM(M04, "RACE-WAR")
{
	const Model model;
	aclrtStream compute = new_stream(), copies = new_stream();
	char *next = new_pinned(FLOATS), *x = new_memory(FLOATS), *y = new_memory(FLOATS);
	model.run(compute, x, y);
	if (fixed)
		sync(compute);
	copy(copies, x, next, FLOATS);
	OK(aclrtSynchronizeDevice());
}

PROGRAM(M05, "UNINIT")
{
	const Model model;
	char *x = new_undefined(FLOATS), *y = new_memory(FLOATS);
	if (fixed)
		OK(aclrtMemset(x, FLOATS, 0, FLOATS));
	model.run(nullptr, x, y);
}

/* Runs of one model share its work memory, and follow each other also in different streams. */
CORRECT(M06)
{
	const Model model;
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(FLOATS), *y = new_memory(FLOATS), *z = new_memory(FLOATS);
	for (int k = 0; k < 3; k++) {
		model.run(a, x, y);
		model.run(b, x, z);
	}
	OK(aclrtSynchronizeDevice());
}

/* aclmdlUnload() waits for the run. */
CORRECT(M07)
{
	aclrtStream compute = new_stream();
	char *x = new_memory(FLOATS), *y = new_memory(FLOATS);
	{
		const Model model;
		model.run(compute, x, y);
	}
	OK(aclrtFree(x));
	OK(aclrtFree(y));
}

/* A result that lies on its input makes another graph of the model, with the same work memory. */
CORRECT(M08)
{
	const Model model;
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(FLOATS), *y = new_memory(FLOATS), *z = new_memory(FLOATS);
	for (int k = 0; k < 3; k++) {
		model.run(a, x, x);
		model.run(b, y, z);
	}
	OK(aclrtSynchronizeDevice());
}

/* A model with free dims keeps the graphs of eight shapes, and frees one that has ended. */
CORRECT(M09)
{
	constexpr int64_t SHAPES = 12, COLUMNS = 4;
	const Model model("free");
	aclrtStream compute = new_stream();
	char *x = new_memory(SHAPES * COLUMNS * sizeof(float));
	char *y = new_memory(SHAPES * COLUMNS * sizeof(float));
	auto *first = reinterpret_cast<float *>(new_pinned(sizeof(float)));
	for (int64_t rows = 1; rows <= SHAPES; rows++) {
		const int64_t dims[] = {rows, COLUMNS};
		aclTensorDesc *shape = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
		model.run(compute, x, y, shape);
		aclDestroyTensorDesc(shape);
		/* The run ends, and no call of the program tells of it. */
		std::atomic_ref<float>(*first).store(0);
		copy(compute, first, y, sizeof(*first));
		while (std::atomic_ref<float>(*first).load() == 0)
			std::this_thread::yield();
	}
	OK(aclrtSynchronizeDevice());
}
