import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { webLink } from './infra-billing.rules.ts'
import { ProviderIcon } from './parts/provider-icon.tsx'
import classes from './infra-billing.module.css'

interface Props {
  provider: { uuid: string; name: string; faviconLink: string | null; loginUrl?: string | null }
}

/** The provider, linked to its customer area where that is known. */
export function ProviderName({ provider }: Props) {
  const { t } = useTranslation('infra-billing')
  const link = webLink(provider.loginUrl ?? null)
  return (
    <span className={classes['who']}>
      <ProviderIcon provider={provider} />
      <bdi className={classes['name']} title={provider.name}>
        {provider.name}
      </bdi>
      {link !== undefined && (
        <a
          data-tap
          href={link}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={t('provider.login', { name: provider.name })}
        >
          <IconExternalLink size={14} aria-hidden />
        </a>
      )}
    </span>
  )
}
