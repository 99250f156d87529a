import { REASON_MAX_LENGTH } from '@causeway/contract'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import type { Effects } from './rules-effects.tsx'

interface Request {
  reason: string
  answer: (reason: string | undefined) => void
}

/** Asks before the rules are saved, and shows how many apps and users they change. Resolves to the reason; undefined: not saved. */
export function useRulesSaveDialog(effects: Effects | undefined): {
  ask: (reason?: string) => Promise<string | undefined>
  dialog: ReactNode
} {
  const { t } = useTranslation('response-rules')
  const [asked, setAsked] = useState<Request>()
  function settle(reason: string | undefined): void {
    asked?.answer(reason)
    setAsked(undefined)
  }
  return {
    ask: (reason = '') => new Promise((answer) => setAsked({ reason, answer })),
    dialog: (
      <ModalFrame isOpen={asked !== undefined} onClose={() => settle(undefined)} title={t('plan.title')} width={520}>
        {asked && <SaveForm effects={effects} given={asked.reason} onDecided={settle} />}
      </ModalFrame>
    ),
  }
}

interface FormProps {
  effects: Effects | undefined
  given: string
  onDecided: (reason: string | undefined) => void
}

function SaveForm({ effects, given, onDecided }: FormProps) {
  const { t } = useTranslation('response-rules')
  const { t: ui } = useTranslation('ui')
  const [reason, setReason] = useState(given)
  return (
    <Stack gap="md">
      {effects && (
        <Text size="sm">
          {t('apps.changed', { count: effects.apps.filter(({ isChanged }) => isChanged).length, total: effects.apps.length })}{' '}
          {effects.requests.userAgents > 0 && t('users.changed', { count: effects.requests.users })}
        </Text>
      )}
      <TextInput
        data-autofocus
        label={t('plan.reason')}
        description={t('plan.reasonHint')}
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <FrameFooter>
        <Button variant="default" onClick={() => onDecided(undefined)}>
          {ui('cancel')}
        </Button>
        <Button onClick={() => onDecided(reason.trim())}>{ui('save')}</Button>
      </FrameFooter>
    </Stack>
  )
}
