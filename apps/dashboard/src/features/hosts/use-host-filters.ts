import { useMemo } from 'react'
import { useAddressFilters } from '../../ui/table/use-address-view.ts'
import type { HostFilters } from './hosts.rules.ts'
import { HOST_FILTERS } from './hosts.view.ts'

const TYPED = ['remark', 'address'] as const

/** The filters of the list as they stand in the address. */
export function useHostFilters() {
  const [{ profile, inbound, remark, address, tag }, change] = useAddressFilters(HOST_FILTERS, TYPED)
  const filters = useMemo<HostFilters>(
    () => ({
      configProfileUuid: profile ?? null,
      inboundUuid: inbound ?? null,
      remark: remark ?? '',
      address: address ?? '',
      tag: tag ?? null,
    }),
    [profile, inbound, remark, address, tag],
  )
  const set = (next: HostFilters) =>
    change({
      profile: next.configProfileUuid ?? '',
      inbound: next.inboundUuid ?? '',
      remark: next.remark,
      address: next.address,
      tag: next.tag ?? '',
    })
  return [filters, set] as const
}
