import type { DoctorFinding, DoctorState } from '@causeway/contract'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import { doctorQuery } from './doctor.queries.ts'
import { byCheck, type Examined } from './doctor.rules.ts'
import classes from './doctor.module.css'

const STATE_COLORS: Record<DoctorState, StatusColor> = { bad: 'red', warning: 'yellow', unknown: 'gray', ok: 'teal' }

/** What `causeway doctor` says of this installation. */
export default function DoctorPage() {
  const { t } = useTranslation('doctor')
  const examined = useQuery(doctorQuery())
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={<RefreshButton label={t('refresh')} onRefresh={() => void examined.refetch()} />}
      />
      {examined.data && <Findings checks={byCheck(examined.data.findings)} />}
      {examined.isPending && <LoadingRows />}
      {examined.isError && !examined.data && <ErrorState error={examined.error} onRetry={() => void examined.refetch()} />}
    </>
  )
}

function Findings({ checks }: { checks: readonly Examined[] }) {
  const { t, i18n } = useTranslation('doctor')
  const count = checks.filter(({ state }) => state === 'bad' || state === 'warning').length
  const isWell = count === 0
  return (
    <div className={classes['page']}>
      <Alert
        color={isWell ? 'teal' : 'yellow'}
        icon={isWell ? <IconCircleCheck size={20} aria-hidden /> : <IconAlertTriangle size={20} aria-hidden />}
        title={isWell ? t('well') : t('wrong', { count })}
      />
      <ul className={classes['checks']}>
        {checks.map(({ check, state, findings }) => (
          <li key={check} className={classes['check']}>
            <span className={classes['head']}>
              <span className={classes['name']}>{t(`check.${check}`)}</span>
              <StatusBadge color={STATE_COLORS[state]} label={t(`state.${state}`)} />
            </span>
            <div className={classes['sentences']}>
              {findings.map((finding) => (
                <Text key={JSON.stringify(finding)} size="sm" c={finding.state === 'ok' ? 'dimmed' : 'bright'} dir="auto">
                  {t(`finding.${finding.finding}`, formatValues(finding.values, i18n.language, i18n.dir()))}
                </Text>
              ))}
              {findings
                .map(commandOf)
                .map((command) => command && <CopyField key={command} label={t('run')} value={command} isWhole />)}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Instants in the reader's language. Paths and addresses keep their direction among words that are read from the right. */
function formatValues(values: DoctorFinding['values'], language: string, direction: string): DoctorFinding['values'] {
  const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const show = (value: string | number) => {
    if (typeof value === 'number') return value
    const text = /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? instant.format(new Date(value)) : value
    return direction === 'rtl' ? `\u2068${text}\u2069` : text
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, show(value)]))
}

/** A remedy to be typed into a terminal of the server. */
function commandOf({ finding, values }: DoctorFinding): string | undefined {
  return finding === 'fileOpen' ? `chmod ${values['shouldBe']} '${values['path']}'` : undefined
}
