import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'

/** In the place of the list or the map, before the first node. */
export function NoNodes() {
  const { t } = useTranslation('nodes')
  const create = useDialog('create')
  return (
    <EmptyState
      title={t('empty')}
      hint={t('emptyHint')}
      sketch="rows"
      action={<Button onClick={() => create.open('new')}>{t('create')}</Button>}
    />
  )
}
