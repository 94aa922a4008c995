/* The elements of a buffer's definition, any range of them: so that a large buffer is filled in bounded pieces, and the
 * same wherever it is filled. */
#pragma once

#include "device/backend/backend.h"

/* Elements [first, first + count). DEFINE_DATA has no elements of its own: sentinel. */
void define_elements(Define define, ElemType type, size_t first, size_t count, void *out);

/* Puts them where they belong: into the backend's view of that memory, or in pieces of DEFINE_PIECE bytes through here.
 * False with err also for an interrupt between two pieces. */
enum { DEFINE_PIECE = 4 << 20 };
bool define_fill(Backend *b, const DefineElements *request, Err *err);

/* Are all bytes of it the same? Then *byte is that one. */
bool define_is_byte(Define define, ElemType type, uint8_t *byte);
