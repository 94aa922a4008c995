/* The line editor: Readline (readline.c) or libedit (editline.c). The build has one of them: -Dline. It calls
 * line.c for keys and words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The words that may replace the one being completed. The editor frees each word and the list. */
typedef struct {
	char **words; /* NULL: none */
	size_t n;
	char append; /* after a single word; 0: nothing */
	bool files;  /* names of files instead */
} EditorMatches;

enum { EDITOR_END = -1, EDITOR_INTERRUPTED = -2 };

/* What the editor asks of line.c. */
typedef struct {
	/* Waits for a key, and does in the meantime what else there is to do. False: Ctrl-C, or the terminal is gone. */
	bool (*wait_key)(void);
	int (*read_byte)(void); /* the next byte typed, or one of the two above */
	EditorMatches (*matches)(const char *line, size_t start, const char *word); /* word begins at byte start */
	char *(*word_breaks)(const char *line);                                     /* characters that end words there */
} EditorCalls;

void editor_open(const EditorCalls *calls); /* once; the calls stay */

/* The line, which the caller frees; NULL at the end of input and where reading a key failed. The terminal is as it was
 * before anything else runs. */
char *editor_read(const char *prompt);
void editor_abandon(void); /* after a line that Ctrl-C ended */

/* While a line is typed: takes it off the screen, and draws it again below what was printed. */
void editor_hide(void);
void editor_show(void);

/* Before the program stops, and when it goes on: the line is drawn again. */
void editor_give_terminal(void);
void editor_take_terminal(void);
void editor_resized(void); /* the window has another size */

void editor_remember(const char *entry);
const char *editor_last_entry(void); /* NULL: none */
