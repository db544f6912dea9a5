// SPDX-License-Identifier: MIT
/**
 * DOC: Operators with broadcasting
 *
 * Addition with a factor and multiplication, each called in two phases. Operands of different shapes
 * are repeated along the dimensions where one of them has size 1 or none.
 */
#include <acl/acl.h>
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_mul.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) check((call), #call)

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

/* A tensor of floats and its device memory. */
struct Operand {
	std::vector<int64_t> shape;
	std::vector<float> values;
	void *memory = nullptr;
	aclTensor *tensor = nullptr;
};

static size_t size_bytes(const Operand &operand)
{
	return operand.values.size() * sizeof(float);
}

static Operand create(std::vector<int64_t> shape, std::vector<float> values)
{
	Operand operand{shape, values};
	const size_t bytes = size_bytes(operand);
	CHECK(aclrtMalloc(&operand.memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemcpy(operand.memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
	operand.tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0,
					 ACL_FORMAT_ND, shape.data(), shape.size(), operand.memory);
	check(operand.tensor ? 0 : -1, "aclCreateTensor");
	return operand;
}

static void destroy(Operand &operand)
{
	CHECK(aclDestroyTensor(operand.tensor));
	CHECK(aclrtFree(operand.memory));
}

static void print(const char *name, Operand &out)
{
	const size_t bytes = size_bytes(out);
	const auto columns = static_cast<size_t>(out.shape.back());
	CHECK(aclrtMemcpy(out.values.data(), bytes, out.memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
	std::printf("%s\n", name);
	for (size_t i = 0; i < out.values.size(); i++)
		std::printf("%6.1f%s", out.values[i], (i + 1) % columns == 0 ? "\n" : " ");
}

static void *allocate_workspace(uint64_t bytes)
{
	void *workspace = nullptr;
	if (bytes > 0)
		CHECK(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	return workspace;
}

static void finish(void *workspace, aclrtStream stream)
{
	CHECK(aclrtSynchronizeStream(stream));
	if (workspace)
		CHECK(aclrtFree(workspace));
}

static void add(const Operand &self, const Operand &other, float factor, Operand &out,
		aclrtStream stream)
{
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclScalar *alpha = aclCreateScalar(&factor, ACL_FLOAT);
	check(alpha ? 0 : -1, "aclCreateScalar");
	CHECK(aclnnAddGetWorkspaceSize(self.tensor, other.tensor, alpha, out.tensor, &bytes,
				       &executor));
	void *workspace = allocate_workspace(bytes);
	CHECK(aclnnAdd(workspace, bytes, executor, stream));
	finish(workspace, stream);
	CHECK(aclDestroyScalar(alpha));
}

static void multiply(const Operand &self, const Operand &other, Operand &out, aclrtStream stream)
{
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	CHECK(aclnnMulGetWorkspaceSize(self.tensor, other.tensor, out.tensor, &bytes, &executor));
	void *workspace = allocate_workspace(bytes);
	CHECK(aclnnMul(workspace, bytes, executor, stream));
	finish(workspace, stream);
}

int main()
{
	aclrtStream stream = nullptr;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));

	Operand matrix = create({2, 3}, {1, 2, 3, 4, 5, 6});
	Operand row = create({3}, {10, 20, 30});
	Operand column = create({2, 1}, {-1, 0.5f});
	Operand out = create({2, 3}, std::vector<float>(6));

	add(matrix, row, 2, out, stream);
	print("matrix + 2 * row", out);
	multiply(matrix, column, out, stream);
	print("matrix * column", out);
	multiply(column, row, out, stream);
	print("column * row", out);

	/* Shapes that don't fit are refused in the first phase, with a sentence. */
	Operand pair = create({2}, {1, 2});
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	const aclnnStatus status =
		aclnnMulGetWorkspaceSize(matrix.tensor, pair.tensor, out.tensor, &bytes, &executor);
	std::printf("matrix * pair: %s, %s\n", status != 0 ? "refused" : "accepted",
		    aclGetRecentErrMsg() ? "with a sentence" : "without a sentence");

	destroy(pair);
	destroy(out);
	destroy(column);
	destroy(row);
	destroy(matrix);
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
