// @kernel insert
// @grid 2
// @block 64
// @buffer table i32 256 -1
// @buffer sum i32 1 0
// @arg table
// @arg sum
// @reference hash_table
__global__ void insert(int *table, int *sum)
{
	int key = (blockIdx.x * 64 + threadIdx.x) % 100, slot = key * 7 % 256;
	for (;;) {
		int was = atomicCAS(&table[slot], -1, key);
		if (was == -1)
			atomicAdd(sum, key);
		if (was == -1 || was == key)
			return;
		slot = (slot + 1) % 256;
	}
}
