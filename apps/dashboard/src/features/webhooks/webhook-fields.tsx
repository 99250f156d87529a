import type { EventName } from '@causeway/contract'
import { Checkbox, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { hasExpiry, type WebhookForm } from './webhook-form.ts'
import { FAMILIES, withEvents } from './webhooks.rules.ts'
import classes from './webhooks.module.css'

/** Name, address and events of a webhook. */
export function WebhookFields({ form }: { form: UseFormReturnType<WebhookForm> }) {
  const { t } = useTranslation('webhooks')
  const { events, expiryNames } = form.values
  return (
    <Stack gap="md" mb="lg">
      <TextInput
        label={t('field.name')}
        description={t('field.nameHint')}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('field.url')}
        description={t('field.urlHint')}
        placeholder="https://bot.example.com/webhook"
        dir="ltr"
        type="url"
        required
        {...form.getInputProps('url')}
      />
      <EventsField value={events} onChange={(next) => form.setFieldValue('events', next)} />
      {hasExpiry(events) && (
        <div>
          <Text size="sm" fw={500} id="webhook-expiry">
            {t('field.expiry')}
          </Text>
          <Text size="xs" c="dimmed" mb={4}>
            {t('field.expiryHint')}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="webhook-expiry"
            data={[
              { value: 'new', label: <bdi dir="ltr">{t('expiry.new')}</bdi> },
              { value: 'old', label: <bdi dir="ltr">{t('expiry.old')}</bdi> },
            ]}
            value={expiryNames}
            onChange={(next) => form.setFieldValue('expiryNames', next === 'old' ? 'old' : 'new')}
          />
        </div>
      )}
    </Stack>
  )
}

interface EventsProps {
  value: WebhookForm['events']
  onChange: (value: WebhookForm['events']) => void
}

/** All events, also those of later versions, or those that are ticked. */
function EventsField({ value, onChange }: EventsProps) {
  const { t } = useTranslation('webhooks')
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="webhook-events">
        {t('field.events')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="webhook-events"
        data={[
          { value: 'all', label: t('events.all') },
          { value: 'chosen', label: t('events.chosen') },
        ]}
        value={value === null ? 'all' : 'chosen'}
        onChange={(next) =>
          onChange(next === 'all' ? null : FAMILIES.flatMap(({ family, events }) => (family === 'user' ? events : [])))
        }
      />
      {value !== null && <Ticks value={value} onChange={onChange} />}
    </div>
  )
}

function Ticks({ value, onChange }: { value: readonly EventName[]; onChange: EventsProps['onChange'] }) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      {FAMILIES.map(({ family, events }) => {
        const count = events.filter((event) => value.includes(event)).length
        return (
          <details key={family} className={classes['family']}>
            <summary>
              <Checkbox
                size="xs"
                label={t(`family.${family}`)}
                checked={count === events.length}
                indeterminate={count > 0 && count < events.length}
                onChange={(change) => onChange(withEvents(value, events, change.currentTarget.checked))}
              />
              <Text span size="xs" c="dimmed">
                {t('events.counted', { count, total: events.length })}
              </Text>
            </summary>
            <ul className={classes['ticks']}>
              {events.map((event) => (
                <li key={event}>
                  <Checkbox
                    size="xs"
                    label={<bdi className={classes['code']}>{event}</bdi>}
                    description={t(`event.${eventKey(event)}`)}
                    checked={value.includes(event)}
                    onChange={(change) => onChange(withEvents(value, [event], change.currentTarget.checked))}
                  />
                </li>
              ))}
            </ul>
          </details>
        )
      })}
      {value.length === 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('events.none')}
        </Text>
      )}
    </>
  )
}

/** Keys of texts are read at dots. */
type Dashed<Name extends string> = Name extends `${infer Family}.${infer Rest}` ? `${Family}-${Rest}` : never
export function eventKey(event: EventName): Dashed<EventName> {
  return event.replace('.', '-') as Dashed<EventName> // what the type says, which replace() cannot
}
