// A generator a thread, its state in registers and in a buffer between launches.
// @kernel advance
// @grid 2
// @block 32
// @buffer state u32 64 i + 1
// @arg state
// @reference xorshift
__global__ void advance(unsigned *state)
{
	int i = blockIdx.x * 32 + threadIdx.x;
	unsigned x = state[i];
	for (int k = 0; k < 10; k++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	state[i] = x;
}
