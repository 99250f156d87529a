import { updateNode, type Node } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { isComparable } from '../../ui/compare/compare.rules.ts'
import { SelectionBar } from '../../ui/rows/selection-bar.tsx'
import { NodesActionModal } from './nodes-action-modal.tsx'
import { NODE_ACTIONS, targetsOf, type NodeAction } from './nodes.rules.ts'

interface Props {
  nodes: readonly Node[]
  /** Those that the filter shows. */
  shown: readonly Node[]
  onClear: () => void
}

/** Actions on all selected nodes. */
export function NodesSelection({ nodes, shown, onClear }: Props) {
  const { t, i18n } = useTranslation('nodes')
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ action: NodeAction; nodes: readonly Node[] }>()
  const hidden = nodes.filter((node) => !shown.includes(node)).length
  const number = numberFormat(i18n.language)
  return (
    <>
      {nodes.length > 0 && (
        <SelectionBar label={t('bulk.label')}>
          <Text size="sm" fw={600} role="status">
            {t('bulk.selected', { count: nodes.length })}
            {hidden > 0 && ` ${t('bulk.hidden', { shown: number.format(hidden) })}`}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            {t('bulk.clear')}
          </Button>
          <May call={updateNode}>
            {NODE_ACTIONS.map((action) => {
              const targets = targetsOf(action, nodes)
              return (
                <Button
                  key={action}
                  variant="default"
                  size="compact-md"
                  disabled={targets.length === 0}
                  title={targets.length === 0 ? t(`bulk.none.${action}`) : undefined}
                  onClick={() => setOpen({ action, nodes: targets })}
                >
                  {t(`bulk.action.${action}`)}
                </Button>
              )
            })}
          </May>
          <Button
            variant="default"
            size="compact-md"
            disabled={!isComparable(nodes.length)}
            title={isComparable(nodes.length) ? undefined : t('compare.few')}
            onClick={() =>
              void navigate({
                to: '/dashboard/management/nodes/compare',
                search: { ids: nodes.map(({ uuid }) => uuid).join(',') },
              })
            }
          >
            {t('compare.action')}
          </Button>
        </SelectionBar>
      )}
      <NodesActionModal asked={open} onClose={() => setOpen(undefined)} />
    </>
  )
}
