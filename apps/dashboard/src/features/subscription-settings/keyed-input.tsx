import { templateKeys } from '@causeway/contract'
import { ActionIcon, Menu, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconBraces } from '@tabler/icons-react'
import { useRef, useState, type ClipboardEvent, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { insertText, keyText, unknownKeys } from './settings-form.ts'
import { MenuButton } from '../../ui/menu-button.tsx'

interface Props {
  label: string
  isLabelHidden?: boolean
  description?: ReactNode
  placeholder?: string
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  /** How long the form hears nothing while one types. */
  delayMs?: number
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void
  children?: ReactNode
}

/** A text in which keys stand for what is known of a user; those that do not exist are told. */
export function KeyedTextInput({ isLabelHidden = false, label, description, children, delayMs = 0, onPaste, ...props }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const typing = useTyping(field, props.value, props.onChange, delayMs)
  return (
    <TextInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      ref={field}
      dir="auto"
      description={description}
      placeholder={props.placeholder}
      error={props.error}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      value={typing.text}
      onChange={(event) => typing.type(event.currentTarget.value)}
      onBlur={typing.flush}
      onKeyDown={(event) => event.key === 'Enter' && typing.flush()}
      onPaste={(event) => onPaste?.(event)}
      rightSection={<KeysMenu label={label} onPick={typing.insert} />}
      rightSectionPointerEvents="all"
      inputContainer={(input) => (
        <>
          {input}
          <UnknownKeys text={typing.text} />
          {children}
        </>
      )}
    />
  )
}

export function KeyedTextarea({ label, description, ...props }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const typing = useTyping(field, props.value, props.onChange, 0)
  return (
    <Textarea
      label={label}
      ref={field}
      dir="auto"
      autosize
      minRows={2}
      maxRows={6}
      description={description}
      placeholder={props.placeholder}
      error={props.error}
      value={typing.text}
      onChange={(event) => typing.type(event.currentTarget.value)}
      rightSection={<KeysMenu label={label} onPick={typing.insert} />}
      rightSectionPointerEvents="all"
      inputContainer={(input) => (
        <>
          {input}
          <UnknownKeys text={typing.text} />
        </>
      )}
    />
  )
}

/** The typed text is ahead of the form for a moment; other changes of the form show at once. */
function useTyping(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  value: string,
  onChange: (value: string) => void,
  delayMs: number,
) {
  const [ahead, setAhead] = useState<string>()
  const send = useDebouncedCallback(
    (text: string) => {
      onChange(text)
      setAhead(undefined)
    },
    { delay: delayMs, flushOnUnmount: true },
  )
  const text = ahead ?? value

  function type(next: string): void {
    if (delayMs === 0) return onChange(next)
    setAhead(next)
    send(next)
  }
  function insert(added: string): void {
    const { selectionStart, selectionEnd } = field.current ?? {}
    const from = selectionStart ?? text.length
    send.cancel()
    setAhead(undefined)
    onChange(insertText(text, added, from, selectionEnd ?? from))
  }
  return { text, type, insert, flush: () => send.flush() }
}

function KeysMenu({ label, onPick }: { label: string; onPick: (text: string) => void }) {
  const { t } = useTranslation('subscription-settings')
  return (
    <MenuButton
      position="bottom-end"
      button={(props) => (
        <ActionIcon {...props} aria-label={t('keys.insert', { name: label })}>
          <IconBraces size={16} aria-hidden />
        </ActionIcon>
      )}
    >
      <Menu.Dropdown>
        {templateKeys.map((key) => (
          <Menu.Item
            key={key}
            rightSection={
              <Text size="xs" c="dimmed" ff="monospace" dir="ltr">
                {keyText(key)}
              </Text>
            }
            onClick={() => onPick(keyText(key))}
          >
            {t(`keys.${key}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </MenuButton>
  )
}

function UnknownKeys({ text }: { text: string }) {
  const { t } = useTranslation('subscription-settings')
  const unknown = unknownKeys(text)
  if (unknown.length === 0) return null
  return (
    <Text size="xs" c="var(--warn)" mt={4} role="status">
      {t('keys.unknown', { keys: unknown.map(keyText).join(' ') })}
    </Text>
  )
}
