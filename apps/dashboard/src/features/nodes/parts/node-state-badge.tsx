import { IconBolt, IconCircleOff, IconHourglass, IconLoader2, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { nodeState, stateColors, type NodeSigns } from '../nodes.rules.ts'

const icons = {
  connected: IconBolt,
  applying: IconLoader2,
  waiting: IconHourglass,
  connecting: IconLoader2,
  disabled: IconCircleOff,
  disconnected: IconPlugConnectedX,
} as const

/** Whether a node is there, in colour, sign and word. */
export function NodeStateBadge({ node }: { node: NodeSigns }) {
  const { t } = useTranslation('nodes')
  const state = nodeState(node)
  return (
    <StatusBadge color={stateColors[state]} icon={icons[state]} label={t(`state.${state}`)} isPulsing={state === 'connected'} />
  )
}
