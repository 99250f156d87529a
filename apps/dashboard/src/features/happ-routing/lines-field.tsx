import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTooLong } from './happ-routing.rules.ts'

interface Props {
  label: string
  description?: string
  /** The configuration's value, as text of this field. */
  value: string
  /** The text parsed into the form of `value`. */
  normalise: (text: string) => string
  onChange: (text: string) => void
  /** The problem of a text that sets less than it seems to. */
  problemOf?: (text: string) => string | undefined
}

/** A text that means less than it says: blank lines and half-typed ends stay in sight as long as nothing else changes it. */
export function LinesField({ label, description, value, normalise, onChange, problemOf }: Props) {
  const { t } = useTranslation('happ-routing')
  const [draft, setDraft] = useState(value)
  const [isTooMuch, setTooMuch] = useState(false)
  const shown = normalise(draft) === value ? draft : value
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={3}
      maxRows={10}
      dir="ltr"
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      error={isTooMuch ? t('tooLong') : problemOf?.(shown)}
      value={shown}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTooMuch(isTooLong(text))
        if (isTooLong(text)) return
        setDraft(text)
        onChange(text)
      }}
    />
  )
}
