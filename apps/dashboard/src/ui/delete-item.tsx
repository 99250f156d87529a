import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** The last item of a menu: deletion. `onDelete` asks for confirmation where one is needed. */
export function DeleteItem({ onDelete }: { onDelete: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
      {t('delete')}
    </Menu.Item>
  )
}
