import type { Node, NodeJoin, Reply, makeJoinCode } from '@causeway/contract'
import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../../lib/numbers/formats.ts'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { useLingering } from '../../../ui/use-lingering.ts'
import { nodeQuery } from '../nodes.queries.ts'
import { JoinSteps } from './join-steps.tsx'
import { joinQuery, useMakeJoinCode } from './joining.queries.ts'

const PROCESSORS = 2

/** A machine becomes the node by one line; its steps are followed. */
export function JoinNodeModal() {
  const { t } = useTranslation('joining')
  const dialog = useDialog('join')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('title')} width={720}>
      {uuid !== undefined && <Joining key={uuid} uuid={uuid} />}
    </ModalFrame>
  )
}

function Joining({ uuid }: { uuid: string }) {
  const node = useQuery(nodeQuery(uuid))
  const join = useQuery(joinQuery(uuid, true))
  const error = node.error ?? join.error
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([node.refetch(), join.refetch()])} />
  if (!node.data || !join.data) return <Skeleton height={240} />
  return <Line node={node.data} state={join.data} />
}

function Line({ node, state }: { node: Node; state: NodeJoin }) {
  const { t } = useTranslation('joining')
  const make = useMakeJoinCode()
  const made = make.data
  const [isCalling, setCalling] = useState(state.join?.isCalling ?? state.identity.isCalling)
  const hasNoFiles = state.missing.length === PROCESSORS
  return (
    <Stack gap="md">
      <Text size="sm">{t('what', { name: node.name, port: node.port ?? 443 })}</Text>
      {state.missing.length > 0 && (
        <Alert color={hasNoFiles ? 'red' : 'yellow'} icon={<IconAlertTriangle aria-hidden />}>
          {t(hasNoFiles ? 'noFiles' : 'someFiles', { names: state.missing.join(', ') })}
        </Alert>
      )}
      <Switch
        label={t('calling.label')}
        description={t('calling.help')}
        checked={isCalling}
        onChange={(event) => {
          setCalling(event.currentTarget.checked)
          make.reset() // a line that was made before is for the other way
        }}
      />
      {made && <MadeLine made={made} />}
      <Group gap="sm">
        <Button
          leftSection={<IconTerminal2 size={16} aria-hidden />}
          variant={made ? 'default' : 'filled'}
          loading={make.isPending}
          disabled={hasNoFiles}
          onClick={() => make.mutate({ uuid: node.uuid, isCalling })}
        >
          {t(made || state.join ? 'makeAnother' : 'make')}
        </Button>
        {!made && state.join && (
          <Text size="xs" c="dimmed" style={{ flex: 1, minWidth: '12rem' }}>
            {t('shownOnce')}
          </Text>
        )}
      </Group>
      {state.join && <JoinSteps join={state.join} node={node} />}
    </Stack>
  )
}

type Program = keyof Reply<typeof makeJoinCode>['lines']
const PROGRAMS: readonly Program[] = ['curl', 'wget', 'proxy']

function MadeLine({ made }: { made: Reply<typeof makeJoinCode> }) {
  const { t, i18n } = useTranslation('joining')
  const [program, setProgram] = useState<Program>('curl')
  const time = dateFormat(i18n.language, { timeStyle: 'short' }).format(new Date(made.expiresAt))
  const isPlain = made.url.startsWith('http:')
  return (
    <div>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('program.label')}
        value={program}
        onChange={setProgram}
        data={PROGRAMS.map((value) => ({ value, label: t(`program.${value}`) }))}
      />
      <CopyField label={t('line')} value={made.lines[program]} isWhole />
      <Text size="xs" c="dimmed" mt={4}>
        {t('validUntil', { time })}
      </Text>
      {isPlain && (
        <Alert color="yellow" mt="sm" icon={<IconAlertTriangle aria-hidden />}>
          {t('plainHttp')}
        </Alert>
      )}
    </div>
  )
}
