/* editor.h by GNU Readline, through its callback interface: line.c waits for each key. */
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "bind/bind.h"
#include "repl/editor.h"
#include "repl/terminal.h"

/* Readline has no user pointers. */
static struct {
	const EditorCalls *calls;
	bool done, read_before;
	char *line;
	bool pasting;          /* between the marks of a bracketed paste */
	size_t mark_seen;      /* bytes of the next mark, as the last keys were */
	int kept_key;          /* read, and to be given to Readline next; 0: none */
	EditorMatches matches; /* of the current completion */
} editor;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void on_line(char *line) {
	editor.done = true;
	editor.line = line;
	rl_callback_handler_remove(); /* restores the terminal before anything runs */
	terminal_given_back();
}

void editor_abandon(void) {
	rl_free_line_state();
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	terminal_given_back();
	rl_echo_signal_char(SIGINT);
	rl_crlf();
	fflush(rl_outstream);
}

void editor_hide(void) {
	rl_clear_visible_line();
	fflush(rl_outstream);
}

void editor_show(void) {
	rl_on_new_line();
	rl_forced_update_display();
}

void editor_give_terminal(void) {
	rl_deprep_terminal();
}

void editor_take_terminal(void) {
	rl_prep_terminal(1);
	rl_reset_screen_size();
	rl_forced_update_display();
	fflush(rl_outstream);
}

void editor_resized(void) {
	rl_resize_terminal();
	fflush(rl_outstream);
}

static const char *next_mark(void) {
	return editor.pasting ? "\033[201~" : "\033[200~";
}

/* Follows the marks of a bracketed paste through the keys; returns the key. */
static int passed(int key) {
	editor.mark_seen = key == next_mark()[editor.mark_seen] ? editor.mark_seen + 1 : key == '\033';
	if (!next_mark()[editor.mark_seen]) {
		editor.pasting = !editor.pasting;
		editor.mark_seen = 0;
	}
	return key;
}

/* After Ctrl-C the answer is a failed read, which ends what Readline is doing: a line, a question of its own. A paste
 * first gets the end mark that the terminal discarded: Readline 8.2 does not terminate the text of one whose read
 * fails, and runs past its end. */
static int read_key(void) {
	int key = editor.calls->read_byte();
	if (key >= 0) return passed(key);
	if (key == EDITOR_END) return EOF;
	return editor.pasting ? passed(next_mark()[editor.mark_seen]) : READERR;
}

/* Readline 8.2 loses its stack where an incremental search is ended by the first key of several (Esc, Ctrl-X) and more
 * are there already: it reads on from within itself. The search gets an end of its own first, Ctrl-J, and that key
 * afterwards. */
static int get_key(FILE *from) {
	int key = editor.kept_key;
	(void)from;
	editor.kept_key = 0;
	if (!key) key = read_key();
	if (!RL_ISSTATE(RL_STATE_ISEARCH) || (key != '\033' && key != '\030')) return key;
	editor.kept_key = key;
	return '\n';
}

char *editor_read(const char *prompt) {
	editor.done = editor.pasting = false;
	editor.line = NULL;
	editor.mark_seen = 0;
	editor.kept_key = 0;
	if (editor.read_before) rl_reset_screen_size(); /* an editor may have had the terminal, and a window other sizes */
	editor.read_before = true;
	rl_callback_handler_install(prompt, on_line);
	while (!editor.done && !bind_interrupted() && (editor.kept_key || editor.calls->wait_key()))
		rl_callback_read_char();
	return editor.line;
}

/* --- completion and history --------------------------------------------------------------------------------------- */

static char *next_match(const char *text, int state) {
	static size_t at;
	(void)text;
	if (state == 0) at = 0;
	return at < editor.matches.n ? editor.matches.words[at++] : NULL; /* Readline frees each */
}

static char **complete(const char *text, int start, int end) {
	(void)end;
	editor.matches = editor.calls->matches(rl_line_buffer, (size_t)start, text);
	rl_attempted_completion_over = !editor.matches.files;
	rl_completion_append_character = (unsigned char)editor.matches.append;
	rl_completion_suppress_append = !editor.matches.append;
	char **found = editor.matches.words ? rl_completion_matches(text, next_match) : NULL;
	free(editor.matches.words);
	editor.matches.words = NULL;
	return found;
}

static char *word_breaks(void) {
	return editor.calls->word_breaks(rl_line_buffer);
}

void editor_remember(const char *entry) {
	add_history(entry);
}

const char *editor_last_entry(void) {
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
	return last ? last->line : NULL;
}

void editor_open(const EditorCalls *calls) {
	editor.calls = calls;
	rl_readline_name = "gpulab";
	rl_catch_signals = rl_catch_sigwinch = 0; /* they are ours (bind/interrupt.c, terminal.c) */
	rl_getc_function = get_key;
	rl_attempted_completion_function = complete;
	rl_completion_word_break_hook = word_breaks;
	rl_basic_quote_characters = "\"'";
	rl_completer_quote_characters = "\"'";
	rl_variable_bind("enable-bracketed-paste", "on");
	using_history();
}
