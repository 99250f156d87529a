import { Alert, Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../lib/save-file.ts'
import { FrameFooter } from '../../ui/frames/frames.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { ASKED_BACK, isAskedBack, lockKey, makeKey, type MadeKey } from './age-keys.ts'
import { useUpdateTargets } from './backups.queries.ts'

const [LEAST_LENGTH, LEAST_DIFFERENT] = [12, 6]
type Way = 'passphrase' | 'key'

/** Sets up encryption: a passphrase of the person's own, or a key that is shown once. */
export function KeySetup({ isReplaced, onClose }: { isReplaced: boolean; onClose: () => void }) {
  const { t } = useTranslation('backups')
  const [way, setWay] = useState<Way>('passphrase')
  return (
    <Stack gap="sm">
      {isReplaced && <Alert color="yellow">{t('key.replaces')}</Alert>}
      <SegmentedControl
        fullWidth
        aria-label={t('key.way')}
        value={way}
        onChange={(value) => setWay(value === 'key' ? 'key' : 'passphrase')}
        data={[
          { value: 'passphrase', label: t('key.passphrase') },
          { value: 'key', label: t('key.key') },
        ]}
      />
      {way === 'passphrase' ? <PassphraseForm onClose={onClose} /> : <KeyForm onClose={onClose} />}
    </Stack>
  )
}

function PassphraseForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('backups')
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [isLocking, setLocking] = useState(false)
  const update = useUpdateTargets()
  const isShort = passphrase.length < LEAST_LENGTH
  const isGuessed = !isShort && new Set(passphrase).size < LEAST_DIFFERENT
  const isOther = again !== '' && again !== passphrase
  async function save(): Promise<void> {
    setLocking(true)
    const made = await makeKey()
    const lockedKey = await lockKey(made, passphrase)
    setLocking(false)
    update.mutate({ recipient: made.recipient, lockedKey }, { onSuccess: onClose })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack gap="sm" mb="lg">
        <Text size="sm">{t('key.passphraseHelp')}</Text>
        <PasswordInput
          label={t('key.passphrase')}
          description={t('key.least', { count: LEAST_LENGTH })}
          autoComplete="new-password"
          dir="ltr"
          data-autofocus
          value={passphrase}
          error={isGuessed ? t('key.guessed', { count: LEAST_DIFFERENT }) : undefined}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('key.again')}
          autoComplete="new-password"
          dir="ltr"
          value={again}
          error={isOther ? t('key.other') : undefined}
          onChange={(event) => setAgain(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {t('key.lost')}
        </Text>
      </Stack>
      <FrameFooter>
        <Button type="submit" disabled={isShort || isGuessed || again !== passphrase} loading={isLocking || update.isPending}>
          {t('key.save')}
        </Button>
      </FrameFooter>
    </form>
  )
}

function KeyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('backups')
  const [made, setMade] = useState<MadeKey>()
  const [answer, setAnswer] = useState('')
  const update = useUpdateTargets()
  if (!made)
    return (
      <>
        <Text size="sm" mb="lg">
          {t('key.keyHelp')}
        </Text>
        <FrameFooter>
          <Button onClick={() => void makeKey().then(setMade)}>{t('key.make')}</Button>
        </FrameFooter>
      </>
    )
  const isRight = isAskedBack(made, answer)
  const isWrong = answer.trim().length >= ASKED_BACK && !isRight
  const file = `# ${t('key.fileComment')}\n# ${made.recipient}\n${made.identity}\n`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ recipient: made.recipient, lockedKey: null }, { onSuccess: onClose })
      }}
    >
      <Stack gap="sm" mb="lg">
        <Alert color="yellow">{t('key.once')}</Alert>
        <CopyField label={t('key.key')} value={made.identity} isWhole />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile('causeway-backup-key.txt', 'text/plain', file)}
        >
          {t('key.download')}
        </Button>
        <TextInput
          label={t('key.askBack', { count: ASKED_BACK })}
          dir="ltr"
          autoComplete="off"
          value={answer}
          error={isWrong ? t('key.wrongPart') : undefined}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {t('key.lost')}
        </Text>
      </Stack>
      <FrameFooter>
        <Button type="submit" disabled={!isRight} loading={update.isPending}>
          {t('key.save')}
        </Button>
      </FrameFooter>
    </form>
  )
}
