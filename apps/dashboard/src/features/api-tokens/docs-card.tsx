import { Button } from '@mantine/core'
import { IconBook2, IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './api-tokens.module.css'

interface Props {
  scalarPath: string | null
  swaggerPath: string | null
}

/** Where programs find what they may ask. */
export function DocsCard({ scalarPath, swaggerPath }: Props) {
  const { t } = useTranslation('api-tokens')
  const { t: shell } = useTranslation()
  const pages = [
    { name: 'Scalar', path: scalarPath },
    { name: 'Swagger', path: swaggerPath },
  ]
  return (
    <section className={classes['docs']} aria-labelledby="api-docs">
      <IconBook2 size={20} stroke={1.5} aria-hidden />
      <div className={classes['docsWords']}>
        <h2 id="api-docs">{t('docs.title')}</h2>
        <p>{t('docs.body')}</p>
      </div>
      <div className={classes['docsLinks']}>
        {pages.map(
          ({ name, path }) =>
            path !== null && (
              <Button
                key={name}
                component="a"
                href={path}
                target="_blank"
                rel="noreferrer"
                variant="default"
                aria-label={shell('newTab', { name })}
                rightSection={<IconExternalLink size={16} aria-hidden />}
              >
                {name}
              </Button>
            ),
        )}
      </div>
    </section>
  )
}
