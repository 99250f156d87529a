type Schema = Readonly<Record<string, unknown>>

/** Nothing is forbidden that is not named: apps know more than any list does. */
export function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return { type: 'object', description, properties, ...(required.length > 0 ? { required } : {}) }
}

export function listOf(description: string, items: Schema): Schema {
  return { type: 'array', description, items }
}

export function oneOf(description: string, values: readonly string[]): Schema {
  return { type: 'string', description, enum: values }
}

export function text(description: string): Schema {
  return { type: 'string', description }
}

export function flag(description: string): Schema {
  return { type: 'boolean', description }
}

export function wholeNumber(description: string, minimum = 0, maximum?: number): Schema {
  return { type: 'integer', description, minimum, ...(maximum === undefined ? {} : { maximum }) }
}

export function port(description: string): Schema {
  return wholeNumber(description, 1, 65_535)
}

/** In lists that a template may leave empty in YAML. */
export function orNothing(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] }
}
