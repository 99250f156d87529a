import { REASON_MAX_LENGTH, type TemplateType } from '@causeway/contract'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { SubscriptionPreview } from '../subscription-preview/parts/subscription-preview.tsx'
import type { AppId } from '../subscription-preview/subscription-preview.rules.ts'
import { toInput } from './template-text.ts'

const WIDTH = 720
/** An app of each kind, which the preview begins with. */
const APPS: Record<TemplateType, AppId> = {
  MIHOMO: 'flclash',
  STASH: 'stash',
  CLASH: 'clash',
  SINGBOX: 'sing-box',
  SINGBOX_LEGACY: 'sing-box-old',
  XRAY_JSON: 'happ',
}

interface Request {
  text: string
  reason: string
  answer: (reason: string | undefined) => void
}

/** Asks before a template is saved, with what it does and what a user would get. Resolves to the reason, or to nothing. */
export function useTemplateSaveDialog(
  type: TemplateType,
  /** Of a template that is not the default. */
  uuid?: string,
): {
  ask: (text: string, reason?: string) => Promise<string | undefined>
  dialog: ReactNode
} {
  const { t } = useTranslation('subscription-templates')
  const [asked, setAsked] = useState<Request>()
  function settle(reason: string | undefined): void {
    asked?.answer(reason)
    setAsked(undefined)
  }
  return {
    ask: (text, reason = '') => new Promise((answer) => setAsked({ text, reason, answer })),
    dialog: (
      <ModalFrame isOpen={asked !== undefined} onClose={() => settle(undefined)} title={t('plan.title')} width={WIDTH}>
        {asked && <SaveForm type={type} uuid={uuid} text={asked.text} given={asked.reason} onDecided={settle} />}
      </ModalFrame>
    ),
  }
}

interface FormProps {
  type: TemplateType
  uuid: string | undefined
  text: string
  given: string
  onDecided: (reason: string | undefined) => void
}

function SaveForm({ type, uuid, text, given, onDecided }: FormProps) {
  const { t } = useTranslation('subscription-templates')
  const { t: ui } = useTranslation('ui')
  const [reason, setReason] = useState(given)
  const [draft] = useState(() => ({ templates: [{ ...toInput(type, text), ...(uuid === undefined ? {} : { uuid }) }] }))
  return (
    <Stack gap="md">
      <Text size="sm">{t('plan.effect', { name: t(`titles.${type}`) })}</Text>
      <TextInput
        label={t('plan.reason')}
        description={t('plan.reasonHint')}
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <section aria-label={t('plan.preview')}>
        <Text fw={600} mb="xs">
          {t('plan.preview')}
        </Text>
        <SubscriptionPreview draft={draft} app={APPS[type]} />
      </section>
      <FrameFooter>
        <Button variant="default" onClick={() => onDecided(undefined)}>
          {ui('cancel')}
        </Button>
        <Button onClick={() => onDecided(reason.trim())}>{ui('save')}</Button>
      </FrameFooter>
    </Stack>
  )
}
