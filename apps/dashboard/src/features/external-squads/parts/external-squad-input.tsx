import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { externalSquadsQuery } from '../external-squads.queries.ts'

interface Props {
  /** Empty for none. */
  value: string
  onChange: (uuid: string) => void
  isLabelHidden?: boolean
  error?: ReactNode
}

/** The external squad of a user: one or none. */
export function ExternalSquadInput({ value, onChange, isLabelHidden = false, error }: Props) {
  const { t } = useTranslation('users')
  const squads = useQuery(externalSquadsQuery()).data?.externalSquads ?? []
  const label = t('field.externalSquadUuid')
  const isKnown = squads.some(({ uuid }) => uuid === value)
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label, description: t('field.externalSquadHint') })}
      data={[
        ...squads.map(({ uuid, name }) => ({ value: uuid, label: name })),
        ...(value === '' || isKnown ? [] : [{ value, label: value }]),
      ]}
      value={value === '' ? null : value}
      onChange={(uuid) => onChange(uuid ?? '')}
      placeholder={t('noExternalSquad')}
      error={error}
      clearable
      searchable
    />
  )
}
