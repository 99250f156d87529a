import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** The last item of the menu of something that can be deleted. Whoever is asked first is asked by `onDelete`. */
export function DeleteItem({ onDelete }: { onDelete: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
      {t('delete')}
    </Menu.Item>
  )
}
