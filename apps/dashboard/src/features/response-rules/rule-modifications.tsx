import type { ResponseRule, RuleModifications } from '@causeway/contract'
import { ActionIcon, Autocomplete, Button, Checkbox, Fieldset, Select, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { templateNamesQuery } from './response-rules.queries.ts'
import classes from './response-rules.module.css'
import { issueAt, linesOf, withModifications, type RuleIssue } from './rules-text.ts'

const FLAGS = ['disableHwidCheck', 'ignoreServeJsonAtBaseSubscription', 'ignoreHostXrayJsonTemplate'] as const

interface Props {
  rule: ResponseRule
  issues: readonly RuleIssue[]
  onChange: (rule: ResponseRule) => void
}

/** The modifications of a rule. */
export function RuleModificationFields({ rule, issues, onChange }: Props) {
  const { t } = useTranslation('response-rules')
  const templates = useQuery(templateNamesQuery())
  const { responseModifications: held = {} } = rule
  const put = (part: Partial<RuleModifications>) => onChange(withModifications(rule, part))
  const issue = (name: keyof RuleModifications) => issueAt(issues, 'responseModifications', name)
  const names = [...new Set((templates.data?.templates ?? []).map(({ name }) => name ?? ''))].filter((name) => name !== '')
  return (
    <Fieldset legend={t('field.modifications')}>
      <Stack gap="md">
        <Autocomplete
          label={t('field.subscriptionTemplate')}
          description={t('hint.subscriptionTemplate')}
          data={names}
          value={held.subscriptionTemplate ?? ''}
          error={issue('subscriptionTemplate')}
          onChange={(name) => put({ subscriptionTemplate: name })}
        />
        <Headers held={held} issues={issues} onChange={put} />
        <Lines
          label={t('field.respondWithRemarks')}
          hint={t('hint.respondWithRemarks')}
          lines={held.respondWithRemarks ?? []}
          error={issue('respondWithRemarks')}
          onChange={(respondWithRemarks) => put({ respondWithRemarks })}
        />
        <Lines
          label={t('field.excludeHostsByTags')}
          hint={t('hint.excludeHostsByTags')}
          isMachine
          lines={held.excludeHostsByTags ?? []}
          error={issue('excludeHostsByTags')}
          onChange={(tags) => put({ excludeHostsByTags: tags.map((tag) => tag.toUpperCase()) })}
        />
        <Lines
          label={t('field.additionalExtendedClientsRegex')}
          hint={t('hint.additionalExtendedClientsRegex')}
          isMachine
          lines={held.additionalExtendedClientsRegex ?? []}
          error={issue('additionalExtendedClientsRegex')}
          onChange={(additionalExtendedClientsRegex) => put({ additionalExtendedClientsRegex })}
        />
        {FLAGS.map((name) => (
          <Checkbox
            key={name}
            label={t(`field.${name}`)}
            description={t(`hint.${name}`)}
            checked={held[name] === true}
            onChange={({ currentTarget }) => put({ [name]: currentTarget.checked })}
          />
        ))}
        <Encryption held={held} error={issue('encryption')} onChange={put} />
      </Stack>
    </Fieldset>
  )
}

interface PartProps {
  held: RuleModifications
  onChange: (part: Partial<RuleModifications>) => void
}

function Headers({ held, issues, onChange }: PartProps & { issues: readonly RuleIssue[] }) {
  const { t } = useTranslation('response-rules')
  const headers = held.headers ?? []
  const put = (place: number, part: Partial<(typeof headers)[number]>) =>
    onChange({ headers: headers.map((header, other) => (other === place ? { ...header, ...part } : header)) })
  const at = (place: number, name: string) => issueAt(issues, 'responseModifications', 'headers', place, name)
  return (
    <div role="group" aria-label={t('field.headers')}>
      <Text size="sm" fw={500}>
        {t('field.headers')}
      </Text>
      {headers.map(({ key, value }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- headers have no identity of their own
        <div key={place} className={classes['header']}>
          <MachineTextInput
            aria-label={t('headerName', { number: place + 1 })}
            placeholder="x-header"
            maxLength={64}
            value={key}
            error={at(place, 'key')}
            onChange={({ currentTarget }) => put(place, { key: currentTarget.value })}
          />
          <MachineTextInput
            aria-label={t('headerValue', { number: place + 1 })}
            maxLength={1000}
            value={value}
            error={at(place, 'value')}
            onChange={({ currentTarget }) => put(place, { value: currentTarget.value })}
          />
          <ActionIcon
            aria-label={t('removeHeader', { number: place + 1 })}
            onClick={() => onChange({ headers: headers.toSpliced(place, 1) })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange({ headers: [...headers, { key: '', value: '' }] })}
      >
        {t('addHeader')}
      </Button>
      {headers.length > 0 && (
        <Checkbox
          mt="sm"
          label={t('field.applyHeadersToEnd')}
          checked={held.applyHeadersToEnd === true}
          onChange={({ currentTarget }) => onChange({ applyHeadersToEnd: currentTarget.checked })}
        />
      )}
    </div>
  )
}

interface LinesProps {
  label: string
  hint: string
  isMachine?: boolean
  lines: readonly string[]
  error: string | undefined
  onChange: (lines: string[]) => void
}

/** A list, one entry in each line. Text stays as typed while the field has the focus. */
function Lines({ label, hint, isMachine = false, lines, error, onChange }: LinesProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Textarea
      label={label}
      description={hint}
      dir={isMachine ? 'ltr' : 'auto'}
      spellCheck={!isMachine}
      autosize
      minRows={1}
      maxRows={6}
      value={typed ?? lines.join('\n')}
      error={error}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(linesOf(value))
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

function Encryption({ held: { encryption }, error, onChange }: PartProps & { error: string | undefined }) {
  const { t } = useTranslation('response-rules')
  return (
    <div className={classes['encryption']}>
      <Select
        label={t('field.encryption')}
        data={[
          { value: 'none', label: t('encryption.none') },
          { value: 'age1', label: t('encryption.age1') },
          { value: 'age1pq1', label: t('encryption.age1pq1') },
        ]}
        allowDeselect={false}
        value={encryption?.method ?? 'none'}
        onChange={(method) =>
          onChange({
            encryption: method === 'age1' || method === 'age1pq1' ? { method, key: encryption?.key ?? '' } : undefined,
          })
        }
      />
      {encryption && (
        <MachineTextInput
          label={t('field.key')}
          description={t('hint.key')}
          placeholder={`${encryption.method}…`}
          value={encryption.key}
          error={error}
          onChange={({ currentTarget }) => onChange({ encryption: { ...encryption, key: currentTarget.value.trim() } })}
        />
      )}
    </div>
  )
}
