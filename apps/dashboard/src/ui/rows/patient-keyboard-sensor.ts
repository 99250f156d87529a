import { KeyboardSensor, type KeyboardSensorProps } from '@dnd-kit/core'

/** After so many frames the key is passed on, whatever the list looks like. */
const PATIENCE_FRAMES = 120
/** Frames without a change, after which the list is taken to be drawn. */
const STILL_FRAMES = 2

/**
 * The keyboard sensor of the library loses keys pressed before it has measured the list, and judges later ones by
 * places that are not drawn yet. This one holds each key until the list is drawn as the key before it left it.
 */
export class PatientKeyboardSensor extends KeyboardSensor {
  constructor(props: KeyboardSensorProps) {
    const queue = new KeyQueue(props)
    super(queue.watched(props))
    queue.start()
  }
}

class KeyQueue {
  readonly #context: KeyboardSensorProps['context']
  readonly #handle: EventTarget | null
  readonly #keys: KeyboardEventInit[] = []
  #passed: Event | undefined
  #hasMoved = false
  /** How the list looked before the last move: the move is drawn once it looks otherwise. */
  #before = ''
  #seen = ''
  #stillFrames = 0
  #frames = 0
  #hasEnded = false

  constructor({ context, event }: KeyboardSensorProps) {
    this.#context = context
    this.#handle = event.target
  }

  watched(props: KeyboardSensorProps): KeyboardSensorProps {
    return {
      ...props,
      onMove: (coordinates) => {
        this.#hasMoved = true
        props.onMove(coordinates)
      },
      onEnd: () => {
        this.#stop()
        props.onEnd()
      },
      onCancel: () => {
        this.#stop()
        props.onCancel()
      },
    }
  }

  start(): void {
    window.addEventListener('keydown', this.#hold, true)
    requestAnimationFrame(this.#onFrame)
  }

  #stop(): void {
    this.#hasEnded = true
    window.removeEventListener('keydown', this.#hold, true)
  }

  readonly #hold = (event: KeyboardEvent): void => {
    if (event === this.#passed || event.ctrlKey || event.metaKey || event.altKey) return
    if (!this.#isShown()) return this.#stop()
    event.stopImmediatePropagation()
    event.preventDefault()
    // A key that is held down does not fill the queue.
    if (!event.repeat || this.#keys.length === 0) this.#keys.push({ key: event.key, code: event.code })
  }

  readonly #onFrame = (): void => {
    if (this.#hasEnded) return
    if (!this.#isShown()) return this.#stop()
    requestAnimationFrame(this.#onFrame)
    const look = this.#look()
    const isStill = look !== '' && look === this.#seen && look !== this.#before
    this.#stillFrames = isStill ? this.#stillFrames + 1 : 0
    this.#seen = look
    this.#frames += 1
    if (this.#stillFrames >= STILL_FRAMES || this.#frames >= PATIENCE_FRAMES) this.#pass()
  }

  #pass(): void {
    const key = this.#keys.shift()
    if (!key) return
    const before = this.#look()
    this.#hasMoved = false
    this.#passed = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true })
    document.dispatchEvent(this.#passed)
    this.#before = this.#hasMoved ? before : ''
    this.#stillFrames = 0
    this.#frames = 0
  }

  /** A list that is gone holds no keys back. */
  #isShown(): boolean {
    return this.#handle instanceof Node && this.#handle.isConnected
  }

  /** Where the lifted item is, and over which place; empty until both are known and agree. */
  #look(): string {
    const { collisionRect, collisions, over, scrollableAncestors } = this.#context.current
    if (!collisionRect || !over || over.id !== collisions?.[0]?.id) return ''
    const scrolled = scrollableAncestors.map(({ scrollTop }) => scrollTop)
    return [collisionRect.left, collisionRect.top, over.id, ...scrolled].join(' ')
  }
}
