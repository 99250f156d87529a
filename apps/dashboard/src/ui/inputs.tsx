import { NumberInput, TextInput, type NumberInputProps, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LATIN_NUMERALS, numeralsOf } from '../lib/digits.ts'
import { LocalNumberFormat, MachineNumberFormat } from './number-format.tsx'

/** For what machines read, such as addresses and paths: left to right in every language, and never corrected. */
export function MachineTextInput(props: TextInputProps) {
  return <TextInput dir="ltr" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />
}

interface NumberFieldProps extends NumberInputProps {
  /** A number that machines read keeps Latin digits in every language. */
  isMachine?: boolean
  /** As the language separates thousands. */
  hasThousands?: boolean
}

/** A number in the digits of the language, typed or pasted in these or in Latin ones. */
export function NumberField({ isMachine = false, hasThousands = false, ...props }: NumberFieldProps) {
  const { i18n } = useTranslation()
  const { decimal, group } = isMachine ? LATIN_NUMERALS : numeralsOf(i18n.language)
  // Mantine has no word for who writes the number, and passes it on.
  const format = { component: isMachine ? MachineNumberFormat : LocalNumberFormat }
  return (
    <NumberInput
      decimalSeparator={decimal}
      // Between thousands, a comma is no fraction.
      allowedDecimalSeparators={[...new Set(['.', decimal, ...(hasThousands ? [] : [','])])]}
      {...(hasThousands ? { thousandSeparator: group } : {})}
      {...format}
      {...props}
    />
  )
}

/** A number without sign and fraction, typed rather than stepped through. The figure stands before its unit in every language. */
export function WholeNumberInput(props: NumberFieldProps) {
  return <NumberField allowDecimal={false} allowNegative={false} hideControls {...props} />
}

export function PortInput(props: NumberInputProps) {
  return <WholeNumberInput isMachine min={1} max={65_535} clampBehavior="strict" {...props} />
}
