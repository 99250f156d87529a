import { hostMapper, type HostMapper } from '@causeway/contract'

/** The mapper as it is typed: JSON, empty for none. */
export type MapperText = string

export const MAPPER_SAMPLE = JSON.stringify(
  {
    xrayJson: [{ op: 'set', value: { domainStrategy: 'UseIP' }, to: 'streamSettings.sockopt' }],
    mihomo: [{ op: 'copy', from: '$host.address', to: 'server' }],
    singbox: [{ op: 'unset', to: 'tls.utls' }],
    base64: [{ op: 'set', value: 'UseIP', to: 'strategy' }],
  },
  null,
  2,
)

/** No steps at all are an empty text. */
export function mapperText(mapper: Record<string, unknown> | undefined): MapperText {
  const filled = Object.entries(mapper ?? {}).filter(([, steps]) => Array.isArray(steps) && steps.length > 0)
  return filled.length === 0 ? '' : JSON.stringify(Object.fromEntries(filled), null, 2)
}

/** Undefined where the text is no mapper. */
export function mapperOf(text: MapperText): HostMapper | undefined {
  const read = readMapper(text)
  return 'mapper' in read ? read.mapper : undefined
}

/** Why the text is no mapper, in the words of the contract. */
export function mapperProblem(text: MapperText): string | undefined {
  const read = readMapper(text)
  return 'problem' in read ? read.problem : undefined
}

function readMapper(text: MapperText): { mapper: HostMapper } | { problem: string } {
  if (text.trim() === '') return { mapper: {} }
  try {
    const { data, error } = hostMapper.strict().safeParse(JSON.parse(text))
    if (data) return { mapper: data }
    const [issue] = error.issues
    return { problem: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

export function countSteps(mapper: HostMapper): number {
  return Object.values(mapper).reduce((sum, steps) => sum + (steps?.length ?? 0), 0)
}
