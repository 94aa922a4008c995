/* queue.h */
#include "device/remote/queue.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"

static const double ASK_EVERY_S = 2, ANSWER_S = 20;
enum { MOST_SAID = 1 << 20 };

static void ask(QueueWatch *w, const char *const *command) {
	int ends[2];
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return;
	const int fds[] = {-1, ends[1], -1};
	const ProcStart start = {
		.path = command[0], .argv = (char *const *)command, .fds = fds, .nfds = 3, .own_session = true, .search = true};
	w->asked = seconds_now();
	str_clear(&w->said);
	if (proc_start(&start, &w->pid, NULL))
		w->fd = ends[0];
	else
		close(ends[0]), w->pid = 0;
	close(ends[1]);
}

unsigned queue_place(const char *lines, const char *job, unsigned *all) {
	unsigned place = 0;
	*all = 0;
	for (const char *at = lines; *at;) {
		const size_t len = strcspn(at, "\n"), skip = strspn(at, " \t");
		size_t end = len;
		while (end > skip && strchr(" \t\r", at[end - 1])) end--;
		if (end > skip) {
			++*all;
			if (!place && end - skip == strlen(job) && strncmp(at + skip, job, end - skip) == 0) place = *all;
		}
		at += len + (at[len] == '\n');
	}
	return place;
}

static void end(QueueWatch *w) {
	if (!w->pid) return;
	close(w->fd);
	kill(-w->pid, SIGKILL);
	proc_wait(w->pid, 1, NULL);
	w->pid = 0;
}

void queue_watch(QueueWatch *w, const char *const *command, const char *job) {
	char piece[4096];
	ssize_t n;
	if (!command || !command[0]) return;
	if (!w->pid) {
		if (!w->asked || seconds_now() - w->asked >= ASK_EVERY_S) ask(w, command);
		return;
	}
	while ((n = read(w->fd, piece, sizeof piece)) > 0 && w->said.len < MOST_SAID) str_addn(&w->said, piece, (size_t)n);
	if (n < 0 && seconds_now() - w->asked < ANSWER_S) return;
	w->place = w->said.len ? queue_place(w->said.text, job, &w->all) : 0;
	end(w);
}

void queue_close(QueueWatch *w) {
	end(w);
	str_free(&w->said);
	*w = (QueueWatch){0};
}
