// @kernel past
// @block 32
// @buffer out i32 32 0
// @arg out
__global__ void past(int *out)
{
	int *mine = (int *)malloc(8 * sizeof(int));
	for (int i = 0; i <= 8; i++) mine[i] = i; // @memory
	out[threadIdx.x] = mine[7];
	free(mine);
}
