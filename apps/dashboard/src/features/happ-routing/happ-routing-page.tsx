import { Anchor, Button, Group, Input, Menu, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconChevronDown, IconQrcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import type { CodeEditorHandle } from '../../ui/editor/code-editor-parts.ts'
import { CodeEditor } from '../../ui/editor/code-editor.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { fitsQrCode, QrCode } from '../../ui/qr-code.tsx'
import {
  decodeRouting,
  defaultRouting,
  encodeRouting,
  isTooLong,
  parseRouting,
  presetRouting,
  PRESETS,
  routingText,
  type Preset,
  type RoutingConfig,
} from './happ-routing.rules.ts'
import { settingsQuery, usePutRouting } from './happ-routing.queries.ts'
import { RoutingForm } from './routing-form.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import classes from './happ-routing.module.css'

/** In pixels: beside the form, not the only thing of its page. */
const EDITOR_HEIGHT = 420

const CLIENT_WEBSITE = 'https://www.happ.su'

/** One configuration in three forms: fields, JSON text and link. The text may be ahead while it is typed, never the others. */
export default function HappRoutingPage() {
  const { t } = useTranslation('happ-routing')
  const [config, setConfig] = useState(() => defaultRouting(new Date()))
  const [text, setText] = useState(() => routingText(config))
  const [isRefused, setRefused] = useState(false)
  const [isTooMuch, setTooMuch] = useState(false)
  const editor = useRef<CodeEditorHandle>(null)
  const link = encodeRouting(config)

  function take(next: RoutingConfig): void {
    setConfig(next)
    setText(routingText(next))
  }
  function takeLink(from: string): void {
    const decoded = decodeRouting(from)
    if (decoded === undefined) setRefused(true)
    else take(decoded)
  }
  function typeJson(next: string): void {
    if (next === text) return
    setTooMuch(isTooLong(next))
    if (isTooLong(next)) {
      // After the editor has ended its own change: it takes no other one meanwhile.
      queueMicrotask(() => editor.current?.replace(text))
      return
    }
    setText(next)
    const parsed = parseRouting(next)
    if (parsed !== undefined) setConfig(parsed)
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Presets isAsking={config['Name'] !== undefined} onChosen={(preset) => take(presetRouting(preset, new Date()))} />
        }
      />
      <Text size="sm" c="dimmed" mb="md" maw="70ch">
        {t('about')}{' '}
        <Anchor underline="always" href={CLIENT_WEBSITE} target="_blank" rel="noreferrer noopener">
          {t('website')}
        </Anchor>
      </Text>
      <div className={classes['columns']}>
        <section aria-label={t('editor')}>
          <RoutingForm config={config} onChange={(key, value) => take({ ...config, [key]: value })} />
        </section>
        <Stack gap="lg">
          <LinkBox link={link} onTake={takeLink} />
          <ImportBox onImport={takeLink} />
          <section aria-label={t('json')}>
            <Title order={2} fz="sm" mb={4}>
              {t('json')}
            </Title>
            <CodeEditor
              ref={editor}
              label={t('json')}
              language="json"
              height={EDITOR_HEIGHT}
              value={text}
              onChange={typeJson}
              onBlur={() => setText((typed) => formatText(typed))}
            />
            {isTooMuch && <Input.Error role="alert">{t('tooLong')}</Input.Error>}
          </section>
        </Stack>
      </div>
      <ModalFrame isOpen={isRefused} onClose={() => setRefused(false)} title={t('import.refused')} width={420}>
        <Text size="sm">{t('import.refusedHint')}</Text>
        <Group justify="flex-end" mt="lg" pb="md">
          <Button variant="default" onClick={() => setRefused(false)} data-autofocus>
            {t('close')}
          </Button>
        </Group>
      </ModalFrame>
    </>
  )
}

/** Text that is no JSON object yet stays as it was typed. */
function formatText(text: string): string {
  const config = parseRouting(text)
  return config === undefined ? text : routingText(config)
}

function Presets({ isAsking, onChosen }: { isAsking: boolean; onChosen: (preset: Preset) => void }) {
  const { t } = useTranslation('happ-routing')
  const confirm = useConfirm()

  async function choose(preset: Preset): Promise<void> {
    const name = t(`preset.${preset}`)
    const question = { title: t('preset.title', { name }), body: t('preset.body'), action: t('preset.action') }
    if (!isAsking || (await confirm(question))) onChosen(preset)
  }
  return (
    <MenuButton
      button={(props) => (
        <Button {...props} variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
          {t('presets')}
        </Button>
      )}
    >
      <Menu.Dropdown>
        {PRESETS.map((preset) => (
          <Menu.Item key={preset} onClick={() => void choose(preset)}>
            {t(`preset.${preset}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </MenuButton>
  )
}

function LinkBox({ link, onTake }: { link: string; onTake: (link: string) => void }) {
  const { t } = useTranslation('happ-routing')
  const [isQrOpen, setQrOpen] = useState(false)
  const settings = useQuery(settingsQuery)
  const put = usePutRouting()
  const stored = settings.data?.happRouting ?? null
  const isShort = fitsQrCode(link)
  return (
    <section aria-label={t('link')}>
      <CopyField label={t('link')} value={link} />
      <Group gap="xs" mt="xs">
        <Button
          variant="default"
          leftSection={<IconQrcode size={16} aria-hidden />}
          disabled={!isShort}
          onClick={() => setQrOpen(true)}
        >
          {t('qr.show')}
        </Button>
        <Button
          loading={put.isPending}
          disabled={settings.data === undefined || stored === link}
          onClick={() => settings.data && put.mutate({ uuid: settings.data.uuid, happRouting: link })}
        >
          {t('settings.put')}
        </Button>
        <Button variant="default" disabled={stored === null || stored === link} onClick={() => stored !== null && onTake(stored)}>
          {t('settings.take')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4} aria-live="polite">
        {!isShort && t('qr.tooLong')} {stored === link && t('settings.same')}{' '}
        {settings.isSuccess && stored === null && t('settings.none')}
      </Text>
      <ModalFrame isOpen={isQrOpen} onClose={() => setQrOpen(false)} title={t('qr.title')} width={520}>
        {isShort && <QrCode text={link} label={t('qr.label')} look="dark" />}
      </ModalFrame>
    </section>
  )
}

function ImportBox({ onImport }: { onImport: (text: string) => void }) {
  const { t } = useTranslation('happ-routing')
  const [text, setText] = useState('')
  const [isTooMuch, setTooMuch] = useState(false)

  function enter(next: string): void {
    setTooMuch(isTooLong(next))
    if (!isTooLong(next)) setText(next)
  }
  return (
    <section aria-label={t('import.title')}>
      <Title order={2} fz="sm" mb={4}>
        {t('import.title')}
      </Title>
      <Textarea
        aria-label={t('import.label')}
        placeholder="happ://routing/add/…"
        autosize
        minRows={2}
        maxRows={6}
        dir="ltr"
        spellCheck={false}
        error={isTooMuch && t('tooLong')}
        value={text}
        onChange={(event) => enter(event.currentTarget.value)}
      />
      <Button variant="default" mt="xs" disabled={text.trim() === ''} onClick={() => onImport(text)}>
        {t('import.decode')}
      </Button>
    </section>
  )
}
