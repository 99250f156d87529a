import type { Reseller } from '@causeway/contract'
import { Badge, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { useConfirmDelete } from '../../../ui/frames/confirm.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { ResellerForm } from '../reseller-form.tsx'
import { resellersQuery, useDeleteReseller } from '../resellers.queries.ts'
import list from '../../../ui/rows/panel-list.module.css'
import classes from './resellers-section.module.css'

/** Resellers with their bounds, sums, administrators and tokens. */
export function ResellersSection() {
  const { t } = useTranslation('admins')
  const { data } = useQuery(resellersQuery())
  const { value, open, close } = useDialog('reseller')
  const edited = data?.resellers.find(({ uuid }) => uuid === value)
  return (
    <section aria-labelledby="resellers">
      <div className={list['head']}>
        <h2 id="resellers">{t('reseller.list')}</h2>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => open('new')}>
          {t('reseller.create')}
        </Button>
      </div>
      {data?.resellers.length === 0 && <p className={classes['empty']}>{t('reseller.empty')}</p>}
      {data && data.resellers.length > 0 && (
        <ul className={list['list']} aria-labelledby="resellers">
          {data.resellers.map((reseller) => (
            <ResellerRow key={reseller.uuid} reseller={reseller} onEdit={() => open(reseller.uuid)} />
          ))}
        </ul>
      )}
      <ModalFrame
        isOpen={value === 'new' || edited !== undefined}
        onClose={close}
        title={edited ? t('reseller.editTitle', { name: edited.name }) : t('reseller.create')}
        width={520}
      >
        <ResellerForm key={value} reseller={edited} onDone={close} />
      </ModalFrame>
    </section>
  )
}

function ResellerRow({ reseller, onEdit }: { reseller: Reseller; onEdit: () => void }) {
  const { t, i18n } = useTranslation('admins')
  const confirm = useConfirmDelete()
  const remove = useDeleteReseller()
  const { uuid, name, squads, users, maxUsers, promisedBytes, maxBytes, maxDays, endingThisWeek, admins, tokens } = reseller
  const count = (value: number) => numberFormat(i18n.language).format(value)
  const bytes = (value: number) => formatBytes(value, i18n.language)
  const isFull = (maxUsers !== null && users >= maxUsers) || (maxBytes !== null && promisedBytes >= maxBytes)
  const isHeld = admins.length > 0 || tokens > 0

  async function onDelete(): Promise<void> {
    if (await confirm(t('reseller.deleteTitle', { name }), t('reseller.deleteBody'))) remove.mutate({ uuid })
  }
  return (
    <li className={list['row']}>
      <div className={classes['what']}>
        <span className={list['name']}>
          <bdi>{name}</bdi>
          {squads.map((squad) => (
            <Badge key={squad.uuid} size="sm" variant="light" tt="none" color="gray">
              {squad.name}
            </Badge>
          ))}
          {isFull && (
            <Badge size="sm" variant="light" tt="none" color="orange">
              {t('reseller.full')}
            </Badge>
          )}
        </span>
        <dl className={classes['figures']}>
          <div>
            <dt>{t('reseller.users')}</dt>
            <dd>{maxUsers === null ? count(users) : t('reseller.of', { value: count(users), most: count(maxUsers) })}</dd>
          </div>
          <div>
            <dt>{t('reseller.promised')}</dt>
            <dd>
              {maxBytes === null
                ? bytes(promisedBytes)
                : t('reseller.of', { value: bytes(promisedBytes), most: bytes(maxBytes) })}
            </dd>
          </div>
          {reseller.unlimitedUsers > 0 && (
            <div>
              <dt>{t('reseller.unlimited')}</dt>
              <dd>{count(reseller.unlimitedUsers)}</dd>
            </div>
          )}
          <div>
            <dt>{t('reseller.used')}</dt>
            <dd>{bytes(reseller.usedBytes)}</dd>
          </div>
          <div>
            <dt>{t('reseller.usedEver')}</dt>
            <dd>{bytes(reseller.lifetimeUsedBytes)}</dd>
          </div>
          <div>
            <dt>{t('reseller.ending')}</dt>
            <dd>{count(endingThisWeek)}</dd>
          </div>
        </dl>
        <span className={list['facts']}>
          {maxDays !== null && <span>{t('reseller.days', { count: maxDays })}</span>}
          <span>{admins.length === 0 ? t('reseller.noAdmins') : <bdi>{admins.join(', ')}</bdi>}</span>
          {tokens > 0 && <span>{t('reseller.tokens', { count: tokens })}</span>}
        </span>
      </div>
      <div className={list['actions']}>
        <Button size="compact-sm" variant="default" aria-label={t('reseller.editOne', { name })} onClick={onEdit}>
          {t('reseller.edit')}
        </Button>
        {!isHeld && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('reseller.deleteOne', { name })}
            loading={remove.isPending}
            onClick={() => void onDelete()}
          >
            {t('reseller.delete')}
          </Button>
        )}
      </div>
    </li>
  )
}
