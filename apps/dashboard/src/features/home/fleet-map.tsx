import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../api/texts.ts'
import { lazyPart } from '../../lib/fetch-code.ts'
import { mappedNodes } from '../nodes/map/map.rules.ts'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import classes from './fleet-grid.module.css'
import { HomeSection } from './home-section.tsx'
import { QUERY_TIMES } from './home.queries.ts'
import { historyQuery } from './parts/history.queries.ts'
import { usePeriod } from './parts/use-period.ts'

// Outlines of all countries, below the first screen.
const WorldMap = lazyPart(async () => {
  const [{ WorldMap: Shown }] = await Promise.all([import('../nodes/parts/world-map.tsx'), loadTexts('node-map')])
  return Shown
})

/** Where the nodes are, once they are in more than one country. */
export function FleetMap() {
  const { t } = useTranslation('home')
  const period = usePeriod().value
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes }).data
  const history = useQuery(historyQuery(period)).data
  const [active, setActive] = useState<string>()
  const mapped = useMemo(() => mappedNodes(fleet ?? [], history), [fleet, history])
  if (new Set(mapped.map(({ node }) => node.countryCode)).size < 2) return null
  return (
    <HomeSection
      title={t('fleet.map')}
      aside={
        <Link to="/dashboard/management/nodes" search={{ view: 'map' }} className={classes['all']}>
          {t('fleet.openMap')}
        </Link>
      }
    >
      <Suspense fallback={<Skeleton style={{ aspectRatio: '2.3' }} />}>
        <WorldMap nodes={mapped} period={period} active={active} onActive={setActive} />
      </Suspense>
    </HomeSection>
  )
}
