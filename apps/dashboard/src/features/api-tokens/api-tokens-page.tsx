import { createApiToken, createLimitedApiToken } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconDeviceTv } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../api/call-error.ts'
import { withProof } from '../../api/proof.ts'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { WallLinkModal } from '../wall/parts/wall-link-modal.tsx'
import { ApiTokenCard } from './api-token-card.tsx'
import { tokenDetailsQuery, tokensQuery } from './api-tokens.queries.ts'
import classes from './api-tokens.module.css'
import { CreateApiTokenModal } from './create-api-token-modal.tsx'
import { DocsCard } from './docs-card.tsx'
import { EditApiTokenModal } from './edit-api-token-modal.tsx'

export default function ApiTokensPage() {
  const { t } = useTranslation(['api-tokens', 'wall'])
  const wall = useDialog('wall')
  const tokens = useQuery(tokensQuery())
  const details = useQuery(tokenDetailsQuery())
  const byUuid = new Map(details.data?.tokens.map((each) => [each.uuid, each]))
  const docs = tokens.data?.docs
  /** The list comes without texts where it would else be refused: it is asked for again after the proof. */
  async function reveal(): Promise<void> {
    await withProof(async () => {
      const { data } = await tokens.refetch()
      if (data?.isTextWithheld) throw new CallError('reveal', { status: 428 })
    }).catch(() => undefined) // left without a proof: the texts stay hidden
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton
              label={t('refresh')}
              onRefresh={() => {
                void tokens.refetch()
                void details.refetch()
              }}
            />
            <May call={createLimitedApiToken}>
              <Button variant="default" leftSection={<IconDeviceTv size={16} aria-hidden />} onClick={() => wall.open('new')}>
                {t('wall:link.title')}
              </Button>
            </May>
            <May call={createApiToken}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {docs?.isDocsEnabled && <DocsCard scalarPath={docs.scalarPath} swaggerPath={docs.swaggerPath} />}
      {tokens.isPending && <LoadingCards className={classes['grid']} height={150} />}
      {tokens.isError && <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.data?.apiKeys.length === 0 && <EmptyState sketch="rows" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={classes['grid']} label={t('title')} items={tokens.data?.apiKeys ?? []}>
        {(token) => (
          <ApiTokenCard
            key={token.uuid}
            token={token}
            details={byUuid.get(token.uuid)}
            onReveal={tokens.data?.isTextWithheld ? () => void reveal() : undefined}
          />
        )}
      </GrowingList>
      <CreateApiTokenModal />
      <EditApiTokenModal />
      <WallLinkModal />
    </>
  )
}
