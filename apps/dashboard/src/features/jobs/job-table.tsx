import type { Job } from '@causeway/contract'
import { Text, Title, VisuallyHidden } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './jobs.module.css'

export interface JobColumn {
  head: string
  isHeadHidden?: boolean
  cell: (job: Job) => ReactNode
}

interface Props {
  title: string
  empty: string
  jobs: readonly Job[]
  columns: readonly JobColumn[]
}

/** One section of the page. On a phone each row is a card whose cells carry their heads. */
export function JobTable({ title, empty, jobs, columns }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['section']}>
      <Title order={2} id={id} fz="md" mb="xs">
        {title}
      </Title>
      {jobs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <div className={classes['box']}>
          <table className={classes['table']} aria-labelledby={id}>
            <thead>
              <tr>
                {columns.map(({ head, isHeadHidden }) => (
                  <th key={head} scope="col">
                    {isHeadHidden ? <VisuallyHidden>{head}</VisuallyHidden> : head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {jobs.map((job) => (
                <tr key={job.id}>
                  {columns.map(({ head, isHeadHidden, cell }) => (
                    <td key={head} data-head={isHeadHidden ? undefined : head}>
                      {cell(job)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
