/* L1 of the replayed SM: sets of lines of 128 bytes, whose sectors of 32 are fetched one by one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_WAYS = 4 };

typedef struct {
	uint64_t tag[CACHE_WAYS];
	uint8_t sectors[CACHE_WAYS];
	double filled[CACHE_WAYS];
	uint8_t oldest;
} ReplaySet;

typedef struct {
	ReplaySet *sets;
	uint32_t nsets;   /* 0: none */
	uint64_t inverse; /* 2^64 / nsets, upwards */
} ReplayCache;

/* A sector that was not there, and where its line is from now on. */
typedef struct {
	ReplaySet *set;
	uint64_t line;
	uint8_t way;
} ReplayMiss;

ReplayCache replay_cache_new(uint32_t lines);
void replay_cache_free(ReplayCache *cache);
/* When the sector is there if it is, or on its way; negative: it is not. Afterwards it is on its way, until
 * replay_cache_fill says when it arrives. */
double replay_cache_lookup(ReplayCache *cache, uint64_t sector, double now, ReplayMiss *miss);
void replay_cache_fill(const ReplayMiss *miss, double at);
