/* Lines from a terminal: editing, completion, history. The module gpulab.line of repl.lua, and what the editor asks
 * of it. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

int line_module(lua_State *L); /* luaopen function */

/* Waits for a key, and does in the meantime what else there is to do. False: Ctrl-C, or the terminal is gone. */
bool line_wait_key(void);

enum { LINE_END = -1, LINE_INTERRUPTED = -2 };
/* The next byte typed, or one of the two. */
int line_read_byte(void);

/* The words that may replace `word`, which begins at byte `start` of the line. The caller frees each word and the
 * list. */
typedef struct {
	char **words; /* NULL: none */
	size_t n;
	char append; /* after a single word; 0: nothing */
	bool files;  /* names of files instead */
} LineMatches;
LineMatches line_matches(const char *line, size_t start, const char *word);

/* The characters at which words of this line end. */
char *line_word_breaks(const char *line);
