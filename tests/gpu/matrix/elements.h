/* Elements of matrices as bits, made of numbers that look random: the same on every computer. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { E_F16, E_BF16, E_TF32, E_E4M3, E_E5M2, E_F32, E_S8, E_U8, E_S4, E_U4, E_B1, E_S32, E_TYPES } Element;

typedef enum {
	FILL_ZERO,
	FILL_TAME,     /* of moderate size */
	FILL_WIDE,     /* any finite number */
	FILL_POWERS,   /* half are zero, the others powers of two, or next to one, far apart */
	FILL_CANCEL,   /* a few large ones of either sign, and small ones */
	FILL_SPECIAL,  /* moderate, now and then an infinity, a NaN, a zero or the largest number */
	FILL_SMALL,    /* denormal numbers and their neighbors */
	FILL_ANY,      /* any bits */
	FILL_WHOLE,    /* small integers */
	FILL_PLACES,   /* f16: element i is the i-th finite number: a product by 1 says which it was */
	FILL_IDENTITY, /* of A in registers, of B in shared memory without swizzle */
	FILL_KINDS
} ElementFill;

extern const char *const element_name[E_TYPES];
uint32_t element_bits_of(Element t);

/* Element i of the matrices that a seed names. */
uint32_t element_value(Element t, ElementFill fill, uint32_t seed, uint32_t i);

/* n words of 32 bits, packed elements. */
void element_words(Element t, ElementFill fill, uint32_t seed, uint32_t *words, uint32_t n);

uint32_t element_random(uint32_t seed, uint32_t i);

#ifdef __cplusplus
}
#endif
