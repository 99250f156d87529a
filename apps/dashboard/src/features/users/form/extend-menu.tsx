import type { User } from '@causeway/contract'
import { Button, Menu, Text } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useNow } from '../../../lib/time/now.ts'
import { useUserActions } from '../users.queries.ts'
import { useExpiryChange } from './expiry-change.tsx'
import { extensions, toInstant } from './user-form.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'

/** More time without a form: each choice says from when to when. */
export function ExtendMenu({ user, isCompact = false }: { user: User; isCompact?: boolean }) {
  const { t } = useTranslation('users')
  const change = useExpiryChange()
  const { extend } = useUserActions()
  const own = useDialog('extend')
  const now = new Date(useNow())
  return (
    <MenuButton
      position="bottom-start"
      button={(props) => (
        <Button
          {...props}
          variant="default"
          size={isCompact ? 'compact-xs' : 'sm'}
          loading={extend.isPending}
          {...(isCompact ? {} : { leftSection: <IconCalendarPlus size={16} /> })}
        >
          {t('overview.extend')}
        </Button>
      )}
    >
      <Menu.Dropdown>
        {extensions(now, dayjs(user.expireAt).format()).map(({ id, at }) => (
          <Menu.Item
            key={id}
            onClick={() => extend.mutate({ uuid: user.uuid, expireAt: toInstant(at) })}
            rightSection={
              <Text span size="xs" c="dimmed">
                {change(new Date(user.expireAt), new Date(toInstant(at)))}
              </Text>
            }
          >
            {t(`preset.${id}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => own.open(user.uuid)}>{t('extendOwn.open')}</Menu.Item>
      </Menu.Dropdown>
    </MenuButton>
  )
}
