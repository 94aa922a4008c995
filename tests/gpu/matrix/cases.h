/* Products of matrices by the tensor cores: kernels as PTX, each with one instruction, and their launches. The same
 * bits on a GPU and on the emulator are what is compared. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "elements.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { PRODUCT_MMA, PRODUCT_SPARSE, PRODUCT_WGMMA } ProductKind;

/* A kernel. Its parameters: inputs, results, descriptor of a, of b (both relative to the block's shared memory), bytes
 * of shared memory to fill, bytes of a block's inputs and results.
 * A block's inputs: the image of shared memory, then a, b, c, metadata by thread. */
typedef struct {
	char name[96], instruction[96];
	ProductKind kind;
	uint32_t m, n, k;
	Element a, b, c;          /* c: of the sum */
	uint32_t na, nb, nc;      /* registers of a thread */
	int a_shared, floats;     /* floats: has imm-scale */
	int negate_a, negate_b;   /* imm-scale */
	int columns_a, columns_b; /* imm-trans; -1: the form has none */
	int zero_sum;             /* scale-d is false */
	uint32_t repeat;          /* products, one after the other */
	uint32_t selector;        /* of metadata */
} ProductKernel;

typedef struct {
	const ProductKernel *kernel;
	char name[128];
	ElementFill a, b, c;          /* a in shared memory: its image is that of b */
	uint32_t seed, blocks, image; /* image: bytes of shared memory */
	uint64_t descriptor_a, descriptor_b;
	uint32_t kept; /* threads of a block whose results count */
} ProductCase;

typedef struct {
	ProductKernel *kernels;
	ProductCase *cases;
	size_t nkernels, ncases;
} ProductList;

ProductList product_list(void);
void product_list_free(ProductList *list);

void product_prologue(FILE *out);
void product_ptx(const ProductKernel *kernel, FILE *out);

uint32_t product_threads(const ProductKernel *kernel);
uint32_t product_input_words(const ProductCase *c); /* of a block */
uint32_t product_result_words(const ProductCase *c);
void product_inputs(const ProductCase *c, uint32_t block, uint32_t *words);

#ifdef __cplusplus
}
#endif
