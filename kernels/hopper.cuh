// Instructions of Hopper (cc 9.0) as functions: barriers in shared memory that
// count bytes, copies of tiles by the Tensor Memory Accelerator (TMA), and
// matrix products of a warpgroup, which is four warps.
#pragma once
#include <cuda.h>
#include <cuda_bf16.h>

__device__ inline unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

// --- Barriers: a phase ends when all arrivals and all bytes are there --------

typedef unsigned long long Barrier;

__device__ inline void barrier_init(Barrier *b, int arrivals)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
		:: "r"(shared_address(b)), "r"(arrivals) : "memory");
}

// Makes initialized barriers visible in the cluster; in practice to the TMA, too.
__device__ inline void barrier_fence()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void barrier_arrive(Barrier *b)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
		:: "r"(shared_address(b)) : "memory");
}

// Arrives, and lets the phase wait for so many bytes, too.
__device__ inline void barrier_expect(Barrier *b, int bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
		:: "r"(shared_address(b)), "r"(bytes) : "memory");
}

// Waits until the phase with this parity has ended. Phases have parity 0, 1,
// 0, ...; the one before the first counts as ended, with parity 1.
__device__ inline void barrier_wait(Barrier *b, int parity)
{
	int ended;
	do {
		asm volatile("{ .reg .pred p;"
			" mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
			" selp.b32 %0, 1, 0, p; }"
			: "=r"(ended) : "r"(shared_address(b)), "r"(parity) : "memory");
	} while (!ended);
}

// --- The TMA: one thread starts the copy of a whole tile ---------------------

__device__ inline void tile_copy(void *to, const CUtensorMap *map, int column,
	int row, Barrier *b)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
		".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
		:: "r"(shared_address(to)), "l"(map), "r"(column), "r"(row),
		"r"(shared_address(b)) : "memory");
}

// --- wgmma: a warpgroup multiplies tiles in shared memory --------------------

// Where a tile begins and how it is laid out: rows of 128 bytes in groups of 8,
// whose pieces of 16 bytes are swizzled as the TMA does it. `next_group` is the
// distance of groups of 8 rows in bytes, `next_columns` the one to the next 64
// columns, if the rows are those of B.
__device__ inline unsigned long long descriptor(const void *tile,
	unsigned next_group, unsigned next_columns)
{
	return (shared_address(tile) & 0x3ffff) >> 4
		| (unsigned long long)(next_columns >> 4) << 16
		| (unsigned long long)(next_group >> 4) << 32 | 1ull << 62;
}

__device__ inline void wgmma_fence()
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void wgmma_commit()
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most so many of the committed groups are in flight.
template <int GROUPS> __device__ inline void wgmma_wait()
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(GROUPS) : "memory");
}

#define EIGHT(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), \
	"+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
	"+f"(d[i + 7])
#define SIXTY_FOUR(d, i) EIGHT(d, i), EIGHT(d, i + 8), EIGHT(d, i + 16), \
	EIGHT(d, i + 24), EIGHT(d, i + 32), EIGHT(d, i + 40), EIGHT(d, i + 48), \
	EIGHT(d, i + 56)

// d += a · b: 64 rows of a with 16 columns, 16 rows of b with 256 columns. The
// rows of b are consecutive columns of the product ("transposed", the last 1).
__device__ inline void multiply_64x256x16(float (&d)[128],
	unsigned long long a, unsigned long long b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
		"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
		"%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
		"%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "
		"%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "
		"%54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, "
		"%67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
		"%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, "
		"%93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
		"%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, "
		"%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
		"%127}, %128, %129, 1, 1, 1, 0, 1;"
		: SIXTY_FOUR(d, 0), SIXTY_FOUR(d, 64) : "l"(a), "l"(b));
}
