import type { WebhookDeliveryDetails } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { CopyButton } from '../../ui/inputs/copy-field.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './webhooks.module.css'

type Attempt = Pick<WebhookDeliveryDetails['tries'][number], 'status' | 'durationMs' | 'error'>

/** Outcome of one attempt, in a line. */
export function AttemptText({ attempt: { status, durationMs, error } }: { attempt: Attempt }) {
  const { t } = useTranslation('webhooks')
  return (
    <div role="status">
      <StatusBadge
        color={error === null ? 'teal' : 'red'}
        label={status === null ? t('details.noAnswer') : t('details.answered', { status, ms: durationMs })}
      />
      {error !== null && (
        <Text size="sm" mt={4}>
          {inOurWords(error)}
        </Text>
      )}
    </div>
  )
}

/** Text as it went over the wire: from left to right in every language. */
export function TextBlock({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('ui')
  return (
    <section className={classes['block']} aria-label={label}>
      <div className={classes['blockHead']}>
        <h3>{label}</h3>
        <CopyButton value={text} label={t('copyNamed', { name: label })} />
      </div>
      <pre dir="ltr" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
