import type { DeliveryState, WebhookDelivery } from '@causeway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { CountCell, TextCell, TimeCell } from '../../ui/rows/cells.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import type { DataColumn } from '../../ui/table/data-table-columns.ts'
import { emptyView, type TableView } from '../../ui/table/data-table-view.ts'
import classes from './webhooks.module.css'

export const deliveriesColumns = [
  { id: 'event', size: 230, grow: 1, filter: 'select', isFixed: true, cell: ({ event }) => <TextCell text={event} /> },
  { id: 'thing', size: 150, grow: 1, filter: 'text', cell: ({ thing }) => <TextCell text={thing} /> },
  { id: 'state', size: 130, filter: 'select', isFixed: true, cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'status', size: 90, cell: ({ status }) => <TextCell text={status} /> },
  { id: 'attempts', size: 110, align: 'end', cell: ({ attempts }) => <CountCell count={attempts} /> },
  { id: 'error', size: 240, grow: 2, cell: (delivery) => <ProblemCell delivery={delivery} /> },
  { id: 'at', size: 130, cell: ({ at }) => <TimeCell at={at} /> },
  { id: 'next', size: 130, cell: ({ nextAttemptAt }) => <TimeCell at={nextAttemptAt} /> },
] as const satisfies readonly DataColumn<WebhookDelivery>[]

export const deliveriesDefaultView: TableView = emptyView

const STATE_COLORS: Record<DeliveryState, StatusColor> = { waiting: 'blue', delivered: 'teal', failed: 'red' }

export function StateBadge({ state }: { state: DeliveryState }) {
  const { t } = useTranslation('webhooks')
  return <StatusBadge color={STATE_COLORS[state]} label={t(`state.${state}`)} />
}

/** The failure of the last attempt, or the earlier delivery that is waited for. */
function ProblemCell({ delivery: { error, behind } }: { delivery: WebhookDelivery }) {
  return behind === null ? <TextCell text={error === null ? null : inOurWords(error)} /> : <BehindLink behind={behind} />
}

function BehindLink({ behind }: { behind: NonNullable<WebhookDelivery['behind']> }) {
  const { t } = useTranslation('webhooks')
  return (
    <Link
      className={classes['behind']}
      to="."
      search={(old) => ({ ...old, delivery: behind.uuid })}
      // A click on the row opens the row itself.
      onClick={(click) => click.stopPropagation()}
    >
      {t('behind', { event: behind.event })}
    </Link>
  )
}

/** A delivery on a narrow screen. */
export function DeliveryCard({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <div className={classes['row']}>
      <div className={classes['rowLine']}>
        <bdi className={classes['code']}>{delivery.event}</bdi>
        <span className={classes['push']} />
        <StateBadge state={delivery.state} />
      </div>
      <div className={classes['rowLine']}>
        <bdi className={classes['rowThing']}>{delivery.thing}</bdi>
        <TimeCell at={delivery.at} />
      </div>
      {delivery.behind !== null && <BehindLink behind={delivery.behind} />}
    </div>
  )
}
