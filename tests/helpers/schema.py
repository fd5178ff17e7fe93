#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""schema.py CARMINE FILE…: checks JSON files against the schemas that CARMINE prints, and prints what does not fit.

A schema allows keys that it does not name, so that a later version can add some. Here they are faults: the program that
prints the schema wrote the file. What is no JSON or has no schema is passed over. Status 1: something does not fit; 3:
there is no jsonschema (Debian: python3-jsonschema).
"""
import json
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


def validator(name, known={}):
    if name not in known:
        schema = json.loads(printed(name))
        jsonschema.Draft202012Validator.check_schema(schema)
        known[name] = jsonschema.Draft202012Validator(closed(schema))
    return known[name]


def faults():
    names = printed().split()
    for path in sys.argv[2:]:
        try:
            with open(path, encoding='utf-8') as file:
                document = json.load(file)
        except (OSError, ValueError):
            continue
        if isinstance(document, dict) and document.get('schema') in names:
            for fault in validator(document['schema']).iter_errors(document):
                yield f"{path}: {document['schema']}: {fault.json_path}: {fault.message[:200]}"


found = list(faults())
print(*found, sep='\n', end='\n' if found else '')
sys.exit(bool(found))
