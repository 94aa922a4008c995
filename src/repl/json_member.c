/* json_member.h */
#include "repl/json_member.h"

#include <string.h>

/* Behind blanks. */
static size_t past_blanks(Span s, size_t at) {
	while (at < s.len && strchr(" \t\r\n", s.at[at]) && s.at[at]) at++;
	return at;
}

/* Behind the string that begins at the quotation mark. */
static size_t past_string(Span s, size_t at) {
	for (at++; at < s.len && s.at[at] != '"'; at++) {
		if (s.at[at] == '\\') at++;
	}
	return at < s.len ? at + 1 : s.len;
}

/* Behind the value: up to the comma or bracket that ends it. */
static size_t past_value(Span s, size_t at) {
	size_t depth = 0;
	while (at < s.len) {
		const char c = s.at[at];
		if (c == '"') {
			at = past_string(s, at);
			continue;
		}
		if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
		if (c == '{' || c == '[') depth++;
		if (c == '}' || c == ']') depth--;
		at++;
	}
	return s.len;
}

static Span trimmed(Span s) {
	while (s.len && strchr(" \t\r\n", s.at[s.len - 1]) && s.at[s.len - 1]) s.len--;
	return s;
}

Span json_member(Span object, const char *name) {
	const size_t want = strlen(name);
	size_t at = object.at ? past_blanks(object, 0) : 0;
	if (!object.at || at >= object.len || object.at[at] != '{') return (Span){0};
	for (at = past_blanks(object, at + 1); at < object.len && object.at[at] == '"';) {
		const size_t key = at + 1, end = past_string(object, at);
		at = past_blanks(object, end);
		if (at >= object.len || object.at[at] != ':') break;
		const size_t value = past_blanks(object, at + 1);
		at = past_value(object, value);
		if (end - key == want + 1 && memcmp(object.at + key, name, want) == 0)
			return trimmed((Span){object.at + value, at - value});
		if (at >= object.len || object.at[at] != ',') break;
		at = past_blanks(object, at + 1);
	}
	return (Span){0};
}

bool json_is(Span value, const char *text) {
	const size_t n = strlen(text);
	return value.at && value.len == n + 2 && value.at[0] == '"' && memcmp(value.at + 1, text, n) == 0;
}

void json_copy(Span value, char *out, size_t room) {
	const bool fits = value.at && value.len < room;
	if (fits) memcpy(out, value.at, value.len);
	out[fits ? value.len : 0] = '\0';
}
