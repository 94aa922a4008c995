/* A growable array of any element type:
 *     VEC(int) v = {0};  vec_push(&v, 7);  v.data[0];  v.len;  vec_free(&v);
 * data moves when it grows: keep indices, not pointers. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"

#define VEC(T)                                                                                                         \
	struct {                                                                                                           \
		T *data;                                                                                                       \
		size_t len, cap;                                                                                               \
	}

#define vec_reserve(v, n) ((n) > (v)->cap ? vec_grow_((void **)&(v)->data, &(v)->cap, (n), sizeof *(v)->data) : (void)0)
#define vec_push(v, ...) (vec_reserve((v), (v)->len + 1), (v)->data[(v)->len++] = (__VA_ARGS__))
/* The same for one that lives in an arena: no vec_free. */
#define vec_push_in(arena, v, ...)                                                                                     \
	(vec_grow_in_((arena), (void **)&(v)->data, &(v)->cap, (v)->len + 1, sizeof *(v)->data),                           \
	 (v)->data[(v)->len++] = (__VA_ARGS__))
#define vec_last(v) ((v)->data[(v)->len - 1])
#define vec_free(v) (free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

void vec_grow_in_(Arena *arena, void **data, size_t *cap, size_t need, size_t size);
void vec_grow_(void **data, size_t *cap, size_t need, size_t size);
