// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of lowerings
 *
 * Kinds that no entry point of aclnn has in the form that a lowering needs.
 */
#pragma once

#include "umd/aclnn/rows/rows.h"

namespace models {

extern const umd::OperatorRow mul_row;	    /* (self, other, out) */
extern const umd::OperatorRow pow_row;	    /* (self, exponent, out) */
extern const umd::OperatorRow fill_row;	    /* (out, value) */
extern const umd::OperatorRow prelu_row;    /* (self, weight, out), which are broadcast */
extern const umd::OperatorRow quotient_row; /* (self, other, out), of integers */
extern const umd::OperatorRow prod_row;	    /* (self, dims, keepDim, out) */

/* Their operands have the same form as in a descriptor of the kind. */
extern const umd::OperatorRow
	resize_row; /* (self, mode, coordinates, nearest, scales, cubic, excludes, out) */
extern const umd::OperatorRow resize_nearest_row; /* the same for mode 0, of any type */
extern const umd::OperatorRow reflect_row;	  /* (self, low, high, out) */
extern const umd::OperatorRow edge_row;		  /* (self, low, high, out) */
extern const umd::OperatorRow gather_nd_row;	  /* (self, index, batchDims, out) */
extern const umd::OperatorRow scatter_nd_row;	  /* (self, index, updates, reduce, out) */
extern const umd::OperatorRow scatter_along_row;  /* (self, index, src, reduce, out) */
/* (x, weights, lengths, h0, c0, direction, activations, clip, inputForget, y, h, c) */
extern const umd::OperatorRow lstm_row;
/* (x, weights, lengths, h0, direction, activations, clip, linearBeforeReset, y, h) */
extern const umd::OperatorRow gru_row;
/* (x, weights, lengths, h0, direction, activations, clip, y, h) */
extern const umd::OperatorRow rnn_row;
extern const umd::OperatorRow aipp_row; /* (image, steps, out) */
/* (input, weight, bias, more, stride, padding, dilation, function, number, out) */
extern const umd::OperatorRow packed_convolution_row;

} // namespace models
