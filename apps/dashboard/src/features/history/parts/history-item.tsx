import { listHistory } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconHistory, IconListDetails } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../../api/rights/may.tsx'
import { addressOf } from '../../../lib/page-route.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { historyRoute } from '../history.route.ts'

interface Props {
  /** The name of the thing in the history: its uuid, or the type of a template. */
  target: string
}

/** In the menu of a thing: its changes. */
export function HistoryItem({ target }: Props) {
  const { t } = useTranslation()
  const { open } = useDialog('history')
  return (
    <May call={listHistory}>
      <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => open(target)}>
        {t('nav.history')}
      </Menu.Item>
    </May>
  )
}

/** The same where there is no menu. */
export function HistoryButton({ target }: Props) {
  const { t } = useTranslation()
  const { open } = useDialog('history')
  return (
    <May call={listHistory}>
      <Button variant="subtle" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => open(target)}>
        {t('nav.history')}
      </Button>
    </May>
  )
}

/** On the page of settings, of which there is one: leads to the changes made by this action. */
export function HistoryLink({
  action,
}: {
  action: 'updateSubscriptionSettings' | 'updateInstallation' | 'publishSubscriptionPage'
}) {
  const { t } = useTranslation()
  return (
    <May call={listHistory}>
      <Button
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden />}
        renderRoot={(props) => <Link {...props} to={addressOf(historyRoute)} search={{ action }} />}
      >
        {t('nav.history')}
      </Button>
    </May>
  )
}

/** The same on the administrator's own page. */
export function ActorButton({ actor }: { actor: string }) {
  const { t } = useTranslation()
  const { open } = useDialog('did')
  return (
    <May call={listHistory}>
      <Button variant="default" leftSection={<IconListDetails size={16} aria-hidden />} onClick={() => open(actor)}>
        {t('changesMade')}
      </Button>
    </May>
  )
}

/** In the menu of a token or an administrator: the changes it has made. */
export function ActorItem({ actor }: { actor: string }) {
  const { t } = useTranslation()
  const { open } = useDialog('did')
  return (
    <May call={listHistory}>
      <Menu.Item leftSection={<IconListDetails size={16} aria-hidden />} onClick={() => open(actor)}>
        {t('changesMade')}
      </Menu.Item>
    </May>
  )
}
