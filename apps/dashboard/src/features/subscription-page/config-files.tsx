import { pageConfigProblems, toPageConfig, type PageConfig } from '@causeway/contract'
import { Button, FileButton, Group, List, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { saveFile } from '../../lib/save-file.ts'
import { CopyButton } from '../../ui/inputs/copy-field.tsx'
import { FormFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { problemsInWords } from './page-problems.ts'
import { useLoadPage } from './subscription-page.queries.ts'
import { MenuButton } from '../../ui/menu-button.tsx'

const FILE = 'app-config.json'
/** Anything larger is no configuration, and reading it would hold up the page. */
const MAX_FILE_BYTES = 2 * 1024 * 1024

/** The obstacle, shown until it is closed. */
export type Trouble = { title: string; text?: string; problems?: readonly string[] }

interface Props {
  config: PageConfig
  onTaken: (config: PageConfig) => void
  onTrouble: (trouble: Trouble) => void
}

/** The ways of a configuration in and out. */
export function ConfigFiles({ config, onTaken, onTrouble }: Props) {
  const { t } = useTranslation('subscription-page')
  const address = useDialog('load')
  const load = useLoadPage()
  const text = JSON.stringify(config, null, 2)

  function take(value: unknown): void {
    const taken = toPageConfig(value)
    if (taken) onTaken(taken)
    else onTrouble({ title: t('invalid.title'), text: t('invalid.imported'), problems: pageConfigProblems(value) })
  }
  async function read(file: File | null): Promise<void> {
    if (!file) return
    try {
      if (file.size > MAX_FILE_BYTES) throw new Error('too large')
      const value: unknown = JSON.parse(await file.text())
      take(value)
    } catch {
      onTrouble({ title: t('invalid.title'), text: t('invalid.unreadable') })
    }
  }
  function loadFrom(url: string | null): void {
    load.mutate(
      { url },
      {
        onSuccess: (loaded) => {
          address.close()
          take(loaded.config)
        },
        onError: () => onTrouble({ title: t('invalid.title'), text: t('invalid.unreachable') }),
      },
    )
  }
  function exportFile(): void {
    const problems = problemsInWords(t, config)
    if (problems.length > 0) onTrouble({ title: t('invalid.title'), text: t('invalid.own'), problems })
    else saveFile(FILE, 'application/json', text)
  }
  return (
    <>
      <MenuButton
        button={(props) => (
          <Button {...props} variant="default" loading={load.isPending} rightSection={<IconChevronDown size={16} aria-hidden />}>
            {t('loadDefault')}
          </Button>
        )}
      >
        <Menu.Dropdown>
          <Menu.Item onClick={() => loadFrom(null)}>{t('loadOwn')}</Menu.Item>
          <Menu.Item onClick={() => address.open('address')}>{t('loadAddress')}</Menu.Item>
        </Menu.Dropdown>
      </MenuButton>
      <FileButton accept="application/json,.json" inputProps={{ 'aria-label': t('upload') }} onChange={(file) => void read(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            {t('upload')}
          </Button>
        )}
      </FileButton>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={exportFile}>
        {t('export')}
      </Button>
      <CopyButton value={text} label={t('copy')} />
      <ModalFrame isOpen={address.value !== undefined} onClose={address.close} title={t('loadAddress')} width={480}>
        <AddressForm isBusy={load.isPending} onLoad={loadFrom} />
      </ModalFrame>
    </>
  )
}

function AddressForm({ isBusy, onLoad }: { isBusy: boolean; onLoad: (url: string) => void }) {
  const { t } = useTranslation('subscription-page')
  const [url, setUrl] = useState('')
  const isGood = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood) onLoad(url)
      }}
    >
      <MachineTextInput
        label={t('address')}
        description={t('addressHint')}
        placeholder="https://"
        data-autofocus
        mb="lg"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <FormFooter action={t('load')} isBusy={isBusy} isDisabled={!isGood} />
    </form>
  )
}

export function TroubleModal({ trouble, onClose }: { trouble: Trouble | undefined; onClose: () => void }) {
  const { t: ui } = useTranslation('ui')
  return (
    <ModalFrame isOpen={trouble !== undefined} onClose={onClose} title={trouble?.title ?? ''} width={560}>
      <Text size="sm">{trouble?.text}</Text>
      {trouble?.problems && (
        <List size="sm" mt="sm" style={{ overflowWrap: 'anywhere' }}>
          {trouble.problems.map((problem) => (
            <List.Item key={problem}>
              <bdi>{problem}</bdi>
            </List.Item>
          ))}
        </List>
      )}
      <Group justify="flex-end" mt="lg" pb="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          {ui('close')}
        </Button>
      </Group>
    </ModalFrame>
  )
}
