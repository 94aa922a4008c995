/* editor.h by libedit (editline), whose license is the BSD's. Its own interface, not the one it has in Readline's name:
 * that one hides the line being typed and reads bytes as if each were a character. */
#include <glob.h>
#include <histedit.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/str.h"
#include "bind/bind.h"
#include "repl/editor.h"
#include "repl/terminal.h"

static struct {
	const EditorCalls *calls;
	EditLine *el;
	History *history;
	const char *prompt;
	struct termios modes; /* as they were before the line */
	char *asked;          /* the line up to the cursor at the last Tab that left several words */
} editor;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static char *show_prompt(EditLine *el) {
	(void)el;
	return (char *)editor.prompt;
}

/* The next character; bytes that are none are left out. 0: Ctrl-C or the end of input. */
static int next_character(EditLine *el, wchar_t *character) {
	mbstate_t state = {0};
	(void)el;
	while (editor.calls->wait_key()) {
		const int byte = editor.calls->read_byte();
		if (byte < 0) return 0;
		const char text = (char)byte;
		const size_t n = mbrtowc(character, &text, 1, &state);
		if (n <= 1) return 1;
		if (n == (size_t)-1) memset(&state, 0, sizeof state);
	}
	return 0;
}

char *editor_read(const char *prompt) {
	int n = 0;
	editor.prompt = prompt;
	const bool modes_known = tcgetattr(STDIN_FILENO, &editor.modes) == 0;
	el_set(editor.el, EL_PREP_TERM, 1); /* libedit does it after the prompt, and loses Ctrl-D typed in between */
	fputs("\033[?2004h", stdout);
	const char *typed = el_gets(editor.el, &n);
	char *line = typed && n > 0 && !bind_interrupted() ? strndup(typed, (size_t)n - (typed[n - 1] == '\n')) : NULL;
	if (modes_known) tcsetattr(STDIN_FILENO, TCSADRAIN, &editor.modes);
	fputs("\033[?2004l", stdout);
	if (!line && !bind_interrupted()) fputc('\n', stdout); /* Ctrl-D */
	fflush(stdout);
	terminal_given_back();
	free(editor.asked);
	editor.asked = NULL;
	return line;
}

void editor_abandon(void) {
	fputs("^C\n", stdout);
	fflush(stdout);
}

/* The screen's rows from the prompt to the cursor. */
static int rows_above(void) {
	const LineInfoW *line = el_wline(editor.el);
	int columns = 80, row = 0, column = (int)mbstowcs(NULL, editor.prompt, 0);
	el_get(editor.el, EL_GETTC, "co", &columns);
	for (const wchar_t *c = line->buffer; c < line->cursor; c++) {
		const int width = wcwidth(*c);
		column += width < 0 ? 2 : width; /* ^A */
		if (*c != L'\n' && column < columns) continue;
		column = 0;
		row++;
	}
	return row;
}

void editor_hide(void) {
	const int above = rows_above();
	if (above) printf("\033[%dA", above);
	fputs("\r\033[J", stdout);
	fflush(stdout);
}

void editor_show(void) {
	el_set(editor.el, EL_REFRESH);
}

void editor_give_terminal(void) {
	el_set(editor.el, EL_PREP_TERM, 0);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &editor.modes);
	fputs("\033[?2004l", stdout);
	fflush(stdout);
}

void editor_take_terminal(void) {
	fputs("\033[?2004h", stdout);
	el_set(editor.el, EL_PREP_TERM, 1);
	editor_resized();
}

void editor_resized(void) {
	el_resize(editor.el);
	editor_hide();
	editor_show();
}

/* --- pasting ------------------------------------------------------------------------------------------------------ */

/* What is between the marks of a bracketed paste, of which the first has been read, goes into the line as it is. */
static unsigned char paste(EditLine *el, int key) {
	static const char end[] = "\033[201~";
	Str text = {0};
	size_t seen = 0;
	(void)key;
	while (end[seen]) {
		const int byte = editor.calls->read_byte();
		if (byte < 0) break;
		const char c = byte == '\r' ? '\n' : (char)byte;
		seen = c == end[seen] ? seen + 1 : c == '\033';
		if (c) str_addn(&text, &c, 1);
	}
	AUTO_FREE char *pasted = str_take(&text);
	if (end[seen]) return CC_EOF;
	pasted[strlen(pasted) - strlen(end)] = '\0';
	return *pasted && el_insertstr(el, pasted) != 0 ? CC_ERROR : CC_REFRESH; /* no text, or not of this locale */
}

/* --- completion --------------------------------------------------------------------------------------------------- */

/* Where the word at the end of the line begins: after the quote that is open, or after the last character that ends a
 * word. */
static size_t word_start(const char *line, char *quote) {
	const char *breaks = editor.calls->word_breaks(line), *opened = NULL;
	size_t start = 0;
	for (const char *c = line; *c; c++) {
		if (opened ? *c == *opened : *c == '"' || *c == '\'') opened = opened ? NULL : c;
		if (strchr(breaks, *c)) start = (size_t)(c - line) + 1;
	}
	*quote = opened ? *opened : '\0';
	return opened ? (size_t)(opened - line) + 1 : start;
}

static EditorMatches file_matches(const char *word, char quote) {
	EditorMatches found = {.append = quote ? quote : ' '};
	Str pattern = {0};
	glob_t files;
	for (const char *c = word; *c; c++) {
		if (strchr("*?[\\", *c)) str_add(&pattern, "\\");
		str_addn(&pattern, c, 1);
	}
	str_add(&pattern, "*");
	AUTO_FREE char *wanted = str_take(&pattern);
	if (glob(wanted, GLOB_MARK | GLOB_TILDE, NULL, &files) != 0) return found;
	found.words = calloc(files.gl_pathc + 1, sizeof *found.words);
	for (size_t i = 0; found.words && i < files.gl_pathc; i++) found.words[found.n++] = strdup(files.gl_pathv[i]);
	globfree(&files);
	const size_t length = found.n == 1 ? strlen(found.words[0]) : 0;
	if (length && found.words[0][length - 1] == '/') found.append = '\0';
	return found;
}

/* The bytes that all words have in common at their beginnings: whole characters. */
static size_t common_length(const EditorMatches *found) {
	const char *first = found->words[0];
	size_t length = strlen(first);
	for (size_t i = 1; i < found->n; i++) {
		size_t same = 0;
		while (same < length && found->words[i][same] == first[same]) same++;
		length = same;
	}
	while (length && ((unsigned char)first[length] & 0xc0) == 0x80) length--;
	return length;
}

static void list_matches(const EditorMatches *found) {
	int columns = 80, longest = 0;
	el_get(editor.el, EL_GETTC, "co", &columns);
	for (size_t i = 0; i < found->n; i++) {
		const int length = (int)strlen(found->words[i]);
		if (length > longest) longest = length;
	}
	const size_t across = columns > longest + 2 ? (size_t)(columns / (longest + 2)) : 1,
				 rows = (found->n + across - 1) / across;
	for (size_t row = 0; row < rows; row++) {
		fputc('\n', stdout);
		for (size_t i = row; i < found->n; i += rows)
			printf("%-*s", i + rows < found->n ? longest + 2 : 0, found->words[i]);
	}
	fputc('\n', stdout);
	el_set(editor.el, EL_REFRESH);
}

static int by_name(const void *a, const void *b) {
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Puts what all matches have in common in place of the word; lists them at a second Tab. */
static unsigned char offer(const EditorMatches *found, const char *line, const char *word) {
	AUTO_FREE char *common = strndup(found->words[0], common_length(found));
	if (found->n == 1 && found->append) {
		char *whole = xformat("%s%c", common, found->append);
		free(common);
		common = whole;
	}
	const bool listed = found->n > 1 && editor.asked && strcmp(editor.asked, line) == 0;
	if (*common && strcmp(common, word) != 0) {
		el_deletestr(editor.el, (int)mbstowcs(NULL, word, 0));
		el_insertstr(editor.el, common);
	}
	free(editor.asked);
	editor.asked =
		found->n > 1 ? xformat("%.*s%s", (int)(strlen(line) - strlen(word)), line, *common ? common : word) : NULL;
	if (listed) list_matches(found);
	return listed ? CC_NORM : found->n > 1 ? CC_REFRESH_BEEP : CC_REFRESH;
}

static unsigned char complete(EditLine *el, int key) {
	const LineInfo *at = el_line(el);
	AUTO_FREE char *line = strndup(at->buffer, (size_t)(at->cursor - at->buffer));
	char quote;
	(void)key;
	const size_t start = word_start(line, &quote);
	EditorMatches found = editor.calls->matches(line, start, line + start);
	if (found.files) found = file_matches(line + start, quote);
	unsigned char then = CC_ERROR;
	if (found.n) {
		qsort(found.words, found.n, sizeof *found.words, by_name);
		then = offer(&found, line, line + start);
	}
	for (size_t i = 0; i < found.n; i++) free(found.words[i]);
	free(found.words);
	return then;
}

/* --- set-up ------------------------------------------------------------------------------------------------------- */

void editor_remember(const char *entry) {
	HistEvent event;
	history(editor.history, &event, H_ENTER, entry);
}

const char *editor_last_entry(void) {
	HistEvent event;
	return history(editor.history, &event, H_FIRST) < 0 ? NULL : event.str;
}

void editor_open(const EditorCalls *calls) {
	static const char *const keys[][2] = {
		{"^I", "gpulab-complete"},         {"\\e[200~", "gpulab-paste"},  {"^R", "em-inc-search-prev"},
		{"^S", "em-inc-search-next"},      {"^W", "ed-delete-prev-word"}, {"^U", "vi-kill-line-prev"},
		{"\\e[1~", "ed-move-to-beg"},      {"\\e[4~", "ed-move-to-end"},  {"\\e[H", "ed-move-to-beg"},
		{"\\e[F", "ed-move-to-end"},       {"\\eOH", "ed-move-to-beg"},   {"\\eOF", "ed-move-to-end"},
		{"\\e[3~", "ed-delete-next-char"}, {"\\e[1;5C", "em-next-word"},  {"\\e[1;5D", "ed-prev-word"}};
	HistEvent event;
	editor.calls = calls;
	editor.history = history_init();
	editor.el = el_init("gpulab", stdin, stdout, stderr);
	if (!editor.el || !editor.history) abort();
	history(editor.history, &event, H_SETSIZE, 1 << 30);
	el_set(editor.el, EL_HIST, history, editor.history);
	el_wset(editor.el, EL_GETCFN, next_character);
	el_set(editor.el, EL_PROMPT, show_prompt);
	el_set(editor.el, EL_EDITOR, "emacs");
	el_set(editor.el, EL_ADDFN, "gpulab-complete", "complete the word", complete);
	el_set(editor.el, EL_ADDFN, "gpulab-paste", "insert what is pasted", paste);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) el_set(editor.el, EL_BIND, keys[i][0], keys[i][1], NULL);
	el_source(editor.el, NULL); /* ~/.editrc */
}
