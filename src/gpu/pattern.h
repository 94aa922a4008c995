/* What the accesses of an instruction cost, remembered: an instruction repeats its access pattern at other addresses,
 * and the cost depends on the lanes' distances (shape.h) and on the alignment of the first one alone. */
#pragma once

#include "gpu/gpu.h"
#include "gpu/shape.h"

/* Sectors of 32 bytes in a line of 128 that an access touches. */
typedef struct {
	uint64_t bits; /* 16 line + sectors; of sectors bit i: the one at 32 i; line: address / 128 */
} TouchedLine;
enum { SECTOR_BYTES = 32, SECTORS_PER_LINE = 4, CACHE_LINE_BYTES = 128 };

static inline TouchedLine touched_line(uint64_t line, uint32_t sectors) {
	return (TouchedLine){line << SECTORS_PER_LINE | sectors};
}
static inline uint32_t touched_sectors(TouchedLine t) {
	return t.bits & ((1 << SECTORS_PER_LINE) - 1);
}
/* Relative to an origin it can be before that. */
static inline uint64_t touched_number(TouchedLine t) {
	return (uint64_t)((int64_t)t.bits >> SECTORS_PER_LINE);
}
static inline TouchedLine touched_sector(uint64_t sector) {
	return touched_line(sector / SECTORS_PER_LINE, 1u << sector % SECTORS_PER_LINE);
}

typedef struct {
	uint64_t shape; /* 0: nothing here */
	uint32_t mask, width, phase, kind;
	/* what it costs, of which a user fills what it needs */
	uint32_t requests, cost, ideal;
	uint16_t banks, ntouched, lines, sectors;
	uint32_t room;        /* of the lists */
	TouchedLine *touched; /* [ntouched] the same as segments */
	Segment *segments;    /* [cost] relative to where the first active lane's period begins */
} AccessPattern;

/* Of an instruction; after them those that were found last, by the first lane's word in a line. */
enum { PATTERNS_KEPT = 64, PATTERN_PHASES = 32 };
typedef struct {
	const Gpu *gpu;
	struct Arena *arena;     /* of all that is here */
	AccessPattern ***rows;   /* [n][PATTERNS_KEPT + PATTERN_PHASES] NULL: nothing yet */
	uint32_t n;              /* instructions */
	uint32_t global, shared; /* bytes by which an access may be shifted and costs the same */
	uint32_t line;           /* the same of lists of lines */
	/* Kept last, and of these by phase: neighboring instructions often have one shape. */
	AccessPattern *newest, *newest_of[PATTERN_PHASES];
} AccessPatterns;

typedef struct {
	const uint64_t *addr;
	uint64_t shape; /* of equal ones the distances from the first active lane are equal; 0: not known */
	uint32_t instr, mask, width;
	uint32_t kind;      /* whatever else makes a difference */
	GlobalUnits *units; /* NULL: of one who asks alone */
} PatternKey;

/* Forgets all, and is for n instructions from now on. All zeros: valid, of none. */
void patterns_reset(AccessPatterns *p, const Gpu *gpu, uint32_t n);
/* The pattern of the key, now kept in place of another one; what it costs is to be filled in. period: bytes by
 * which an access may be shifted and costs the same, a power of two. */
AccessPattern *pattern_keep(AccessPatterns *p, const PatternKey *key, uint32_t period);

static inline uint32_t pattern_phase(const PatternKey *key, uint32_t period) {
	return (uint32_t)key->addr[__builtin_ctz(key->mask)] & (period - 1);
}
/* Phases of one shape are kept next to each other. A pattern that has to leave its place goes to the other one. */
static inline uint32_t pattern_place(const PatternKey *key, uint32_t phase) {
	return (phase / 4 + (uint32_t)(key->shape * UINT64_C(0x9E3779B97F4A7C15) >> 58)) % PATTERNS_KEPT;
}
static inline uint32_t pattern_other_place(uint32_t place) {
	return place ^ PATTERNS_KEPT / 2;
}
static inline bool pattern_has_shape(const AccessPattern *p, const PatternKey *key) {
	return p && key->shape && p->shape == key->shape && p->mask == key->mask && p->width == key->width &&
		   p->kind == key->kind;
}
static inline bool pattern_fits(const AccessPattern *p, const PatternKey *key, uint32_t phase) {
	return pattern_has_shape(p, key) && p->phase == phase;
}
/* The pattern of the key; NULL: it is not known. Here because counting asks for each access. */
static inline AccessPattern *pattern_find(const AccessPatterns *patterns, const PatternKey *key, uint32_t period) {
	AccessPattern **row = patterns->rows[key->instr];
	const uint32_t phase = pattern_phase(key, period);
	if (!row) return NULL;
	AccessPattern **last = &row[PATTERNS_KEPT + phase / 4 % PATTERN_PHASES];
	if (pattern_fits(*last, key, phase)) return *last;
	const uint32_t place = pattern_place(key, phase);
	AccessPattern *p = row[place];
	if (pattern_fits(p, key, phase)) return *last = p;
	p = row[pattern_other_place(place)];
	if (pattern_fits(p, key, phase)) return *last = p;
	p = patterns->newest_of[phase / 4 % PATTERN_PHASES];
	return pattern_fits(p, key, phase) ? *last = p : NULL;
}
/* As gpu_global_cost: segments[cost], to which the origin is to be added. */
const AccessPattern *pattern_segments(AccessPatterns *p, const PatternKey *key, bool store, uint64_t *origin);
/* The same from cc 2.0 on, as lines, *origin / SECTORS_PER_LINE + touched[ntouched].line. Neighbors may be one line,
 * where groups of lanes ask one after the other. banks: whether the cycles of a load from shared memory are wanted. */
AccessPattern *pattern_new_lines(AccessPatterns *p, const PatternKey *key, bool store, bool banks);
/* NULL: not known; pattern_new_lines makes it. */
static inline const AccessPattern *pattern_known_lines(const AccessPatterns *p, const PatternKey *key,
													   uint64_t *origin) {
	const uint64_t first = key->addr[first_lane(key->mask)];
	*origin = (first & ~(uint64_t)(p->line - 1)) / SECTOR_BYTES;
	return pattern_find(p, key, p->line);
}
/* How long an access of shared memory takes, as gpu_shared_use_cycles. */
uint32_t pattern_shared_cycles(AccessPatterns *p, const PatternKey *key, SharedUse use);
