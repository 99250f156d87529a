import { deleteApiToken, updateApiToken, type ApiToken, type ApiTokenDetails } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconPencil, IconTerminal2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { relativeTime } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/now.ts'
import { ActorItem, HistoryItem } from '../history/parts/history-item.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import { useCopy } from '../../ui/inputs/use-copy.ts'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { Fact } from '../../ui/fact.tsx'
import { useDeleteApiToken } from './api-tokens.queries.ts'
import classes from './api-tokens.module.css'
import { curlLine, endingOf, rightsOf } from './token-form.ts'

const COPY_FEEDBACK_MS = 500

interface Props {
  token: ApiToken
  /** Comes by a read of its own. */
  details: ApiTokenDetails | undefined
  /** Where a proof of identity is asked for before texts are shown. */
  onReveal?: (() => void) | undefined
}

export function ApiTokenCard({ token, details, onReveal }: Props) {
  const { t } = useTranslation('api-tokens')
  const name = token.tokenName || t('nameless')
  return (
    <li className={classes['card']}>
      <div className={classes['top']}>
        <h2 className={classes['name']} title={name} dir="auto">
          {name}
        </h2>
        {details && <Ending expiresAt={details.expiresAt} />}
        <TokenMenu token={token} details={details} name={name} />
      </div>
      {token.token === '' && onReveal && details?.isShownOnce === false ? (
        <Button size="compact-sm" variant="default" aria-label={t('revealOne', { name })} onClick={onReveal}>
          {t('reveal')}
        </Button>
      ) : token.token === '' ? (
        <p className={classes['once']}>{t('shownOnce')}</p>
      ) : (
        <CopyField label={t('token')} value={token.token} feedbackMs={COPY_FEEDBACK_MS} />
      )}
      <dl className={classes['facts']}>
        <Fact label={t('fact.created')}>
          <RelativeTime at={token.createdAt} />
        </Fact>
        <Fact label={t('fact.used')}>{details && <LastUse details={details} />}</Fact>
        <Fact label={t('fact.rights')}>{details && <RightsText permissions={details.permissions} />}</Fact>
      </dl>
    </li>
  )
}

function LastUse({ details }: { details: ApiTokenDetails }) {
  const { t } = useTranslation('api-tokens')
  if (details.lastUsedAt === null) return t('neverUsed')
  return (
    <>
      <RelativeTime at={details.lastUsedAt} />
      <span className={classes['from']} title={details.lastUserAgent ?? undefined}>
        <bdi>{details.lastUsedFrom}</bdi>
        <bdi>{details.lastUserAgent}</bdi>
      </span>
    </>
  )
}

function RightsText({ permissions }: Pick<ApiTokenDetails, 'permissions'>) {
  const { t } = useTranslation('api-tokens')
  const rights = rightsOf(permissions)
  return rights === 'chosen' ? t('permissionsCounted', { count: permissions?.length ?? 0 }) : t(`rights.${rights}`)
}

const endColors: Record<'ended' | 'soon' | 'later', StatusColor> = { ended: 'red', soon: 'yellow', later: 'gray' }

function Ending({ expiresAt }: Pick<ApiTokenDetails, 'expiresAt'>) {
  const { t, i18n } = useTranslation('api-tokens')
  const now = useNow()
  const ending = endingOf(expiresAt, now)
  if (expiresAt === null || ending === 'never') return null
  const when = relativeTime(new Date(expiresAt), now, i18n.language)
  const label = ending === 'ended' ? t('ended') : t('ends', { when })
  return <StatusBadge color={endColors[ending]} label={label} />
}

function TokenMenu({ token, details, name }: Props & { name: string }) {
  const { t } = useTranslation('api-tokens')
  const { t: ui } = useTranslation('ui')
  const confirmDelete = useConfirmDelete()
  const edit = useDialog('edit')
  const curl = useCopy()
  const remove = useDeleteApiToken()
  const { uuid } = token

  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('delete.title', { name }), t('delete.body'))) remove.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={remove.isPending}>
      <May call={updateApiToken}>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit.open(uuid)}>
          {ui('edit')}
        </Menu.Item>
      </May>
      <Menu.Item
        leftSection={<IconTerminal2 size={16} aria-hidden />}
        disabled={token.token === ''}
        closeMenuOnClick={false}
        onClick={() => void curl.copy(curlLine(token.token, location.origin, details?.permissions ?? null))}
      >
        {curl.isCopied ? ui('copied') : t('copyCurl')}
      </Menu.Item>
      <ActorItem actor={uuid} />
      <HistoryItem target={uuid} />
      <Menu.Divider />
      <May call={deleteApiToken}>
        <DeleteItem onDelete={() => void askToDelete()} />
      </May>
    </RowMenu>
  )
}
