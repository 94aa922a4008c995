/* limits.h */
#include "base/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text/nearest.h"

static const LimitRow rows[] = {
#define LIMIT(id, name, unit, usual, least, most, variable, example, what)                                             \
	{name, variable, example, what, unit, usual, least, most},
#include "base/limits.def"
#undef LIMIT
};

static double set[LIMITS];

const LimitRow *limit_row(LimitId id) {
	return &rows[id];
}

bool limit_find(const char *name, LimitId *out, Err *err) {
	const char *names[LIMITS + 1] = {NULL};
	for (int i = 0; i < LIMITS; i++) {
		names[i] = rows[i].name;
		if (strcmp(rows[i].name, name) != 0) continue;
		*out = (LimitId)i;
		return true;
	}
	err_set(err, ERR_USAGE, "no limit is called '%.60s'", name);
	const char *near = nearest(name, names);
	if (near) return err_hint(err, "did you mean %s?", near);
	char all[256] = "";
	for (int i = 0; i < LIMITS; i++)
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", rows[i].name);
	return err_hint(err, "the limits are %s", all);
}

/* --- values ---------------------------------------------------------------------- */

uint32_t limit_milliseconds(LimitId id) {
	return (uint32_t)ceil(limit_of(id) * 1000);
}

double limit_usual(LimitId id) {
	if (id != LIMIT_EMULATOR_MEMORY) return rows[id].usual;
	const double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
	return pages > 0 && page > 0 ? pages * page / 2 : 0x1p31;
}

static bool in_range(LimitId id, double value) {
	return value >= rows[id].least && value <= rows[id].most;
}

/* What a suffix stands for; 0: no such suffix. */
static double factor(LimitUnit unit, const char *suffix) {
	static const struct {
		const char *suffix;
		double bytes;
	} sizes[] = {{"K", 0x1p10}, {"KB", 0x1p10}, {"M", 0x1p20}, {"MB", 0x1p20},
				 {"G", 0x1p30}, {"GB", 0x1p30}, {"T", 0x1p40}, {"TB", 0x1p40}};
	if (unit == UNIT_SECONDS) return !*suffix || strcmp(suffix, "s") == 0;
	if (!*suffix) return unit == UNIT_MB ? 0x1p20 : 1;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (strcasecmp(suffix, sizes[i].suffix) == 0) return sizes[i].bytes;
	return 0;
}

static bool read_value(LimitId id, const char *text, double *out) {
	char *end;
	const double number = strtod(text, &end);
	if (end == text) return false;
	while (*end == ' ') end++;
	const double value = number * factor(rows[id].unit, end);
	if (!in_range(id, value)) return false;
	*out = rows[id].unit == UNIT_SECONDS ? value : floor(value);
	return true;
}

static bool from_environment(LimitId id, double *out) {
	const char *text = getenv(rows[id].variable);
	return text && *text && read_value(id, text, out);
}

double limit_of(LimitId id) {
	double value;
	if (set[id] > 0) return set[id];
	return from_environment(id, &value) ? value : limit_usual(id);
}

bool limit_given(LimitId id) {
	return set[id] > 0;
}

bool limit_is_set(LimitId id) {
	double value;
	return set[id] > 0 || from_environment(id, &value);
}

/* --- setting ---------------------------------------------------------------------- */

static bool wrong(LimitId id, const char *how, const char *text, Err *err) {
	char least[32];
	limit_value_text(id, rows[id].least, least, sizeof least);
	err_set(err, ERR_USAGE, "%s=%.100s is not %s", how, text,
			rows[id].unit == UNIT_SECONDS ? "a number of seconds" : "an amount of memory");
	return err_hint(err, "for example %s=%s; at least %s", how, rows[id].example, least);
}

bool limit_set(LimitId id, double value, Err *err) {
	char text[32];
	snprintf(text, sizeof text, "%.15g", value);
	if (value != 0 && !in_range(id, value)) return wrong(id, rows[id].name, text, err);
	set[id] = value;
	return true;
}

bool limit_set_text(LimitId id, const char *text, Err *err) {
	return read_value(id, text, &set[id]) || wrong(id, rows[id].name, text, err);
}

bool limit_assign(const char *text, Err *err) {
	char name[64];
	LimitId id;
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return err_set(err, ERR_USAGE, "--limit expects NAME=VALUE, as in --limit compile_time=120, not %.100s", text);
	snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
	return limit_find(name, &id, err) && limit_set_text(id, equals + 1, err);
}

bool limits_check(Err *err) {
	for (int i = 0; i < LIMITS; i++) {
		double value;
		const char *text = getenv(rows[i].variable);
		if (text && *text && !read_value((LimitId)i, text, &value))
			return wrong((LimitId)i, rows[i].variable, text, err);
	}
	return true;
}

/* --- text ---------------------------------------------------------------------- */

void limit_value_text(LimitId id, double value, char *out, size_t size) {
	if (rows[id].unit == UNIT_SECONDS)
		snprintf(out, size, "%.6g s", value);
	else if (value >= 0x1p30)
		snprintf(out, size, "%.3g GB", value / 0x1p30);
	else if (value >= 0x1p20)
		snprintf(out, size, "%.4g MB", value / 0x1p20);
	else
		snprintf(out, size, "%.0f bytes", value);
}

const char *limit_how(LimitId id) {
	static char texts[LIMITS][128];
	const LimitRow *r = &rows[id];
	snprintf(texts[id], sizeof texts[id], "--limit %s=%s, gpu.limits{%s=\"%s\"} or %s=%s", r->name, r->example, r->name,
			 r->example, r->variable, r->example);
	return texts[id];
}
