import { useTranslation } from 'react-i18next'
import { addressOf } from '../../lib/page-route.ts'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { TEMPLATE_PATHS } from './template-paths.ts'

interface Props {
  title?: string | undefined
  description?: string | undefined
}

/** Where the page is: Dashboard, Templates, and what is edited. */
export function TemplateHeader({ title, description }: Props) {
  const { t } = useTranslation('subscription-templates')
  return (
    <PageHeader
      title={title ?? t('config')}
      trail={[{ label: t('templates'), to: addressOf({ path: TEMPLATE_PATHS.XRAY_JSON }) }]}
      {...(description === undefined ? {} : { description })}
    />
  )
}
