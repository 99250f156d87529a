import { createLimitedApiToken, generation as generations, programs, type Generation, type Permission } from '@causeway/contract'
import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import type { DateEntry } from '../../lib/time/date-entry.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import { resellersQuery } from '../resellers/resellers.queries.ts'
import classes from './api-tokens.module.css'
import {
  areas,
  END_DAYS,
  EVERY_PERMISSION,
  inDays,
  READ_ONLY,
  rightsOf,
  tokenForm,
  type Rights,
  type TokenForm,
  type TokenWords,
} from './token-form.ts'

interface FieldsProps {
  form: UseFormReturnType<TokenForm>
}

/** The input of each field. A field without one does not compile. */
const INPUTS: { [Name in keyof TokenForm]: (props: FieldsProps) => ReactNode } = {
  tokenName: NameField,
  generation: ({ form }) => (
    <ProgramField value={form.values.generation} onChange={(next) => form.setFieldValue('generation', next)} />
  ),
  expiresAt: ({ form }) => (
    <EndField
      value={form.values.expiresAt}
      onChange={(next) => form.setFieldValue('expiresAt', next)}
      error={form.errors['expiresAt']}
    />
  ),
  resellerUuid: ({ form }) => (
    <ResellerField value={form.values.resellerUuid} onChange={(next) => form.setFieldValue('resellerUuid', next)} />
  ),
  permissions: ({ form }) => (
    <RightsField value={form.values.permissions} onChange={(next) => form.setFieldValue('permissions', next)} />
  ),
}

/** Inputs shared by create and edit. */
export function TokenFields({ form }: FieldsProps) {
  return tokenForm.names.map((name) => {
    const Input = INPUTS[name]
    return <Input key={name} form={form} />
  })
}

export function useTokenWords(): TokenWords {
  const { t, i18n } = useTranslation(['api-tokens', 'ui'])
  return { t, language: i18n.language }
}

/** The wire's rule for names, and that a token has a name at all: nothing else identifies it. */
export function useTokenProblems(): (form: TokenForm) => Record<string, string> {
  const words = useTokenWords()
  return (form) => {
    const schema = createLimitedApiToken.body.pick({ tokenName: true }).extend({
      tokenName: createLimitedApiToken.body.shape.tokenName.min(1, 'must not be empty'),
    })
    const { error } = schema.safeParse({ tokenName: form.tokenName.trim() })
    const issues = (error?.issues ?? []).map(({ path, ...issue }) => ({ ...issue, path: path.map(String) }))
    return { ...fieldErrorsOf(issues), ...tokenForm.problemsOf(form, words) }
  }
}

function NameField({ form }: FieldsProps) {
  const { t } = useTranslation('api-tokens')
  return <TextInput label={t('name')} description={t('nameHint')} required data-autofocus {...form.getInputProps('tokenName')} />
}

interface EndProps {
  value: DateEntry
  onChange: (value: DateEntry) => void
  error?: ReactNode
}

/** When a token ends by itself; empty: never. */
function EndField({ value, onChange, error }: EndProps) {
  const { t } = useTranslation('api-tokens')
  const [now] = useState(() => new Date())
  return (
    <Stack gap={6}>
      <DateField
        label={t('end.label')}
        description={t('end.hint')}
        placeholder={t('end.never')}
        withTime
        clearLabel={t('end.clear')}
        value={value}
        onChange={onChange}
        error={error}
        minDate={now}
      />
      <Group gap={4}>
        {END_DAYS.map((days) => (
          <Button key={days} size="compact-xs" variant="default" onClick={() => onChange(inDays(days, new Date()))}>
            {t('end.days', { count: days })}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

interface ProgramProps {
  value: Generation
  onChange: (value: Generation) => void
}

/** The program that is to use the token, by name: answers follow what it speaks. */
function ProgramField({ value, onChange }: ProgramProps) {
  const { t } = useTranslation('api-tokens')
  const [chosen, setChosen] = useState<string>()
  const first = programs.find((program) => program.generation === value)?.name ?? null
  const isOfValue = programs.some((program) => program.name === chosen && program.generation === value)
  const changes = { '2.1': t('program.v21'), '2.8': t('program.v28'), '3.3': t('program.v33'), '3.4': t('program.v34') }

  function choose(name: string | null): void {
    const program = programs.find((each) => each.name === name)
    if (!program) return
    setChosen(program.name)
    onChange(program.generation)
  }
  return (
    <div>
      <Select
        label={t('program.label')}
        description={t('program.hint')}
        searchable
        allowDeselect={false}
        data={generations.options.toReversed().map((generation) => ({
          group: t('program.group', { generation }),
          items: programs.filter((program) => program.generation === generation).map(({ name }) => name),
        }))}
        value={isOfValue ? (chosen ?? first) : first}
        onChange={choose}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {changes[value]}
      </Text>
    </div>
  )
}

interface ResellerProps {
  value: string | null
  onChange: (value: string | null) => void
}

/** Whose users the token sees; not asked where there are no resellers. */
function ResellerField({ value, onChange }: ResellerProps) {
  const { t } = useTranslation('api-tokens')
  const { data } = useQuery(resellersQuery({ quiet: true }))
  if (!data || data.resellers.length === 0) return null
  return (
    <Select
      label={t('reseller.label')}
      description={t('reseller.hint')}
      allowDeselect={false}
      data={[{ value: '', label: t('reseller.none') }, ...data.resellers.map(({ uuid, name }) => ({ value: uuid, label: name }))]}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  )
}

interface RightsProps {
  value: TokenForm['permissions']
  onChange: (value: TokenForm['permissions']) => void
}

/** What the token may do: everything, everything that changes nothing, or what is ticked. */
function RightsField({ value, onChange }: RightsProps) {
  const { t } = useTranslation('api-tokens')
  // What is ticked may happen to be all that reads; that must not fold the ticks away.
  const [isChoosing, setChoosing] = useState(() => !['all', 'read'].includes(rightsOf(value)))
  const rights: Rights = isChoosing ? 'chosen' : rightsOf(value)

  function choose(next: Rights): void {
    setChoosing(next === 'chosen')
    if (next === 'all') onChange(null)
    else if (next === 'read') onChange(READ_ONLY)
    else onChange(value ?? READ_ONLY)
  }
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="token-rights">
        {t('rights.label')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="token-rights"
        data={(['all', 'read', 'chosen'] as const).map((each) => ({ value: each, label: t(`rights.${each}`) }))}
        value={rights}
        onChange={choose}
      />
      {rights === 'chosen' && <Ticks value={value ?? []} onChange={onChange} />}
    </div>
  )
}

function Ticks({ value, onChange }: { value: readonly Permission[]; onChange: RightsProps['onChange'] }) {
  const { t } = useTranslation('api-tokens')
  const toggle = (name: Permission, isOn: boolean) => onChange(isOn ? [...value, name] : value.filter((each) => each !== name))
  return (
    <>
      <Group gap={4} mt="xs">
        <Button size="compact-xs" variant="default" onClick={() => onChange(EVERY_PERMISSION)}>
          {t('rights.tickAll')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange(READ_ONLY)}>
          {t('rights.tickRead')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
          {t('rights.tickNone')}
        </Button>
      </Group>
      <ul className={classes['areas']}>
        {areas.map(({ area, permissions }) => {
          const areaName = t(`area.${area}`, { defaultValue: area })
          return (
            <li key={area}>
              <span>{areaName}</span>
              {permissions.map((name) => {
                const right = name.split('.')[1] ?? ''
                const rightName = t(`right.${right}`, { defaultValue: right })
                return (
                  <Checkbox
                    key={name}
                    size="xs"
                    label={rightName}
                    aria-label={`${areaName}: ${rightName}`}
                    checked={value.includes(name)}
                    onChange={(event) => toggle(name, event.currentTarget.checked)}
                  />
                )
              })}
            </li>
          )
        })}
      </ul>
      {value.length === 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('rights.none')}
        </Text>
      )}
    </>
  )
}
