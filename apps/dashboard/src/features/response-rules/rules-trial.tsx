import { SHORT_UUID_HEADER, type ResponseRule } from '@causeway/contract'
import { Select, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { requestsQuery } from './response-rules.queries.ts'
import classes from './response-rules.module.css'
import { ChangeWords, type Effects } from './rules-effects.tsx'
import { useState } from 'react'

interface Props {
  headers: string
  onHeaders: (text: string) => void
  rules: readonly ResponseRule[]
  trial: Effects['trial'] | undefined
}

/** Tries the rules on headers that are typed, or taken from a request that was recorded. */
export function RulesTrial({ headers, onHeaders, rules, trial }: Props) {
  const { t } = useTranslation('response-rules')
  return (
    <Stack gap="sm">
      <Textarea
        label={t('trial.headers')}
        description={t('trial.hint')}
        dir="ltr"
        spellCheck={false}
        autosize
        minRows={3}
        maxRows={8}
        value={headers}
        onChange={({ currentTarget }) => onHeaders(currentTarget.value)}
      />
      {trial && (
        <div className={classes['result']} role="status" aria-label={t('trial.result')}>
          <ChangeWords change={trial} />
          <Reasons rules={rules} conditions={trial.conditions} />
        </div>
      )}
      <RecordedRequests onTake={onHeaders} />
    </Stack>
  )
}

/** Of each rule up to the one that applies, which of its conditions hold. */
function Reasons({
  rules,
  conditions,
}: {
  rules: readonly ResponseRule[]
  conditions: readonly (readonly (boolean | null)[])[]
}) {
  const { t } = useTranslation('response-rules')
  const isMet = (rule: ResponseRule, held: readonly (boolean | null)[]) =>
    held.length === 0 || (rule.operator === 'AND' ? held.every((each) => each === true) : held.includes(true))
  const applies = rules.findIndex((rule, place) => rule.enabled && isMet(rule, conditions[place] ?? []))
  const looked = rules.slice(0, applies < 0 ? undefined : applies + 1)
  return (
    <ol className={classes['reasons']}>
      {looked.map((rule, place) => (
        <li key={rule.name} data-applies={place === applies || undefined}>
          <bdi>{rule.name}</bdi>:{' '}
          {rule.enabled
            ? (conditions[place] ?? [])
                .map((held) => t(`trial.${held === null ? 'absent' : held ? 'holds' : 'fails'}`))
                .join(', ') || t('always')
            : t('trial.off')}
        </li>
      ))}
    </ol>
  )
}

/** The newest kept requests, by the rule that answered them. */
function RecordedRequests({ onTake }: { onTake: (headers: string) => void }) {
  const { t } = useTranslation('response-rules')
  const [rule, setRule] = useState<string | null>(null)
  const all = useQuery(requestsQuery(null))
  const requests = useQuery(requestsQuery(rule))
  const names = [...new Set((all.data?.records ?? []).flatMap(({ srrRuleName }) => srrRuleName ?? []))]
  const records = requests.data?.records ?? []
  return (
    <section aria-label={t('recorded.title')}>
      <Text size="sm" fw={500}>
        {t('recorded.title')}
      </Text>
      {names.length > 0 && (
        <Select
          mt={4}
          label={t('recorded.rule')}
          data={names}
          clearable
          placeholder={t('recorded.any')}
          value={rule}
          onChange={setRule}
        />
      )}
      {records.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('recorded.none')}
        </Text>
      )}
      <ul className={classes['records']}>
        {records.slice(0, 20).map(({ id, userAgent, requestAt, srrRuleName, srrResponseType }) => (
          <li key={id}>
            <button type="button" onClick={() => onTake(`user-agent: ${userAgent ?? ''}\naccept: */*`)}>
              <bdi>{userAgent === null || userAgent === '' ? t('recorded.nameless') : userAgent}</bdi>
              <span>
                {srrRuleName !== null && srrRuleName !== undefined && <bdi>{srrRuleName} · </bdi>}
                {srrResponseType !== undefined && t(`type.${srrResponseType}`, { defaultValue: srrResponseType })} ·{' '}
                <RelativeTime at={requestAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" mt="xs">
        {t('recorded.hint', { header: SHORT_UUID_HEADER })}
      </Text>
    </section>
  )
}

const LINE = /^\s*([!#$%&'*+\-.0-9A-Z^_`a-z|~]{1,64})\s*:\s*(.*)$/

/** Headers as they are typed, one in each line; undefined while there is none. */
export function headersOf(text: string): Record<string, string> | undefined {
  const found = text.split('\n').flatMap((line) => {
    const [, name, value] = LINE.exec(line) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), (value ?? '').trim().slice(0, 4000)] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found.slice(0, 50))
}
