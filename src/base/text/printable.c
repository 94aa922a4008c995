/* printable.h: one character at a time. */
#include "base/text/printable.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t left, uint32_t *out) {
	const unsigned char *at = (const unsigned char *)text;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const size_t n = *at < 0x80 ? 1 : *at < 0xC2 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : *at < 0xF5 ? 4 : 0;
	if (n == 0 || n > left) return 0;
	uint32_t c = n == 1 ? *at : *at & (0x7Fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xC0) != 0x80) return 0;
		c = c << 6 | (at[i] & 0x3F);
	}
	if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
	*out = c;
	return n;
}

static bool is_obeyed(uint32_t c) {
	if (c == '\n' || c == '\t') return false;
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || (c >= 0x200E && c <= 0x200F) ||
		   (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void str_add_printable(Str *s, const char *text, size_t len) {
	for (const char *at = text, *end = text + len; at < end;) {
		uint32_t c = (unsigned char)*at;
		size_t n = utf8_decode(at, (size_t)(end - at), &c);
		if (n && !is_obeyed(c))
			str_addn(s, at, n);
		else
			str_addf(s, c < 0x80 || !n ? "\\x%02X" : "\\u{%X}", (unsigned)c);
		at += n ? n : 1;
	}
}

char *printable(const char *text) {
	Str s = {0};
	str_add_printable(&s, text, strlen(text));
	return str_take(&s);
}
