/* terminal.h: handlers that do only what is safe in one: tcsetattr, write, kill. */
#include "repl/terminal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct {
	struct termios modes;
	bool known;
	const char *volatile leave;        /* NULL: the terminal is as it was found */
	volatile sig_atomic_t happened[3]; /* by place in watched */
	struct sigaction before[3];
	sigset_t mask; /* as it was */
} terminal;

static void set_handler(int sig, void (*handler)(int), struct sigaction *before) {
	struct sigaction action = {.sa_handler = handler};
	sigemptyset(&action.sa_mask);
	sigaction(sig, &action, before);
}

void terminal_leave(void) {
	const char *leave = terminal.leave;
	if (!leave) return;
	tcsetattr(STDIN_FILENO, TCSANOW, &terminal.modes);
	if (write(STDOUT_FILENO, leave, strlen(leave)) < 0) errno = 0; /* the terminal may be gone */
}

/* The modes first, then the signal's default action. */
static void on_end(int sig) {
	terminal_leave();
	signal(sig, SIG_DFL);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, sig);
	kill(getpid(), sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void terminal_open(void) {
	static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT};
	terminal.known = tcgetattr(STDIN_FILENO, &terminal.modes) == 0;
	if (!terminal.known) return;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction before;
		set_handler(ends[i], on_end, &before);
		if (before.sa_handler == SIG_IGN) sigaction(ends[i], &before, NULL); /* nohup */
	}
}

void terminal_taken(const char *leave) {
	if (terminal.known) terminal.leave = leave;
}

void terminal_given_back(void) {
	terminal.leave = NULL;
}

/* --- while a line is read ----------------------------------------------------------------------------------------- */

static const int watched[] = {SIGTSTP, SIGCONT, SIGWINCH};
enum { STOP, CONTINUED, RESIZED, WATCHED };

static void on_watched(int sig) {
	for (int i = 0; i < WATCHED; i++)
		if (watched[i] == sig) terminal.happened[i] = 1;
}

void terminal_watch(void) {
	sigset_t set;
	sigemptyset(&set);
	for (int i = 0; i < WATCHED; i++) sigaddset(&set, watched[i]);
	pthread_sigmask(SIG_BLOCK, &set, &terminal.mask);
	for (int i = 0; i < WATCHED; i++) {
		terminal.happened[i] = 0;
		set_handler(watched[i], on_watched, &terminal.before[i]);
	}
	if (terminal.before[STOP].sa_handler == SIG_IGN) /* a shell without job control */
		sigaction(SIGTSTP, &terminal.before[STOP], NULL);
}

void terminal_watch_no_more(void) {
	for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &terminal.before[i], NULL);
	pthread_sigmask(SIG_SETMASK, &terminal.mask, NULL);
}

static bool happened(int which) {
	bool it_did = terminal.happened[which];
	terminal.happened[which] = 0;
	return it_did;
}

bool terminal_stop_wanted(void) {
	return happened(STOP);
}

bool terminal_continued(void) {
	return happened(CONTINUED);
}

bool terminal_resized(void) {
	return happened(RESIZED);
}

/* By the signal's own action, which the kernel leaves out where no shell could say fg. */
void terminal_stop(void) {
	sigset_t pending, tstp;
	struct sigaction ours;
	sigpending(&pending);
	if (terminal.happened[CONTINUED] || sigismember(&pending, SIGCONT)) return; /* fg has already happened */
	sigemptyset(&tstp);
	sigaddset(&tstp, SIGTSTP);
	set_handler(SIGTSTP, SIG_DFL, &ours);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &tstp, NULL); /* here it stops */
	pthread_sigmask(SIG_BLOCK, &tstp, NULL);
	sigaction(SIGTSTP, &ours, NULL);
}
