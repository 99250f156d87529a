import { useQuery } from '@tanstack/react-query'
import { IconServer2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { EmptyState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { BillingDate } from './billing-date.tsx'
import { billingNodesQuery, providersQuery } from './infra-billing.queries.ts'
import classes from './infra-billing.module.css'

/** The nodes that a provider sends bills for, with when each is due. */
export function ProviderNodesModal() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('nodes')
  const uuid = useLingering(dialog.value)
  const providers = useQuery(providersQuery())
  const bills = useQuery(billingNodesQuery())
  const provider = providers.data?.providers.find((one) => one.uuid === uuid)
  const own = bills.data?.billingNodes.filter(({ providerUuid }) => providerUuid === uuid)
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={t('provider.activeNodes', { name: provider?.name ?? '' })}
      width={480}
    >
      {own === undefined && <LoadingRows count={3} />}
      {own?.length === 0 && <EmptyState title={t('provider.noNodes')} icon={IconServer2} />}
      <ul className={classes['plain']}>
        {own?.map((bill) => (
          <li key={bill.uuid}>
            <span className={classes['who']}>
              <CountryFlag code={bill.node.countryCode} />
              <span className={classes['name']} dir="auto">
                {bill.node.name}
              </span>
            </span>
            <BillingDate at={bill.nextBillingAt} />
          </li>
        ))}
      </ul>
    </ModalFrame>
  )
}
