import type { Permission } from '@causeway/contract'
import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unreachableHost } from '../../../lib/own-address.ts'
import { DAY_MS } from '../../../lib/time/calendar.ts'
import { FormFooter, FrameFooter, ModalFrame, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { useCreateLimitedApiToken } from '../../api-tokens/api-tokens.queries.ts'
import { wallLink } from '../wall.rules.ts'

/** Asks for a name and an end, then shows the link of a wall, once. */
export function WallLinkModal() {
  const { t } = useTranslation('wall')
  const { value, close } = useDialog('wall')
  return (
    <ModalFrame isOpen={value !== undefined} onClose={close} title={t('link.title')} width={520}>
      <WallLink onClose={close} />
    </ModalFrame>
  )
}

function WallLink({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string>()
  return token === undefined ? <LinkForm onCreated={setToken} /> : <MadeLink token={token} onClose={onClose} />
}

/** Days after which a link ends by itself; none: never. */
const ENDS = ['30', '90', '365', 'never'] as const
type End = (typeof ENDS)[number]

function LinkForm({ onCreated }: { onCreated: (token: string) => void }) {
  const { t } = useTranslation('wall')
  const id = useId()
  const form = useForm({
    initialValues: { tokenName: t('link.defaultName'), end: '365' as End },
    validate: { tokenName: (name) => (name.trim() === '' ? t('link.nameless') : null) },
  })
  const create = useCreateLimitedApiToken({ form, onCreated: ({ token }) => onCreated(token) })
  useFrameDirty(form.isDirty())

  function send({ tokenName, end }: { tokenName: string; end: End }): void {
    create.mutate({ tokenName: tokenName.trim(), expiresAt: endAt(end), permissions: [WALL_PERMISSION], isShownOnce: true })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('link.about')}</Text>
        <TextInput
          label={t('link.name')}
          description={t('link.nameHint')}
          required
          data-autofocus
          maxLength={MOST_LETTERS}
          {...form.getInputProps('tokenName')}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id={id}>
            {t('link.end')}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby={id}
            data={ENDS.map((end) => ({
              value: end,
              label: end === 'never' ? t('link.never') : t('link.days', { count: Number(end) }),
            }))}
            {...form.getInputProps('end')}
          />
        </div>
      </Stack>
      <FormFooter action={t('link.create')} isBusy={create.isPending} isDisabled={false} />
    </form>
  )
}

function endAt(end: End): string | null {
  return end === 'never' ? null : new Date(Date.now() + Number(end) * DAY_MS).toISOString()
}

/** The only thing that the token of a wall opens. */
const WALL_PERMISSION: Permission = 'wall.read'
const MOST_LETTERS = 255

function MadeLink({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation('wall')
  const { t: ui } = useTranslation('ui')
  const link = wallLink(location.origin, token)
  return (
    <>
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('link.once')}</Text>
        <CopyField label={t('link.link')} value={link} isWhole isNext />
        {unreachableHost(link) !== undefined && <Alert color="yellow">{t('link.unreachable')}</Alert>}
        <div style={{ width: '14rem', marginInline: 'auto' }}>
          <QrCode text={link} label={t('link.qr')} />
        </div>
      </Stack>
      <FrameFooter>
        <Button variant="default" component="a" href={link} target="_blank" rel="noreferrer">
          {t('link.open')}
        </Button>
        <Button onClick={onClose}>{ui('close')}</Button>
      </FrameFooter>
    </>
  )
}
