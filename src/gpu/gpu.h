/* GPUs and their generations as data (gpus.def, cards.def): one record per GPU, each value with its source or marked
 * an estimate. Speeds are decimal (10⁹), sizes are bytes. A value that is not known is 0 and says so in
 * `sources`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "gpu/generation.h"
#include "gpu/lanes.h"

typedef struct Gpu {
	const char *name;             /* "GTX 280", as in --model and emu:NAME */
	const char *aliases[4];       /* what drivers and people call it, too */
	uint32_t cc;                  /* compute capability × 10: 13, 90 */
	const Generation *generation; /* of that compute capability, never NULL */
	uint32_t sms;
	double shader_ghz;   /* the clock of the arithmetic units */
	double boost;        /* times that, where a board goes beyond the clock of its sheet; 0: it does not */
	uint32_t fp32_lanes; /* per SM and clock */
	double fp64_ratio;   /* of fp32_lanes; 0: no FP64 */
	uint32_t sfu_lanes;
	double dram_gbps; /* datasheet peak, 10⁹ B/s */
	double copy_gbps; /* what a large copy attains of it, as measured on this very GPU; 0: not known */
	size_t l2_bytes;
	double l2_gbps; /* 0: unknown */
	size_t shared_per_sm;
	size_t shared_per_block;                          /* largest a launch may ask for, opt-in included */
	uint32_t shared_bytes_per_clock;                  /* per SM */
	double latency_alu, latency_shared, latency_dram; /* clocks of shader_ghz; 0: unknown */
	double launch_us;                                 /* time of an empty launch */
	/* the link to the host; speeds hold for large transfers in one direction */
	const char *link;                            /* "PCIe 2.0 x16" */
	double link_gbps;                            /* by specification, each direction, packet headers included */
	double to_device_gbps, from_device_gbps;     /* pinned memory */
	double pageable_to_gbps, pageable_from_gbps; /* pageable memory: the host copies it once more */
	double copy_us;                              /* what a copy takes besides */
	uint32_t copy_engines; /* copies that run during a kernel: none, one at a time, or two, one a direction */
	double mapped_read_gbps, mapped_write_gbps; /* a kernel's access to host memory; 0: cannot */
	double mapped_read_mhz;                     /* requests for reading it, 10⁶ a second, however small */
	/* limits (CUDA programming guide, "technical specifications per compute capability") */
	uint32_t threads_per_block, warps_per_sm, blocks_per_sm;
	uint32_t registers_per_sm, register_unit; /* unit: per block on cc 1.x, per warp later */
	bool register_unit_per_block;
	size_t shared_unit;
	uint32_t registers_per_thread; /* the most a thread can have */
	uint32_t warp_unit;     /* an SM's parts that hold warps: a block's warps are rounded up to it for registers */
	size_t shared_reserved; /* taken from every block: 16 on cc 1.x (arguments come on top there), 1024 from 8.0 */
	uint32_t max_grid[3], max_block[3];
	/* memory system */
	uint32_t banks, bank_bytes; /* shared memory: 16 × 4, 32 × 4, 32 × 8; a derived one may have others */
	uint32_t request_lanes;     /* lanes that form one request: 16 on cc 1.x, 32 later */
	uint32_t partitions;        /* DRAM partitions where addresses are not hashed (cc 1.x), else 0 */
	uint32_t partition_bytes;   /* width of one: 256 */
	double memory_ghz;          /* command clock of the DRAM, where partitions matter */
	const char *sources;        /* one line a value: "dram_gbps: NVIDIA GTX 280 datasheet" */
	const struct Gpu *base;     /* what it was derived from (derive.h); NULL: a GPU that was built */
	bool calibrated;            /* values were measured on this machine (gpu_calibrate) */
} Gpu;

/* Case, spaces, hyphens and the vendor's "NVIDIA", "GeForce", "Tesla" do not matter, and the names drivers report are
 * known: "NVIDIA H100 80GB HBM3" is the H100 SXM. NULL with "did you mean" in the hint. */
const Gpu *gpu_find(const char *name, Err *err);
/* The same, and what people type: also a prefix that only one GPU has. "h2" is the H200. */
const Gpu *gpu_find_typed(const char *name, Err *err);
/* Is anything left of a name without vendor's words, blanks and hyphens? */
bool gpu_name_plain(const char *name);
Gpu *gpu_of_table(const Gpu *gpu); /* to calibrate it; NULL: it was derived */
const Gpu *gpu_default(void);      /* what plain "emu" stands for: the H200 the docs' measurements are from */
const Gpu *gpu_at(size_t index);   /* the landmarks that lessons are shown on, oldest first; NULL past the end */
/* Further GPUs that were built, which only their names find, oldest first; NULL past the end. */
const Gpu *gpu_card_at(size_t index);
/* Derived ones (derive.h) that their names find, oldest first; NULL past the end. */
const Gpu *gpu_derived_at(size_t index);
void gpu_list_derived(const Gpu *gpu); /* which lives as long as the program, and takes the name of an older one */
/* the youngest that is no younger than cc; the default one where all are */
const Gpu *gpu_nearest(uint32_t cc);
const Generation *gpu_generation(uint32_t cc); /* NULL: there is none of this compute capability */
/* SASS runs on its own major version only, from its own revision on. */
bool gpu_runs_sass(uint32_t sass_cc, uint32_t gpu_cc);
/* Is there code for this very compute capability, sm_90a, with instructions that no other has? */
bool gpu_has_specific_code(uint32_t cc);

/* 10⁹ B/s that a large copy moves: as measured on this GPU where gpus.def or a calibration says, else of the
 * datasheet. */
double gpu_copy_gbps(const Gpu *gpu);
/* The clock of launches. */
double gpu_ghz(const Gpu *gpu);
/* 10⁹ B/s of L2; unknown: 32 B per cycle and SM, what those that were measured have. */
double gpu_l2_gbps(const Gpu *gpu);

/* --- memory rules (rules_global.c, rules_shared.c): what one warp instruction costs on this GPU ------------------- */

typedef struct {
	uint64_t base;  /* aligned to bytes */
	uint32_t bytes; /* 32, 64 or 128 */
} Segment;

enum { MAX_SEGMENTS = 160 }; /* 32 lanes × 16 bytes, each lane straddling */

typedef struct {
	uint32_t requests;     /* half-warps on cc 1.x; quarter or half warps for wide words on 2.x; else 1 */
	uint32_t transactions; /* 1.x: segments (32, 64, 128 B); 2.x: loads of 128 B lines; else distinct 32 B sectors */
	uint32_t bytes;        /* moved */
} GlobalCost;

/* addr[lane] is valid for the lanes in mask; width is bytes per lane (1..16). segments may be NULL. */
GlobalCost gpu_global_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width, bool store,
						   Segment *segments);
/* From cc 2.0 on segments have one size. */
uint32_t gpu_global_unit(const Gpu *gpu, bool store);
/* An access's segments, for all who ask by the same rules. */
typedef struct {
	const Generation *rules; /* NULL: not asked for yet */
	bool store;
	GlobalCost cost;
	uint64_t units[MAX_SEGMENTS]; /* [cost.transactions] addresses over their size */
} GlobalUnits;
/* known: of this access, or rules is NULL; some lanes access some bytes. */
const GlobalUnits *gpu_global_units(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width,
									bool store, GlobalUnits *known);

/* Bytes by which an access may be shifted and becomes as many, shifted as far. */
uint32_t gpu_global_period(const Gpu *gpu);

typedef struct {
	uint32_t requests; /* half-warps with an active lane on cc 1.x, else 1 */
	/* over all requests; equals requests where nothing conflicts (64-bit words: see rules_shared.c) */
	uint32_t wavefronts;
	uint32_t idle;       /* cycles without a wavefront: of lanes that wait for others, or that are not active */
	uint32_t ideal;      /* wavefronts the same request would need without any conflict */
	uint32_t worst_bank; /* the bank that asks for the most wavefronts */
} SharedCost;

/* addr in bytes from the start of the block's shared memory. */
SharedCost gpu_shared_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width, bool store);
/* The loads of an atomic that SASS has as a loop: each iteration loads the words of the lanes that are left, and some
 * of these succeed. width: 4 or 8. All 0 on GPUs whose loop is another one. Other warps can cause more iterations. */
SharedCost gpu_shared_atomic_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width);
/* How long the access takes. */
static inline uint32_t gpu_shared_cycles(const SharedCost *cost) {
	return cost->wavefronts + cost->idle;
}
/* What an access of shared memory does, as far as it makes a difference for how long it takes. */
typedef enum {
	SHARED_LOAD,
	SHARED_STORE,
	SHARED_ATOMIC, /* of integers */
	SHARED_COUNT,  /* an atomic that adds 1 and returns nothing */
	SHARED_SWAP,   /* compare and swap */
	SHARED_LOOP    /* an atomic that SASS has as a loop: of floats, of 64 bits */
} SharedUse;
uint32_t gpu_shared_use_cycles(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width,
							   SharedUse use);
/* Lanes of the bank that has most of them; an atomic's loop has as many iterations. */
uint32_t gpu_bank_lanes(const uint64_t addr[LANES], uint32_t mask, uint32_t width);
/* Bytes by which an access may be shifted and takes as many wavefronts: whole words only rotate the banks. */
uint32_t gpu_shared_period(const Gpu *gpu);

/* --- printf of a warp (rules_printf.c) ---------------------------------------------------------------------------- */

typedef struct {
	uint64_t addr[LANES];
	uint32_t bytes[LANES]; /* with the final 0; 0: a null pointer, or not of this lane */
	uint32_t global;       /* lanes whose text is in global memory */
} PrintfText;

enum { PRINTF_TEXTS = 33 }; /* a record has at most 32 arguments */

typedef struct {
	uint32_t mask;
	uint32_t ntexts;
	uint32_t arguments[LANES];      /* that the format asks for, with those of '*' */
	PrintfText texts[PRINTF_TEXTS]; /* the format, and the strings among the arguments */
} PrintfCall;

typedef struct {
	uint32_t load_requests, load_sectors, store_requests, store_sectors;
} PrintfCost;

/* What the toolkit's code accesses in global memory. Of formats that differ between lanes, and of requests where the
 * strings' lengths differ, it is an estimate. */
PrintfCost gpu_printf_cost(const PrintfCall *call);

/* The bank of a byte address, for pictures. */
uint32_t gpu_bank(const Gpu *gpu, uint64_t addr);

/* Passes of the constant cache, the same on every GPU. */
uint32_t gpu_constant_wavefronts(const uint64_t addr[LANES], uint32_t mask, uint32_t width);

/* --- occupancy (occupancy.c) -------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t blocks_per_sm, warps_per_sm;
	double fraction;        /* of the SM's warps */
	const char *limited_by; /* "registers", "shared memory", "warps", "blocks" */
} Occupancy;

/* registers: per thread; shared: static + dynamic bytes per block. False with err where the launch is not allowed at
 * all (both values in the message). */
bool gpu_occupancy(const Gpu *gpu, uint32_t threads, uint32_t registers, size_t shared, Occupancy *out, Err *err);

/* What a compiler that knows the block's size leaves of so many registers: at most as many as let one block run. More
 * than a thread can have stay, and gpu_occupancy refuses them: what would be spilled is not in the counts. */
uint32_t gpu_fit_registers(const Gpu *gpu, uint32_t threads, uint32_t registers);

/* Is this configuration allowed? False with err naming the limit: asked and allowed. */
bool gpu_allows(const Gpu *gpu, const uint32_t grid[3], const uint32_t block[3], size_t shared, Err *err);
/* A row of blocks that is too long for the GPU as the rows that a program for it makes: 262144 as 52429 x 5 on the
 * GTX 280. */
void gpu_fold(const Gpu *gpu, const uint32_t grid[3], uint32_t out[3]);
