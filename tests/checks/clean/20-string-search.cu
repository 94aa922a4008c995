// Every match sets one flag; all write the same value.
// @kernel search
// @grid 4
// @block 64
// @buffer found i32 1 0
// @buffer first i32 1 1000000
// @buffer text u8 256 97 + i % 5
// @buffer word u8 3 99 + i
// @arg found
// @arg first
// @arg text
// @arg word
// @arg i32 256
// @arg i32 3
// @expect found 1
// @expect first 2
__global__ void search(int *found, int *first, const unsigned char *text, const unsigned char *word, int n, int len)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i + len > n)
		return;
	for (int k = 0; k < len; k++)
		if (text[i + k] != word[k])
			return;
	*found = 1;
	atomicMin(first, i);
}
