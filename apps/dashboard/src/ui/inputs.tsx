import { NumberInput, TextInput, type NumberInputProps, type TextInputProps } from '@mantine/core'

/** For what machines read, such as addresses and paths: left to right in every language, and never corrected. */
export function MachineTextInput(props: TextInputProps) {
  return <TextInput dir="ltr" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />
}

/** A number without sign and fraction, typed rather than stepped through. The figure stands before its unit in every language. */
export function WholeNumberInput(props: NumberInputProps) {
  return <NumberInput allowDecimal={false} allowNegative={false} hideControls {...props} />
}

export function PortInput(props: NumberInputProps) {
  return <WholeNumberInput min={1} max={65_535} clampBehavior="strict" {...props} />
}
