import type { WebhookDeliveryDetails } from '@causeway/contract'
import { Anchor, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { DrawerFrame, FrameFooter } from '../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { AttemptText, TextBlock } from './attempt-text.tsx'
import { StateBadge } from './deliveries-columns.tsx'
import { deliveryQuery, useWebhookActions } from './webhooks.queries.ts'
import { readable } from './webhooks.rules.ts'
import classes from './webhooks.module.css'

/** One delivery: what is sent, and what was answered to each attempt. */
export function DeliveryDrawer() {
  const { t } = useTranslation('webhooks')
  const dialog = useDialog('delivery')
  const uuid = useLingering(dialog.value)
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('details.title')} width={960}>
      {uuid !== undefined && <Delivery key={uuid} uuid={uuid} />}
    </DrawerFrame>
  )
}

function Delivery({ uuid }: { uuid: string }) {
  const delivery = useQuery(deliveryQuery(uuid))
  if (delivery.isError) return <ErrorState error={delivery.error} onRetry={() => void delivery.refetch()} />
  return delivery.data === undefined ? <LoadingRows /> : <Details delivery={delivery.data} />
}

function Details({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { t } = useTranslation('webhooks')
  const { resend } = useWebhookActions()
  const dialog = useDialog('delivery')
  const headers = Object.entries(delivery.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <div className={classes['rowLine']}>
        <bdi className={classes['code']}>{delivery.event}</bdi>
        <bdi>{delivery.thing}</bdi>
        <span className={classes['push']} />
        <StateBadge state={delivery.state} />
      </div>
      {delivery.behind !== null && (
        <p className={classes['note']}>
          {t('details.behind', { event: delivery.behind.event })}{' '}
          <Anchor component="button" size="xs" onClick={() => dialog.open(delivery.behind?.uuid ?? delivery.uuid)}>
            {t('details.openEarlier')}
          </Anchor>
        </p>
      )}
      <div className={classes['sides']}>
        <TextBlock
          label={t('details.request')}
          text={[`POST ${delivery.url}`, ...headers, '', readable(delivery.body)].join('\n')}
        />
        <section aria-label={t('details.answers')}>
          <h3 className={classes['sideTitle']}>{t('details.answers')}</h3>
          {delivery.tries.length === 0 && <p className={classes['note']}>{t('details.notYet')}</p>}
          <ol className={classes['tries']}>
            {delivery.tries.toReversed().map((each) => (
              <li key={each.number}>
                <div className={classes['rowLine']}>
                  <span>{t('details.attempt', { count: each.number })}</span>
                  <span className={classes['push']} />
                  <RelativeTime at={each.at} />
                </div>
                <AttemptText attempt={each} />
                {each.answer !== null && each.answer !== '' && <TextBlock label={t('details.answer')} text={each.answer} />}
              </li>
            ))}
          </ol>
        </section>
      </div>
      <FrameFooter>
        <Button
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={resend.isPending}
          disabled={delivery.state === 'waiting' && delivery.attempts === 0}
          onClick={() => resend.mutate({ uuid: delivery.uuid })}
        >
          {t('details.resend')}
        </Button>
      </FrameFooter>
    </>
  )
}
