import { NavLink, type NavLinkProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../api/rights/may.tsx'

import { EggButton } from '../features/proxy-defense/parts/egg-button.tsx'
import { Brand } from './brand.tsx'
import { BuildBadge } from './header/build-badge.tsx'
import { isBelow, navFor, type NavEntry } from './nav.ts'
import classes from './sidebar.module.css'

/** Brand, and the groups of pages. */
export function Sidebar() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: account } = useQuery(accountQuery())
  return (
    <div className={classes['sidebar']}>
      <div className={classes['head']}>
        <EggButton onPlay={() => void navigate({ to: '/dashboard/proxy-defense' })}>
          <Brand />
        </EggButton>
        <BuildBadge />
      </div>
      <nav className={classes['groups']} aria-label={t('nav.label')}>
        {navFor(account?.permissions).map((group) => (
          // No region: the page's own ones may have the same names.
          <div key={group.label} role="group" aria-labelledby={`nav-${group.label}`}>
            <h2 id={`nav-${group.label}`} className={classes['group']}>
              {t(`nav.${group.label}`)}
            </h2>
            {group.entries.map((entry) => (
              <Entry key={entry.label} entry={entry} />
            ))}
          </div>
        ))}
      </nav>
    </div>
  )
}

function Entry({ entry }: { entry: NavEntry }) {
  const { t } = useTranslation()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const label = t(`nav.${entry.label}`)
  const icon = entry.icon === undefined ? undefined : <entry.icon size={18} stroke={1.75} aria-hidden />
  const common = { label, leftSection: icon, className: classes['entry']! } as const

  if (entry.children) {
    const holdsPage = entry.children.some(({ to }) => isBelow(path, to))
    return (
      // Opens for a page of its own, by whatever way one came there, and closes behind it.
      <Folder key={String(holdsPage)} look={common} isOpenFirst={holdsPage}>
        {entry.children.map((child) => (
          <Entry key={child.label} entry={child} />
        ))}
      </Folder>
    )
  }
  if (entry.href !== undefined) {
    return <NavLink {...common} href={entry.href} target="_blank" rel="noreferrer" aria-label={t('newTab', { name: label })} />
  }
  const isActive = isBelow(path, entry.to)
  return (
    <NavLink
      {...common}
      active={isActive}
      renderRoot={(props) => (
        <Link ref={isActive ? bringIntoView : undefined} to={entry.to} aria-current={isActive ? 'page' : undefined} {...props} />
      )}
    />
  )
}

/** The page one is at may lie in a folder at the end of a menu that scrolls. */
function bringIntoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest' })
}

/** Pages under one name, which opens and closes. */
function Folder({ look, isOpenFirst, children }: { look: NavLinkProps; isOpenFirst: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  return (
    <NavLink {...look} component="button" opened={isOpen} onChange={setOpen} aria-expanded={isOpen} childrenOffset={30}>
      {children}
    </NavLink>
  )
}
