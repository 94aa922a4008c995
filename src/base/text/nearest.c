/* nearest.h: did you mean. */
#include "base/text/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

int text_distance(const char *a, const char *b) {
	enum { MOST = 31 };
	int n = (int)strlen(a), m = (int)strlen(b), rows[3][MOST + 2];
	if (n > MOST || m > MOST) return MOST;
	for (int j = 0; j <= m; j++) rows[1][j] = j;
	for (int i = 1; i <= n; i++) {
		int *now = rows[(i + 1) % 3], *up = rows[i % 3], *upup = rows[(i + 2) % 3];
		now[0] = i;
		for (int j = 1; j <= m; j++) {
			int best = up[j - 1] + ((a[i - 1] | 32) != (b[j - 1] | 32));
			if (up[j] + 1 < best) best = up[j] + 1;
			if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
			bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
			if (swapped && upup[j - 2] + 1 < best) best = upup[j - 2] + 1;
			now[j] = best;
		}
	}
	return rows[(n + 1) % 3][m];
}

const char *nearest(const char *typed, const char *const *names) {
	const char *found = NULL;
	size_t len = strlen(typed);
	int best = len <= 1 ? 1 : len <= 4 ? 2 : 3; /* edits that are too many */
	for (size_t i = 0; names[i]; i++) {
		int d = text_distance(typed, names[i]);
		if (d >= best) continue;
		best = d;
		found = names[i];
	}
	return found;
}
