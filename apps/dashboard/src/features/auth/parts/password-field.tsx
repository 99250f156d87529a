import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The library's input does not tell assistive technology that it is wrong, and no key reaches its eye. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('auth')
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
