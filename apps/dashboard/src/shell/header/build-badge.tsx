import { getBuild, getRelease, listParts, type Reply } from '@causeway/contract'
import { Anchor, Badge, Button, Modal, Table, Text, UnstyledButton } from '@mantine/core'
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
        <Parts />
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

/** Every program and library inside, with its licence: a few hundred lines, so they come when they are asked for. */
function Parts() {
  const { t } = useTranslation()
  const [isShown, { open }] = useDisclosure(false)
  const { data, isFetching } = useQuery({ ...apiQuery(listParts, {}, { staleTime: seconds(3600) }), enabled: isShown })
  if (!data)
    return (
      <Button variant="default" size="xs" mt="md" onClick={open} loading={isFetching}>
        {t('build.parts')}
      </Button>
    )
  return (
    <Table.ScrollContainer minWidth={0} maxHeight={320} mt="md">
      <Table stickyHeader aria-label={t('build.parts')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('build.part')}</Table.Th>
            <Table.Th>{t('build.version')}</Table.Th>
            <Table.Th>{t('build.licence')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.parts.map(({ name, version, licence }) => (
            <Table.Tr key={`${name} ${version}`}>
              <Table.Td className={classes['value']!}>{name}</Table.Td>
              <Table.Td>{version}</Table.Td>
              <Table.Td className={classes['value']!}>{licence}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
