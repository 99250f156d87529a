import { moveInKinds, type MoveIn, type MoveInReport } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Card } from './card.tsx'
import classes from './move-in.module.css'

interface Props {
  state: Pick<MoveIn, 'source' | 'reportedAt'>
  report: MoveInReport
}

/** Findings of a rehearsal or an import: how much of each kind, and every difference with its rule. */
export function Report({ state, report }: Props) {
  const { t, i18n } = useTranslation('move-in')
  const { isDryRun, counts, findings, version } = report
  const number = numberFormat(i18n.language)
  const brought = moveInKinds.filter((kind) => counts[kind] !== undefined)
  return (
    <Card title={t(isDryRun ? 'report.rehearsal' : 'report.import')}>
      <Text size="sm" c="dimmed">
        {state.reportedAt !== null && <RelativeTime at={state.reportedAt} />} · <bdi>{report.source ?? state.source}</bdi> ·{' '}
        <bdi>{/^\d/.test(version) ? t('report.version', { version }) : version}</bdi>
      </Text>
      {isDryRun && (
        <Text size="sm" mt="xs">
          {t('report.nothingWritten')}
        </Text>
      )}
      <dl className={classes['facts']}>
        {brought.map((kind) => (
          <Fact key={kind} label={t(`kind.${kind}`)}>
            {number.format(counts[kind] ?? 0)}
          </Fact>
        ))}
      </dl>
      <Text size="sm" fw={600} mt="md">
        {t(findings.length > 0 ? 'report.differences' : 'report.noDifference')}
      </Text>
      {findings.map(({ rule, count, examples }) => (
        <details key={rule} className={classes['finding']}>
          <summary>
            {t(`rule.${rule}`)} <span className={classes['figures']}>({number.format(count)})</span>
          </summary>
          <ul>
            {examples.map((example) => (
              <li key={example}>
                <bdi dir="ltr">{example}</bdi>
              </li>
            ))}
            {count > examples.length && <li>{t('report.more', { count: count - examples.length })}</li>}
          </ul>
        </details>
      ))}
    </Card>
  )
}
