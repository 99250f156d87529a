import { Button, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { LATIN_NUMERALS, numeralsOf, writeNumber } from '../../lib/numbers/digits.ts'
import { numberProblem, PORT_RULE, toEntry, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'
import { isSameEntry, isUntaken } from '../../lib/untaken.ts'
import { useNumberSentence } from './use-number-sentence.ts'

export interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  rule: NumberRule
  value?: NumberEntry
  onChange: (entry: NumberEntry) => void
  /** Stands beside the figure. */
  unit?: string
  /** Always written with so many decimals. */
  fixedDecimals?: number
  /** A number that machines read keeps Latin digits in every language. */
  isMachine?: boolean
  /** A better sentence about a text that is no number; undefined where there is none. */
  explain?: (typed: string) => string | undefined
}

/**
 * A number, typed or pasted with any digits and either decimal mark. What cannot be taken stays as it was typed, with the
 * reason below: nothing is rounded, clamped or left out.
 */
export function NumberField(props: NumberFieldProps) {
  const {
    rule,
    value = '',
    onChange,
    unit,
    fixedDecimals = 0,
    isMachine = false,
    explain,
    error,
    onFocus,
    onBlur,
    onKeyDown,
    ...input
  } = props
  const { i18n } = useTranslation('ui')
  const sentenceOf = useNumberSentence()
  const [draft, setDraft] = useState<{ text: string; entry: NumberEntry }>()
  const [found, setFound] = useState<{ text: string; entry: NumberEntry }>()
  const [wasLeft, setLeft] = useState(false)
  const numerals = isMachine ? LATIN_NUMERALS : numeralsOf(i18n.language)
  const write = (number: number) => writeNumber(number, numerals, fixedDecimals)
  const written = isUntaken(value) ? value.typed : value === '' ? '' : write(value)
  // A value that came from elsewhere while something was typed is the value.
  const shown = draft && isSameEntry(draft.entry, value) ? draft.text : written
  const problem = numberProblem(value, rule)

  function type(text: string): void {
    // The figure that the field showed itself is no riddle when it is typed again.
    const entry = text === found?.text ? found.entry : toEntry(text, rule)
    setDraft({ text, entry })
    onChange(entry)
  }
  function take(number: number): void {
    setDraft(undefined)
    onChange(number)
  }
  function step(event: KeyboardEvent<HTMLInputElement>): void {
    onKeyDown?.(event)
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = rule
    if (value === '') take(Math.max(min, 0))
    else if (!isUntaken(value)) {
      const next = value + (event.key === 'ArrowUp' ? 1 : -1)
      if (next >= min && next <= max) take(next)
    }
  }
  const isTold = problem !== undefined && (wasLeft || Boolean(error) || (isUntaken(value) && !draft))
  const choices = isTold && problem.kind === 'ambiguous' ? problem.either.filter((one) => !numberProblem(one, rule)) : []
  return (
    <TextInput
      inputMode={rule.decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      {...(unit === undefined
        ? {}
        : { rightSection: <Unit unit={unit} />, rightSectionWidth: 'auto', rightSectionPointerEvents: 'none' })}
      {...input}
      value={shown}
      onChange={(event) => {
        setLeft(false)
        type(event.currentTarget.value)
      }}
      onKeyDown={step}
      onFocus={(event) => {
        setFound({ text: shown, entry: value })
        onFocus?.(event)
      }}
      onBlur={(event) => {
        // A value that was there before is not reported as a mistake.
        if (draft) setLeft(true)
        if (!problem) setDraft(undefined)
        onBlur?.(event)
      }}
      error={
        isTold ? (
          <>
            {(isUntaken(value) && explain?.(value.typed)) || sentenceOf(value, rule)}
            {choices.map((one) => (
              <Button key={one} size="compact-xs" variant="default" ms={6} onClick={() => take(one)}>
                {write(one)}
              </Button>
            ))}
          </>
        ) : (
          error
        )
      }
    />
  )
}

function Unit({ unit }: { unit: string }) {
  return (
    <Text span size="xs" c="dimmed" px="xs">
      {unit}
    </Text>
  )
}

export function PortField(props: Omit<NumberFieldProps, 'rule' | 'isMachine'>) {
  return <NumberField isMachine rule={PORT_RULE} {...props} />
}
