import type { DraggableAttributes, DraggableSyntheticListeners } from '@dnd-kit/core'
import { IconGripVertical } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './drag-handle.module.css'

interface Props {
  label: string
  attributes: DraggableAttributes
  listeners: DraggableSyntheticListeners
  setRef: (element: HTMLElement | null) => void
}

/** Where a row is taken hold of: with the mouse, a finger, or Space and the arrow keys. */
export function DragHandle({ label, attributes, listeners, setRef }: Props) {
  const { t } = useTranslation('ui')
  return (
    <button
      ref={setRef}
      type="button"
      className={classes['handle']}
      aria-label={label}
      data-tap
      {...attributes}
      aria-roledescription={t('drag.handle')}
      {...listeners}
    >
      <IconGripVertical size={16} aria-hidden />
    </button>
  )
}
