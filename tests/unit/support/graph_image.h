// SPDX-License-Identifier: MIT
#pragma once

#include "image.h"
#include "tests/unit/support/wire_client.h"
