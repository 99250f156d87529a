import { MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core'
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { PatientKeyboardSensor } from './patient-keyboard-sensor.ts'

/** A drag begins after 5 px of the mouse, after holding a finger still for 250 ms, or with the keyboard on the handle. */
const DRAG_DISTANCE_PX = 5
const TOUCH_HOLD_MS = 250

export function useSortableSensors() {
  return useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_DISTANCE_PX } }),
    useSensor(TouchSensor, { activationConstraint: { delay: TOUCH_HOLD_MS, tolerance: DRAG_DISTANCE_PX } }),
    useSensor(PatientKeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates, scrollBehavior: 'instant' }),
  )
}
