/* text.h: UTF-8 and counters, byte by byte. */
#include "store/text.h"

#include <stdint.h>
#include <string.h>

#include "base/text/printable.h"
#include "store/journal.h"

/* NUL counts as none. */
static size_t character(const char *text, size_t len) {
	uint32_t number;
	return *text ? utf8_decode(text, len, &number) : 0;
}

bool utf8_valid(const char *text, size_t len) {
	for (size_t at = 0, n; at < len; at += n) {
		n = character(text + at, len - at);
		if (!n) return false;
	}
	return true;
}

void journal_clean(Str *out, const char *text, size_t len, size_t most) {
	static const char instead[] = "\xef\xbf\xbd";
	size_t used = 0;
	for (size_t at = 0; at < len;) {
		size_t n = character(text + at, len - at), bytes = n ? n : strlen(instead);
		if (used + bytes > most) break;
		str_addn(out, n ? text + at : instead, bytes);
		used += bytes;
		at += n ? n : 1;
	}
	str_addn(out, "", 0); /* terminated, also where nothing was added */
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

/* What is left to read. */
typedef struct {
	const char *at, *end;
} Rest;

static void skip_space(Rest *rest) {
	while (rest->at < rest->end && strchr(" \t\r\n", *rest->at) && *rest->at) rest->at++;
}

static bool take(Rest *rest, char c) {
	skip_space(rest);
	if (rest->at == rest->end || *rest->at != c) return false;
	rest->at++;
	return true;
}

static bool take_name(Rest *rest) {
	if (!take(rest, '"')) return false;
	const char *first = rest->at;
	while (rest->at < rest->end && *rest->at >= ' ' && *rest->at < 0x7f && *rest->at != '"' && *rest->at != '\\')
		rest->at++;
	return rest->at > first && take(rest, '"');
}

static size_t take_digits(Rest *rest) {
	const char *first = rest->at;
	while (rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9') rest->at++;
	return (size_t)(rest->at - first);
}

static bool take_one_of(Rest *rest, const char *chars) {
	if (rest->at == rest->end || !*rest->at || !strchr(chars, *rest->at)) return false;
	rest->at++;
	return true;
}

/* -12, 0.5, 1e-9: no leading zeros, digits on both sides of the point. */
static bool take_number(Rest *rest) {
	skip_space(rest);
	take_one_of(rest, "-");
	const char *whole = rest->at;
	size_t digits = take_digits(rest);
	if (!digits || (digits > 1 && *whole == '0')) return false;
	if (take_one_of(rest, ".") && !take_digits(rest)) return false;
	if (!take_one_of(rest, "eE")) return true;
	take_one_of(rest, "+-");
	return take_digits(rest) > 0;
}

bool counters_valid(const char *text, size_t len) {
	Rest rest = {text, text + len};
	if (!take(&rest, '{')) return false;
	if (!take(&rest, '}')) {
		do {
			if (!take_name(&rest) || !take(&rest, ':') || !take_number(&rest)) return false;
		} while (take(&rest, ','));
		if (!take(&rest, '}')) return false;
	}
	skip_space(&rest);
	return rest.at == rest.end;
}
