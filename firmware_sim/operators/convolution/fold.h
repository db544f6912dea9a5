// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fw::tensor {

/** take_greater() - tops[i] becomes the greater one of itself and row[i], or the NaN of one. */
void take_greater(float *tops, const float *row, size_t n);

/** add_row() - adds row[i] to sums[i]. */
void add_row(double *sums, const float *row, size_t n);

/** add_scaled() - adds row[i] * factor to sums[i]. */
void add_scaled(float *sums, const float *row, float factor, size_t n);

} // namespace fw::tensor
