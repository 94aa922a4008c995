"""TAP for a script that checks one thing after the other: check(...) each, then sys.exit(end())."""
count = failed = 0


def check(good, what, more=''):
    """One test; more is told where it fails."""
    global count, failed  # pylint: disable=global-statement
    count, failed = count + 1, failed + (not good)
    print('%s %d - %s' % ('ok' if good else 'not ok', count, what))
    if not good and more:
        print('# ' + more.replace('\n', '\n# '))


def end():
    """The plan, which stands last; returns the exit status."""
    print('1..%d' % count)
    return 1 if failed else 0
