import { importColumn, type ImportedLine, type ImportOutcome } from '@causeway/contract'
import { Button, FileInput, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../../api/rights/may.tsx'
import { inOurWords } from '../../../api/server-sentences.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { saveCsv } from '../../../lib/save-file.ts'
import { FrameFooter, ModalFrame } from '../../../ui/frames/frames.tsx'
import { LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useImportUsers, usePlanImport } from './import.queries.ts'
import classes from './import.module.css'

const WIDTH = 760
/** More lines of a kind are counted, not shown. */
const MOST_SHOWN = 200
/** Wrong lines come first. */
const OUTCOMES = ['refuse', 'create', 'update', 'same'] as const satisfies readonly ImportOutcome[]
const SAMPLE = [
  [...importColumn.options],
  ['anna', '2027-01-31', '', '50', 'MONTH', 'anna@example.com', '', 'VIP', '', '', 'Default-Squad', 'ACTIVE'],
]

/** Users from a spreadsheet: what each line would do, then a job that does it. */
export function ImportUsersModal() {
  const { t } = useTranslation('users')
  const dialog = useDialog('import')
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('import.title')} width={WIDTH}>
      <ImportForm onClose={dialog.close} />
    </ModalFrame>
  )
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('users')
  const { t: ui } = useTranslation('ui')
  const navigate = useNavigate()
  const [csv, setCsv] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const plan = usePlanImport({ setErrors: (errors) => setProblem(Object.values(errors).map(inOurWords).join(' ')) })
  const start = useImportUsers()
  const planned = plan.data
  const isReseller = Boolean(useQuery(accountQuery()).data?.reseller)
  const count = planned ? planned.counts.create + planned.counts.update : 0

  async function take(file: File | null): Promise<void> {
    plan.reset()
    setProblem(undefined)
    setCsv(undefined)
    if (!file) return
    const text = await file.text()
    setCsv(text)
    plan.mutate({ csv: text })
  }
  function begin(): void {
    if (csv === undefined || !planned) return
    start.mutate(
      { csv, expected: planned.counts },
      {
        onSuccess: ({ jobId }) =>
          void navigate({ to: '.', search: (old) => ({ ...old, import: undefined, job: jobId }), replace: true }),
      },
    )
  }
  return (
    <Stack gap="md">
      <FileInput
        label={t('import.file')}
        description={t('import.hint')}
        placeholder={t('import.choose')}
        accept=".csv,.txt,.tsv,text/csv"
        leftSection={<IconFileTypeCsv size={16} aria-hidden />}
        clearable
        clearButtonProps={{ 'aria-label': t('import.clear') }}
        error={problem}
        onChange={(file) => void take(file)}
        data-autofocus
      />
      <div>
        <Button variant="subtle" size="compact-sm" onClick={() => saveCsv('users-sample.csv', SAMPLE)}>
          {t('import.sample')}
        </Button>
      </div>
      {plan.isPending && <LoadingRows count={3} />}
      {planned && <Planned counts={planned.counts} lines={planned.lines} ignored={planned.ignored} />}
      {planned && isReseller && (
        <Text size="sm" c="dimmed">
          {t('import.othersNames')}
        </Text>
      )}
      <FrameFooter>
        <Button variant="default" onClick={onClose}>
          {ui('cancel')}
        </Button>
        <Button disabled={count === 0} loading={start.isPending} onClick={begin}>
          {t('import.start', { count })}
        </Button>
      </FrameFooter>
    </Stack>
  )
}

interface PlannedProps {
  counts: Record<ImportOutcome, number>
  lines: readonly ImportedLine[]
  ignored: readonly string[]
}

function Planned({ counts, lines, ignored }: PlannedProps) {
  const { t, i18n } = useTranslation('users')
  const [chosen, setChosen] = useState<ImportOutcome>()
  const outcome = chosen ?? OUTCOMES.find((each) => counts[each] > 0) ?? 'create'
  const number = numberFormat(i18n.language)
  const shown = lines.filter((line) => line.outcome === outcome)
  return (
    <Stack gap="xs">
      <SegmentedControl
        fullWidth
        aria-label={t('import.what')}
        value={outcome}
        onChange={setChosen}
        data={OUTCOMES.map((each) => ({
          value: each,
          label: t(`import.outcome.${each}`, { count: number.format(counts[each]) }),
        }))}
      />
      {ignored.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('import.ignored', { columns: ignored.join(', ') })}
        </Text>
      )}
      <ul className={classes['lines']} aria-label={t('import.what')}>
        {shown.slice(0, MOST_SHOWN).map((line) => (
          <li key={line.line}>
            <Group gap="xs" wrap="nowrap">
              <Text size="xs" c="dimmed" className={classes['number']!}>
                {t('import.line', { line: line.line })}
              </Text>
              <bdi className={classes['name']}>{line.username}</bdi>
              <Text size="xs" c={line.outcome === 'refuse' ? 'var(--bad)' : 'dimmed'} dir="auto">
                {line.reasons.map(inOurWords).join(' ')}
                {line.changes.join(', ')}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('import.none')}
        </Text>
      )}
      {shown.length > MOST_SHOWN && (
        <Text size="xs" c="dimmed">
          {t('import.more', { count: shown.length - MOST_SHOWN })}
        </Text>
      )}
    </Stack>
  )
}
