import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foundUsersQuery } from '../subscription-preview.queries.ts'

const PAUSE_MS = 300

interface Props {
  value: string | undefined
  onChange: (uuid: string | undefined) => void
}

/** Picks one of many users by typing. No choice means a sample user. */
export function UserPicker({ value, onChange }: Props) {
  const { t } = useTranslation('subscription-preview')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const [sought] = useDebouncedValue(text.trim(), PAUSE_MS)
  const found = useQuery(foundUsersQuery(sought === chosen?.label ? '' : sought)).data?.users ?? []
  const options = found.map(({ uuid, username }) => ({ value: uuid, label: username }))
  if (chosen && !options.some((option) => option.value === chosen.value)) options.unshift(chosen)
  return (
    <Select
      label={t('user.label')}
      placeholder={t('user.sample')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('user.sample') }}
      nothingFoundMessage={sought === '' ? t('user.type') : t('user.none')}
      // The server has looked already, and into more than names.
      filter={({ options: all }) => all}
      data={options}
      searchValue={text}
      onSearchChange={setText}
      value={value ?? null}
      onChange={(uuid, option) => {
        setChosen(uuid === null || option === null ? undefined : { value: uuid, label: option.label })
        onChange(uuid ?? undefined)
      }}
    />
  )
}
