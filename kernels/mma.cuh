// Matrix instructions of a warp, cc 8.0 and later, as functions: fragments of
// 16 × 16 and 16 × 8 numbers in registers, loads of them, and copies to shared
// memory in the background.
#pragma once

__device__ inline unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

// Lane l gets the pair in row l / 4, columns l % 4 * 2 and the next, of each of
// four 8 × 8 matrices of 16-bit numbers. Lanes 8 i to 8 i + 7 name the rows of
// matrix i: 16 bytes each.
__device__ inline void load_matrices(unsigned (&to)[4], const void *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"(shared_address(row)));
}

// The same of transposed matrices.
__device__ inline void load_transposed(unsigned (&to)[4], const void *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
		"{%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"(shared_address(row)));
}

// d += a · b for 16 rows of a and 8 columns of b, which are 32 bytes long in each
// type: 8 numbers of TF32, 16 of BF16 or FP16, 32 of FP8 or INT8. Register i of
// a has bytes l % 4 * 4 to 3 bytes further of row l / 4, or 8 rows below it if i
// is odd, and 16 bytes further from i = 2 on. Sums are FP32.
#define WARP_PRODUCT(name, form) \
	__device__ inline void name(float (&d)[4], const unsigned *a, \
		const unsigned *b) \
	{ \
		asm("mma.sync.aligned." form \
			" {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
			: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) \
			: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
	}
WARP_PRODUCT(multiply_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
WARP_PRODUCT(multiply_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
WARP_PRODUCT(multiply_fp16, "m16n8k16.row.col.f32.f16.f16.f32")
WARP_PRODUCT(multiply_e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32")

// The sums of INT8 are 32-bit integers.
__device__ inline void multiply_int8(int (&d)[4], const unsigned *a,
	const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Starts the copy of 16 bytes from global to shared memory.
__device__ inline void copy_16_bytes(void *to, const void *from)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
		:: "r"(shared_address(to)), "l"(from) : "memory");
}

// Ends a group of copies.
__device__ inline void copies_commit()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most so many groups of this thread's copies are in flight.
template <int GROUPS> __device__ inline void copies_wait()
{
	asm volatile("cp.async.wait_group %0;" :: "n"(GROUPS) : "memory");
}
