import type { Node, NodeJoin } from '@causeway/contract'
import { Alert, Code, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../../lib/numbers/formats.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { commandOfFailure, commandOfReason, stepRows, unreachedReason, type StepRow } from './joining.rules.ts'
import classes from './joining.module.css'

const HTTPS_PORT = 443

interface Props {
  join: NonNullable<NodeJoin['join']>
  node: Pick<Node, 'address' | 'port'>
}

/** How far a machine has come, and what holds it up. */
export function JoinSteps({ join, node }: Props) {
  const { t, i18n } = useTranslation('joining')
  const clock = dateFormat(i18n.language, { timeStyle: 'medium' })
  return (
    <div>
      <ol className={classes['steps']} aria-label={t('steps.label')} aria-live="polite">
        {stepRows(join).map(({ step, at, state }) => (
          <li key={step} className={classes['step']} data-state={state}>
            <StepIcon state={state} />
            <Text size="sm" span>
              {t(`steps.${step}`)}
            </Text>
            {at !== null && (
              <Text size="xs" c="dimmed" span className={classes['time']}>
                <time dateTime={at}>{clock.format(new Date(at))}</time>
              </Text>
            )}
          </li>
        ))}
      </ol>
      <Trouble join={join} node={node} />
    </div>
  )
}

function StepIcon({ state }: Pick<StepRow, 'state'>) {
  switch (state) {
    case 'done':
      return <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
    case 'next':
      return <Loader size={16} m={1} aria-hidden />
    case 'failed':
      return <IconCircleX size={18} color="var(--mantine-color-red-6)" aria-hidden />
    case 'later':
      return <IconCircleDashed size={18} color="var(--mantine-color-dimmed)" aria-hidden />
  }
}

function Trouble({ join, node }: Props) {
  const { t } = useTranslation('joining')
  const place = { address: node.address, port: node.port ?? HTTPS_PORT }
  const { failure } = join
  if (failure) {
    const command = commandOfFailure(failure.kind, place.port)
    return (
      <Alert color="red" mt="md" icon={<IconAlertTriangle aria-hidden />} title={t('failed')}>
        <Stack gap="xs">
          <Text size="sm">{t(`failure.${failure.kind}`, place)}</Text>
          {failure.detail !== null && (
            <Text size="sm">
              {t('said')} <Code dir="ltr">{failure.detail}</Code>
            </Text>
          )}
          {command !== undefined && <CopyField label={t('showsMore')} value={command} isWhole />}
        </Stack>
      </Alert>
    )
  }
  const reason = unreachedReason(join)
  if (reason === null) return null
  return (
    <Alert color="red" mt="md" icon={<IconAlertTriangle aria-hidden />} title={t('unreachedTitle')}>
      <Stack gap="xs">
        <Text size="sm">{t(`unreached.${reason}`, place)}</Text>
        <CopyField label={t(reason === 'closed' ? 'opens' : 'showsMore')} value={commandOfReason(reason, place)} isWhole />
      </Stack>
    </Alert>
  )
}
