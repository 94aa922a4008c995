"""Documents for other systems, held against what their makers publish: fields, types, values, and sums."""
import json
import re
import xml.etree.ElementTree

from terminal import check

# The schema junit-10.xsd of Jenkins' xUnit plugin, which GitLab's parser reads as well: attributes and children that gpulab writes.
JUNIT = {'testsuites': ({'name', 'tests', 'failures', 'errors'}, {'testsuite'}),
         'testsuite': ({'name', 'tests', 'failures', 'errors'}, {'testcase'}),
         'testcase': ({'classname', 'name'}, {'failure', 'error'}), 'failure': ({'type', 'message'}, set()),
         'error': ({'type', 'message'}, set())}
# "Autograder specifications" of Gradescope.
GRADESCOPE = {'score': (int, float), 'output': str, 'output_format': str, 'visibility': str, 'stdout_visibility': str,
              'extra_data': dict, 'tests': list}
GRADESCOPE_TEST = {'name': str, 'number': str, 'score': (int, float), 'max_score': (int, float), 'status': str, 'output': str,
                   'output_format': str, 'visibility': str, 'tags': list}
VISIBILITY = 'hidden', 'after_due_date', 'after_published', 'visible'
GRADESCOPE_VALUES = {'status': ('passed', 'failed'), 'visibility': VISIBILITY, 'stdout_visibility': VISIBILITY,
                     'output_format': ('text', 'html', 'simple_format', 'md', 'ansi')}
# "The result.json contract" in the wiki of Classroom 50; usernames is of earlier versions.
CLASSROOM = {'schema': str, 'classroom': str, 'assignment': str, 'usernames': list, 'submission': str, 'commit': str, 'release': str,
             'review': str, 'datetime': str, 'score': int, 'max-score': int, 'tests': list}
CLASSROOM_TEST = {'test-name': str, 'passed': bool, 'score': int, 'max-score': int}


def _element(element):
    attributes, children = JUNIT[element.tag]
    check(set(element.attrib) == attributes, '%s has %s' % (element.tag, sorted(element.attrib)))
    for child in element:
        check(child.tag in children, '%s in %s' % (child.tag, element.tag))
        _element(child)
    if element.tag in ('testsuite', 'testsuites'):
        for name, tag in ('tests', 'testcase'), ('failures', 'failure'), ('errors', 'error'):
            check(int(element.get(name)) == len(list(element.iter(tag))), '%s of %s' % (name, element.tag))


def _object(document, fields, optional=()):
    check(set(document) <= set(fields), 'fields that are not published: %s' % (set(document) - set(fields)))
    for name, kind in fields.items():
        if name not in optional or name in document:
            check(name in document and isinstance(document[name], kind), '%s: %r' % (name, document.get(name)))
    for name, values in GRADESCOPE_VALUES.items():
        check(document.get(name, values[0]) in values, '%s: %r' % (name, document.get(name)))


def junit(text):
    """The root of a JUnit report."""
    root = xml.etree.ElementTree.fromstring(text)
    check(root.tag == 'testsuites', root.tag)
    _element(root)
    return root


def gradescope(text):
    """results.json as a dictionary."""
    document = json.loads(text)
    _object(document, GRADESCOPE)
    for test in document['tests']:
        _object(test, GRADESCOPE_TEST)
        check(0 <= test['score'] <= test['max_score'], test)
    check(document['score'] == sum(test['score'] for test in document['tests']), document['score'])
    return document


def classroom(text):
    """result.json as a dictionary. What is not known of the submission is left out."""
    document = json.loads(text)
    _object(document, CLASSROOM, ('classroom', 'assignment', 'usernames', 'submission', 'commit', 'release', 'review', 'datetime'))
    check(document['schema'] == 'classroom50/result/v1', document['schema'])
    check(re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', document.get('datetime', '2026-01-01T00:00:00Z')), document.get('datetime'))
    for test in document['tests']:
        _object(test, CLASSROOM_TEST)
        check(test['score'] == (test['max-score'] if test['passed'] else 0), test)
    for name in 'score', 'max-score':
        check(document[name] == sum(test[name] for test in document['tests']), document[name])
    return document
