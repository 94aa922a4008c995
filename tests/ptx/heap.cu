struct Node {
	int value;
	Node *next;
};

extern "C" __global__ void list(int *out, int n)
{
	Node *head = NULL;
	for (int i = 0; i < n; i++) {
		Node *node = (Node *)malloc(sizeof *node);
		node->value = i * (threadIdx.x + 1);
		node->next = head;
		head = node;
	}
	int sum = 0;
	while (head) {
		Node *next = head->next;
		sum += head->value;
		free(head);
		head = next;
	}
	out[threadIdx.x] = sum;
}

extern "C" __global__ void dangling(int *out)
{
	int *p = (int *)malloc(16);
	p[0] = 1;
	free(p);
	out[0] = *(volatile int *)p;
}

/* Cases (golden.c)

case a list
kernel list
block 40
buffer out i32 40 0
arg out
arg i32 10
expect out 45 * (i + 1)

case a dangling pointer
kernel dangling
status fault
buffer out i32 1 0
arg out
fault use after free
line 30
*/
