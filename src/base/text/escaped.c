/* escaped.h */
#include "base/text/escaped.h"

#include <string.h>

enum { DIGITS = 3, DELETE = 127, LARGEST = 255 };

/* What follows a backslash: the byte, and how many characters say so; 0: none that is shown. */
static unsigned escaped_byte(const char *text, size_t *length) {
	unsigned value = 0;
	*length = 1;
	if (*text == '"' || *text == '\\') return (unsigned)*text;
	if (*text == 't') return '\t';
	for (*length = 0; *length < DIGITS && text[*length] >= '0' && text[*length] <= '7'; ++*length)
		value = value * 8 + (unsigned)(text[*length] - '0');
	return value < ' ' || value == DELETE || value > LARGEST ? 0 : value;
}

void str_add_unescaped(Str *s, const char *text) {
	str_add(s, "");
	while (*text && *text != '"' && *text != '\n') {
		size_t length;
		const unsigned byte = *text == '\\' ? escaped_byte(text + 1, &length) : 0;
		const char c = byte ? (char)byte : *text;
		str_addn(s, &c, 1);
		text += byte ? 1 + length : 1;
	}
}
