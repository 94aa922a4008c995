/* Matrix products as the host works them out. */
#pragma once

#include "expect.h"

/* False: no product of integers. */
bool expect_matrix(const Form *form, uint32_t k, const Operands *all, size_t vector, uint64_t *result);
