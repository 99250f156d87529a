import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TableFormat } from '../lib/save-file.ts'
import { MenuButton } from './menu-button.tsx'

interface Props {
  onExport: (format: TableFormat) => void
  /** The number of rows that are exported, where it is known. */
  count?: number | undefined
  isBusy?: boolean
  isCompact?: boolean
  /** Name of the exported list, where a page has several. */
  label?: string
}

/** Takes a list along, for a spreadsheet or for a program. */
export function ExportMenu({ onExport, count, isBusy = false, isCompact = false, label }: Props) {
  const { t } = useTranslation('ui')
  return (
    <MenuButton
      position="bottom-end"
      button={(props) => (
        <Button
          {...props}
          {...(label === undefined ? {} : { 'aria-label': label })}
          variant="default"
          {...(isCompact ? { size: 'compact-sm' } : {})}
          leftSection={<IconDownload size={isCompact ? 14 : 16} aria-hidden />}
          loading={isBusy}
          disabled={count === 0}
        >
          {t('export.open')}
        </Button>
      )}
    >
      <Menu.Dropdown>
        {count !== undefined && <Menu.Label>{t('export.rows', { count })}</Menu.Label>}
        <Menu.Item onClick={() => onExport('csv')}>{t('export.csv')}</Menu.Item>
        <Menu.Item onClick={() => onExport('json')}>{t('export.json')}</Menu.Item>
      </Menu.Dropdown>
    </MenuButton>
  )
}
