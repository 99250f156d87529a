import type { ConfigProfile } from '@causeway/contract'
import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '../../ui/inputs/search-field.tsx'
import classes from './hosts.module.css'
import { type HostFilters, isFiltering, noFilters } from './hosts.rules.ts'

/** Selects cannot hold null as a value. */
const ALL = 'all'

interface Props {
  filters: HostFilters
  profiles: readonly ConfigProfile[]
  /** Of all hosts. */
  tags: readonly string[]
  onChange: (filters: HostFilters) => void
}

/** One line: profile, then its inbounds, then what the texts hold. */
export function HostsFilters({ filters, profiles, tags, onChange }: Props) {
  const { t } = useTranslation('hosts')
  const profile = profiles.find(({ uuid }) => uuid === filters.configProfileUuid)
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        className={classes['filterToggle']!}
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {t(isFiltering(filters) ? 'filter.active' : 'filter.title')}
      </Button>
      <div className={classes['filters']} role="search" data-open={isOpen || undefined}>
        <Select
          aria-label={t('filter.profile')}
          data={[
            { value: ALL, label: t('filter.allProfiles') },
            ...profiles.map(({ uuid, name }) => ({ value: uuid, label: name })),
          ]}
          value={filters.configProfileUuid ?? ALL}
          allowDeselect={false}
          onChange={(value) => onChange({ ...filters, configProfileUuid: value === ALL ? null : value, inboundUuid: null })}
        />
        <Select
          aria-label={t('filter.inbound')}
          data={[
            { value: ALL, label: t('filter.allInbounds') },
            ...(profile?.inbounds ?? []).map(({ uuid, tag }) => ({ value: uuid, label: tag === '' ? uuid : tag })),
          ]}
          value={filters.inboundUuid ?? ALL}
          allowDeselect={false}
          disabled={profile === undefined}
          onChange={(value) => onChange({ ...filters, inboundUuid: value === ALL ? null : value })}
        />
        <SearchField
          label={t('filter.remark')}
          initial={filters.remark}
          onSearch={(remark) => onChange({ ...filters, remark })}
        />
        <SearchField
          label={t('filter.address')}
          initial={filters.address}
          onSearch={(address) => onChange({ ...filters, address })}
        />
        <Select
          aria-label={t('filter.tag')}
          data={[{ value: ALL, label: t('filter.allTags') }, ...tagChoices(tags, filters.tag)]}
          value={filters.tag ?? ALL}
          allowDeselect={false}
          searchable
          onChange={(value) => onChange({ ...filters, tag: value === ALL ? null : value })}
        />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={16} aria-hidden />}
          disabled={!isFiltering(filters)}
          onClick={() => onChange(noFilters)}
        >
          {t('filter.reset')}
        </Button>
      </div>
    </>
  )
}

/** A tag that no host has any more stays to be seen and taken out. */
function tagChoices(tags: readonly string[], chosen: string | null) {
  return [...new Set(chosen === null ? tags : [...tags, chosen])].map((tag) => ({ value: tag, label: tag }))
}
