import { Button, Menu, Text } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet, IconPhoto } from '@tabler/icons-react'
import { useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { saveBlob, saveCsv } from '../../lib/save-file.ts'
import type { Drawing } from './chart-canvas.tsx'
import { chartRows, fileName } from './chart-export.ts'
import { chartPng } from './chart-png.ts'
import { periodName, type ChartFigures } from './chart-unit.ts'
import { MenuButton } from '../menu-button.tsx'

interface Props {
  figures: ChartFigures
  /** Empty while the figures are shown as a table. */
  drawingRef: RefObject<Drawing | undefined>
  isTable: boolean
}

/** Takes the figures along for a spreadsheet, or the drawing for a letter. */
export function ChartExportMenu({ figures, drawingRef, isTable }: Props) {
  const { label, days, series, drawn, unit, line, colorOf } = figures
  const { t, i18n } = useTranslation('chart')
  const [hasFailed, setFailed] = useState(false)

  function takeFigures(): void {
    const period = t(`table.${unit.period === 'day' && unit.isLocal ? 'localDay' : unit.period}`)
    saveCsv(fileName(label, days, 'csv'), chartRows(days, series, { period, total: t('table.total') }, line, unit.isApart))
  }

  async function takePicture(): Promise<void> {
    const drawing = drawingRef.current?.picture()
    if (drawing === undefined) return
    const style = getComputedStyle(document.body)
    const [from, to] = [days[0], days.at(-1)].map((day) => periodName(day ?? '', unit, i18n.language, 'row'))
    try {
      const file = await chartPng({
        drawing,
        title: label,
        subtitle: `${from} – ${to}`,
        entries: drawn.map(({ key, name, total }) => ({ name, value: unit.format(total, i18n.language), color: colorOf(key) })),
        isRtl: document.documentElement.dir === 'rtl',
        style: {
          text: style.getPropertyValue('--mantine-color-text'),
          dimmed: style.getPropertyValue('--mantine-color-dimmed'),
          surface: style.getPropertyValue('--mantine-color-body'),
          font: style.fontFamily,
        },
      })
      setFailed(false)
      saveBlob(fileName(label, days, 'png'), file)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <MenuButton
        position="bottom-end"
        button={(props) => (
          <Button {...props} size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            {t('export.label')}
          </Button>
        )}
      >
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileSpreadsheet size={16} aria-hidden />} onClick={takeFigures}>
            {t('export.csv')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPhoto size={16} aria-hidden />} disabled={isTable} onClick={() => void takePicture()}>
            {t('export.png')}
          </Menu.Item>
        </Menu.Dropdown>
      </MenuButton>
      {hasFailed && (
        <Text size="xs" c="var(--bad)" role="alert">
          {t('export.failed')}
        </Text>
      )}
    </>
  )
}
