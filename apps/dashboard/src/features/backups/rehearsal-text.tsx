import type { KeptBackup } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { shortDuration } from '../../lib/time/durations.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import classes from './backups.module.css'

/** When a backup was restored to a scratch place and compared with its source, and by what. */
export function RehearsalText({ backup: { rehearsal } }: { backup: Pick<KeptBackup, 'rehearsal'> }) {
  const { t, i18n } = useTranslation('backups')
  if (!rehearsal) return t('rehearsal.none')
  const rows = Object.values(rehearsal.rowsByTable).reduce((sum, count) => sum + count, 0)
  const tables = Object.keys(rehearsal.rowsByTable).length
  const compared = t('rehearsal.compared', {
    rows: numberFormat(i18n.language).format(rows),
    tables: numberFormat(i18n.language).format(tables),
    time: shortDuration(Math.max(1, rehearsal.seconds), i18n.language),
  })
  return (
    <>
      {t('rehearsal.restorable')} · <RelativeTime at={rehearsal.at} />
      <span className={classes['figures']}>{compared}</span>
    </>
  )
}
