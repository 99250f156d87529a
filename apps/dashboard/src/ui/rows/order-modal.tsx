import { Button, Text } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormFooter, ModalFrame, useFrameDirty } from '../frames/frames.tsx'
import { useDialog } from '../frames/use-dialog.ts'
import { OrderList } from './order-list.tsx'

// A page whose things have an order names `order` among its search keys, and has one button and one modal for it.

interface Named {
  uuid: string
  name: string
}

interface Reordering {
  mutate: (order: { items: { uuid: string; viewPosition: number }[] }, options: { onSuccess: () => void }) => void
  isPending: boolean
  isSuccess: boolean
}

interface Props {
  /** In their present order. */
  things: readonly Named[]
  useReorder: () => Reordering
}

/** Offered where there is more than one place. */
export function OrderButton({ count }: { count: number }) {
  const { t } = useTranslation('ui')
  const dialog = useDialog('order')
  if (count < 2) return null
  return (
    <Button variant="default" leftSection={<IconArrowsSort size={16} aria-hidden />} onClick={() => dialog.open('all')}>
      {t('order.change')}
    </Button>
  )
}

/** Puts the things of a page into another order; saved at once for all. */
export function OrderModal({ things, useReorder }: Props) {
  const { t } = useTranslation('ui')
  const dialog = useDialog('order')
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined && things.length > 0}
      onClose={dialog.close}
      title={t('order.title')}
      width={480}
    >
      <OrderForm things={things} useReorder={useReorder} onDone={dialog.close} />
    </ModalFrame>
  )
}

function OrderForm({ things, useReorder, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation('ui')
  const [order, setOrder] = useState<readonly string[]>(() => things.map(({ uuid }) => uuid))
  const reorder = useReorder()
  // What was made by others meanwhile stands last, what they deleted is gone.
  const placed = order.flatMap((uuid) => things.filter((thing) => thing.uuid === uuid))
  const shown = [...placed, ...things.filter(({ uuid }) => !order.includes(uuid))]
  const isChanged = shown.some(({ uuid }, place) => uuid !== things[place]?.uuid)
  useFrameDirty(isChanged && !reorder.isSuccess)

  function move(from: number, to: number): void {
    const next = shown.map(({ uuid }) => uuid)
    next.splice(to, 0, ...next.splice(from, 1))
    setOrder(next)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        reorder.mutate({ items: shown.map(({ uuid }, viewPosition) => ({ uuid, viewPosition })) }, { onSuccess: onDone })
      }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t('order.hint')}
      </Text>
      <OrderList
        label={t('order.title')}
        count={shown.length}
        isChoice
        nameOf={(place) => shown[place]?.name ?? ''}
        handleLabel={(place) => t('order.move', { name: shown[place]?.name })}
        onMove={move}
      >
        {(place) => (
          <Text size="sm" fw={500} truncate dir="auto">
            {shown[place]?.name}
          </Text>
        )}
      </OrderList>
      <FormFooter action={t('save')} isBusy={reorder.isPending} isDisabled={!isChanged} />
    </form>
  )
}
