import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormFooter, useFrameDirty } from '../frames/frames.tsx'

interface Props {
  label: string
  hint: string
  name: { value: string; isValid: boolean; error: string | undefined; change: (next: string) => void }
  /** The word on the button; creating, unless given. */
  action?: string
  /** It is the name that the thing has. */
  isUnchanged?: boolean
  isBusy: boolean
  isDone: boolean
  onSubmit: () => void
}

/** The form of things that need nothing but a name to begin with. */
export function NameForm({ label, hint, name, action, isUnchanged = false, isBusy, isDone, onSubmit }: Props) {
  const { t } = useTranslation('ui')
  useFrameDirty(name.value !== '' && !isUnchanged && !isDone)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.isValid) onSubmit()
      }}
    >
      <TextInput
        label={label}
        description={hint}
        required
        data-autofocus
        mb="lg"
        value={name.value}
        error={name.error}
        onChange={(event) => name.change(event.currentTarget.value)}
      />
      <FormFooter action={action ?? t('create')} isBusy={isBusy} isDisabled={!name.isValid || isUnchanged} />
    </form>
  )
}
