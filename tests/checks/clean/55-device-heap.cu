// @kernel lists
// @block 32
// @buffer out i32 32 poison
// @arg out
// @expect out i * (i + 1) / 2
struct Node {
	int value;
	Node *next;
};
__global__ void lists(int *out)
{
	Node *head = nullptr;
	for (int k = 0; k <= threadIdx.x; k++) {
		Node *node = (Node *)malloc(sizeof(Node));
		node->value = k;
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
