// @kernel foreign
// @block 1
// @buffer out i32 4 0
// @arg out
__global__ void foreign(int *out)
{
	out[0] = 1;
	free(out); // @memory
}
