import { PAGE_PLATFORMS } from '@causeway/contract'
import { Button, Menu, Tabs, Text, UnstyledButton } from '@mantine/core'
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { OrderList } from '../../ui/rows/order-list.tsx'
import { addApp, duplicateApp, moveApp, removeApp, selectPlatform, shownApps, type Editor } from './page-editor.rules.ts'
import classes from './subscription-page.module.css'

/** A new app is in the list before it is opened, so that one sees where it went. */
const SELECT_DELAY_MS = 100

interface Props {
  editor: Editor
  onChange: (change: (editor: Editor) => Editor) => void
}

export function AppList({ editor, onChange }: Props) {
  const { t } = useTranslation('subscription-page')
  const apps = shownApps(editor)

  function add(): void {
    const place = apps.length
    onChange((before) => addApp(before, new Date()))
    setTimeout(
      () => onChange((before) => (before.config[before.platform][place] ? { ...before, selected: place } : before)),
      SELECT_DELAY_MS,
    )
  }
  return (
    <section aria-label={t('apps')} className={classes['apps']}>
      <Tabs
        value={editor.platform}
        onChange={(value) => {
          const platform = PAGE_PLATFORMS.find((one) => one === value)
          if (platform) onChange((before) => selectPlatform(before, platform))
        }}
      >
        <Tabs.List grow mb="xs">
          {PAGE_PLATFORMS.map((platform) => (
            <Tabs.Tab key={platform} value={platform}>
              {t(`platform.${platform}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <OrderList
        label={t('apps')}
        count={apps.length}
        isChoice
        nameOf={(place) => apps[place]?.name ?? ''}
        handleLabel={(place) => t('move', { name: apps[place]?.name })}
        onMove={(from, to) => onChange((before) => moveApp(before, from, to))}
      >
        {(place) => {
          const { name = '', urlScheme = '' } = apps[place] ?? {}
          return (
            <div className={classes['app']} data-selected={editor.selected === place || undefined}>
              <UnstyledButton
                className={classes['appName']!}
                aria-current={editor.selected === place || undefined}
                onClick={() => onChange((before) => ({ ...before, selected: place }))}
              >
                <Text size="sm" fw={600} truncate dir="auto">
                  {name}
                </Text>
                <Text size="xs" c="dimmed" truncate dir="auto">
                  {urlScheme === '' ? t('noScheme') : urlScheme}
                </Text>
              </UnstyledButton>
              <RowMenu label={t('actions', { name })} isBusy={false}>
                <Menu.Item
                  leftSection={<IconCopy size={16} aria-hidden />}
                  onClick={() => onChange((before) => duplicateApp(before, place, new Date()))}
                >
                  {t('duplicate')}
                </Menu.Item>
                <Menu.Item
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => onChange((before) => removeApp(before, place))}
                >
                  {t('remove')}
                </Menu.Item>
              </RowMenu>
            </div>
          )
        }}
      </OrderList>
      <Button variant="default" fullWidth mt="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
        {t('add')}
      </Button>
    </section>
  )
}
