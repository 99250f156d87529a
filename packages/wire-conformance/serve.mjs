// Answers questions about a published contract of the wire, the package that its argument names: one JSON object per line in, one
// per line out, in order.
//   {"ask":"routes"}                                   -> [{ operation, method, path, parts: { params?, query?, body?, response? } }]
//   {"ask":"errors"}                                   -> [{ key, code, status, message }]
//   {"ask":"accepts","operation":..,"part":..,"samples":[..]} -> [true | false | "throws", ...]
//   {"ask":"complaint","operation":..,"reply":..}      -> what its schema of answers says against a reply; null where it fits
// The package is under AGPL-3.0. It stays in this folder and in this process: only JSON passes, and nothing is built from it.
import { createInterface } from 'node:readline'

const { default: contract } = await import(process.argv[2] ?? '@remnawave/backend-contract')

const routes = Object.entries(contract)
  .filter(([name]) => name.endsWith('Command'))
  .map(([name, command]) => route(name.slice(0, -'Command'.length), command))
const schemas = new Map(routes.map(({ operation, schemas }) => [operation, schemas]))

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n')

function answer(question) {
  if (question.ask === 'routes') {
    return routes.map(({ operation, method, path, schemas }) => ({
      operation,
      method,
      path,
      parts: Object.fromEntries(Object.entries(schemas).map(([part, schema]) => [part, describe(schema)])),
    }))
  }
  if (question.ask === 'errors') {
    return Object.entries(contract.ERRORS).map(([key, { code, httpCode, message }]) => ({
      key,
      code,
      status: httpCode,
      message: typeof message === 'string' ? message : null,
    }))
  }
  if (question.ask === 'complaint') {
    const outcome = schemas.get(question.operation).response.safeParse(question.reply)
    const said = (outcome.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
    return outcome.success ? null : said.slice(0, 5).join('; ')
  }
  const schema = schemas.get(question.operation)[question.part]
  return question.samples.map((sample) => {
    try {
      return schema.safeParse(sample).success
    } catch {
      return 'throws'
    }
  })
}

function route(operation, command) {
  // A path with parameters may be a function of them: called with their names, so that they stand for themselves.
  const inPath = command.RequestParamSchema ?? command.RequestParamsSchema ?? command.RequestSchema
  const names = () => Object.keys(inPath.shape).map((name) => ':' + name)
  const path = typeof command.url === 'string' ? command.url : command.url(...names())
  const hasParams = path.includes(':')
  const found = {
    params: hasParams ? inPath : undefined,
    query: command.RequestQuerySchema,
    body: command.RequestBodySchema ?? (hasParams ? undefined : command.RequestSchema),
    response: command.ResponseSchema,
  }
  return {
    operation,
    // The three subscription commands carry no method; they are fetched by client apps.
    method: (command.endpointDetails?.REQUEST_METHOD ?? 'get').toUpperCase(),
    path,
    schemas: Object.fromEntries(Object.entries(found).filter(([, schema]) => schema)),
  }
}

/** The structure of a schema, without its rules: where values can stand. */
function describe(schema) {
  const { _def: def } = schema
  // Those of zod 4, of which no part is compared.
  if (!def.typeName) return { kind: 'value' }
  switch (def.typeName) {
    case 'ZodObject':
      return {
        kind: 'object',
        fields: Object.fromEntries(Object.entries(def.shape()).map(([key, field]) => [key, describe(field)])),
      }
    case 'ZodArray':
      return { kind: 'array', item: describe(def.type) }
    case 'ZodRecord':
      return { kind: 'record', value: describe(def.valueType) }
    case 'ZodEffects':
      return describe(def.schema)
    case 'ZodPipeline':
      return describe(def.in)
    case 'ZodOptional':
    case 'ZodNullable':
    case 'ZodDefault':
      return describe(def.innerType)
    case 'ZodUnion':
      return describe(def.options.find((option) => option._def.typeName === 'ZodObject') ?? def.options[0])
    default:
      return { kind: 'value' }
  }
}
