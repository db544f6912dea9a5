// SPDX-License-Identifier: MIT
/*
 * DOC: UB of a test
 *
 * Tensors of UB with values that the test gives, and the values that an instruction has left there, without copies of
 * the language; and results of kernels that are compared by their bits.
 */
#ifndef UNPU_TESTS_KERNELS_LANGUAGE_UB_H
#define UNPU_TESTS_KERNELS_LANGUAGE_UB_H

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "block_host.h"
#include "kernel_operator.h"

namespace kernel_test {

class Ub {
public:
	template <class T> AscendC::LocalTensor<T> make(size_t count)
	{
		const uint32_t at = next_;

		next_ += static_cast<uint32_t>((unpu::lang::bytes_of<T>(count) + 31) / 32 * 32);
		return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC, at,
					       static_cast<uint32_t>(count));
	}
	template <class T> AscendC::LocalTensor<T> put(const std::vector<T> &values)
	{
		auto tensor = make<T>(values.size());

		std::copy(values.begin(), values.end(), tensor.data());
		return tensor;
	}
	template <class T> static std::vector<T> get(const AscendC::LocalTensor<T> &tensor)
	{
		return std::vector<T>(tensor.data(), tensor.data() + tensor.GetSize());
	}

private:
	uint32_t next_ = 0;
};

/* Runs @kernel as one block; it must not fail. */
inline void run_one(const std::function<void(Ub &)> &kernel, uint32_t level = 1)
{
	BlockHost host(level);
	const bool is_good = host.run(1, [&] {
		Ub ub;

		kernel(ub);
	});

	ASSERT_TRUE(is_good) << host.failure().sentence << " at line " << host.failure().line;
}

/* Random numbers that half holds exactly, some of them negative. */
template <class T>
std::vector<T> random_values(size_t count, uint32_t seed = 1, int least = -100, int most = 100)
{
	std::mt19937 engine(seed);
	std::uniform_int_distribution<int> number(least * 4, most * 4);
	std::vector<T> values(count);

	for (T &value : values)
		value = T(std::is_integral_v<T> ? number(engine) / 4 : number(engine) / 4.0f);
	return values;
}

template <class T> std::vector<double> as_doubles(const std::vector<T> &values)
{
	std::vector<double> numbers;

	for (const T &value : values)
		numbers.push_back(static_cast<double>(
			static_cast<std::conditional_t<std::is_integral_v<T>, T, float>>(value)));
	return numbers;
}

} // namespace kernel_test

#endif /* UNPU_TESTS_KERNELS_LANGUAGE_UB_H */
