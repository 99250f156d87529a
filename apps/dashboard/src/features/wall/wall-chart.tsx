import type { Wall } from '@causeway/contract'
import { useElementSize } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '../../ui/chart/chart.tsx'
import { BYTES_BY_HOUR, PEOPLE } from '../../ui/chart/chart-unit.ts'
import classes from './wall.module.css'
import { totalsByHour } from './wall.rules.ts'

/** Below this nothing could be read. */
const LEAST_HEIGHT = 240

/** Traffic of all nodes over users online, beside a week ago, as high as there is room. */
export function WallChart({ history }: { history: Wall['history'] }) {
  const { t } = useTranslation(['home', 'wall'])
  const { ref, height } = useElementSize()
  const figures = useMemo(() => {
    const values = totalsByHour(history)
    const total = values.reduce((sum, one) => sum + one, 0)
    const { before, usersOnline } = history
    return {
      series: [{ key: 'traffic', name: t('wall:allNodes'), values, total }],
      before: before && { name: t('history.before.day'), values: before.bytes },
      line: {
        name: t('history.online'),
        values: usersOnline,
        before: before?.usersOnline,
        unit: PEOPLE.hour,
        isBelow: true,
      },
    }
  }, [history, t])
  return (
    <>
      <h2 className={classes['title']}>
        {t('history.title')} · {t('history.day')}
      </h2>
      <div ref={ref} className={classes['canvas']}>
        <Chart
          label={t('wall:allNodes')}
          days={history.starts}
          {...figures}
          unit={BYTES_BY_HOUR}
          running={history.starts.length - 1}
          isQuiet
          isStill
          height={Math.max(LEAST_HEIGHT, height)}
        />
      </div>
    </>
  )
}
