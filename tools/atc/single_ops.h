// SPDX-License-Identifier: MIT
#pragma once

#include "atc_arguments.h"

namespace atc {

/* build_single_ops() - compiles each operator of the file --singleop to a file in the folder --output.
 * Return: whether all could be compiled; the problems of all are added */
bool build_single_ops(const Arguments &arguments, models::Problems &problems);

} // namespace atc
