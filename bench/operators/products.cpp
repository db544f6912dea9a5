// SPDX-License-Identifier: MIT
/**
 * DOC: Products of matrices
 *
 * Beside the products of oneDNN and of OpenBLAS; each thread computes a part of the result.
 * OpenBLAS has no products of 16-bit floats. Where oneDNN has none for this processor either, the
 * bench converts the numbers first, as a caller would have to.
 */
#include <aclnnop/aclnn_matmul.h>
#include <aclnnop/aclnn_weight_quant_batch_matmul_v2.h>

#include <memory>

#include <oneapi/dnnl/dnnl.hpp>
#ifdef BENCH_OPENBLAS
#include <cblas.h>
#endif

#include "loops.h"
#include "operators.h"
#include "tensors.h"
#include "workers.h"

namespace bench {

namespace {

struct Shape {
	int64_t m, n, k;

	std::string text() const
	{
		return m == n ? std::to_string(m) : std::to_string(m) + " x " + std::to_string(n);
	}
};

struct Type {
	aclDataType acl;
	dnnl::memory::data_type dnnl;
	const char *name;
};

constexpr Type FLOAT{ACL_FLOAT, dnnl::memory::data_type::f32, "f32"};
constexpr Type TYPES[] = {FLOAT,
			  {ACL_FLOAT16, dnnl::memory::data_type::f16, "f16"},
			  {ACL_BF16, dnnl::memory::data_type::bf16, "bf16"}};

/* struct Matrices - the host's memory of a product. */
struct Matrices {
	Shape shape;
	const void *a, *b;
	void *c;
};

/* The part of one thread: rows, or columns if there are few rows. */
struct Part {
	int64_t row, rows, column, columns;
};

void share_result(const Shape &shape, const std::function<void(const Part &part)> &work)
{
	const bool has_rows = shape.m >= 64;
	share(static_cast<size_t>(has_rows ? shape.m : shape.n), 16,
	      [&](size_t first, size_t count) {
		      const auto at = static_cast<int64_t>(first);
		      const auto size = static_cast<int64_t>(count);
		      work(has_rows ? Part{at, size, 0, shape.n} : Part{0, shape.m, at, size});
	      });
}

extern "C" void omp_set_num_threads(int threads);

/* class Primitive - a product of oneDNN for parts of one size. */
class Primitive {
public:
	Primitive(const Type &type, const Shape &shape, const Part &part)
		: engine_(dnnl::engine::kind::cpu, 0), stream_(engine_), type_(type), shape_(shape)
	{
		using Desc = dnnl::memory::desc;
		omp_set_num_threads(1);
		a_ = Desc({part.rows, shape.k}, type.dnnl, {shape.k, 1});
		b_ = Desc({shape.k, part.columns}, type.dnnl, {shape.n, 1});
		c_ = Desc({part.rows, part.columns}, type.dnnl, {shape.n, 1});
		const dnnl::matmul::desc desc(a_, b_, c_);
		primitive_ = dnnl::matmul(dnnl::matmul::primitive_desc(desc, engine_));
	}

	void run(const Matrices &of, const Part &part)
	{
		const auto bytes = static_cast<int64_t>(aclDataTypeSize(type_.acl));
		const auto at = [&](const void *base, int64_t element) {
			return const_cast<char *>(static_cast<const char *>(base)) +
			       element * bytes;
		};
		dnnl::memory a(a_, engine_, at(of.a, part.row * shape_.k));
		dnnl::memory b(b_, engine_, at(of.b, part.column));
		dnnl::memory c(c_, engine_, at(of.c, part.row * shape_.n + part.column));
		omp_set_num_threads(1);
		primitive_.execute(stream_,
				   {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
	}

private:
	dnnl::engine engine_;
	dnnl::stream stream_;
	Type type_;
	Shape shape_;
	dnnl::memory::desc a_, b_, c_;
	dnnl::matmul primitive_;
};

/* A rival for each part of the work; empty if oneDNN has no product of these types here. */
std::function<void()> onednn_product(const Type &type, const Matrices &of)
{
	auto parts = std::make_shared<std::vector<std::unique_ptr<Primitive>>>();
	std::mutex mutex;
	bool fails = false;
	parts->resize(16);
	share_result(of.shape, [&](const Part &part) {
		try {
			auto made = std::make_unique<Primitive>(type, of.shape, part);
			const std::lock_guard lock(mutex);
			(*parts)[part.row || part.column ? 1 : 0] = std::move(made);
		} catch (const dnnl::error &) {
			fails = true;
		}
	});
	if (fails)
		return {};
	return [parts, of] {
		share_result(of.shape, [&](const Part &part) {
			(*parts)[part.row || part.column ? 1 : 0]->run(of, part);
		});
	};
}

/* The product of floats by one library. */
void onednn_floats(const Matrices &of, const Part &part)
{
	const Shape &shape = of.shape;
	omp_set_num_threads(1);
	(void)dnnl_sgemm('N', 'N', part.rows, part.columns, shape.k, 1,
			 static_cast<const float *>(of.a) + part.row * shape.k, shape.k,
			 static_cast<const float *>(of.b) + part.column, shape.n, 0,
			 static_cast<float *>(of.c) + part.row * shape.n + part.column, shape.n);
}

#ifdef BENCH_OPENBLAS
void openblas_floats(const Matrices &of, const Part &part)
{
	const auto size = [](int64_t value) { return static_cast<blasint>(value); };
	const Shape &shape = of.shape;
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(part.rows), size(part.columns),
		    size(shape.k), 1, static_cast<const float *>(of.a) + part.row * shape.k,
		    size(shape.k), static_cast<const float *>(of.b) + part.column, size(shape.n), 0,
		    static_cast<float *>(of.c) + part.row * shape.n + part.column, size(shape.n));
}
#endif

using Product = void (*)(const Matrices &of, const Part &part);

std::vector<std::pair<const char *, Product>> libraries()
{
	std::vector<std::pair<const char *, Product>> list = {{"onednn", onednn_floats}};
#ifdef BENCH_OPENBLAS
	list.emplace_back("openblas", openblas_floats);
#endif
	return list;
}

/* struct Converted - operands of 16 bits as floats. */
struct Converted {
	explicit Converted(const Shape &shape)
		: a(static_cast<size_t>(shape.m * shape.k)),
		  b(static_cast<size_t>(shape.k * shape.n)),
		  c(static_cast<size_t>(shape.m * shape.n))
	{
	}

	std::vector<float> a, b, c;
};

void convert(const Type &type, const void *from, std::vector<float> &to)
{
	const auto *words = static_cast<const uint16_t *>(from);
	const auto loop = type.acl == ACL_FLOAT16 ? half_to_float : bfloat_to_float;
	share(to.size(), 1024,
	      [&](size_t first, size_t count) { loop(words + first, to.data() + first, count); });
}

std::vector<Rival> rivals_of(const Type &type, const Matrices &of)
{
	std::vector<Rival> rivals;
	if (type.acl != ACL_FLOAT) {
		if (auto run = onednn_product(type, of))
			rivals.push_back({"onednn", "oneDNN", run});
		if (!rivals.empty())
			return rivals;
	}
	for (const auto &[name, product] : libraries()) {
		if (type.acl == ACL_FLOAT) {
			rivals.push_back({name, name, [of, product = product] {
						  share_result(of.shape, [&](const Part &part) {
							  product(of, part);
						  });
					  }});
			continue;
		}
		auto floats = std::make_shared<Converted>(of.shape);
		const auto run = [type, of, floats, product = product] {
			convert(type, of.a, floats->a);
			convert(type, of.b, floats->b);
			const Matrices other{of.shape, floats->a.data(), floats->b.data(),
					     floats->c.data()};
			share_result(of.shape, [&](const Part &part) { product(other, part); });
			share(floats->c.size(), 1024, [&](size_t first, size_t count) {
				float_to_half(floats->c.data() + first,
					      static_cast<uint16_t *>(of.c) + first, count);
			});
		};
		rivals.push_back({name, std::string(name) + ", converted", run});
	}
	return rivals;
}

void measure_product(const Effort &effort, Round &round, const Type &type, const Shape &shape)
{
	const Operand a(type.acl, {shape.m, shape.k}), b(type.acl, {shape.k, shape.n});
	const Operand c(type.acl, {shape.m, shape.n});
	const Matrices matrices{shape, a.host<void>(), b.host<void>(), c.host<void>()};
	const std::string key = std::string("product.") + type.name + "." +
				std::to_string(shape.m) + "x" + std::to_string(shape.n);
	compare(
		effort, round, key, "product " + std::string(type.name) + " " + shape.text(),
		a.bytes() + b.bytes() + c.bytes(), [&] { CALL(Matmul, a, b, c, 0); },
		rivals_of(type, matrices));
}

/* A row of F16 times weights of I8, beside the product of floats by OpenBLAS or oneDNN. */
void measure_quantised(const Effort &effort, Round &round, bool is_transposed)
{
	constexpr int64_t SIZE = 4096;
	const Operand x(ACL_FLOAT16, {1, SIZE}), weight(ACL_INT8, {SIZE, SIZE});
	const Operand scale(ACL_FLOAT16, {1, SIZE}), y(ACL_FLOAT16, {1, SIZE});
	const Operand a(ACL_FLOAT, {1, SIZE}), b(ACL_FLOAT, {SIZE, SIZE}), c(ACL_FLOAT, {1, SIZE});
	const int64_t dims[] = {SIZE, SIZE}, strides[] = {1, SIZE};
	aclTensor *turned = weight.made_of({SIZE, SIZE});
	if (is_transposed) {
		CHECK(aclDestroyTensor(turned));
		turned = aclCreateTensor(dims, 2, ACL_INT8, strides, 0, ACL_FORMAT_ND, dims, 2,
					 weight.memory());
	}
	const std::string name = is_transposed ? "columns" : "rows";
	compare(
		effort, round, "product.i8." + name, "1 row by I8 weights, stored in " + name,
		weight.bytes(),
		[&] {
			CALL(WeightQuantBatchMatmulV2, x, turned, scale, nullptr, nullptr, nullptr,
			     nullptr, 0, y);
		},
		rivals_of(FLOAT,
			  {{1, SIZE, SIZE}, a.host<void>(), b.host<void>(), c.host<void>()}));
	CHECK(aclDestroyTensor(turned));
}

} // namespace

void measure_products(const Effort &effort, Round &round)
{
	for (const Type &type : TYPES) {
		for (const int64_t size : {256, 1024, 4096})
			measure_product(effort, round, type, {size, size, size});
		for (const int64_t rows : {1, 2, 4, 8})
			measure_product(effort, round, type, {rows, 4096, 4096});
	}
	measure_quantised(effort, round, false);
	measure_quantised(effort, round, true);
}

} // namespace bench
