import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const SEARCH_DEBOUNCE_MS = 300

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** The search text; a value that did not come from this field replaces its content. */
  initial?: string
  onSearch: (text: string) => void
  label: string
}

/** A search that waits until the typing pauses. `/` jumps to the first one on the page. */
export function SearchField({ initial = '', onSearch, label, ...rest }: Props) {
  const { t } = useTranslation('ui')
  const [text, setText] = useState(initial)
  const [known, setKnown] = useState(initial)
  const [sent, setSent] = useState(initial)
  const search = useDebouncedCallback((next: string) => {
    setSent(next)
    onSearch(next)
  }, SEARCH_DEBOUNCE_MS)

  if (known !== initial) {
    setKnown(initial)
    if (initial !== sent) {
      setSent(initial)
      setText(initial)
    }
  }

  function change(next: string): void {
    setText(next)
    search(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label={t('clearSearch')} onClick={() => change('')} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      data-search
      {...rest}
    />
  )
}
