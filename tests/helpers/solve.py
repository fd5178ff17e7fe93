#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""solve.py CARMINE PAGE RESULT PROGRAM ARGUMENTS…: prints the cause that the rules of the page find for a
program, from JSON alone.

Does what docs/agents.md says: `carmine app`, then each `next.command` until it is null or has been executed, then the first row of
the table of causes that holds for the last answer. Prints "unknown" if none does.
"""
import json
import re
import subprocess
import sys

carmine, page, result, program = *sys.argv[1:4], sys.argv[4:]
MOST_STEPS = 4


def answer_of(command):
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, shell=isinstance(command, str))
    return json.loads(done.stdout)


def last_answer():
    answer, executed = answer_of([carmine, 'app', '-o', result, '--', *program]), []
    while len(executed) < MOST_STEPS:
        command = answer['next']['command']
        if not command or not command.startswith('carmine app ') or command in executed:
            break
        executed.append(command)
        answer = answer_of(f"'{carmine}'{command[len('carmine'):]}")
    return answer


def views(answer):
    """What the page calls loop, needs, waits and doubts."""
    points = [answer['program'], *answer['points']]
    loop = max((each for each in points if each['part'] == 'loop'), key=lambda each: each['time_share'] or 0, default={})
    parts = [part for part in (loop.get('loop') or {}).get('parts', []) if not part['refuted']]
    seconds = {key: value for key, value in ((answer['program'].get('waits') or {}).get('thread_seconds') or {}).items()
               if key != 'ready'}
    whole = sum(seconds.values()) or 1
    return {**answer, 'loop': loop, 'needs': max(parts, key=lambda part: part['cycles'], default={}),
            'waits': {key: value / whole for key, value in seconds.items()},
            'doubts': [doubt for point in points for doubt in point['doubts']]}


def at(view, path):
    for key in path.split('.'):
        if isinstance(view, list):
            view = view[int(key)] if int(key) < len(view) else None
        else:
            view = view.get(key) if isinstance(view, dict) else None
    return view


def holds(view, condition):
    path, sign, value, _, of = re.fullmatch(r'`([^`]+)` (has|≥) `?([^`]+?)`?( of `([^`]+)`)?', condition).groups()
    found, whole = at(view, path), at(view, of) if of else 1
    if sign == 'has':
        return value in (found or [])
    return isinstance(found, (int, float)) and found > 0 and (whole is None or found >= float(value) * whole)


def causes():
    with open(page, encoding='utf-8') as file:
        section = file.read().split('\n## Causes\n')[1].split('\n## ')[0]
    for line in section.splitlines():
        if line.startswith('| `'):
            condition, cause, _ = line.strip('| ').split(' | ')
            yield condition.split(' and '), cause


view = views(last_answer())
print(next((cause for conditions, cause in causes() if all(holds(view, each) for each in conditions)), 'unknown'))
