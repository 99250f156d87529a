import { getBuild, getRelease, type Reply } from '@causeway/contract'
import { Anchor, Badge, Modal, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { apiQuery } from '../../api/api-query.ts'
import { seconds } from '../../lib/time/durations.ts'
import { CopyButton } from '../../ui/inputs/copy-field.tsx'
import { isNewerRelease } from './releases.ts'
import classes from './build-badge.module.css'

type Build = Reply<typeof getBuild>
/** The server itself asks hourly. */
export const RELEASE_TIMING = { staleTime: seconds(3600), refetchInterval: seconds(3600), quiet: true }
const FIELDS = ['version', 'buildTime', 'commitFull', 'commit', 'tag', 'branch'] as const

/** The running version; opens what is known of the build. On the dev branch it says so instead. */
export function BuildBadge() {
  const { t } = useTranslation()
  const { t: ui } = useTranslation('ui')
  const [isOpen, { open, close }] = useDisclosure(false)
  const { data: build } = useQuery(apiQuery(getBuild, {}, { staleTime: seconds(3600), quiet: true }))
  const { data: release } = useQuery(apiQuery(getRelease, {}, RELEASE_TIMING))
  if (!build) return null
  const isDev = build.branch === 'dev'
  return (
    <>
      <UnstyledButton
        className={classes['badge']!}
        data-dev={isDev || undefined}
        onClick={open}
        aria-label={t('build.open', { version: isDev ? t('build.dev') : build.version })}
      >
        {isDev ? t('build.dev') : build.version}
      </UnstyledButton>
      {!isDev && isNewerRelease(release?.latestTag, build.version) && (
        <Badge className={classes['update']!} size="sm" variant="light" color="yellow" tt="none">
          {t('build.update', { version: release?.latestTag })}
        </Badge>
      )}
      <Modal opened={isOpen} onClose={close} title={t('build.title')} size={520} closeButtonProps={{ 'aria-label': ui('close') }}>
        <BuildFields build={build} />
      </Modal>
    </>
  )
}

function BuildFields({ build }: { build: Build }) {
  const { t, i18n } = useTranslation()
  const text = (field: (typeof FIELDS)[number]): string => {
    const value = build[field]
    if (value === null) return t('build.unknown')
    if (field !== 'buildTime') return value
    return dateFormat(i18n.language, { dateStyle: 'long', timeStyle: 'long' }).format(new Date(value))
  }
  return (
    <dl className={classes['fields']}>
      {FIELDS.map((field) => (
        <div key={field} className={classes['field']}>
          <dt>{t(`build.${field}`)}</dt>
          <dd>
            <Text component="span" size="sm" className={classes['value']!}>
              {text(field)}
            </Text>
            {build[field] !== null && <CopyButton value={build[field]} label={t(`build.${field}`)} />}
          </dd>
        </div>
      ))}
      <div className={classes['field']}>
        <dt>{t('build.commitUrl')}</dt>
        <dd>
          {build.commitUrl === null ? (
            <Text component="span" size="sm">
              {t('build.unknown')}
            </Text>
          ) : (
            <Anchor href={build.commitUrl} target="_blank" rel="noreferrer" size="sm" className={classes['value']!}>
              {build.commitUrl}
            </Anchor>
          )}
        </dd>
      </div>
    </dl>
  )
}
