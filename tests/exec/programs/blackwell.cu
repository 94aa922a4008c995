// Takes tensor memory, which GPUs of compute capability 10.0 have.
#include <cstdio>

__global__ void take(unsigned *out) {
	__shared__ alignas(16) unsigned columns;
	asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(
					 (unsigned)__cvta_generic_to_shared(&columns))
				 : "memory");
	out[threadIdx.x] = columns;
}

int main() {
	unsigned *out;
	cudaMalloc(&out, 128);
	take<<<1, 32>>>(out);
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
