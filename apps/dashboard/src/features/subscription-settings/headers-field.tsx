import { MAX_CUSTOM_HEADERS } from '@causeway/contract'
import { ActionIcon, Button, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { KeyedTextInput } from './keyed-input.tsx'
import { headerProblem, inWords, type HeaderEntry, type SettingsEdit } from './settings-form.ts'
import classes from './subscription-settings.module.css'

/** Headers of the answer, for apps that read them. */
export function HeadersField({ edit: { form } }: { edit: SettingsEdit }) {
  const { t } = useTranslation('subscription-settings')
  const entries = form.values.customResponseHeaders
  const put = (next: readonly HeaderEntry[]) => form.setFieldValue('customResponseHeaders', next)
  const change = (place: number, part: Partial<HeaderEntry>) =>
    put(entries.map((entry, other) => (other === place ? { ...entry, ...part } : entry)))
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('hint.customResponseHeaders', { max: MAX_CUSTOM_HEADERS })}
      </Text>
      {entries.map((entry, place) => {
        const problem = headerProblem(entries, place)
        return (
          // Entries have no identity of their own.
          // oxlint-disable-next-line react/no-array-index-key
          <div className={classes['row']} key={place}>
            <MachineTextInput
              aria-label={t('header.key', { number: place + 1 })}
              placeholder="X-Header"
              value={entry.key}
              onChange={(event) => change(place, { key: event.currentTarget.value })}
              error={problem && inWords(problem)}
            />
            <KeyedTextInput
              label={t('header.value', { number: place + 1 })}
              isLabelHidden
              value={entry.value}
              onChange={(value) => change(place, { value })}
            />
            <ActionIcon aria-label={t('header.remove', { number: place + 1 })} onClick={() => put(entries.toSpliced(place, 1))}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        )
      })}
      {form.errors['customResponseHeaders'] && (
        <Text size="xs" c="var(--bad)" role="alert">
          {form.errors['customResponseHeaders']}
        </Text>
      )}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={entries.length >= MAX_CUSTOM_HEADERS}
          onClick={() => put([...entries, { key: '', value: '' }])}
        >
          {t('header.add')}
        </Button>
      </div>
    </Stack>
  )
}
