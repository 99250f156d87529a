import { z } from 'zod'
import type { Shape } from './published.ts'

/** Where values can stand in a schema of ours, without its rules. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodObject) {
    return {
      kind: 'object',
      fields: Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, shapeOf(field)])),
    }
  }
  if (schema instanceof z.ZodArray) return { kind: 'array', item: shapeOf(schema.element) }
  if (schema instanceof z.ZodRecord) return { kind: 'record', value: shapeOf(schema.valueType) }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return shapeOf(schema.unwrap())
  }
  if (schema instanceof z.ZodPipe) return shapeOf(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in)
  return { kind: 'value' }
}

/** The schema at a path of ours, with what makes it optional or nullable taken off. */
export function schemaAt(schema: z.core.$ZodType, path: string[]): z.core.$ZodType | undefined {
  const inner = unwrap(schema)
  const [step, ...rest] = path
  if (step === undefined) return inner
  if (inner instanceof z.ZodObject) {
    const field = inner.shape[step]
    return field === undefined ? undefined : schemaAt(field, rest)
  }
  if (inner instanceof z.ZodArray) return schemaAt(inner.element, rest)
  if (inner instanceof z.ZodRecord) return schemaAt(inner.valueType, rest)
  return undefined
}

/** The union of what both sides know: a field that only one names is tried on both. */
export function mergeShapes(ours: Shape, theirs: Shape): Shape {
  if (ours.kind === 'object' && theirs.kind === 'object') {
    const keys = new Set([...Object.keys(ours.fields), ...Object.keys(theirs.fields)])
    const merged = [...keys].map((key): [string, Shape] => {
      const [a, b] = [ours.fields[key], theirs.fields[key]]
      // One of the two names the key, as keys are collected from both.
      return [key, a && b ? mergeShapes(a, b) : (a ?? b)!]
    })
    return { kind: 'object', fields: Object.fromEntries(merged) }
  }
  if (ours.kind === 'array' && theirs.kind === 'array') return { kind: 'array', item: mergeShapes(ours.item, theirs.item) }
  if (ours.kind === 'record' && theirs.kind === 'record') return { kind: 'record', value: mergeShapes(ours.value, theirs.value) }
  return ours.kind === 'value' ? theirs : ours
}

/** Fields that they name and we do not: we would drop them. */
export function lostFields(ours: Shape, theirs: Shape, before = ''): string[] {
  if (ours.kind === 'array' && theirs.kind === 'array') return lostFields(ours.item, theirs.item, `${before}0.`)
  if (ours.kind === 'record' && theirs.kind === 'record') return lostFields(ours.value, theirs.value, `${before}key.`)
  if (theirs.kind !== 'object' || ours.kind === 'value' || ours.kind === 'record') return []
  return Object.entries(theirs.fields).flatMap(([key, field]) => {
    const own = ours.kind === 'object' ? ours.fields[key] : undefined
    return own ? lostFields(own, field, `${before}${key}.`) : [before + key]
  })
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in)
  return schema
}
