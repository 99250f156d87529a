import type { Wall } from '@causeway/contract'
import { Loader, MantineProvider } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearch } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadFlagFontIfNeeded } from '../../lib/flag-font.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { PRODUCT_NAME } from '../../lib/product.ts'
import { useNow } from '../../lib/time/now.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { PageTitle } from '../../ui/frames/page-title.tsx'
import { theme } from '../../ui/theme.ts'
import { mappedNodes } from '../nodes/map/map.rules.ts'
import { WorldMap } from '../nodes/parts/world-map.tsx'
import { useAwake } from './use-awake.ts'
import { WallChart } from './wall-chart.tsx'
import { WallClock } from './wall-clock.tsx'
import { WallControls } from './wall-controls.tsx'
import { WallFleet } from './wall-fleet.tsx'
import { WallNeeds } from './wall-needs.tsx'
import { WallSummary } from './wall-summary.tsx'
import classes from './wall.module.css'
import { isWithdrawn, wallQuery } from './wall.queries.ts'
import { isOutdated, needsOf, tokenIn } from './wall.rules.ts'

/** How it is, for a monitor: Home and the map without anything to press. */
export default function WallPage() {
  const { t } = useTranslation('wall')
  const token = tokenIn(useLocation({ select: ({ hash }) => hash }))
  const isLight = useSearch({ strict: false, select: (search: Record<string, unknown>) => search['theme'] === 'light' })
  const wall = useQuery(wallQuery(token))
  const scheme = isLight ? 'light' : 'dark'
  useAwake()
  useScheme(scheme)
  useEffect(() => void loadFlagFontIfNeeded().catch(() => undefined), []) // without it flags are letters
  useNewRelease(wall.data?.release)
  const ended = isWithdrawn(wall.error) ? wall.error : undefined
  return (
    // The theme of the monitor is not the theme that the reader chose for the panel.
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <main className={classes['wall']}>
        <PageTitle title={t('title')} />
        {ended ? (
          <Notice title={t('ended.title')} text={t(token === undefined ? 'ended.role' : 'ended.link')} />
        ) : wall.data ? (
          <>
            {wall.isError && <Lost since={wall.dataUpdatedAt} />}
            <WallView wall={wall.data} />
          </>
        ) : wall.isError ? (
          <Notice title={t('lost.never')} text={t('lost.trying')} />
        ) : (
          <Loader role="progressbar" aria-label={t('title')} className={classes['loader']!} />
        )}
        <WallControls isSession={token === undefined} />
      </main>
    </MantineProvider>
  )
}

function WallView({ wall }: { wall: Wall }) {
  const { t } = useTranslation('wall')
  const needs = useMemo(() => needsOf(wall), [wall])
  const mapped = useMemo(() => mappedNodes(wall.nodes, wall.history), [wall])
  return (
    <>
      <header className={classes['head']}>
        {wall.nodes.length > 0 ? <WallSummary wall={wall} /> : <BrandMark size="2.5rem" />}
        <WallClock zone={wall.history.timeZone} />
      </header>
      {wall.nodes.length === 0 ? (
        <Notice title={t('noNodes.title')} text={t('noNodes.text')} />
      ) : (
        <div className={classes['body']}>
          <section className={classes['chart']} aria-label={t('traffic')}>
            <WallChart history={wall.history} />
          </section>
          <section className={classes['map']} aria-label={t('map')}>
            <WorldMap nodes={mapped} period="day" isWall />
          </section>
          <section className={classes['fleet']} aria-label={t('nodes')}>
            <WallFleet wall={wall} />
          </section>
          <section className={classes['needs']} aria-label={t('needs.title')}>
            <WallNeeds needs={needs} />
          </section>
        </div>
      )}
    </>
  )
}

/** The figures stand while the server is away, and it is said from when they are. */
function Lost({ since }: { since: number }) {
  const { t, i18n } = useTranslation('wall')
  const time = dateFormat(i18n.language, { timeStyle: 'short' }).format(since)
  return (
    <p className={classes['lost']} role="status">
      {t('lost.since', { time })} {t('lost.trying')}
    </p>
  )
}

function Notice({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes['notice']} role="status">
      <BrandMark size="3rem" />
      <span className={classes['brand']}>{PRODUCT_NAME}</span>
      <h1>{title}</h1>
      <p>{text}</p>
    </div>
  )
}

/** The colours of the page itself follow its root. */
function useScheme(scheme: 'dark' | 'light'): void {
  // The root stands outside React.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    const before = dataset['mantineColorScheme']
    dataset['mantineColorScheme'] = scheme
    return () => {
      dataset['mantineColorScheme'] = before
    }
  }, [scheme])
}

/** Loads the page anew when the server has another one: a wall hangs for months. */
function useNewRelease(release: string | undefined): void {
  const [first, setFirst] = useState(release)
  const [openedAt] = useState(() => Date.now())
  const now = useNow()
  if (first === undefined && release !== undefined) setFirst(release)

  // The document is the browser's.
  useEffect(() => {
    if (first !== undefined && release !== undefined && isOutdated(first, release, now - openedAt)) location.reload()
  }, [first, release, now, openedAt])
}
