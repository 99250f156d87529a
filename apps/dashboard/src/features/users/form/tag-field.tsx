import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { tagsQuery } from '../users.queries.ts'
import { tagChoices, tagProblem } from '../users.rules.ts'
import classes from './user-form.module.css'

const HINT_ABOVE = ['description', 'input'] as const
const HINT_BELOW = ['input', 'description'] as const

interface Props {
  value: string
  /** The user's present tag, which may have come through the API: this form does not refuse it. */
  original?: string
  onChange: (tag: string) => void
  onBlur?: () => void
  error?: ReactNode | undefined
  /** The element beside it is its label. */
  isLabelHidden?: boolean
}

/** A tag in use, or a new one, offered as '+ value'. Small letters are raised, as tags have none. */
export function TagField({ value, original = '', onChange, onBlur, error, isLabelHidden = false }: Props) {
  const { t } = useTranslation('users')
  const tags = useQuery(tagsQuery())
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const problem = value === original ? undefined : tagProblem(value)
  const choices = problem ? [] : tagChoices(tags.data?.tags ?? [], value)
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(tag) => {
        onChange(tag)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target>
        <TextInput
          label={t('field.tag')}
          labelProps={isLabelHidden ? { className: classes['hiddenLabel'] } : {}}
          description={t('field.tagHint')}
          inputWrapperOrder={['label', ...(isLabelHidden ? HINT_BELOW : HINT_ABOVE), 'error']}
          value={value}
          autoComplete="off"
          spellCheck={false}
          error={problem ? t(`tagProblem.${problem}`) : error}
          onChange={(event) => {
            onChange(event.currentTarget.value.toUpperCase())
            combobox.openDropdown()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown()
            onBlur?.()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={choices.length === 0}>
        <Combobox.Options mah={200} style={{ overflowY: 'auto' }} aria-label={t('field.tag')}>
          {choices.map(({ tag, isNew }) => (
            <Combobox.Option key={tag} value={tag}>
              {isNew ? t('newTag', { tag }) : tag}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
