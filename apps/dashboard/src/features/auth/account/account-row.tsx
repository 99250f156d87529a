import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './account.module.css'

interface Props {
  icon: Icon
  name: ReactNode
  /** All of a name that is shortened. */
  title?: string | undefined
  /** Spans. */
  facts: ReactNode
  /** Buttons. */
  children: ReactNode
}

/** One of what an account has: a session, a passkey, an account at a provider. */
export function AccountRow({ icon: RowIcon, name, title, facts, children }: Props) {
  return (
    <li className={classes['session']}>
      <RowIcon size={20} stroke={1.5} aria-hidden />
      <div className={classes['what']}>
        <span className={classes['name']} title={title}>
          {name}
        </span>
        <span className={classes['facts']}>{facts}</span>
      </div>
      {children}
    </li>
  )
}
