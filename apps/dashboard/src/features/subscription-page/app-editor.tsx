import type { PageApp, PageButton, PageTranslations } from '@causeway/contract'
import { Button, Group, Stack, Switch, TextInput, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { NEW_EXTRA_STEP, type AppChange } from './page-editor.rules.ts'
import { ButtonFields, TranslationFields } from './step-fields.tsx'
import classes from './subscription-page.module.css'

interface Props {
  app: PageApp
  /** `field` says what the change is about: typing on in one field is undone at once. */
  onChange: (change: AppChange, field: string) => void
}

/** Everything that the page tells of one app, in the order in which subscribers read it. */
export function AppEditor({ app, onChange }: Props) {
  const { t } = useTranslation('subscription-page')
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <Group grow align="flex-start" gap="xs">
          <MachineTextInput
            label={t('id')}
            description={t('idHint')}
            error={/^[a-z]/.test(app.id) ? undefined : t('idWrong')}
            value={app.id}
            onChange={(event) => onChange({ id: event.currentTarget.value }, 'id')}
          />
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            value={app.name}
            onChange={(event) => onChange({ name: event.currentTarget.value }, 'name')}
          />
        </Group>
        <MachineTextInput
          label={t('urlScheme')}
          description={t('urlSchemeHint')}
          value={app.urlScheme}
          onChange={(event) => onChange({ urlScheme: event.currentTarget.value }, 'urlScheme')}
        />
        <Group gap="lg">
          <Switch
            label={t('isFeatured')}
            checked={app.isFeatured}
            onChange={(event) => onChange({ isFeatured: event.currentTarget.checked }, '')}
          />
          <Switch
            label={t('isNeedBase64Encoding')}
            checked={app.isNeedBase64Encoding ?? false}
            onChange={(event) => onChange({ isNeedBase64Encoding: event.currentTarget.checked }, '')}
          />
        </Group>
      </Stack>
      <Step
        title={t('step.installation')}
        description={app.installationStep.description}
        buttons={app.installationStep.buttons}
        onChange={(parts, field) =>
          onChange({ installationStep: { ...app.installationStep, ...parts } }, `installation ${field}`)
        }
      />
      <ExtraStep name="additionalBeforeAddSubscriptionStep" app={app} onChange={onChange} />
      <Step
        title={t('step.add')}
        description={app.addSubscriptionStep.description}
        onChange={({ description = app.addSubscriptionStep.description }, field) =>
          onChange({ addSubscriptionStep: { description } }, `add ${field}`)
        }
      />
      <ExtraStep name="additionalAfterAddSubscriptionStep" app={app} onChange={onChange} />
      <Step
        title={t('step.connect')}
        description={app.connectAndUseStep.description}
        onChange={({ description = app.connectAndUseStep.description }, field) =>
          onChange({ connectAndUseStep: { description } }, `connect ${field}`)
        }
      />
    </Stack>
  )
}

interface StepParts {
  title?: PageTranslations
  description?: PageTranslations
  buttons?: PageButton[]
}

interface StepProps {
  title: string
  heading?: PageTranslations
  description: PageTranslations
  buttons?: readonly PageButton[]
  action?: ReactNode
  onChange: (parts: StepParts, field: string) => void
}

function Step({ title, heading, description, buttons, action, onChange }: StepProps) {
  const { t } = useTranslation('subscription-page')
  return (
    <section aria-label={title} className={classes['step']}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {title}
        </Title>
        {action}
      </Group>
      <Stack gap="sm">
        {heading && (
          <TranslationFields label={t('stepTitle')} value={heading} onChange={(texts) => onChange({ title: texts }, 'title')} />
        )}
        <TranslationFields
          label={t('stepDescription')}
          value={description}
          isLong
          onChange={(texts) => onChange({ description: texts }, 'description')}
        />
        {buttons && <ButtonFields step={title} value={buttons} onChange={(next) => onChange({ buttons: next }, 'buttons')} />}
      </Stack>
    </section>
  )
}

type ExtraName = 'additionalBeforeAddSubscriptionStep' | 'additionalAfterAddSubscriptionStep'

/** A step that some apps need, before or after adding the subscription. */
function ExtraStep({ name, app, onChange }: Props & { name: ExtraName }) {
  const { t } = useTranslation('subscription-page')
  const extra = app[name]
  const title = t(`step.${name}`)
  if (!extra) {
    return (
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange({ [name]: NEW_EXTRA_STEP }, '')}
      >
        {t('addStep', { step: title })}
      </Button>
    )
  }
  return (
    <Step
      title={title}
      heading={extra.title}
      description={extra.description}
      buttons={extra.buttons}
      onChange={(parts, field) => onChange({ [name]: { ...extra, ...parts } }, `${name} ${field}`)}
      action={
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => onChange({ [name]: undefined }, '')}
        >
          {t('removeStep', { step: title })}
        </Button>
      }
    />
  )
}
