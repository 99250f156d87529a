import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { FrameFooter, ModalFrame } from '../../../ui/frames/frames.tsx'
import { type KeyPair, keyPairText, makeKeyPair } from './key-pair.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Where the private key can be put to use at once, such as an editor's cursor. */
  onInsert?: (pair: KeyPair) => void
}

/** A key pair for REALITY, made in the browser and sent nowhere. */
export function KeyPairModal({ isOpen, onClose, onInsert }: Props) {
  const { t } = useTranslation('config-profiles')
  return (
    <ModalFrame isOpen={isOpen} onClose={onClose} title={t('keyPair.title')} width={520}>
      <Pair {...(onInsert && { onInsert })} />
    </ModalFrame>
  )
}

/** Mounted with the dialog, so that each opening has a pair of its own. */
function Pair({ onInsert }: Pick<Props, 'onInsert'>) {
  const { t } = useTranslation('config-profiles')
  const [pair, setPair] = useState<KeyPair>()
  const [round, setRound] = useState(0)

  // The browser makes keys in its own time.
  useEffect(() => {
    let isWanted = true
    void makeKeyPair().then((made) => isWanted && setPair(made))
    return () => {
      isWanted = false
    }
  }, [round])

  return (
    <>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('keyPair.hint')}
        </Text>
        {pair === undefined ? (
          <Skeleton height={224} />
        ) : (
          <>
            <CopyField label={t('keyPair.publicKey')} value={pair.publicKey} isWhole />
            <CopyField label={t('keyPair.privateKey')} value={pair.privateKey} isWhole />
            <CopyField label={t('keyPair.both')} value={keyPairText(pair)} isWhole />
          </>
        )}
      </Stack>
      <FrameFooter>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => setRound((count) => count + 1)}
        >
          {t('keyPair.another')}
        </Button>
        {onInsert !== undefined && pair !== undefined && <Button onClick={() => onInsert(pair)}>{t('keyPair.insert')}</Button>}
      </FrameFooter>
    </>
  )
}
