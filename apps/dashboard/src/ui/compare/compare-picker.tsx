import { Select } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './compare.module.css'

interface Option {
  value: string
  label: string
  sign?: ReactNode
}

interface Props {
  label: string
  options: readonly Option[]
  /** Hears what is typed, where the options are found by the server. */
  onSearch?: (text: string) => void
  onPick: (id: string) => void
  isFull: boolean
}

const MOST_SHOWN = 50

/** Adds one thing to those that are compared; typing finds it. */
export function ComparePicker({ label, options, onSearch, onPick, isFull }: Props) {
  const { t } = useTranslation('compare')
  const [text, setText] = useState('')
  const signs = new Map(options.map(({ value, sign }) => [value, sign]))
  const type = (typed: string) => {
    setText(typed)
    onSearch?.(typed)
  }
  return (
    <Select
      className={classes['picker']!}
      aria-label={label}
      placeholder={label}
      data={options.map(({ value, label: name }) => ({ value, label: name }))}
      value={null}
      searchable
      searchValue={text}
      onSearchChange={type}
      limit={MOST_SHOWN}
      disabled={isFull}
      nothingFoundMessage={t('nothingFound')}
      {...(onSearch ? { filter: ({ options: found }) => found } : {})}
      renderOption={({ option }) => (
        <span className={classes['option']}>
          {signs.get(option.value)}
          <bdi>{option.label}</bdi>
        </span>
      )}
      onChange={(id) => {
        if (id !== null) onPick(id)
        type('')
      }}
    />
  )
}
