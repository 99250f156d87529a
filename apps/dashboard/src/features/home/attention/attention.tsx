import { Button, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAbsent } from '../../../api/call-error.ts'
import { useRowKeys } from '../../../ui/rows/row-keys.ts'
import { nodesQuery } from '../../nodes/nodes.queries.ts'
import { AttentionRow, MoreRow, type AnyItem } from './attention-row.tsx'
import { foldItems, urgentFirst } from './attention.rules.ts'
import { Coming } from '../home-head.tsx'
import { QUERY_TIMES } from '../home.queries.ts'
import { Summary } from '../summary.tsx'
import { useAttention } from './use-attention.tsx'
import classes from '../home.module.css'

/** In one sentence how it is, then what needs attention now, most urgent first. */
export function Attention() {
  const { t } = useTranslation('home')
  const id = useId()
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes })
  const { items, reads } = useAttention()
  const isComing = reads.some(({ isPending }) => isPending)
  // Where a server counts less, less can need attention.
  const isKnown = reads.every(({ isSuccess, error }) => isSuccess || isAbsent(error))
  const isCalm = isKnown && items.length === 0 && fleet.data !== undefined && fleet.data.length > 0
  return (
    <section aria-labelledby={id} className={classes['section']}>
      {isComing && <Coming />}
      {fleet.data && <Summary nodes={fleet.data} needs={isKnown ? items.length : undefined} />}
      {fleet.isError && !fleet.data && <Text size="sm">{t('attention.unknown')}</Text>}
      {items.length > 0 ? (
        <Title order={2} id={id} className={classes['sectionTitle']} mb={4}>
          {t('attention.title')}
        </Title>
      ) : (
        <VisuallyHidden>
          <h2 id={id}>{t('attention.title')}</h2>
        </VisuallyHidden>
      )}
      {isCalm && (
        <Text size="sm" c="dimmed" className={classes['calm']!}>
          <IconCircleCheck size={18} aria-hidden color="var(--good)" /> {t('attention.nothing')}
        </Text>
      )}
      <Rows items={urgentFirst(items)} />
    </section>
  )
}

/** So many rows leave room for the figures below; the rest unfolds. */
function Rows({ items }: { items: readonly AnyItem[] }) {
  const { t } = useTranslation('home')
  const [areAllShown, setAllShown] = useState(false)
  const list = useRowKeys<HTMLUListElement>()
  const { shown, folded } = foldItems(items)
  return (
    <>
      <ul ref={list} data-pane className={classes['attention']}>
        {(areAllShown ? items : shown).map((item) =>
          'more' in item ? <MoreRow key={item.key}>{item.more}</MoreRow> : <AttentionRow key={item.key} item={item} />,
        )}
      </ul>
      {folded > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          mt={4}
          aria-expanded={areAllShown}
          rightSection={areAllShown ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
          onClick={() => setAllShown(!areAllShown)}
        >
          {areAllShown ? t('attention.fewer') : t('attention.folded', { count: folded })}
        </Button>
      )}
    </>
  )
}
