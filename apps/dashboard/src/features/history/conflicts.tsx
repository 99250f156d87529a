import type { UndoConflict } from '@causeway/contract'
import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldLabel, valueText } from './history-words.ts'
import classes from './history.module.css'

interface Props {
  conflicts: readonly UndoConflict[]
  /** What chooses one, where it can be chosen. */
  children: ((id: string, label: string) => ReactNode) | undefined
}

/** What was changed since: then, now and what it would be. */
export function Conflicts({ conflicts, children }: Props) {
  const { t, i18n } = useTranslation('history')
  const words = { t, exists: (key: string) => i18n.exists(key) }
  return (
    <section aria-label={t('undo.conflicts')}>
      <h3 className={classes['thing']}>{t('undo.conflicts')}</h3>
      {children && <Text size="sm">{t('undo.conflictsHint')}</Text>}
      <div className={classes['scroll']}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {children && <Table.Th aria-label={t('undo.button')} />}
              <Table.Th />
              <Table.Th>{t('undo.then')}</Table.Th>
              <Table.Th>{t('undo.now')}</Table.Th>
              <Table.Th>{t('undo.wouldBe')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {conflicts.map(({ id, table, name, field, isSecret, was, now, wouldBe }) => {
              const what =
                `${name ?? ''} ${field === null ? t(`table.${table}`, { defaultValue: table }) : fieldLabel(words, table, field)}`.trim()
              const text = (value: unknown) => valueText(words, i18n.language, { table, name: field ?? '' }, value)
              return (
                <Table.Tr key={id}>
                  {children && <Table.Td>{children(id, what)}</Table.Td>}
                  <Table.Td>
                    <bdi>{what}</bdi>
                  </Table.Td>
                  {isSecret ? (
                    <Table.Td colSpan={3}>{t('undo.secret')}</Table.Td>
                  ) : (
                    <>
                      <Table.Td>
                        <bdi>{text(was)}</bdi>
                      </Table.Td>
                      <Table.Td>
                        <bdi>{text(now)}</bdi>
                      </Table.Td>
                      <Table.Td>
                        <bdi>{field === null ? t('undo.deleted') : text(wouldBe)}</bdi>
                      </Table.Td>
                    </>
                  )}
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}
