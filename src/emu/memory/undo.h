/* The contents of memory before the first store to each of its pages, so that the stores can be taken back. Of several
 * host threads each keeps a page before its own first store there; the page's lock lets the first of them do it before
 * any of them stores. */
#pragma once

#include "emu/memory/memory.h"

enum { UNDO_SHIFT = 14 }; /* of an address: its page */

typedef struct Undo Undo;

Undo *undo_new(const Memory *memory);
void undo_free(Undo *undo); /* NULL is allowed; the stores stay */
/* Keeps the page at addr, once: its bytes, and which of them count as written. Returns the bytes that this took. */
size_t undo_keep(Undo *undo, uint64_t addr);
/* The same of bytes that are in no allocation, on one host thread; key: unlike any address. */
void undo_keep_bytes(Undo *undo, uint64_t key, uint8_t *from, size_t bytes);
void undo_back(Undo *undo); /* memory is as it was; nothing is kept any more */
/* What the later one keeps and the earlier one does not moves there; the later one is freed. */
void undo_merge(Undo *earlier, Undo *later);
