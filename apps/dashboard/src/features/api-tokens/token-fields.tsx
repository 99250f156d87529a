import type { Permission } from '@causeway/contract'
import { Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DateEntry } from '../../lib/time/date-entry.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import classes from './api-tokens.module.css'
import { areas, END_DAYS, inDays, READ_ONLY, rightsOf, type Rights, type TokenForm } from './token-form.ts'

interface EndProps {
  value: DateEntry
  onChange: (value: DateEntry) => void
  error?: ReactNode
}

/** When a token ends by itself; empty: never. */
export function EndField({ value, onChange, error }: EndProps) {
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

interface RightsProps {
  value: TokenForm['permissions']
  onChange: (value: TokenForm['permissions']) => void
}

/** What the token may do: everything, everything that changes nothing, or what is ticked. */
export function RightsField({ value, onChange }: RightsProps) {
  const { t } = useTranslation('api-tokens')
  // What is ticked may happen to be all that reads; that must not fold the ticks away.
  const [isChoosing, setChoosing] = useState(rightsOf(value) === 'chosen')
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
