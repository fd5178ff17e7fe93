#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""schema.py CARMINE FILE|FOLDER…: checks JSON files against the schemas that CARMINE prints, and prints what does not fit.

A schema allows keys that it does not name, so that a later version can add some. Here they are faults: the program that
prints the schema wrote the file. Of a log, in JSON lines, each line is checked. What is no JSON or names no schema is
passed over. Of values that look alike to a schema one is checked. Status 1: something does not fit; 3: there is no jsonschema (Debian: python3-jsonschema).
"""
import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(3)


def printed(*name):
    return subprocess.run([sys.argv[1], '--schema', *name], check=True, capture_output=True, text=True).stdout


def closed(schema):
    if isinstance(schema, list):
        return [closed(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: closed(value) for key, value in schema.items()}
    return {'additionalProperties': False, **own} if isinstance(own.get('properties'), dict) else own


def listed(schema):
    """Keys whose values a schema lists."""
    if isinstance(schema, list):
        return set().union(*map(listed, schema))
    if not isinstance(schema, dict):
        return set()
    own = {key for key, value in schema.get('properties', {}).items() if {'enum', 'const'} & set(value)}
    return own.union(*map(listed, schema.values()))


def looks(value, keys, key=None):
    """What a schema can tell of a value; lists lose the elements that look like an earlier one."""
    if isinstance(value, dict):
        return frozenset((name, looks(entry, keys, name)) for name, entry in value.items())
    if isinstance(value, list):
        first = {looks(entry, keys, key): entry for entry in reversed(value)}
        if len(value) > 8 and isinstance(value[0], dict):  # of short ones the length may count
            value[:] = first.values()
        return frozenset(first), min(len(value), 8)
    if isinstance(value, str):
        return value if key in keys else bool(value)
    return type(value), isinstance(value, (int, float)) and (value > 0) - (value < 0)


def validator(name, known={}):
    if name not in known:
        schema = json.loads(printed(name))
        jsonschema.Draft202012Validator.check_schema(schema)
        known[name] = jsonschema.Draft202012Validator(closed(schema)), listed(schema), set()
    return known[name]


def files():
    for path in sys.argv[2:]:
        yield from sorted(entry.path for entry in os.scandir(path)) if os.path.isdir(path) else [path]


def documents(path):
    """That of the file, or of each of its complete lines."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.split('\n')[:-1]]


def faults():
    names = printed().split()
    for path in files():
        try:
            first, *rest = documents(path)
        except (OSError, ValueError):
            continue
        name = first.get('schema') if isinstance(first, dict) else None
        if name is None:
            continue
        if name not in names:
            yield f'{path}: {name}: there is no such schema'
            continue
        schema, keys, seen = validator(name)
        for document in [first, *rest]:
            sight = looks(document, keys)
            if sight in seen:
                continue
            seen.add(sight)
            for fault in schema.iter_errors(document):
                yield f"{path}: {name}: {fault.json_path}: {fault.message[:200]}"


found = list(faults())
print(*found, sep='\n', end='\n' if found else '')
sys.exit(bool(found))
