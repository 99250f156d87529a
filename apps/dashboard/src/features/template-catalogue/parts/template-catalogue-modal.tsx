import type { CatalogueEntry, CatalogueKind, CatalogueType } from '@causeway/contract'
import { Alert, Badge, Button, Group, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { LoadingRows } from '../../../ui/frames/states.tsx'
import { catalogueQuery, catalogueTextQuery } from '../template-catalogue.queries.ts'
import { findEntries, variantOf } from '../template-catalogue.rules.ts'
import classes from './template-catalogue.module.css'

const LIST_HEIGHT = 400

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Which editor asks, and for which type of text. */
  kind: CatalogueKind
  type: CatalogueType
  /** The editor's content would be lost. */
  isUnsaved: boolean
  onTake: (text: string) => void
}

/** Texts to begin from, for the editors of templates and of config profiles. */
export function TemplateCatalogueModal({ isOpen, onClose, ...rest }: Props) {
  const { t } = useTranslation('template-catalogue')
  return (
    <ModalFrame isOpen={isOpen} onClose={onClose} title={t('title')}>
      <Catalogue {...rest} onClose={onClose} />
    </ModalFrame>
  )
}

function Catalogue({ kind, type, isUnsaved, onTake, onClose }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation('template-catalogue')
  const client = useQueryClient()
  const confirm = useConfirm()
  const query = useQuery(catalogueQuery(kind))
  const [search, setSearch] = useState('')
  const [taking, setTaking] = useState<string>()
  const [hasFailed, setFailed] = useState(false)
  const nameOf = (entry: CatalogueEntry) => t(`names.${variantOf(entry) ?? ''}`, { defaultValue: entry.name })
  const authorOf = (entry: CatalogueEntry) => (entry.isOfficial ? t('official') : t('byAuthor', { author: entry.author }))
  const found = findEntries(query.data?.entries ?? [], type, search, (entry) => [nameOf(entry), authorOf(entry)])
  const isBroken = query.isError || hasFailed || query.data?.outside === 'failed'

  async function take(entry: CatalogueEntry): Promise<void> {
    const question = {
      title: t('overwrite.title'),
      body: t('overwrite.body', { name: nameOf(entry) }),
      action: t('overwrite.action'),
    }
    if (isUnsaved && !(await confirm({ ...question, isDangerous: true }))) return
    setTaking(entry.url)
    setFailed(false)
    try {
      onTake((await client.fetchQuery(catalogueTextQuery(kind, entry.url))).text)
      onClose()
    } catch {
      setFailed(true)
    } finally {
      setTaking(undefined)
    }
  }
  return (
    <Stack gap="sm">
      {isBroken && (
        <Alert variant="default" role="alert" icon={<IconAlertTriangle size={18} color="var(--bad)" aria-hidden />}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{t('failed')}</Text>
            <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
              {t('again')}
            </Button>
          </Group>
        </Alert>
      )}
      <SearchField label={t('search')} onSearch={setSearch} data-autofocus />
      {query.isPending ? (
        <LoadingRows count={6} height={56} />
      ) : (
        <ScrollArea h={LIST_HEIGHT} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('list'), role: 'group' }}>
          <ul className={classes['list']} aria-label={t('list')}>
            {found.map((entry) => (
              <li key={entry.url}>
                <UnstyledButton
                  className={classes['entry']}
                  disabled={taking !== undefined}
                  aria-busy={taking === entry.url}
                  onClick={() => void take(entry)}
                >
                  <Text size="sm" fw={600} component="span" dir="auto">
                    {nameOf(entry)}
                  </Text>
                  <Group gap="xs" component="span">
                    <Text size="xs" c="dimmed" component="span">
                      {authorOf(entry)}
                    </Text>
                    <Badge size="xs" variant="default" component="span">
                      {entry.type}
                    </Badge>
                  </Group>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          {found.length === 0 && !query.isError && (
            <Text size="sm" c="dimmed" ta="center" p="lg">
              {t('none')}
            </Text>
          )}
        </ScrollArea>
      )}
    </Stack>
  )
}
