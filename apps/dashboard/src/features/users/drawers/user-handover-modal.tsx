import type { User } from '@causeway/contract'
import { Button, Group, Select, Stack, Textarea } from '@mantine/core'
import { IconCheck, IconCopy, IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import i18n from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '../../../lib/languages.ts'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { expirationText } from '../../../lib/time/dates.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { useCopy } from '../../../ui/inputs/use-copy.ts'
import { QrCode } from '../../../ui/qr-code.tsx'
import { useDateFallbacks } from '../form/use-date-fallbacks.ts'
import { UserModal } from '../user-modal.tsx'
import classes from './user-overview.module.css'

/** Shows what goes to a customer: the link, its code, and a message in the customer's language. */
export function UserHandoverModal() {
  const { t } = useTranslation('users')
  return (
    <UserModal dialog="handover" title={(name) => t('handover.title', { name })} width={560} height={320}>
      {(user) => <Handover user={user} />}
    </UserModal>
  )
}

function Handover({ user }: { user: User }) {
  const { t, i18n: reader } = useTranslation('users')
  const [language, setLanguage] = useState<string>(
    LANGUAGES.find(({ code }) => reader.language.startsWith(code))?.code ?? LANGUAGES[0].code,
  )
  const message = useMessage(user, language)
  const { isCopied, copy } = useCopy()
  return (
    <Stack gap="sm" pb="md">
      <div className={classes['link']}>
        <div className={classes['linkText']}>
          <CopyField label={t('field.subscriptionUrl')} value={user.subscriptionUrl} />
          <Select
            mt="sm"
            label={t('handover.language')}
            data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
            value={language}
            onChange={(value) => setLanguage(value ?? language)}
            allowDeselect={false}
          />
        </div>
        <div className={classes['qr']}>
          <QrCode text={user.subscriptionUrl} label={t('qr.label', { name: user.username })} />
        </div>
      </div>
      <Textarea
        label={t('handover.message')}
        value={message ?? ''}
        readOnly
        autosize
        minRows={4}
        dir={language === 'fa' ? 'rtl' : 'ltr'}
        aria-busy={message === undefined}
      />
      <Group gap="xs">
        <Button
          leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          disabled={message === undefined}
          onClick={() => message !== undefined && void copy(message)}
          data-autofocus
        >
          {isCopied ? t('handover.copied') : t('handover.copy')}
        </Button>
        {'share' in navigator && (
          <Button
            variant="default"
            leftSection={<IconShare size={16} aria-hidden />}
            disabled={message === undefined}
            // Closing the system's sheet without choosing is no failure.
            onClick={() => message !== undefined && void navigator.share({ text: message }).catch(() => undefined)}
          >
            {t('handover.share')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** The message in a language whose texts may have to be fetched first. */
function useMessage(user: User, language: string): string | undefined {
  const fallbacks = useDateFallbacks()
  const texts = useQuery({
    queryKey: ['textsOf', language],
    staleTime: Infinity,
    queryFn: async () => {
      await i18n.loadLanguages(language)
      return language
    },
  })
  if (texts.data !== language) return undefined
  const t = i18n.getFixedT(language, 'users')
  const limit =
    user.trafficLimitBytes === 0
      ? t('handover.unlimited')
      : t(`handover.limit.${user.trafficLimitStrategy}`, { limit: formatBytes(user.trafficLimitBytes, language) })
  const end = expirationText(user.expireAt, language, fallbacks)
  const lines = [
    t('handover.greeting'),
    user.subscriptionUrl,
    end === '∞' ? t('handover.endless') : t('handover.until', { date: end }),
    limit,
    t('handover.how'),
  ]
  return lines.join('\n')
}
