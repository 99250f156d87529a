import type { DndContextProps } from '@dnd-kit/core'
import { useTranslation } from 'react-i18next'

export interface DragItem {
  id: string | number
  name: string
}

/** Screen reader texts for moving items of a list: names and positions. The library would read out ids. */
export function useDragWords(items: readonly DragItem[]): NonNullable<DndContextProps['accessibility']> {
  const { t } = useTranslation('ui')
  const nameOf = (id: string | number) => items.find((item) => item.id === id)?.name ?? ''
  const at = (active: { id: string | number }, over: { id: string | number } | null) => ({
    name: nameOf(active.id),
    place: items.findIndex(({ id }) => id === (over ?? active).id) + 1,
    count: items.length,
  })
  return {
    screenReaderInstructions: { draggable: t('drag.instructions') },
    announcements: {
      onDragStart: ({ active }) => t('drag.lifted', at(active, null)),
      // A lifted item is over its own place at once.
      onDragOver: ({ active, over }) => t(over && over.id !== active.id ? 'drag.over' : 'drag.lifted', at(active, over)),
      onDragEnd: ({ active, over }) => t('drag.dropped', at(active, over)),
      onDragCancel: ({ active }) => t('drag.cancelled', at(active, null)),
    },
  }
}
