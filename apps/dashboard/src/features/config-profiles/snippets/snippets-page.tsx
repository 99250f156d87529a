import { createSnippet, deleteSnippet, syncSnippet, type Snippet } from '@causeway/contract'
import { Badge, Menu, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewNameForm } from '../../../api/naming.tsx'
import { May } from '../../../api/rights/may.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { DeleteItem } from '../../../ui/delete-item.tsx'
import { useConfirm, useConfirmDelete } from '../../../ui/frames/confirm.tsx'
import { CreateButton, CreateModal } from '../../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../../ui/frames/states.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { GrowingList } from '../../../ui/rows/growing-list.tsx'
import { RowMenu } from '../../../ui/rows/row-menu.tsx'
import { HistoryItem } from '../../history/parts/history-item.tsx'
import classes from '../config-profiles.module.css'
import { snippetsQuery, useCreateSnippet, useDeleteSnippet, useSyncSnippet } from './snippets.queries.ts'

/** A new snippet is a rule that blocks nothing yet and can be read as a sample. */
const FIRST_CONTENT = [{ type: 'field', protocol: ['bittorrent'], outboundTag: 'BLOCK' }]
const SHOWN_PROFILES = 4

/** Parts of configurations that several profiles share. */
export default function SnippetsPage() {
  const { t } = useTranslation('snippets')
  const snippets = useQuery(snippetsQuery())
  const isBusy = snippets.isFetching && !snippets.isPending
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} isBusy={isBusy} onRefresh={() => void snippets.refetch()} />
            <May call={createSnippet}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {snippets.isPending && <LoadingCards className={classes['grid']} />}
      {snippets.isError && <ErrorState error={snippets.error} onRetry={() => void snippets.refetch()} />}
      {snippets.data?.snippets.length === 0 && <EmptyState sketch="cards" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={classes['grid']} label={t('title')} items={snippets.data?.snippets ?? []}>
        {(snippet) => <SnippetCard key={snippet.name} snippet={snippet} />}
      </GrowingList>
      <CreateModal title={t('create')} width={440}>
        {(onCreated) => (
          <NewNameForm
            schema={createSnippet.body.shape.name}
            words={{ label: t('name'), hint: t('nameHint') }}
            useCreate={useCreateSnippet}
            bodyOf={(name) => ({ name, snippet: FIRST_CONTENT })}
            onCreated={onCreated}
          />
        )}
      </CreateModal>
    </>
  )
}

function SnippetCard({ snippet }: { snippet: Snippet }) {
  const { t } = useTranslation('snippets')
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const remove = useDeleteSnippet()
  const sync = useSyncSnippet()
  const { name, uuid = '', profiles = [] } = snippet
  const nodes = profiles.reduce((sum, profile) => sum + profile.nodes, 0)
  const count = Array.isArray(snippet.snippet) ? snippet.snippet.length : 0
  const hidden = profiles.length - SHOWN_PROFILES

  async function askAndDelete(): Promise<void> {
    if (await confirmDelete(t('delete.title', { name }), t('delete.body'))) remove.mutate({ name })
  }
  async function askAndSync(): Promise<void> {
    const question = { title: t('sync.title', { name }), body: t('sync.body', { count: nodes }), action: t('sync.action') }
    if (await confirm(question)) sync.mutate({ name })
  }
  return (
    <li className={classes['card']}>
      <div className={classes['top']}>
        <h2 className={classes['name']} title={name} dir="auto">
          <Link to="/dashboard/management/snippets/$uuid" params={{ uuid }}>
            {name}
          </Link>
        </h2>
        <RowMenu label={t('more', { name })} isBusy={remove.isPending || sync.isPending}>
          <May call={syncSnippet}>
            <Menu.Item
              leftSection={<IconRefresh size={16} aria-hidden />}
              disabled={nodes === 0}
              onClick={() => void askAndSync()}
            >
              {t('sync.open')}
            </Menu.Item>
          </May>
          <HistoryItem target={uuid} />
          <May call={deleteSnippet}>
            <DeleteItem onDelete={() => void askAndDelete()} />
          </May>
        </RowMenu>
      </div>
      <div className={classes['tags']}>
        {profiles.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('unused')}
          </Text>
        )}
        {profiles.slice(0, SHOWN_PROFILES).map((profile) => (
          <Badge key={profile.uuid} variant="default" tt="none" title={profile.paths.join(', ')}>
            {profile.name}
          </Badge>
        ))}
        {hidden > 0 && <Badge variant="default">{t('moreProfiles', { count: hidden })}</Badge>}
      </div>
      <div className={classes['foot']}>
        <span>
          {t('elements', { count })}, {t('nodes', { count: nodes })}
        </span>
        {snippet.updatedAt !== undefined && (
          <span style={{ paddingInlineEnd: '0.5rem' }}>
            <RelativeTime at={snippet.updatedAt} />
          </span>
        )}
      </div>
    </li>
  )
}
