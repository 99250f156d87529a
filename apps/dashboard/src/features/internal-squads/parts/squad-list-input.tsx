import { ActionIcon, Checkbox, Input, Text } from '@mantine/core'
import { IconPencil, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { internalSquadsQuery } from '../internal-squads.queries.ts'
import { searchSquads, SQUAD_DIALOG } from '../internal-squads.rules.ts'
import classes from './squad-list-input.module.css'

const ROW_ESTIMATE = 60
const OVERSCAN = 10
const MAX_HEIGHT = 200

interface Props {
  label: string
  /** Said while nothing is chosen. */
  hint?: string
  value: readonly string[]
  onChange: (uuids: string[]) => void
  error?: ReactNode
}

/** All squads to choose from: what each holds, and a way to change it without leaving the form. */
export function SquadListInput({ label, hint, value, onChange, error }: Props) {
  const { t, i18n } = useTranslation('internal-squads')
  const id = useId()
  const squads = useQuery(internalSquadsQuery())
  const [text, setText] = useState('')
  // The chosen ones stand first as the form opens, and nothing moves under the hand that chooses.
  const [first] = useState(() => new Set(value))
  const found = searchSquads(squads.data?.internalSquads ?? [], text, first)
  const number = numberFormat(i18n.language)

  function toggle(uuid: string): void {
    onChange(value.includes(uuid) ? value.filter((one) => one !== uuid) : [...value, uuid])
  }
  return (
    <div>
      <div className={classes['head']}>
        <Input.Label id={id} labelElement="div">
          {label}
        </Input.Label>
        <Text size="xs" c="dimmed">
          {value.length === 0 ? hint : t('list.chosen', { shown: number.format(value.length) })}
        </Text>
        <SearchField label={t('list.search')} onSearch={setText} size="xs" className={classes['search']!} />
      </div>
      {squads.isError && <ErrorState error={squads.error} onRetry={() => void squads.refetch()} />}
      {squads.isPending && <LoadingRows count={2} height={ROW_ESTIMATE} />}
      {squads.data && found.length === 0 && <EmptyState title={t('list.empty')} icon={IconUsersGroup} />}
      {found.length > 0 && <Rows squads={found} labelId={id} value={value} onToggle={toggle} />}
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </div>
  )
}

interface RowsProps {
  squads: ReturnType<typeof searchSquads>
  labelId: string
  value: readonly string[]
  onToggle: (uuid: string) => void
}

function Rows({ squads, labelId, value, onToggle }: RowsProps) {
  const { t } = useTranslation('internal-squads')
  const drawer = useDialog(SQUAD_DIALOG)
  const viewport = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: squads.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_ESTIMATE,
    overscan: OVERSCAN,
    getItemKey: (index) => squads[index]?.uuid ?? index,
  })
  return (
    <div ref={viewport} className={classes['viewport']} role="group" aria-labelledby={labelId} style={{ maxHeight: MAX_HEIGHT }}>
      <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const squad = squads[index]
          if (squad === undefined) return null
          const { uuid, name, info } = squad
          return (
            <div key={uuid} className={classes['row']} style={{ top: start, height: size }}>
              <Checkbox
                className={classes['check']!}
                checked={value.includes(uuid)}
                onChange={() => onToggle(uuid)}
                label={<bdi>{name}</bdi>}
                description={`${t('membersCounted', { count: info.membersCount })} · ${t('inboundsCounted', { count: info.inboundsCount })}`}
              />
              <ActionIcon aria-label={t('editNamed', { name })} onClick={() => drawer.open(uuid)}>
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            </div>
          )
        })}
      </div>
    </div>
  )
}
