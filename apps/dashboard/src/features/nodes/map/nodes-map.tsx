import { updateNode, type Node } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../../api/rights/may.tsx'
import { countryName } from '../../../lib/countries.ts'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { GrowingList } from '../../../ui/rows/growing-list.tsx'
import { historyQuery } from '../../home/parts/history.queries.ts'
import { nodeState } from '../nodes.rules.ts'
import { WorldMap } from '../parts/world-map.tsx'
import classes from './map.module.css'
import { byCountry, mappedNodes, placeOf, type MappedNode } from './map.rules.ts'
import { StateMark } from './state-mark.tsx'
import world from './world.json' with { type: 'json' }

/** Nodes by country: the map, and beside it the same as a list. */
export function NodesMap({ nodes }: { nodes: readonly Node[] }) {
  const { t, i18n } = useTranslation('node-map')
  const history = useQuery(historyQuery('day')).data
  const [active, setActive] = useState<string>()
  const mapped = useMemo(() => mappedNodes(nodes, history), [nodes, history])
  const placed = mapped.filter(({ node }) => placeOf(world, node.countryCode) !== undefined)
  const countries = byCountry(placed, (code) => countryName(code, i18n.language), i18n.language)
  const items = countries.flatMap((country) => [country, ...country.nodes])
  return (
    <div className={classes['page']}>
      <WorldMap nodes={mapped} period="day" active={active} onActive={setActive} />
      <div className={classes['side']}>
        <Unplaced nodes={mapped.filter((one) => !placed.includes(one))} />
        <GrowingList className={classes['list']} label={t('label')} items={items}>
          {(item) =>
            'code' in item ? (
              <li key={item.code} className={classes['head']}>
                <Link to="/dashboard/management/nodes" search={{ country: item.code }} className={classes['headLink']}>
                  <CountryFlag code={item.code} />
                  <span>{item.name}</span>
                  <span className={classes['count']}>{numberFormat(i18n.language).format(item.nodes.length)}</span>
                </Link>
              </li>
            ) : (
              <NodeItem key={item.node.uuid} item={item} isActive={item.node.uuid === active} onActive={setActive} />
            )
          }
        </GrowingList>
      </div>
    </div>
  )
}

interface NodeItemProps {
  item: MappedNode
  isActive: boolean
  onActive: (uuid: string | undefined) => void
}

function NodeItem({ item: { node, bytes }, isActive, onActive }: NodeItemProps) {
  const { t, i18n } = useTranslation('node-map')
  const { uuid, name } = node
  const state = nodeState(node)
  return (
    <li className={classes['item']} data-active={isActive || undefined}>
      <Link
        to="/dashboard/management/nodes/$uuid"
        params={{ uuid }}
        className={classes['itemLink']}
        onFocus={() => onActive(uuid)}
        onBlur={() => onActive(undefined)}
        onPointerEnter={() => onActive(uuid)}
        onPointerLeave={() => onActive(undefined)}
      >
        <StateMark state={state} />
        <bdi className={classes['name']}>{name}</bdi>
        <span className={classes['figures']}>
          {state === 'connected' ? t('online', { count: node.usersOnline ?? 0 }) : t(`state.${state}`)}
        </span>
        <bdi className={classes['bytes']}>{formatBytes(bytes, i18n.language)}</bdi>
      </Link>
    </li>
  )
}

/** Nodes that the map cannot show before their country is set. */
function Unplaced({ nodes }: { nodes: readonly MappedNode[] }) {
  const { t } = useTranslation('node-map')
  const edit = useDialog('edit')
  const mayEdit = useMay()(updateNode)
  if (nodes.length === 0) return null
  return (
    <section className={classes['unplaced']} aria-label={t('unplaced.title')}>
      <h2>{t('unplaced.title')}</h2>
      <p>{t('unplaced.hint', { count: nodes.length })}</p>
      <ul>
        {nodes.map(({ node }) => (
          <li key={node.uuid}>
            <StateMark state={nodeState(node)} />
            <bdi className={classes['name']}>{node.name}</bdi>
            {mayEdit && (
              <Button size="compact-xs" variant="default" aria-description={node.name} onClick={() => edit.open(node.uuid)}>
                {t('unplaced.action')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
