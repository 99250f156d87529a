import type { LaterPageConfig, LaterPlatform } from '@causeway/contract'
import { ActionIcon, Select, SimpleGrid, Stack, Switch, Tabs, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { OrderList } from '../../ui/rows/order-list.tsx'
import { appsOf, movedApp, platformsOf, withApps, withBranding, withLook } from './page-config-form.rules.ts'
import classes from './page-configs.module.css'

const INFO_LOOKS = ['collapsed', 'expanded', 'cards', 'hidden'] as const
const GUIDE_LOOKS = ['cards', 'accordion', 'minimal', 'timeline'] as const

interface Props {
  config: LaterPageConfig
  onChange: (config: LaterPageConfig) => void
}

/** The members that are changed most; the rest is edited as text. */
export function PageConfigForm({ config, onChange }: Props) {
  const { t } = useTranslation('page-configs')
  const { brandingSettings: branding, uiConfig: look } = config
  return (
    <Stack gap="md">
      <TextInput
        label={t('field.title')}
        maxLength={255}
        value={branding.title}
        onChange={({ currentTarget }) => onChange(withBranding(config, { title: currentTarget.value }))}
      />
      <MachineTextInput
        label={t('field.logo')}
        maxLength={2000}
        value={branding.logoUrl}
        onChange={({ currentTarget }) => onChange(withBranding(config, { logoUrl: currentTarget.value }))}
      />
      <MachineTextInput
        label={t('field.support')}
        maxLength={2000}
        value={branding.supportUrl}
        onChange={({ currentTarget }) => onChange(withBranding(config, { supportUrl: currentTarget.value }))}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('field.info')}
          data={INFO_LOOKS.map((value) => ({ value, label: t(`look.${value}`) }))}
          value={look.subscriptionInfoBlockType}
          allowDeselect={false}
          onChange={(value) => value && onChange(withLook(config, { subscriptionInfoBlockType: value }))}
        />
        <Select
          label={t('field.guides')}
          data={GUIDE_LOOKS.map((value) => ({ value, label: t(`look.${value}`) }))}
          value={look.installationGuidesBlockType}
          allowDeselect={false}
          onChange={(value) => value && onChange(withLook(config, { installationGuidesBlockType: value }))}
        />
      </SimpleGrid>
      <Apps config={config} onChange={onChange} />
      <Text size="sm" c="dimmed">
        {t('restAsText')}
      </Text>
    </Stack>
  )
}

function Apps({ config, onChange }: Props) {
  const { t } = useTranslation('page-configs')
  const platforms = platformsOf(config)
  const [chosen, setChosen] = useState<LaterPlatform>()
  const shown = platforms.find((platform) => platform === chosen) ?? platforms[0]
  if (shown === undefined) return null
  return (
    <section aria-label={t('apps')}>
      <Text size="sm" fw={500} mb={4}>
        {t('apps')}
      </Text>
      <Tabs value={shown} onChange={(value) => setChosen(platforms.find((platform) => platform === value))}>
        <Tabs.List mb="xs">
          {platforms.map((platform) => (
            <Tabs.Tab key={platform} value={platform}>
              {t(`platform.${platform}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          <PlatformApps key={shown} platform={shown} config={config} onChange={onChange} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

function PlatformApps({ platform, config, onChange }: Props & { platform: LaterPlatform }) {
  const { t } = useTranslation('page-configs')
  const apps = appsOf(config, platform)
  const put = (next: typeof apps) => onChange(withApps(config, platform, next))
  if (apps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noApps')}
      </Text>
    )
  return (
    <OrderList
      label={t('apps')}
      count={apps.length}
      nameOf={(place) => apps[place]?.name ?? ''}
      handleLabel={(place) => t('moveApp', { name: apps[place]?.name })}
      onMove={(from, to) => put(movedApp(apps, from, to))}
    >
      {(place) => {
        const app = apps[place]
        if (!app) return null
        return (
          <div className={classes['app']}>
            <TextInput
              className={classes['appName']!}
              aria-label={t('appName', { number: place + 1 })}
              maxLength={255}
              value={app.name}
              onChange={({ currentTarget }) => put(apps.with(place, { ...app, name: currentTarget.value }))}
            />
            <Switch
              label={t('featured')}
              aria-label={t('featuredNamed', { name: app.name })}
              checked={app.featured ?? false}
              onChange={({ currentTarget }) => put(apps.with(place, { ...app, featured: currentTarget.checked }))}
            />
            <ActionIcon aria-label={t('removeApp', { name: app.name })} onClick={() => put(apps.toSpliced(place, 1))}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        )
      }}
    </OrderList>
  )
}
