import { Badge, Button, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { TimeCell } from '../../../ui/rows/cells.tsx'
import { AccountRow } from './account-row.tsx'
import { sessionsQuery, useEndOtherSessions, useEndSession, type Session } from './account.queries.ts'
import { browserOf } from './account.rules.ts'
import classes from './account.module.css'

const PHONES = ['Android', 'iPhone', 'iPad']

/** Open sessions of the account, with their ends. */
export function SessionsList() {
  const { t } = useTranslation('account')
  const confirm = useConfirm()
  const read = useQuery(sessionsQuery())
  const endOthers = useEndOtherSessions()
  if (read.isError && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingRows count={3} height={56} />
  const { sessions, total } = read.data
  const others = total - 1

  async function onEndOthers(): Promise<void> {
    const question = {
      title: t('sessions.endOthersTitle', { count: others }),
      body: t('sessions.endOthersBody'),
      action: t('sessions.endOthers', { count: others }),
    }
    if (await confirm({ ...question, isDangerous: true })) endOthers.mutate({})
  }
  return (
    <>
      <div className={classes['top']}>
        <Text size="sm" c="dimmed">
          {others > 0 ? t('sessions.hint') : t('sessions.onlyThis')}
        </Text>
        {others > 0 && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => void onEndOthers()}>
            {t('sessions.endOthers', { count: others })}
          </Button>
        )}
      </div>
      <ul className={classes['sessions']} aria-label={t('sessions.title')}>
        {sessions.map((session) => (
          <SessionRow key={session.uuid} session={session} />
        ))}
      </ul>
      {total > sessions.length && (
        <Text size="sm" c="dimmed">
          {t('sessions.more', { count: total - sessions.length })}
        </Text>
      )}
    </>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { t, i18n } = useTranslation('account')
  const end = useEndSession()
  const { address, userAgent, createdAt, expiresAt, isCurrent } = session
  const { program, system } = browserOf(userAgent ?? '')
  const name =
    program !== undefined && system !== undefined
      ? t('sessions.programOn', { program, system })
      : (program ?? system ?? (userAgent === null || userAgent === '' ? t('sessions.unknown') : userAgent))
  const Icon = PHONES.includes(system ?? '') ? IconDeviceMobile : IconDeviceDesktop
  return (
    <AccountRow
      icon={Icon}
      title={userAgent ?? undefined}
      name={
        <>
          {/* A sentence of ours reads as the page does, though its first letters are of a name. */}
          <bdi className={classes['program']} dir={program !== undefined && system !== undefined ? i18n.dir() : 'auto'}>
            {name}
          </bdi>
          {isCurrent && (
            <Badge size="sm" variant="light" color="cyan" tt="none">
              {t('sessions.this')}
            </Badge>
          )}
        </>
      }
      facts={
        <>
          <bdi>{address ?? t('sessions.noAddress')}</bdi>
          <span>
            {t('sessions.began')} <TimeCell at={createdAt} />
          </span>
          <span>
            {t('sessions.ends')} <TimeCell at={expiresAt} />
          </span>
        </>
      }
    >
      {!isCurrent && (
        <Button
          size="compact-sm"
          variant="default"
          loading={end.isPending}
          aria-label={t('sessions.endOne', { name })}
          onClick={() => end.mutate({ uuid: session.uuid })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </AccountRow>
  )
}
