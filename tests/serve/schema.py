"""As much of JSON Schema as docs/reference/serve.schema.json uses."""
KINDS = {'string': str, 'integer': int, 'number': (int, float), 'boolean': bool, 'object': dict, 'array': list}


def problem(value, schema, at='$'):
    """What is wrong with a value, in words; None: nothing."""
    kinds = [schema['type']] if isinstance(schema['type'], str) else schema['type']
    kind = next((k for k in kinds if isinstance(value, KINDS[k]) and (k == 'boolean' or not isinstance(value, bool))), None)
    if kind is None:
        return f'{at} is no {kinds}: {value!r:.80}'
    if kind == 'array' and 'items' in schema:
        return next((p for i, item in enumerate(value) if (p := problem(item, schema['items'], f'{at}[{i}]'))), None)
    if kind != 'object':
        return None
    missing = [name for name in schema.get('required', []) if name not in value]
    if missing:
        return f'{at} has no {missing[0]}'
    known = schema.get('properties', {})
    if not schema.get('additionalProperties', True) and set(value) - set(known):
        return f'{at} has {sorted(set(value) - set(known))}'
    return next((p for name in value if name in known and (p := problem(value[name], known[name], f'{at}.{name}'))), None)
