/* The records of gpus.def, and how a name finds one of them or a derived one. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "gpu/derive.h"
#include "gpu/internal.h"

enum {
#define GENERATION(number, ...) GENERATION_##number,
#define GPU(...)
#include "gpu/gpus.def"
	NGENERATIONS
};

static const Generation generations[] = {
#define GENERATION(number, ...) {.cc = number, __VA_ARGS__},
#define GPU(...)
#include "gpu/gpus.def"
};

/* Changed by gpu_calibrate alone. */
static Gpu gpus[] = {
#define GENERATION(...)
#define GPU(...) {__VA_ARGS__},
#include "gpu/gpus.def"
};

static Gpu cards[] = {
#define GPU(...) {__VA_ARGS__},
#include "gpu/cards.def"
};

enum {
	NGPUS = sizeof gpus / sizeof gpus[0],
	NCARDS = sizeof cards / sizeof cards[0],
	MAX_NAME = 48,
	MAX_ALIASES = sizeof gpus[0].aliases / sizeof gpus[0].aliases[0],
};

static bool is_separator(unsigned char c) {
	return c == ' ' || c == '-' || c == '_' || c == '\t';
}

/* Lower case letters and digits only, vendor words dropped: "NVIDIA GeForce RTX 2080 Ti" becomes "rtx2080ti".
 * False where nothing is left or the name is longer than any GPU's. Locale plays no part. */
static bool plain_name(const char *name, char out[MAX_NAME]) {
	static const char *const vendor_words[] = {"nvidia", "geforce", "tesla"};
	size_t len = 0;
	for (const unsigned char *s = (const unsigned char *)name; *s; s++) {
		if (is_separator(*s)) continue;
		if (len + 1 >= MAX_NAME) return false;
		out[len++] = (char)(*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s);
	}
	out[len] = 0;
	for (size_t i = 0; i < sizeof vendor_words / sizeof vendor_words[0]; i++) {
		size_t word = strlen(vendor_words[i]);
		if (len >= word && !memcmp(out, vendor_words[i], word)) {
			memmove(out, out + word, len - word + 1);
			len -= word;
		}
	}
	return len > 0;
}

bool gpu_name_plain(const char *name) {
	char plain[MAX_NAME];
	return plain_name(name, plain);
}

/* Built ones first, then derived ones. */
static const Gpu *any_at(size_t index) {
	if (index < NGPUS) return &gpus[index];
	return index < NGPUS + NCARDS ? &cards[index - NGPUS] : gpu_derived_at(index - NGPUS - NCARDS);
}

static const Gpu *find_plain(const char *plain) {
	char candidate[MAX_NAME];
	const Gpu *gpu;
	for (size_t i = 0; (gpu = any_at(i)); i++)
		if (plain_name(gpu->name, candidate) && !strcmp(candidate, plain)) return gpu;
	for (size_t i = 0; i < NGPUS + NCARDS && (gpu = any_at(i)); i++)
		for (size_t k = 0; k < MAX_ALIASES && gpu->aliases[k]; k++)
			if (plain_name(gpu->aliases[k], candidate) && !strcmp(candidate, plain)) return gpu;
	return NULL;
}

/* Edit distance (insert, delete, replace one letter each) of two plain names, row by row. */
static size_t distance(const char *a, const char *b) {
	size_t row[MAX_NAME + 1], blen = strlen(b);
	for (size_t j = 0; j <= blen; j++) row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= blen; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);
			if (row[j] + 1 < best) best = row[j] + 1;
			if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[blen];
}

/* The nearest by spelling; a name inside the other one counts as near: "2080" means the RTX 2080 Ti. */
static const Gpu *nearest(const char *plain) {
	const Gpu *best = NULL, *gpu;
	size_t least = 4, len = strlen(plain); /* more than three letters away is another name */
	for (size_t i = 0; (gpu = any_at(i)); i++) {
		char candidate[MAX_NAME];
		if (!plain_name(gpu->name, candidate)) continue;
		size_t d = distance(plain, candidate);
		const bool inside = strstr(candidate, plain) || (strlen(candidate) >= 3 && strstr(plain, candidate));
		if (len >= 3 && inside) d = 0;
		if (d < least && d < len) least = d, best = gpu;
	}
	return best;
}

/* Landmarks and derived ones: all would not fit. */
static void list_names(char *out, size_t size) {
	size_t len = 0;
	out[0] = 0;
	const Gpu *gpu;
	for (size_t i = 0; (gpu = i < NGPUS ? &gpus[i] : gpu_derived_at(i - NGPUS)); i++) {
		size_t name = strlen(gpu->name);
		if (len + name + 3 > size) return;
		if (i) memcpy(out + len, ", ", 2), len += 2;
		memcpy(out + len, gpu->name, name + 1);
		len += name;
	}
}

const Gpu *gpu_find(const char *name, Err *err) {
	char plain[MAX_NAME], names[400];
	list_names(names, sizeof names);
	if (!name || !plain_name(name, plain)) {
		err_set(err, ERR_SETUP, "no GPU is called \"%.60s\"", name ? name : "");
		err_hint(err, "known: %s", names);
		return NULL;
	}
	const Gpu *found = find_plain(plain);
	if (found) return found;
	const Gpu *near = nearest(plain);
	err_set(err, ERR_SETUP, "no GPU is called \"%.60s\"", name);
	if (near)
		err_hint(err, "did you mean \"%s\"? known: %s", near->name, names);
	else
		err_hint(err, "known: %s", names);
	return NULL;
}

/* "H200 1g.18gb" of "H200": it is typed whole where the GPU itself can be meant. */
static bool is_slice_of(const Gpu *gpu, const Gpu *whole) {
	const size_t len = strlen(whole->name);
	return strncmp(gpu->name, whole->name, len) == 0 && gpu->name[len] == ' ' && strstr(gpu->name + len, "g.");
}

/* The names that begin so, without those drivers report. */
static size_t with_prefix(const char *plain, const Gpu **first, char *names, size_t size) {
	char candidate[MAX_NAME];
	const Gpu *gpu;
	size_t found = 0, len = 0;
	for (size_t i = 0; (gpu = any_at(i)); i++) {
		if (!plain_name(gpu->name, candidate) || strncmp(candidate, plain, strlen(plain))) continue;
		if (found && is_slice_of(gpu, *first)) continue;
		if (!found++) *first = gpu;
		if (len + strlen(gpu->name) + 3 < size)
			len += (size_t)snprintf(names + len, size - len, "%s%s", len ? ", " : "", gpu->name);
	}
	return found;
}

const Gpu *gpu_find_typed(const char *name, Err *err) {
	char plain[MAX_NAME], names[400] = "";
	const Gpu *found = NULL;
	if (!name || !plain_name(name, plain)) return gpu_find(name, err);
	const Gpu *exact = find_plain(plain);
	if (exact) return exact;
	const size_t n = with_prefix(plain, &found, names, sizeof names);
	if (n == 1) return found;
	if (!n) return gpu_find(name, err);
	err_set(err, ERR_SETUP, "\"%.60s\" is ambiguous", name);
	err_hint(err, "GPUs that begin so: %s", names);
	return NULL;
}

const Gpu *gpu_default(void) {
	return find_plain("h200");
}

const Gpu *gpu_nearest(uint32_t cc) {
	const Gpu *best = NULL;
	for (size_t i = 0; i < NGPUS; i++)
		if (gpus[i].cc <= cc && (!best || gpus[i].cc >= best->cc)) best = &gpus[i];
	return best ? best : gpu_default();
}

const Generation *gpu_generation(uint32_t cc) {
	for (size_t i = 0; i < NGENERATIONS; i++)
		if (generations[i].cc == cc) return &generations[i];
	return NULL;
}

bool gpu_runs_sass(uint32_t sass_cc, uint32_t gpu_cc) {
	return sass_cc / 10 == gpu_cc / 10 && sass_cc <= gpu_cc;
}

double gpu_copy_gbps(const Gpu *gpu) {
	return gpu->copy_gbps > 0 ? gpu->copy_gbps : gpu->dram_gbps * gpu->generation->dram_attained;
}

double gpu_l2_gbps(const Gpu *gpu) {
	return gpu->l2_gbps > 0 ? gpu->l2_gbps : 32.0 * gpu->sms * gpu->shader_ghz;
}

const Gpu *gpu_at(size_t index) {
	return index < NGPUS ? &gpus[index] : NULL;
}

const Gpu *gpu_card_at(size_t index) {
	return index < NCARDS ? &cards[index] : NULL;
}

/* What is written down for a figure comes first, so that it is found before the record's own line. */
static const char *with_sources(const Gpu *gpu, const FigureChange *list, size_t n) {
	Str s = {0};
	for (size_t i = 0; i < n; i++)
		str_addf(&s, "%s: measured on this machine; %.10g before\n", list[i].figure->name,
				 gpu_figure(gpu, list[i].figure));
	str_add(&s, gpu->sources);
	return str_take(&s);
}

bool gpu_calibrate(const char *name, const FigureChange *list, size_t n, Err *err) {
	static const char *const measured[] = {"copy_gbps", "l2_gbps", "launch_us"};
	const Gpu *found = gpu_find(name, err);
	if (!found) return false;
	if (found->base) {
		err_set(err, ERR_USAGE, "the %s was derived, so it cannot be measured", found->name);
		return err_hint(err, "calibrate the %s, or derive another one", found->base->name);
	}
	for (size_t i = 0; i < n; i++) {
		bool known = false;
		for (size_t k = 0; k < sizeof measured / sizeof measured[0]; k++)
			known |= !strcmp(measured[k], list[i].figure->name);
		if (!known)
			return err_set(err, ERR_USAGE, "%s is not measured: copy_gbps, l2_gbps and launch_us are",
						   list[i].figure->name);
		if (!figure_fits(&list[i], err)) return false;
		if (!strcmp(list[i].figure->name, "copy_gbps") && list[i].value > found->dram_gbps)
			return err_set(err, ERR_USAGE, "copy_gbps: %.10g is more than the %.10g of the %s's memory", list[i].value,
						   found->dram_gbps, found->name);
	}
	if (!n) return err_set(err, ERR_USAGE, "no figure of the %s is given", found->name);
	Gpu *gpu = NULL;
	for (size_t i = 0; i < NGPUS; i++)
		if (&gpus[i] == found) gpu = &gpus[i];
	for (size_t i = 0; i < NCARDS; i++)
		if (&cards[i] == found) gpu = &cards[i];
	gpu->sources = with_sources(gpu, list, n); /* never freed: others may point into the old one */
	for (size_t i = 0; i < n; i++) gpu_set_figure(gpu, list[i].figure, list[i].value);
	gpu->calibrated = true;
	return true;
}

const char *gpu_source(const Gpu *gpu, const char *field, size_t *len) {
	size_t n = strlen(field);
	for (const char *line = gpu->sources; *line;) {
		size_t end = strcspn(line, "\n");
		if (end > n + 2 && !memcmp(line, field, n) && line[n] == ':') {
			*len = end - n - 2;
			return line + n + 2;
		}
		line += end + (line[end] == '\n');
	}
	return NULL;
}
