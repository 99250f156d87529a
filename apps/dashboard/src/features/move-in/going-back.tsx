import type { MoveIn } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { Card } from './card.tsx'
import { useMarkMoveIn } from './move-in.queries.ts'

/** Nothing of the old panel was touched: this server leaves its nodes alone, and the old one is started. */
export function GoingBack({ state }: { state: MoveIn }) {
  const { t } = useTranslation('move-in')
  const confirm = useConfirm()
  const mark = useMarkMoveIn()
  async function ask(): Promise<void> {
    const isAgreed = await confirm({ title: t('back.title'), body: t('back.body'), action: t('back.action'), isDangerous: true })
    if (isAgreed) mark.mutate({ mark: 'release' })
  }
  return (
    <Card title={t('back.heading')}>
      <Text size="sm">{t(state.isHeld ? 'back.held' : 'back.help')}</Text>
      {!state.isHeld && (
        <Button
          variant="default"
          mt="sm"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          loading={mark.isPending}
          disabled={state.running !== null}
          onClick={() => void ask()}
        >
          {t('back.action')}
        </Button>
      )}
    </Card>
  )
}
