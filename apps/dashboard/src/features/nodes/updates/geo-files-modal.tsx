import { deleteGeoFile, uploadGeoFile, type GeoFiles } from '@causeway/contract'
import { ActionIcon, Alert, Badge, Button, FileButton, Group, List, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconFileUpload, IconTrash, IconWorldPin } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { splitErrors } from '../../../api/field-errors.ts'
import { May } from '../../../api/rights/may.tsx'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { useConfirmDelete } from '../../../ui/frames/confirm.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { geoFilesQuery, nodeUpdatesQuery, useDeleteGeoFile } from './node-updates.queries.ts'
import { geoNodes, isolated, offersOf } from './node-updates.rules.ts'
import { useGeoUpload } from './use-geo-upload.ts'
import classes from './geo-files.module.css'

const OPEN = 'files'

export function GeoFilesButton() {
  const { t } = useTranslation('node-updates')
  const dialog = useDialog('geo')
  return (
    <Button variant="default" leftSection={<IconWorldPin size={16} aria-hidden />} onClick={() => dialog.open(OPEN)}>
      {t('geo.open')}
    </Button>
  )
}

/** Lists for rules of nodes: the files on the server, and how many nodes have them. */
export function GeoFilesModal() {
  const { t } = useTranslation('node-updates')
  const dialog = useDialog('geo')
  const isOpen = dialog.value !== undefined
  const files = useQuery({ ...geoFilesQuery(), enabled: isOpen })
  return (
    <ModalFrame isOpen={isOpen} onClose={dialog.close} title={t('geo.title')} width={640}>
      <Stack gap="md">
        <Text size="sm">{t('geo.about')}</Text>
        {files.isError && <ErrorState error={files.error} onRetry={() => void files.refetch()} />}
        {files.isPending && <LoadingRows count={2} height={56} />}
        {files.data && (
          <>
            <Files files={files.data.files} />
            <Missing missing={files.data.missing} />
            <May call={uploadGeoFile}>
              <Upload />
            </May>
            {files.data.version !== null && <Spread version={files.data.version} />}
          </>
        )}
      </Stack>
    </ModalFrame>
  )
}

function Files({ files }: Pick<GeoFiles, 'files'>) {
  const { t, i18n } = useTranslation('node-updates')
  const confirmDelete = useConfirmDelete()
  const remove = useDeleteGeoFile()
  async function askToDelete(name: string): Promise<void> {
    if (await confirmDelete(t('geo.deleteTitle', { name }), t('geo.deleteBody'))) remove.mutate({ name })
  }
  if (files.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('geo.empty')}
      </Text>
    )
  return (
    <ul className={classes['files']} aria-label={t('geo.title')}>
      {files.map(({ name, kind, lists, bytes, revision, uploadedAt, uploadedBy }) => (
        <li key={name} className={classes['file']}>
          <div className={classes['facts']}>
            <Group gap="xs">
              <bdi className={classes['name']}>{name}</bdi>
              <Badge variant="light" color={kind === 'geoip' ? 'blue' : 'grape'}>
                {t(`geo.kind.${kind}`)}
              </Badge>
            </Group>
            <Text size="xs" c="dimmed">
              {t('geo.lists', { count: lists })} · <bdi>{formatBytes(bytes, i18n.language)}</bdi> ·{' '}
              {t('geo.revision', { revision })}
              {' · '}
              {uploadedBy !== null && (
                <>
                  <bdi>{uploadedBy}</bdi>,{' '}
                </>
              )}
              <RelativeTime at={uploadedAt} />
            </Text>
          </div>
          <May call={deleteGeoFile}>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={t('geo.delete', { name })}
              onClick={() => void askToDelete(name)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </May>
        </li>
      ))}
    </ul>
  )
}

/** Nodes of these profiles would refuse the files. */
function Missing({ missing }: Pick<GeoFiles, 'missing'>) {
  const { t, i18n } = useTranslation('node-updates')
  if (missing.length === 0) return null
  const names = new Intl.ListFormat(i18n.language)
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
      {t('geo.missing')}
      <List size="sm" mt="xs">
        {missing.map(({ file, list, profiles }) => (
          <List.Item key={`${file}:${list}`}>
            <bdi className={classes['name']}>
              {file}:{list}
            </bdi>{' '}
            (
            {names
              .formatToParts(profiles)
              .map(({ type, value }, place) => (type === 'element' ? <bdi key={place}>{value}</bdi> : value))}
            )
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Upload() {
  const { t, i18n } = useTranslation('node-updates')
  const { sending, error, send } = useGeoUpload()
  // The same file may be chosen again after it was refused.
  const reset = useRef<() => void>(null)
  return (
    <div>
      <FileButton
        multiple
        accept=".dat"
        resetRef={reset}
        inputProps={{ 'aria-label': t('geo.upload') }}
        onChange={(files) => void send(files).then(() => reset.current?.())}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconFileUpload size={16} aria-hidden />}
            loading={sending !== undefined}
          >
            {t('geo.upload')}
          </Button>
        )}
      </FileButton>
      {sending && (
        <>
          <Text size="xs" mt="xs" role="status">
            <bdi>{sending.name}</bdi> · {numberFormat(i18n.language, { style: 'percent' }).format(sending.share)}
          </Text>
          <Progress value={sending.share * 100} mt={4} size="sm" aria-label={sending.name} />
        </>
      )}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert" dir="auto">
          {wordsOf(error)}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {t('geo.where')}
      </Text>
    </div>
  )
}

/** The server's sentence about a field, or about the file. */
function wordsOf({ name, error }: { name: string; error: Error }): string {
  const { fields, others } = splitErrors(error)
  const [problem] = [...Object.values(fields), ...others]
  return problem === undefined ? error.message : `${name}: ${problem}`
}

/** How many nodes have them, and the way to the others. */
function Spread({ version }: { version: string }) {
  const { t } = useTranslation('node-updates')
  const updates = useQuery(nodeUpdatesQuery()).data
  const navigate = useNavigate()
  if (!updates) return null
  const { count, held } = geoNodes(updates)
  const isOffered = offersOf(updates).some(({ part }) => part === 'geo')
  const search = (old: object) => ({ ...old, geo: undefined, update: 'geo' })
  return (
    <Group justify="space-between" gap="xs" className={classes['spread']}>
      <Text size="sm">
        {t('geo.version', { version: isolated(version) })} · {t('geo.held', { held, count })}
      </Text>
      {isOffered && (
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void navigate({ to: '.', search, resetScroll: false })}
        >
          {t('geo.update')}
        </Button>
      )}
    </Group>
  )
}
