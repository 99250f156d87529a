import { NumberInput, TextInput, type NumberInputProps, type TextInputProps } from '@mantine/core'
import { latinDigits } from '../lib/read-date.ts'

/** For what machines read, such as addresses and paths: left to right in every language, and never corrected. */
export function MachineTextInput(props: TextInputProps) {
  return <TextInput dir="ltr" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />
}

/** A number, typed with Latin or Persian digits: a field of numbers passes over any digit that it does not know. */
export function NumberField(props: NumberInputProps) {
  return (
    <NumberInput
      onBeforeInput={(event) => {
        if (isForeign(event.data)) insert(event.data, event)
      }}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text')
        if (isForeign(text)) insert(text, event)
      }}
      {...props}
    />
  )
}

function isForeign(text: string | null): text is string {
  return text !== null && latinDigits(text) !== text
}

function insert(text: string, event: { preventDefault: () => void }): void {
  event.preventDefault()
  // Old, but nothing else types where the caret is and can be undone.
  document.execCommand('insertText', false, latinDigits(text))
}

/** A number without sign and fraction, typed rather than stepped through. The figure stands before its unit in every language. */
export function WholeNumberInput(props: NumberInputProps) {
  return <NumberField allowDecimal={false} allowNegative={false} hideControls {...props} />
}

export function PortInput(props: NumberInputProps) {
  return <WholeNumberInput min={1} max={65_535} clampBehavior="strict" {...props} />
}
