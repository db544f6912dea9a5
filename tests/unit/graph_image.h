// SPDX-License-Identifier: MIT
#pragma once

#include "image.h"
#include "wire_client.h"
