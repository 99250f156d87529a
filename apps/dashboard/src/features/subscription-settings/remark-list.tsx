import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState, type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyedTextInput } from './keyed-input.tsx'
import type { RemarkListName, SettingsEdit } from './settings-form.ts'
import classes from './subscription-settings.module.css'

const DELAY_MS = 300
const MAX_REMARKS = 100

/** Entries in place of servers when a user may not connect. */
export function RemarkList({ edit: { form }, name }: { edit: SettingsEdit; name: RemarkListName }) {
  const { t } = useTranslation('subscription-settings')
  // Rows are told apart by their place; where one goes, those behind it are others from then on.
  const [generation, setGeneration] = useState(0)
  const remarks = form.values[name]

  function put(next: readonly string[]): void {
    form.setFieldValue(name, next)
  }
  /** Several lines become several remarks. */
  function paste(event: ClipboardEvent<HTMLInputElement>, place: number): void {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r\n|\r|\n/)
      .filter((line) => line.trim() !== '')
    if (lines.length < 2) return
    event.preventDefault()
    const now = form.getValues()[name]
    const kept = now[place]?.trim() === '' ? now.toSpliced(place, 1, ...lines) : now.toSpliced(place + 1, 0, ...lines)
    put(kept.slice(0, MAX_REMARKS))
    setGeneration(generation + 1)
  }
  return (
    <fieldset className={classes['list']}>
      <legend>{t(`field.${name}`)}</legend>
      <Text size="xs" c="dimmed" mb="xs">
        {t(`hint.${name}`)}
      </Text>
      {remarks.map((remark, place) => (
        <div className={classes['row']} key={`${generation} ${place}`}>
          <KeyedTextInput
            label={t('remark', { number: place + 1 })}
            isLabelHidden
            value={remark}
            delayMs={DELAY_MS}
            onChange={(text) => put(form.getValues()[name].with(place, text))}
            onPaste={(event) => paste(event, place)}
          />
          <ActionIcon
            aria-label={t('removeRemark', { number: place + 1 })}
            onClick={() => {
              put(form.getValues()[name].toSpliced(place, 1))
              setGeneration(generation + 1)
            }}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {form.errors[name] && (
        <Text size="xs" c="var(--bad)" role="alert">
          {form.errors[name]}
        </Text>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={remarks.length >= MAX_REMARKS}
        onClick={() => put([...form.getValues()[name], ''])}
      >
        {t('addRemark')}
      </Button>
    </fieldset>
  )
}
