/* Results worked out on the host, independently of the emulator: integers in 128 bits, floats by the C library and the
 * host's rounding modes. */
#pragma once

#include "forms.h"

/* Operands of all threads, as the kernel reads them; 32 vectors that follow each other are a warp's. */
typedef struct {
	const uint64_t *inputs;
	size_t vectors;
} Operands;

static inline uint64_t operand_of(const Operands *all, const Form *f, uint32_t k, size_t vector) {
	return k < f->nsrc ? all->inputs[form_input(f->src[k].kind, k) * all->vectors + vector] : 0;
}

/* Result k of a thread. False: it is not worked out here. */
bool expect(const Form *form, uint32_t k, const Operands *all, size_t vector, uint64_t *result);
