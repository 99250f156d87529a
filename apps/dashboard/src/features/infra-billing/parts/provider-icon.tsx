import { useQuery } from '@tanstack/react-query'
import { providerIconQuery } from '../infra-billing.queries.ts'
import { initialOf } from '../infra-billing.rules.ts'
import classes from './provider-icon.module.css'

interface Props {
  provider: { uuid: string; name: string; faviconLink: string | null }
  size?: number
}

/** The provider's icon as the server has fetched it, or its initial. The name stands beside it. */
export function ProviderIcon({ provider, size = 16 }: Props) {
  const { data } = useQuery({ ...providerIconQuery(provider.uuid), enabled: provider.faviconLink !== null })
  const icon = provider.faviconLink === null ? null : (data?.icon ?? null)
  if (icon !== null) return <img className={classes['icon']} src={icon} alt="" width={size} height={size} />
  return (
    <span className={classes['initial']} style={{ width: size, height: size, fontSize: size * 0.625 }} aria-hidden>
      {initialOf(provider.name)}
    </span>
  )
}
