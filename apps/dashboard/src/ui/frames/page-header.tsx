import { Group, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page-header.module.css'
import { PageTitle } from './page-title.tsx'

interface Props {
  title: string
  description?: string
  /** Pages between the home page and this one. */
  trail?: readonly { label: string; to: NonNullable<LinkProps['to']> }[]
  /** The home page is where the way back leads to, so it shows none. */
  isHome?: boolean
  /** The page's one main action, after its lesser ones. */
  actions?: ReactNode
}

/** Head of every page: where it is, what it is, and what can be done. Also names the document. */
export function PageHeader({ title, description, trail = [], isHome = false, actions }: Props) {
  const { t } = useTranslation('ui')
  return (
    <header className={classes['header']}>
      <PageTitle title={title} />
      <div className={classes['words']}>
        {!isHome && (
          <nav aria-label={t('breadcrumbs')} className={classes['crumbs']}>
            <Link to="/dashboard/home" data-tap>
              {t('dashboard')}
            </Link>
            <span aria-hidden>/</span>
            {trail.map(({ label, to }) => (
              <Fragment key={label}>
                <Link to={to} data-tap>
                  {label}
                </Link>
                <span aria-hidden>/</span>
              </Fragment>
            ))}
            <span aria-current="page">{title}</span>
          </nav>
        )}
        <Title order={1} className={classes['title']}>
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && (
        <Group gap="xs" className={classes['actions']}>
          {actions}
        </Group>
      )}
    </header>
  )
}
