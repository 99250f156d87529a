import { NODE_PARTS, type NodePart, type NodeUpdates } from '@causeway/contract'
import { Alert, Button, Checkbox, Group, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DateEntry } from '../../../lib/time/date-entry.ts'
import { isUntaken } from '../../../lib/untaken.ts'
import { DateField } from '../../../ui/calendar/date-field.tsx'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { nodeUpdatesQuery, useStartNodeUpdate } from './node-updates.queries.ts'
import { heldVersion, isolated, onlineOn, updatableNodes } from './node-updates.rules.ts'

/** Which nodes get a part, and when. */
export function StartUpdateModal() {
  const { t } = useTranslation('node-updates')
  const dialog = useDialog('update')
  const part = useLingering(NODE_PARTS.find((name) => name === dialog.value))
  const updates = useQuery({ ...nodeUpdatesQuery(), enabled: dialog.value !== undefined })
  const title = part && t('modalTitle', { part: t(`part.${part}`), version: isolated(updates.data?.carried[part] ?? '') })
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={title ?? t('title')} width={560}>
      {updates.isError && <ErrorState error={updates.error} onRetry={() => void updates.refetch()} />}
      {updates.isPending && <Skeleton height={240} />}
      {part && updates.data && <StartUpdate part={part} updates={updates.data} onClose={dialog.close} />}
    </ModalFrame>
  )
}

function StartUpdate({ part, updates, onClose }: { part: NodePart; updates: NodeUpdates; onClose: () => void }) {
  const { t } = useTranslation('node-updates')
  const [now] = useState(() => new Date())
  const nodes = updatableNodes(updates, part)
  // Those that are left out; others may appear while the dialog is open.
  const [left, setLeft] = useState<readonly string[]>([])
  const [isLater, setLater] = useState(false)
  const [entry, setEntry] = useState<DateEntry>(() => nightAfter(now))
  const start = useStartNodeUpdate({ onStarted: onClose })
  const chosen = nodes.map(({ uuid }) => uuid).filter((uuid) => !left.includes(uuid))
  const beginsAt = entry === null || entry === '' || isUntaken(entry) ? undefined : dayjs(entry).toISOString()
  const toggle = (uuid: string) =>
    setLeft((before) => (before.includes(uuid) ? before.filter((one) => one !== uuid) : [...before, uuid]))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate({ part, nodeUuids: chosen, ...(isLater && { beginsAt }) })
      }}
    >
      <Stack gap="md">
        {part === 'agent' ? (
          <Alert color="blue" icon={<IconInfoCircle aria-hidden />}>
            {t('agent')}
          </Alert>
        ) : (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            {t('core', { count: onlineOn(nodes, chosen) })}
            {part === 'geo' && <div>{t('geoCheck')}</div>}
          </Alert>
        )}
        <Text size="sm">{t('how')}</Text>
        <Checkbox.Group label={t('nodes')} value={chosen}>
          <Stack gap="xs" mt="xs" mah="14rem" style={{ overflow: 'auto' }}>
            {nodes.map((node) => (
              <Checkbox
                key={node.uuid}
                value={node.uuid}
                onChange={() => toggle(node.uuid)}
                label={
                  <Group gap="xs">
                    <CountryFlag code={node.countryCode} />
                    <bdi>{node.name}</bdi>
                    <Text size="xs" c="dimmed" component="span">
                      {t('from', {
                        from: isolated(heldVersion(node, part) || t('none')),
                        to: isolated(updates.carried[part] ?? ''),
                      })}
                      {' · '}
                      {t('online', { count: node.usersOnline })}
                    </Text>
                  </Group>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Radio.Group label={t('when')} value={isLater ? 'later' : 'now'} onChange={(when) => setLater(when === 'later')}>
          <Group gap="md" mt="xs">
            <Radio value="now" label={t('now')} />
            <Radio value="later" label={t('later')} />
          </Group>
        </Radio.Group>
        {isLater && <DateField label={t('time')} withTime value={entry} onChange={setEntry} minDate={now} />}
        <Group justify="flex-end">
          <Button type="submit" loading={start.isPending} disabled={chosen.length === 0 || (isLater && beginsAt === undefined)}>
            {t('start', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Few people are online then. */
function nightAfter(now: Date): string {
  const night = dayjs(now).hour(4).minute(0).second(0)
  return (night.isAfter(now) ? night : night.add(1, 'day')).format('YYYY-MM-DD HH:mm:ss')
}
