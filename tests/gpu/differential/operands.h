/* The values instructions are tried with: the same for the same kind, position and number, on every machine. The first
 * 2048 or so of each array are edges against edges; the rest mixes edges, bits at random, near neighbours, and for the
 * third operand of a multiplication what nearly cancels the product. */
#pragma once

#include "forms.h"

uint64_t operand(FormKind kind, uint32_t position, uint64_t number);
uint64_t mix(uint64_t x); /* a well-stirred function of x */
