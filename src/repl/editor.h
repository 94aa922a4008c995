/* The line editor: Readline (readline.c) or libedit (editline.c). The build has one of them: -Dline. It calls line.h
 * for keys and words. */
#pragma once

void editor_open(void); /* once */

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
