/* Element types of buffers and host arrays: their names in CUDA C++, their sizes, their values, and the ways to fill
 * a range. The same fill gives the same elements everywhere: on the host, in a worker, on the emulator. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
	ELEM_F32,
	ELEM_F64,
	ELEM_I32,
	ELEM_U32,
	ELEM_I64,
	ELEM_U64,
	ELEM_I16,
	ELEM_U16,
	ELEM_I8,
	ELEM_U8,
	ELEM_F16,
	ELEM_BF16
} ElemType;

enum { ELEM_TYPES = ELEM_BF16 + 1 };

size_t elem_bytes(ElemType type);
const char *elem_name(ElemType type);             /* "float", "double", "int", "unsigned"... as in CUDA C++ */
bool elem_parse(const char *name, ElemType *out); /* also "f32", "uint32_t"... */
bool elem_is_float(ElemType type);

/* One element. Integers up to 64 bits pass exactly through the integer pair (an unsigned 64-bit value as its bits);
 * storing keeps the low bits. Floats pass through double; storing rounds to nearest. */
double elem_get(ElemType type, const void *element);
int64_t elem_get_int(ElemType type, const void *element);
void elem_set(ElemType type, void *element, double value);
void elem_set_int(ElemType type, void *element, int64_t value);

/* Ranges. random: reproducible from the seed alone; floats in [0, 1), integers over the type's whole range. sentinel:
 * 0xff bytes (NaN, -1), which make unwritten elements visible. */
void elem_fill_value(ElemType type, void *elements, size_t count, double value);
void elem_fill_iota(ElemType type, void *elements, size_t count, double first);
void elem_fill_random(ElemType type, void *elements, size_t count, uint64_t seed);
void elem_fill_sentinel(ElemType type, void *elements, size_t count);

double half_to_double(uint16_t half);
uint16_t half_from_double(double value); /* to nearest, ties to even */
double bfloat16_to_double(uint16_t value);
uint16_t bfloat16_from_double(double value); /* the same */
