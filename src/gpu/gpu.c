/* The records of gpus.def, and how a name finds one of them or a derived one. */
#include <stdio.h>
#include <string.h>

#include "base/text/nearest.h"
#include "base/vec.h"
#include "gpu/gpu.h"

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

/* Changed by gpu_calibrate alone, as are the cards. */
static Gpu gpus[] = {
#define GENERATION(...)
#define GPU(...) {__VA_ARGS__},
#include "gpu/gpus.def"
};

static Gpu cards[] = {
#define GPU(...) {__VA_ARGS__},
#include "gpu/cards.def"
#undef GPU
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

static VEC(const Gpu *) derived;

const Gpu *gpu_derived_at(size_t index) {
	return index < derived.len ? derived.data[index] : NULL;
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

/* The nearest by spelling; a name inside the other one counts as near: "2080" means the RTX 2080 Ti. */
static const Gpu *nearest_gpu(const char *plain) {
	const Gpu *best = NULL, *gpu;
	size_t least = 4, len = strlen(plain); /* more than three letters away is another name */
	for (size_t i = 0; (gpu = any_at(i)); i++) {
		char candidate[MAX_NAME];
		if (!plain_name(gpu->name, candidate)) continue;
		size_t d = (size_t)text_distance(plain, candidate);
		const bool inside = strstr(candidate, plain) || (strlen(candidate) >= 3 && strstr(plain, candidate));
		if (len >= 3 && inside) d = 0;
		if (d < least && d < len) least = d, best = gpu;
	}
	return best;
}

enum { NAMES = 400 };

/* Adds a name to a list, which is not there yet or has room for it. */
static bool list_name(char names[NAMES], const Gpu *gpu) {
	const size_t len = strlen(names);
	if (len + strlen(gpu->name) + 3 > NAMES) return false;
	snprintf(names + len, NAMES - len, "%s%s", len ? ", " : "", gpu->name);
	return true;
}

const Gpu *gpu_find(const char *name, Err *err) {
	char plain[MAX_NAME], names[NAMES] = "";
	const bool usable = name && plain_name(name, plain);
	const Gpu *found = usable ? find_plain(plain) : NULL, *gpu;
	if (found || !err) return found;
	/* Landmarks and derived ones: all would not fit. */
	for (size_t i = 0; (gpu = i < NGPUS ? &gpus[i] : gpu_derived_at(i - NGPUS)) && list_name(names, gpu);) i++;
	const Gpu *near = usable ? nearest_gpu(plain) : NULL;
	err_set(err, ERR_SETUP, "no GPU is called \"%.60s\"", name ? name : "");
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
static size_t with_prefix(const char *plain, const Gpu **first, char names[NAMES]) {
	char candidate[MAX_NAME];
	const Gpu *gpu;
	size_t found = 0;
	for (size_t i = 0; (gpu = any_at(i)); i++) {
		if (!plain_name(gpu->name, candidate) || strncmp(candidate, plain, strlen(plain))) continue;
		if (found && is_slice_of(gpu, *first)) continue;
		if (!found++) *first = gpu;
		list_name(names, gpu);
	}
	return found;
}

const Gpu *gpu_find_typed(const char *name, Err *err) {
	char plain[MAX_NAME], names[NAMES] = "";
	const Gpu *found = NULL;
	if (!name || !plain_name(name, plain)) return gpu_find(name, err);
	const Gpu *exact = find_plain(plain);
	if (exact) return exact;
	const size_t n = with_prefix(plain, &found, names);
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

bool gpu_has_specific_code(uint32_t cc) {
	return gpu_nearest(cc)->generation->specific_code;
}

bool gpu_runs_sass(uint32_t sass_cc, uint32_t gpu_cc) {
	return sass_cc / 10 == gpu_cc / 10 && sass_cc <= gpu_cc;
}

double gpu_copy_gbps(const Gpu *gpu) {
	return gpu->copy_gbps > 0 ? gpu->copy_gbps : gpu->dram_gbps * gpu->generation->dram_attained;
}

double gpu_ghz(const Gpu *gpu) {
	return gpu->boost > 0 ? gpu->boost * gpu->shader_ghz : gpu->shader_ghz;
}

double gpu_l2_gbps(const Gpu *gpu) {
	return gpu->l2_gbps > 0 ? gpu->l2_gbps : 32.0 * gpu->sms * gpu_ghz(gpu);
}

void gpu_list_derived(const Gpu *gpu) {
	const Gpu *namesake = gpu_find(gpu->name, NULL);
	size_t kept = 0;
	for (size_t i = 0; i < derived.len; i++)
		if (derived.data[i] != namesake) derived.data[kept++] = derived.data[i];
	derived.len = kept;
	vec_push(&derived, gpu);
}

Gpu *gpu_of_table(const Gpu *gpu) {
	for (size_t i = 0; i < NGPUS; i++)
		if (gpu == &gpus[i]) return &gpus[i];
	for (size_t i = 0; i < NCARDS; i++)
		if (gpu == &cards[i]) return &cards[i];
	return NULL;
}

const Gpu *gpu_at(size_t index) {
	return index < NGPUS ? &gpus[index] : NULL;
}

const Gpu *gpu_card_at(size_t index) {
	return index < NCARDS ? &cards[index] : NULL;
}
