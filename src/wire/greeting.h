/* The first line of a worker elsewhere, before any frame. It is text, of a form that every version of gpulab reads, so
 * that two that do not fit can say which is to be replaced:
 *
 *     gpulab-worker version=1.2.3 wire=6-9a0c41d2 arch=x86_64 toolkit=13.0 packs=1 host=gpu4
 *
 * `wire` names the layout of all messages: two programs with equal ones understand each other. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

#define GREETING_MARK "gpulab-worker "
enum { GREETING_BYTES = 512 };

typedef struct {
	char version[32], wire[32], arch[32], toolkit[32]; /* letters, digits, and . _ - + */
	char host[64];
	bool packs;
} Greeting;

/* Of this program, but for wire and toolkit. */
void greeting_own(Greeting *out);
void greeting_put(Str *out, const Greeting *greeting); /* with the line's end */
/* False: the line is none. A word that is unknown is skipped, one that is missing is "". */
bool greeting_get(const char *line, Greeting *out);
