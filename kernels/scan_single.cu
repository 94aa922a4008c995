// Prefix sums of a whole vector in one pass: each element is read once and
// written once. A block waits for the sum of the tiles before its own.
#include "scan_tile.cuh"

// What the others can read of a tile: nothing yet, the sum of its elements, or
// the sum of all elements up to its last one.
enum Flag { NOTHING, SUM, PREFIX };

struct Tiles {
	int *flags, *sums, *prefixes; // per tile
};

// Before each scan.
__global__ void clear(int *flags, unsigned *ticket, unsigned count)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	if (i < count)
		flags[i] = NOTHING;
	if (i == 0)
		*ticket = 0;
}

// The tile of a block, in the order in which blocks begin: those before it
// have begun, and make progress.
__device__ unsigned take_tile(unsigned *ticket)
{
	__shared__ unsigned tile;
	if (threadIdx.x == 0)
		tile = atomicAdd(ticket, 1);
	__syncthreads();
	return tile;
}

__device__ int wait_for(const int *flags, int tile, int least)
{
	int flag;
	do
		flag = *(const volatile int *)&flags[tile];
	while (flag < least);
	return flag;
}

template <bool FENCED>
__device__ void publish(int *word, int value, int *flag, int what)
{
	*word = value;
	if (FENCED)
		__threadfence();
	*(volatile int *)flag = what;
}

// Each tile waits for the prefix of the one before it.
__global__ void chained(int *out, int *flags, int *prefixes, unsigned *ticket,
	const int *in, unsigned n)
{
	__shared__ int tiles_before;
	unsigned tile = take_tile(ticket);
	int4 v[ROWS];
	load(v, in, tile, n);
	Before before = sum_warps(scan_rows(v));
	if (threadIdx.x == 0) {
		int sum = 0;
		if (tile > 0) {
			wait_for(flags, tile - 1, PREFIX);
			__threadfence();
			sum = prefixes[tile - 1];
		}
		publish<true>(&prefixes[tile], sum + before.tile, &flags[tile],
			PREFIX);
		tiles_before = sum;
	}
	__syncthreads();
	store(out, v, tiles_before + before.warp, tile, n);
}

// The sum of all tiles before this one, by a warp: its lanes look at the 32
// tiles before, and at the 32 before those, until one has a prefix.
template <bool FENCED>
__device__ int look_back(const Tiles &tiles, unsigned tile)
{
	int sum = 0;
	for (int t = (int)tile - 1 - (int)(threadIdx.x % 32);; t -= 32) {
		int flag = PREFIX, value = 0; // of what is before tile 0
		if (t >= 0) {
			flag = wait_for(tiles.flags, t, SUM);
			if (FENCED)
				__threadfence();
			value = flag == PREFIX ? tiles.prefixes[t] : tiles.sums[t];
		}
		unsigned known = __ballot_sync(0xffffffff, flag == PREFIX);
		if (known && threadIdx.x % 32 >= __ffs(known))
			value = 0; // the nearest prefix includes it
		for (int d = 16; d > 0; d /= 2)
			value += __shfl_xor_sync(0xffffffff, value, d);
		sum += value;
		if (known)
			return sum;
	}
}

// Decoupled look-back: a tile that waits for its prefix has already published
// its sum, and the others need not wait for more than that.
template <bool FENCED>
__global__ void single_pass(int *out, int *flags, int *sums, int *prefixes,
	unsigned *ticket, const int *in, unsigned n)
{
	__shared__ int tiles_before;
	Tiles tiles = {flags, sums, prefixes};
	unsigned tile = take_tile(ticket);
	int4 v[ROWS];
	load(v, in, tile, n);
	Before before = sum_warps(scan_rows(v));
	if (threadIdx.x < 32) {
		if (threadIdx.x == 0)
			publish<FENCED>(&sums[tile], before.tile, &flags[tile], SUM);
		int sum = look_back<FENCED>(tiles, tile);
		if (threadIdx.x == 0) {
			publish<FENCED>(&prefixes[tile], sum + before.tile,
				&flags[tile], PREFIX);
			tiles_before = sum;
		}
	}
	__syncthreads();
	store(out, v, tiles_before + before.warp, tile, n);
}

// Flag and value in one word ---------------------------------------------------

using Word = unsigned long long; // the flag in the upper half

// An access of 8 bytes is one access: a thread that reads the flag has read the value.
__device__ Word packed(int flag, int value)
{
	return (Word)flag << 32 | (unsigned)value;
}

__global__ void clear_words(Word *words, unsigned *ticket, unsigned count)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	if (i < count)
		words[i] = packed(NOTHING, 0);
	if (i == 0)
		*ticket = 0;
}

__device__ int look_back(volatile Word *words, unsigned tile)
{
	int sum = 0;
	for (int t = (int)tile - 1 - (int)(threadIdx.x % 32);; t -= 32) {
		Word word = packed(PREFIX, 0);
		if (t >= 0)
			do
				word = words[t];
			while (word >> 32 == NOTHING);
		unsigned known = __ballot_sync(0xffffffff, word >> 32 == PREFIX);
		int value = known && threadIdx.x % 32 >= __ffs(known) ? 0
			: (int)word;
		for (int d = 16; d > 0; d /= 2)
			value += __shfl_xor_sync(0xffffffff, value, d);
		sum += value;
		if (known)
			return sum;
	}
}

// The sum of all tiles before this one, in all threads.
__device__ int sum_before(volatile Word *words, unsigned tile, int own)
{
	__shared__ int before;
	if (threadIdx.x < 32) {
		if (threadIdx.x == 0)
			words[tile] = packed(SUM, own);
		int sum = look_back(words, tile);
		if (threadIdx.x == 0) {
			words[tile] = packed(PREFIX, sum + own);
			before = sum;
		}
	}
	__syncthreads();
	return before;
}

__global__ void single_pass_packed(int *out, Word *words, unsigned *ticket,
	const int *in, unsigned n)
{
	unsigned tile = take_tile(ticket);
	int4 v[ROWS];
	load(v, in, tile, n);
	Before before = sum_warps(scan_rows(v));
	int tiles = sum_before(words, tile, before.tile);
	store(out, v, tiles + before.warp, tile, n);
}

// Whether element i exists and is kept.
__device__ int kept(unsigned i, int x, int limit, unsigned n)
{
	return i < n && x > limit;
}

// Elements above a limit, in their order: the prefix sums of 0 and 1 say where
// each one goes.
__global__ void compact(int *out, Word *words, unsigned *ticket, const int *in,
	int limit, unsigned n)
{
	unsigned tile = take_tile(ticket);
	int4 x[ROWS], v[ROWS];
	load(x, in, tile, n);
#pragma unroll
	for (int row = 0; row < ROWS; row++) {
		unsigned i = 4 * quad(tile, row);
		v[row] = {kept(i, x[row].x, limit, n),
			kept(i + 1, x[row].y, limit, n),
			kept(i + 2, x[row].z, limit, n),
			kept(i + 3, x[row].w, limit, n)};
	}
	Before before = sum_warps(scan_rows(v));
	int *to = out + sum_before(words, tile, before.tile) + before.warp - 1;
#pragma unroll
	for (int row = 0; row < ROWS; row++) {
		unsigned i = 4 * quad(tile, row);
		if (kept(i, x[row].x, limit, n))
			to[v[row].x] = x[row].x;
		if (kept(i + 1, x[row].y, limit, n))
			to[v[row].y] = x[row].y;
		if (kept(i + 2, x[row].z, limit, n))
			to[v[row].z] = x[row].z;
		if (kept(i + 3, x[row].w, limit, n))
			to[v[row].w] = x[row].w;
	}
}
