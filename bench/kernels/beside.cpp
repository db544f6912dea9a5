// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels beside operators, measured
 */
#include "beside.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_layer_norm.h>
#include <aclnnop/aclnn_matmul.h>
#include <aclnnop/aclnn_rms_norm.h>

#include "compute.h"
#include "harness/samples.h"

int launch_add(uint32_t blocks, void *stream, void *x, void *y, void *z, uint32_t elements);

namespace bench {

namespace {

constexpr uint32_t BLOCKS = 32;
constexpr int64_t COUNT = int64_t{16} << 20; /* 64 MiB of floats */
constexpr ProductShape PRODUCT = {512, 512, 1024};
constexpr NormShape NORM = {16384, 1024, 1e-5f};

/* class Tensor - of the device, with small numbers of both signs. */
class Tensor {
public:
	Tensor(aclDataType type, std::vector<int64_t> dims) : type_(type)
	{
		for (const int64_t dim : dims)
			count_ *= static_cast<size_t>(dim);
		CHECK(aclrtMalloc(&memory_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST));
		tensor_ = aclCreateTensor(dims.data(), dims.size(), type, nullptr, 0, ACL_FORMAT_ND,
					  dims.data(), dims.size(), memory_);
		fill();
	}
	~Tensor()
	{
		CHECK(aclDestroyTensor(tensor_));
		CHECK(aclrtFree(memory_));
	}
	Tensor(const Tensor &) = delete;
	Tensor &operator=(const Tensor &) = delete;

	operator aclTensor *() const { return tensor_; }
	void *memory() const { return memory_; }
	size_t bytes() const { return count_ * (type_ == ACL_FLOAT ? 4 : 2); }

	std::vector<float> floats() const
	{
		std::vector<float> values(count_);
		CHECK(aclrtMemcpy(values.data(), bytes(), memory_, bytes(),
				  ACL_MEMCPY_DEVICE_TO_HOST));
		return values;
	}

private:
	void fill() const
	{
		std::vector<float> floats(type_ == ACL_FLOAT ? count_ : 0);
		std::vector<aclFloat16> halves(type_ == ACL_FLOAT ? 0 : count_);
		for (size_t i = 0; i < count_; i++) {
			const float value = static_cast<float>((i * 7 + i / 1000) % 33) / 16 - 1;
			if (type_ == ACL_FLOAT)
				floats[i] = value;
			else
				halves[i] = aclFloatToFloat16(value);
		}
		const void *from = type_ == ACL_FLOAT ? static_cast<const void *>(floats.data())
						      : halves.data();
		CHECK(aclrtMemcpy(memory_, bytes(), from, bytes(), ACL_MEMCPY_HOST_TO_DEVICE));
	}

	aclDataType type_;
	size_t count_ = 1;
	void *memory_ = nullptr;
	aclTensor *tensor_ = nullptr;
};

/* struct Pair - an operator and a kernel: each queues its work. */
struct Pair {
	const char *operator_key, *operator_title;
	const char *key, *title;
	uint64_t bytes, operations; /* moved or computed; one of them is 0 */
	std::function<void()> run_operator, run_kernel;
	const Tensor *by_operator, *by_kernel; /* the results */
};

void compare(const Pair &pair)
{
	const std::vector<float> wanted = pair.by_operator->floats();
	const std::vector<float> found = pair.by_kernel->floats();
	float worst = 0;
	for (size_t i = 0; i < wanted.size(); i++)
		worst = std::fmax(worst,
				  std::fabs(found[i] - wanted[i]) / (1 + std::fabs(wanted[i])));
	check(!(worst < 1e-3f), pair.title);
}

void measure_pair(const Effort &effort, const Client &client, const Pair &pair, Round &round)
{
	std::vector<double> operators, kernels;
	const auto time = [&](const std::function<void()> &run) {
		return measure({1, 1, 1, 0},
			       [&] {
				       run();
				       Client::sync(client.first);
			       })
			.median_ns;
	};
	for (unsigned i = 0; i < effort.scaled(8); i++) {
		operators.push_back(time(pair.run_operator));
		kernels.push_back(time(pair.run_kernel));
	}
	compare(pair);
	Measure row;
	row.key = pair.operator_key;
	row.title = pair.operator_title;
	row.base = "";
	row.bytes = pair.bytes;
	row.items = pair.operations ? pair.operations : 1;
	row.summary = {quantile(operators, 0.5), quantile(operators, 0.99)};
	round.push_back(row);
	row.base = row.key;
	row.key = pair.key;
	row.title = pair.title;
	row.against = Against::SPEED;
	row.summary = {quantile(kernels, 0.5), quantile(kernels, 0.99)};
	round.push_back(row);
}

/* CALL() - both phases of an operator. */
#define CALL(name, ...) \
	do { \
		uint64_t bytes = 0; \
		aclOpExecutor *executor = nullptr; \
		CHECK(aclnn##name##GetWorkspaceSize(__VA_ARGS__, &bytes, &executor)); \
		CHECK(aclnn##name(nullptr, 0, executor, client.first)); \
	} while (false)

void measure_sum(const Effort &effort, const Client &client, Round &round)
{
	const Tensor x(ACL_FLOAT, {COUNT}), y(ACL_FLOAT, {COUNT}), z(ACL_FLOAT, {COUNT}),
		wanted(ACL_FLOAT, {COUNT});
	float one = 1;
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	measure_pair(effort, client,
		     {"operator.add", "sum of 64 MiB of floats, aclnnAdd", "kernel.add",
		      "sum of 64 MiB of floats, a kernel", 3 * x.bytes(), 0,
		      [&] { CALL(Add, x, y, alpha, wanted); },
		      [&] {
			      CHECK(launch_add(BLOCKS, client.first, x.memory(), y.memory(),
					       z.memory(), COUNT));
		      },
		      &wanted, &z},
		     round);
	CHECK(aclDestroyScalar(alpha));
}

void measure_products(const Effort &effort, const Client &client, Round &round)
{
	const Tensor a(ACL_FLOAT16, {PRODUCT.m, PRODUCT.k}), b(ACL_FLOAT16, {PRODUCT.k, PRODUCT.n}),
		c(ACL_FLOAT, {PRODUCT.m, PRODUCT.n}), wanted(ACL_FLOAT, {PRODUCT.m, PRODUCT.n});
	const uint64_t operations = uint64_t{2} * PRODUCT.m * PRODUCT.n * PRODUCT.k;
	const auto beside = [&](bool by_object, const char *operator_key, const char *key,
				const char *title) {
		measure_pair(effort, client,
			     {operator_key, "product of half 512 x 1024 x 512, aclnnMatmul", key,
			      title, 0, operations, [&] { CALL(Matmul, a, b, wanted, 0); },
			      [&, by_object] {
				      CHECK(launch_product(by_object, by_object ? 8 : 16,
							   client.first, a.memory(), b.memory(),
							   c.memory(), PRODUCT));
			      },
			      &wanted, &c},
			     round);
	};
	beside(false, "operator.matmul.cube", "kernel.matmul.cube",
	       "the product by a kernel of the cube unit");
	beside(true, "operator.matmul.object", "kernel.matmul.object",
	       "the product by a Matmul object");
}

void measure_norms(const Effort &effort, const Client &client, Round &round)
{
	const Tensor x(ACL_FLOAT, {NORM.rows, NORM.columns}),
		y(ACL_FLOAT, {NORM.rows, NORM.columns}),
		wanted(ACL_FLOAT, {NORM.rows, NORM.columns}), gamma(ACL_FLOAT, {NORM.columns}),
		beta(ACL_FLOAT, {NORM.columns}), rstd(ACL_FLOAT, {NORM.rows, 1});
	const int64_t columns = NORM.columns;
	aclIntArray *normalised = aclCreateIntArray(&columns, 1);
	const auto launch = [&](bool has_mean) {
		CHECK(launch_norm(has_mean, BLOCKS, client.first, x.memory(), gamma.memory(),
				  beta.memory(), y.memory(), NORM));
	};
	measure_pair(effort, client,
		     {"operator.layernorm",
		      "LayerNorm of 16384 rows of 1024 floats, aclnnLayerNorm", "kernel.layernorm",
		      "LayerNorm by a kernel of vector instructions", 2 * x.bytes(), 0,
		      [&] {
			      CALL(LayerNorm, x, normalised, gamma, beta, NORM.epsilon, wanted,
				   nullptr, nullptr);
		      },
		      [&] { launch(true); }, &wanted, &y},
		     round);
	measure_pair(effort, client,
		     {"operator.rmsnorm", "RmsNorm of 16384 rows of 1024 floats, aclnnRmsNorm",
		      "kernel.rmsnorm", "RmsNorm by a kernel of vector instructions", 2 * x.bytes(),
		      0, [&] { CALL(RmsNorm, x, gamma, NORM.epsilon, wanted, rstd); },
		      [&] { launch(false); }, &wanted, &y},
		     round);
	CHECK(aclDestroyIntArray(normalised));
}

} // namespace

void measure_beside_operators(const Effort &effort, const Client &client, Round &round)
{
	measure_sum(effort, client, round);
	measure_products(effort, client, round);
	measure_norms(effort, client, round);
}

} // namespace bench
