import { createLimitedApiToken, getWall } from '@causeway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDeviceTv, IconDotsVertical, IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../api/texts.ts'
import { useMay } from '../../api/rights/may.tsx'
import { lazyPart } from '../../lib/fetch-code.ts'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'

const WallLinkModal = lazyPart(async () => {
  const [{ WallLinkModal: Shown }] = await Promise.all([
    import('../wall/parts/wall-link-modal.tsx'),
    loadTexts('wall', 'api-tokens'),
  ])
  return Shown
})

/** Other ways to look at Home. */
export function HomeMenu() {
  const { t } = useTranslation('home')
  const may = useMay()
  const link = useDialog('wall')
  const nodes = useQuery(nodesQuery(false)).data
  // A wall of nodes that never were connected shows nothing.
  if (!may(getWall) || nodes?.every(({ xrayVersion }) => xrayVersion === null)) return null
  return (
    <>
      <MenuButton
        button={(props) => (
          <ActionIcon {...props} variant="default" size="lg" aria-label={t('menu.label')}>
            <IconDotsVertical size={18} aria-hidden />
          </ActionIcon>
        )}
      >
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDeviceTv size={16} aria-hidden />} renderRoot={(props) => <Link to="/wall" {...props} />}>
            {t('menu.wall')}
          </Menu.Item>
          {may(createLimitedApiToken) && (
            <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => link.open('new')}>
              {t('menu.link')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </MenuButton>
      {link.value !== undefined && (
        <Suspense fallback={null}>
          <WallLinkModal />
        </Suspense>
      )}
    </>
  )
}
