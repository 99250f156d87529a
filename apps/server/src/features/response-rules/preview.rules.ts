import { SHORT_UUID_HEADER, type RuleAnswer } from '@causeway/contract'
import type { CompiledRules, ReadHeader } from '../../ground/response-rules/response-rules.rules.ts'
import { modificationsOf, rulingOn, type Ruling } from './ruling.rules.ts'

/** Decides an answer, beside the request. */
export interface Deciding {
  rules: CompiledRules | null
  serveJsonAtBaseSubscription: boolean
}

/** The same request before and after a change of the rules. */
export function compareAnswers(before: Deciding, after: Deciding, headers: Record<string, string>) {
  const was = rulingFor(before, headers)
  const will = rulingFor(after, headers)
  const isChanged =
    was.type !== will.type ||
    was.isMatched !== will.isMatched ||
    JSON.stringify(modificationsOf(was.rule)) !== JSON.stringify(modificationsOf(will.rule))
  return { before: answerOf(was), after: answerOf(will), isChanged }
}

export function readerOf(headers: Record<string, string>): ReadHeader {
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  return (name) => values.get(name)
}

export function rulingFor({ rules, serveJsonAtBaseSubscription }: Deciding, headers: Record<string, string>): Ruling {
  const read = readerOf(headers)
  return rulingOn(
    rules,
    { serveJsonAtBaseSubscription },
    {
      userAgent: read('user-agent') ?? '',
      wantsPage: (read('accept') ?? '').includes('text/html'),
      shortUuid: read(SHORT_UUID_HEADER) ?? '',
      read,
    },
  )
}

function answerOf({ rule, type, isMatched }: Ruling): RuleAnswer {
  return { ruleName: rule?.rule.name ?? null, type, isMatched }
}
