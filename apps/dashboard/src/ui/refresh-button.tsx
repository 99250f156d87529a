import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'

interface Props {
  label: string
  isBusy?: boolean
  onRefresh: () => void
}

export function RefreshButton({ label, isBusy = false, onRefresh }: Props) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} loading={isBusy} onClick={onRefresh}>
        <IconRefresh size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}
