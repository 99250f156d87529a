import type { User } from '@causeway/contract'
import { Button, Menu, Text } from '@mantine/core'
import { IconDatabasePlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, gibToBytes } from '../../../lib/numbers/bytes.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { useUserActions } from '../users.queries.ts'
import { limitAfterAdding } from '../users.rules.ts'
import { PeriodChoice } from './period-choice.tsx'

const OFFERED_GIB = [10, 50, 100]

/** More traffic without a form: each choice says the limit that follows. */
export function AddTrafficMenu({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const { addTraffic } = useUserActions()
  const own = useDialog('addTraffic')
  const [isOnce, setOnce] = useState(true)
  const shown = (bytes: number) => formatBytes(bytes, i18n.language)
  const hasPeriods = user.trafficLimitStrategy !== 'NO_RESET'
  if (user.trafficLimitBytes === 0) return null
  return (
    <MenuButton
      position="bottom-start"
      width={300}
      button={(props) => (
        <Button {...props} variant="default" loading={addTraffic.isPending} leftSection={<IconDatabasePlus size={16} />}>
          {t('addTraffic.open')}
        </Button>
      )}
    >
      <Menu.Dropdown>
        <Menu.Label>
          {t('addTraffic.used', { used: shown(user.usedTrafficBytes), limit: shown(user.trafficLimitBytes) })}
        </Menu.Label>
        {hasPeriods && <PeriodChoice isOnce={isOnce} onChange={setOnce} />}
        {OFFERED_GIB.map((gib) => (
          <Menu.Item
            key={gib}
            onClick={() => addTraffic.mutate({ uuid: user.uuid, bytes: gibToBytes(gib), isOnce: hasPeriods && isOnce })}
            rightSection={
              <Text span size="xs" c="dimmed">
                {t('addTraffic.result', { limit: shown(limitAfterAdding(user, gibToBytes(gib))) })}
              </Text>
            }
          >
            {t('addTraffic.offer', { gib })}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => own.open(user.uuid)}>{t('addTraffic.own')}</Menu.Item>
      </Menu.Dropdown>
    </MenuButton>
  )
}
