/* base64.h */
#include "repl/base64.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64_encode(lua_State *L) {
	size_t len;
	const uint8_t *in = (const uint8_t *)luaL_checklstring(L, 1, &len);
	luaL_Buffer b;
	const size_t size = (len + 2) / 3 * 4;
	char *out = luaL_buffinitsize(L, &b, size ? size : 1);
	for (size_t i = 0; i < len; i += 3) {
		const size_t left = len - i;
		const uint32_t word =
			(uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) | (left > 2 ? in[i + 2] : 0);
		*out++ = digits[word >> 18];
		*out++ = digits[word >> 12 & 63];
		*out++ = left > 1 ? digits[word >> 6 & 63] : '=';
		*out++ = left > 2 ? digits[word & 63] : '=';
	}
	luaL_pushresultsize(&b, size);
	return 1;
}

/* The value of each digit; 0xff: none. */
static void fill_values(uint8_t values[256]) {
	memset(values, 0xff, 256);
	for (uint8_t i = 0; i < 64; i++) values[(uint8_t)digits[i]] = i;
}

int base64_decode(lua_State *L) {
	size_t len, n = 0, ndigits = 0;
	const char *in = luaL_checklstring(L, 1, &len);
	uint8_t values[256];
	luaL_Buffer b;
	char *out = luaL_buffinitsize(L, &b, len / 4 * 3 + 3);
	uint32_t word = 0;
	fill_values(values);
	while (len && strchr("= \r\n", in[len - 1]) && in[len - 1]) len--;
	for (size_t i = 0; i < len; i++) {
		const uint8_t value = values[(uint8_t)in[i]];
		if (in[i] == '\n' || in[i] == '\r' || in[i] == ' ') continue;
		if (value == 0xff) return 0;
		word = word << 6 | value;
		if (++ndigits % 4 != 0) continue;
		out[n++] = (char)(word >> 16);
		out[n++] = (char)(word >> 8);
		out[n++] = (char)word;
	}
	if (ndigits % 4 == 1) return 0;
	if (ndigits % 4 >= 2) out[n++] = (char)(word >> (ndigits % 4 == 2 ? 4 : 10));
	if (ndigits % 4 == 3) out[n++] = (char)(word >> 2);
	luaL_pushresultsize(&b, n);
	return 1;
}
