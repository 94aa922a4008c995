/* err.h: errors as values. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

bool err_set(Err *err, ErrKind kind, const char *fmt, ...) {
	if (!err) return false;
	va_list ap;
	va_start(ap, fmt);
	char text[sizeof err->what]; /* fmt's arguments may point into *err itself */
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_clear(err);
	err->kind = kind;
	snprintf(err->what, sizeof err->what, "%s", text);
	return false;
}

bool err_hint(Err *err, const char *fmt, ...) {
	if (!err) return false;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->hint, sizeof err->hint, fmt, ap);
	va_end(ap);
	return false;
}

bool err_where(Err *err, const char *file, unsigned line) {
	if (err) snprintf(err->where, sizeof err->where, "%s:%u", file, line);
	return false;
}

void err_clear(Err *err) {
	if (!err) return;
	err->kind = ERR_NONE;
	err->what[0] = err->where[0] = err->hint[0] = '\0';
}
