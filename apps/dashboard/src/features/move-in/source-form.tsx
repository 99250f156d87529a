import { moveInPanels, type MoveIn, type MoveInPanel } from '@causeway/contract'
import { Button, FileInput, Group, PasswordInput, Progress, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { Card } from './card.tsx'
import { useDeleteFile, useRunMoveIn } from './move-in.queries.ts'
import { PANELS } from './move-in.rules.ts'
import { useUpload } from './use-upload.ts'
import classes from './move-in.module.css'

const EMPTY = { databaseUrl: '', sessionSecret: '', tokenSecret: '', xrayConfig: '', address: '', linkPath: '' }
type Fields = typeof EMPTY

/** The source: a panel, its file or database, and the secrets that it needs. They stay in this form and in the run. */
export function SourceForm({ state }: { state: MoveIn }) {
  const { t } = useTranslation('move-in')
  const confirm = useConfirm()
  const [panel, setPanel] = useState<MoveInPanel>(state.panel ?? 'remnawave')
  const [way, setWay] = useState<'file' | 'database'>(isOfDatabase(state) ? 'database' : 'file')
  const [fields, setFields] = useState<Fields>(EMPTY)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const run = useRunMoveIn({ setErrors })
  const facts = PANELS[panel]
  const isByDatabase = way === 'database'
  const isReady = isByDatabase
    ? fields.databaseUrl !== ''
    : state.upload !== null && state.upload.receivedBytes === state.upload.bytes

  /** The attributes of a field by its name. */
  const field = (name: keyof Fields) => ({
    label: t(`field.${name}`),
    value: fields[name],
    error: errors[name] === undefined ? undefined : inOurWords(errors[name]),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setFields((old) => ({ ...old, [name]: value }))
      setErrors({})
    },
  })

  async function begin(isDryRun: boolean): Promise<void> {
    const body = t('import.body', { source: isByDatabase ? withoutCredentials(fields.databaseUrl) : (state.upload?.name ?? '') })
    if (!isDryRun && !(await confirm({ title: t('import.title'), body, action: t('import.action') }))) return
    setErrors({})
    const { databaseUrl, ...others } = fields
    const asked = panel === 'remnawave' ? SECRETS : panel === 'marzban' ? OF_MARZBAN : OF_XUI
    const given = Object.fromEntries(asked.flatMap((name) => (others[name] === '' ? [] : [[name, others[name]]])))
    run.mutate({ panel, isDryRun, ...given, ...(isByDatabase ? { databaseUrl: databaseUrl.trim() } : {}) })
  }

  return (
    <Card title={t('source')}>
      <Stack gap="md" mt="xs">
        <SegmentedControl
          aria-label={t('panel')}
          value={panel}
          onChange={setPanel}
          className={classes['choice']!}
          data={moveInPanels.map((value) => ({ value, label: t(`panels.${value}`) }))}
        />
        <SegmentedControl
          aria-label={t('way')}
          value={way}
          onChange={setWay}
          className={classes['choice']!}
          data={[
            { value: 'file', label: t('ways.file') },
            { value: 'database', label: t('ways.database') },
          ]}
        />
        {isByDatabase ? (
          <PasswordInput
            {...field('databaseUrl')}
            description={t('help.databaseUrl', { example: facts.example })}
            dir="ltr"
            autoComplete="off"
          />
        ) : (
          <Upload upload={state.upload} panel={panel} />
        )}
        {panel === 'remnawave' && (
          <>
            <PasswordInput {...field('sessionSecret')} description={t('help.sessionSecret')} dir="ltr" autoComplete="off" />
            <PasswordInput {...field('tokenSecret')} description={t('help.tokenSecret')} dir="ltr" autoComplete="off" />
          </>
        )}
        {panel === 'marzban' && (
          <Textarea
            {...field('xrayConfig')}
            description={t('help.xrayConfig')}
            dir="ltr"
            autosize
            minRows={3}
            maxRows={10}
            spellCheck={false}
          />
        )}
        {facts.hasAddress && <MachineTextInput {...field('address')} description={t('help.address')} placeholder="203.0.113.1" />}
        {panel === 'marzban' && <MachineTextInput {...field('linkPath')} description={t('help.linkPath')} placeholder="sub" />}
        <Text size="xs" c="dimmed">
          {t('notStored')}
        </Text>
        <Group gap="xs">
          <Button disabled={!isReady} loading={run.isPending} onClick={() => void begin(true)}>
            {t('rehearse')}
          </Button>
          <Button
            variant="default"
            disabled={!isReady || state.obstacle !== null}
            loading={run.isPending}
            onClick={() => void begin(false)}
          >
            {t('import.start')}
          </Button>
        </Group>
        {state.obstacle !== null && state.startedAt !== null && !state.isHeld && (
          <Text size="xs" c="dimmed">
            <bdi>{inOurWords(state.obstacle)}</bdi>
          </Text>
        )}
      </Stack>
    </Card>
  )
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address.trim())
  return url ? `${url.host}${url.pathname}` : ''
}

/** The last run read a database, and not the file that may be there too. */
function isOfDatabase({ source, upload }: MoveIn): boolean {
  return source !== null && source !== upload?.name
}

const SECRETS = ['sessionSecret', 'tokenSecret'] as const
const OF_MARZBAN = ['xrayConfig', 'address', 'linkPath'] as const
const OF_XUI = ['address'] as const

function Upload({ upload, panel }: { upload: MoveIn['upload']; panel: MoveInPanel }) {
  const { t, i18n } = useTranslation('move-in')
  const { share, error, send } = useUpload(upload)
  const remove = useDeleteFile()
  const bytes = (count: number) => formatBytes(count, i18n.language)
  return (
    <div>
      <FileInput
        label={t('file')}
        description={t(`help.file.${panel}`)}
        placeholder={t('choose')}
        accept={PANELS[panel].files}
        leftSection={<IconFileUpload size={16} aria-hidden />}
        disabled={share !== undefined}
        error={error && inOurWords(error.message)}
        value={null}
        onChange={(file) => file && void send(file)}
      />
      {share !== undefined && (
        <div role="status" aria-label={t('uploading')}>
          <Text size="xs" mt="xs">
            {t('uploading')} {numberFormat(i18n.language, { style: 'percent' }).format(share)}
          </Text>
          <Progress value={share * 100} aria-label={t('uploading')} />
        </div>
      )}
      {share === undefined && upload && (
        <div className={classes['row']}>
          <Text size="sm" className={classes['what']!}>
            <bdi>{upload.name}</bdi> ·{' '}
            {upload.receivedBytes === upload.bytes
              ? bytes(upload.bytes)
              : t('partly', { received: bytes(upload.receivedBytes), all: bytes(upload.bytes) })}
          </Text>
          <Button size="compact-sm" variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate({})}>
            {t('deleteFile')}
          </Button>
        </div>
      )}
    </div>
  )
}
