import { Group, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page-header.module.css'
import { PageTitle } from './page-title.tsx'

export interface Crumb {
  label: string
  /** Plain text without. */
  to?: LinkProps['to']
}

interface Props {
  title: string
  description?: string
  breadcrumbs?: readonly Crumb[]
  /** The page's one main action, after its lesser ones. */
  actions?: ReactNode
}

/** Head of every page: where it is, what it is, and what can be done. Also names the document. */
export function PageHeader({ title, description, breadcrumbs = [], actions }: Props) {
  const { t } = useTranslation('ui')
  return (
    <header className={classes['header']}>
      <PageTitle title={title} />
      <div className={classes['words']}>
        {breadcrumbs.length > 0 && (
          <nav aria-label={t('breadcrumbs')} className={classes['crumbs']}>
            {breadcrumbs.map((crumb, index) => (
              <Fragment key={crumb.label}>
                {index > 0 && <span aria-hidden>/</span>}
                {crumb.to === undefined ? (
                  <span aria-current={index === breadcrumbs.length - 1 ? 'page' : undefined}>{crumb.label}</span>
                ) : (
                  <Link to={crumb.to}>{crumb.label}</Link>
                )}
              </Fragment>
            ))}
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
