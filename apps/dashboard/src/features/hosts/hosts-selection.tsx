import { updateHost, type Inbound } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { showWarning } from '../../api/toasts.ts'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { FrameFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { PortField } from '../../ui/inputs/number-field.tsx'
import { useNumberSentence } from '../../ui/inputs/use-number-sentence.ts'
import { PORT_RULE, type NumberEntry } from '../../lib/numbers/number-entry.ts'
import { SelectionBar } from '../../ui/rows/selection-bar.tsx'
import { InboundPickerDrawer } from '../config-profiles/parts/inbound-picker-drawer.tsx'
import { Planned, usePlanned } from '../config-profiles/parts/planned.tsx'
import { useBulkHosts } from './hosts.queries.ts'

const PICKER_WIDTH = 450
const REFUSAL_MS = 2000

interface Props {
  uuids: string[]
  total: number
  onSelectAll: () => void
  onClear: () => void
}

/** Actions on all selected hosts at once. */
export function HostsSelection({ uuids, total, onSelectAll, onClear }: Props) {
  const { t } = useTranslation('hosts')
  const { t: ui } = useTranslation('ui')
  const confirmDelete = useConfirmDelete()
  const bulk = useBulkHosts()
  const { ask } = usePlanned()
  const [open, setOpen] = useState<'port' | 'inbound'>()
  const close = () => setOpen(undefined)

  async function askAndDelete(): Promise<void> {
    const body = <Planned change={{ deleteHosts: { uuids } }}>{t('bulk.deleteBody')}</Planned>
    if (await confirmDelete(t('bulk.deleteTitle', { count: uuids.length }), body)) bulk.remove.mutate({ uuids })
  }
  async function disable(): Promise<void> {
    const words = { title: t('bulk.disableTitle', { count: uuids.length }), action: t('bulk.disable') }
    if ((await ask({ saveHosts: { uuids, isDisabled: true } }, words)) !== 'refused') bulk.disable.mutate({ uuids })
  }
  async function setInbound([inbound]: readonly Inbound[]): Promise<void> {
    if (inbound === undefined) return
    const words = { title: t('bulk.inboundTitle', { count: uuids.length }), action: t('bulk.setInbound') }
    if ((await ask({ saveHosts: { uuids, inboundUuid: inbound.uuid } }, words)) === 'refused') return
    bulk.setInbound.mutate({ uuids, configProfileUuid: inbound.profileUuid, configProfileInboundUuid: inbound.uuid })
  }
  return (
    <SelectionBar label={t('bulk.label')}>
      <Text size="sm" fw={600} role="status">
        {t('bulk.selected', { count: uuids.length })}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {t('bulk.clear')}
      </Button>
      {uuids.length < total && (
        <Button variant="subtle" size="compact-sm" onClick={onSelectAll}>
          {t('bulk.selectAll')}
        </Button>
      )}
      <May call={updateHost}>
        <Button variant="default" size="compact-md" loading={bulk.enable.isPending} onClick={() => bulk.enable.mutate({ uuids })}>
          {t('bulk.enable')}
        </Button>
        <Button variant="default" size="compact-md" loading={bulk.disable.isPending} onClick={() => void disable()}>
          {t('bulk.disable')}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => setOpen('port')}>
          {t('bulk.setPort')}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => setOpen('inbound')}>
          {t('bulk.setInbound')}
        </Button>
        <Button color="red.7" size="compact-md" loading={bulk.remove.isPending} onClick={() => void askAndDelete()}>
          {ui('delete')}
        </Button>
      </May>
      <ModalFrame isOpen={open === 'port'} onClose={close} title={t('bulk.setPort')} width={380}>
        <PortForm
          isSending={bulk.setPort.isPending}
          onPort={(port) => bulk.setPort.mutate({ uuids, port }, { onSuccess: close })}
        />
      </ModalFrame>
      <InboundPickerDrawer
        isOpen={open === 'inbound'}
        onClose={close}
        mode="single"
        initial={[]}
        width={PICKER_WIDTH}
        onApply={(chosen) => void setInbound(chosen)}
        missing={t('bulk.inboundMissing')}
        onRefuseAll={() => showWarning(t('bulk.notSupported'), t('bulk.oneInbound'), REFUSAL_MS)}
      />
    </SelectionBar>
  )
}

function PortForm({ isSending, onPort }: { isSending: boolean; onPort: (port: number) => void }) {
  const { t } = useTranslation('hosts')
  const sentenceOf = useNumberSentence()
  const [port, setPort] = useState<NumberEntry>('')
  const [error, setError] = useState<string>()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const problem = sentenceOf(port, PORT_RULE)
        if (typeof port === 'number' && problem === null) onPort(port)
        else setError(problem ?? t('problem.port'))
      }}
    >
      <PortField
        label={t('field.port')}
        required
        data-autofocus
        mb="lg"
        value={port}
        error={error}
        onChange={(next) => {
          setPort(next)
          setError(undefined)
        }}
      />
      <FrameFooter>
        <Button type="submit" loading={isSending}>
          {t('bulk.setPort')}
        </Button>
      </FrameFooter>
    </form>
  )
}
