/* Finds a member of a JSON object in a text that may be anything, without reading the rest of it into memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
	const char *at; /* NULL: nothing */
	size_t len;
} Span;

/* The value of the object's member, as it is spelled; nothing where the text is no object or has no such member. A name
 * that is spelled with escapes is not found. */
Span json_member(Span object, const char *name);
bool json_is(Span value, const char *text);         /* the string, spelled without escapes */
void json_copy(Span value, char *out, size_t room); /* "" where it does not fit */
