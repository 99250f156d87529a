import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './bulk.module.css'

const TABS = ['update', 'actions', 'danger'] as const

/** The three kinds of bulk changes, the mildest first. */
export function BulkTabs(panels: Record<(typeof TABS)[number], ReactNode>) {
  const { t } = useTranslation('users')
  return (
    // Hidden, not suspended: what was entered under another tab still counts when the drawer is about to be closed.
    <Tabs defaultValue="update" keepMountedMode="display-none" className={classes['tabs']!}>
      <Tabs.List mb="sm">
        {TABS.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {t(`bulk.tab.${tab}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map((tab) => (
        <Tabs.Panel key={tab} value={tab} className={classes['panel']!}>
          {panels[tab]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
