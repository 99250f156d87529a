import { Menu, type MenuProps } from '@mantine/core'
import { useId, useImperativeHandle, useState, type ReactNode, type Ref, type SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'

type Coming = (event: SyntheticEvent<HTMLElement>) => void

/** Attributes of a button that opens a menu. */
export interface MenuButtonProps {
  id: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onPointerEnter: Coming
  onFocus: Coming
  onClick: Coming
}

interface Props extends Pick<MenuProps, 'position' | 'width' | 'closeOnItemClick' | 'withInitialFocusPlaceholder'> {
  button: (props: MenuButtonProps) => ReactNode
  /** The dropdown. */
  children: ReactNode
}

/**
 * A button with a menu that mounts when pointer or focus reaches the button. Most menus are never opened, and each of
 * the library's is a dozen components, drawn twice before they are seen. It mounts before opening, because the focus
 * to return to must be recorded by then.
 */
export function MenuButton({ button, children, ...menu }: Props) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement>()
  const [isOpen, setOpen] = useState(false)
  const onNear: Coming = (event) => setTarget(event.currentTarget)
  return (
    <>
      {button({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? `${id}-dropdown` : undefined,
        onPointerEnter: onNear,
        onFocus: onNear,
        onClick: (event) => {
          const { currentTarget } = event
          // A screen reader clicks without coming near.
          flushSync(() => setTarget(currentTarget))
          setOpen(!isOpen)
        },
      })}
      {target && (
        <Menu {...menu} id={id} opened={isOpen} onChange={setOpen}>
          <Menu.Target>
            <Place at={target} />
          </Menu.Target>
          {children}
        </Menu>
      )}
    </>
  )
}

/** Tells the menu which button is its own, which stood there before it. */
function Place({ at, ref }: { at: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => at, [at])
  return null
}
