import type { SavedView } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { useCopy } from '../../../ui/inputs/use-copy.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { usersViewsQuery } from './users-views.queries.ts'
import classes from '../users.module.css'
import { GROUP_VIEWS, isSameList, TRAFFIC_VIEWS } from './ready-views.ts'

const NONE: SavedView[] = []

/** The lists that are looked at again and again, by name. The button says which one is shown. */
export function ViewsMenu({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('views')
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { data } = useQuery(usersViewsQuery())
  const saved = data?.views ?? NONE
  const navigate = useNavigate()
  const dialog = useDialog('views')
  const { isCopied, copy } = useCopy()
  const { t: ui } = useTranslation('ui')
  const shown =
    saved.find((view) => isSameList(view.search, search))?.name ??
    [...GROUP_VIEWS, ...TRAFFIC_VIEWS].filter((view) => isSameList(view.search, search)).map(({ id }) => t(`ready.${id}`))[0]

  const item = (key: string, name: string, target: Record<string, string>) => {
    const isShown = isSameList(target, search)
    return (
      <Menu.Item
        key={key}
        // A view begins on its first page.
        onClick={() => void navigate({ to: '/dashboard/management/users', search: { ...target, page: '1' } })}
        aria-current={isShown ? 'true' : undefined}
        rightSection={isShown ? <IconCheck size={14} aria-hidden /> : undefined}
      >
        <bdi>{name}</bdi>
      </Menu.Item>
    )
  }
  return (
    <MenuButton
      position="bottom-end"
      width={280}
      withInitialFocusPlaceholder={false}
      button={(props) => (
        <Button
          {...props}
          variant="default"
          className={className}
          leftSection={<IconBookmark size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={shown === undefined ? t('open') : t('openShown', { name: shown })}
        >
          <bdi>{shown ?? t('open')}</bdi>
        </Button>
      )}
    >
      <Menu.Dropdown>
        <div className={classes['viewsList']}>
          {item('all', t('ready.all'), {})}
          {saved.length > 0 && <Menu.Label>{t('saved')}</Menu.Label>}
          {saved.map(({ uuid, name, search: kept }) => item(uuid, name, kept))}
          <Menu.Label>{t('group')}</Menu.Label>
          {GROUP_VIEWS.map(({ id, search: kept }) => item(id, t(`ready.${id}`), kept))}
          <Menu.Label>{t('traffic')}</Menu.Label>
          {TRAFFIC_VIEWS.map(({ id, search: kept }) => item(id, t(`ready.${id}`), kept))}
        </div>
        <Menu.Divider />
        <Menu.Item onClick={() => dialog.open('save')}>{t('save')}</Menu.Item>
        <Menu.Item closeMenuOnClick={false} onClick={() => void copy(location.href)}>
          {isCopied ? ui('copied') : t('copy')}
        </Menu.Item>
        {saved.length > 0 && <Menu.Item onClick={() => dialog.open('manage')}>{t('manage')}</Menu.Item>}
      </Menu.Dropdown>
    </MenuButton>
  )
}
