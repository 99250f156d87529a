import { TextInput, type TextInputProps } from '@mantine/core'

/** For what machines read, such as addresses and paths: left to right in every language, and never corrected. */
export function MachineTextInput(props: TextInputProps) {
  return <TextInput dir="ltr" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />
}
