import { updateBackupTargets, type Backups } from '@causeway/contract'
import { Alert, Button, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EditFrame } from '../../api/edit-frame.tsx'
import { inOurWords } from '../../api/server-sentences.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { useTryTarget, useUpdateTargets } from './backups.queries.ts'
import { isStoreWhole, STORE_TEXTS, toForm, toPatch, toStore, type TargetsForm } from './targets-form.ts'

/** Where encrypted copies go: a folder, a store, or both. */
export function EditTargets({ opened, onClose }: { opened: Opened<Backups>; onClose: () => void }) {
  const { t } = useTranslation('backups')
  const isSecretHeld = Boolean(opened.entity.targets?.store)
  const edit = useEditForm<Backups, TargetsForm>({
    opened,
    toForm,
    fields: {
      isLogSent: { label: t('log.send') },
      folder: { label: t('targets.folder') },
      hasStore: { label: t('targets.toStore') },
      endpoint: { label: t('targets.endpoint') },
      region: { label: t('targets.region') },
      bucket: { label: t('targets.bucket') },
      prefix: { label: t('targets.prefix') },
      isPathStyle: { label: t('targets.pathStyle') },
      authority: { label: t('targets.authority') },
      accessKeyId: { label: t('targets.accessKeyId') },
      secretAccessKey: { label: t('targets.secretAccessKey') },
    },
  })
  const { form } = edit
  const { values } = form
  const update = useUpdateTargets()
  const isWhole = !values.hasStore || isStoreWhole(values, isSecretHeld)
  return (
    <EditFrame
      edit={edit}
      writes={updateBackupTargets}
      isDisabled={!isWhole}
      onSave={({ changed }) => update.mutateAsync(toPatch(values, changed))}
      onSaved={onClose}
    >
      <Stack gap="sm" mb="lg">
        <TextInput
          label={t('targets.folder')}
          description={t('targets.folderHelp')}
          placeholder="/mnt/backups"
          dir="ltr"
          data-autofocus
          {...form.getInputProps('folder')}
        />
        {values.folder.trim() !== '' && <TryButton input={{ folder: values.folder.trim() }} label={t('targets.tryFolder')} />}
        <Switch label={t('targets.toStore')} {...form.getInputProps('hasStore', { type: 'checkbox' })} />
        {values.hasStore && (
          <>
            {STORE_TEXTS.map((name) => (
              <StoreText key={name} name={name} isHeld={isSecretHeld} props={form.getInputProps(name)} />
            ))}
            <Switch
              label={t('targets.pathStyle')}
              description={t('targets.pathStyleHelp')}
              {...form.getInputProps('isPathStyle', { type: 'checkbox' })}
            />
            <TryButton input={{ store: toStore(values) }} label={t('targets.tryStore')} isDisabled={!isWhole} />
          </>
        )}
        {!opened.entity.hasOwnDatabase && (
          <Switch
            label={t('log.send')}
            description={t('log.sendHelp')}
            {...form.getInputProps('isLogSent', { type: 'checkbox' })}
          />
        )}
        <Text size="sm" c="dimmed">
          {t('targets.kept')}
        </Text>
      </Stack>
    </EditFrame>
  )
}

const HINTS: Partial<Record<(typeof STORE_TEXTS)[number], string>> = {
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  prefix: 'causeway',
}

function StoreText({ name, isHeld, props }: { name: (typeof STORE_TEXTS)[number]; isHeld: boolean; props: object }) {
  const { t } = useTranslation('backups')
  const label = t(`targets.${name}`)
  if (name === 'authority')
    return (
      <Textarea
        label={label}
        description={t('targets.authorityHelp')}
        placeholder="-----BEGIN CERTIFICATE-----"
        autosize
        minRows={2}
        maxRows={6}
        dir="ltr"
        {...props}
      />
    )
  if (name === 'secretAccessKey')
    return (
      <PasswordInput
        label={label}
        dir="ltr"
        autoComplete="off"
        placeholder={isHeld ? t('targets.secretKept') : ''}
        required={!isHeld}
        {...props}
      />
    )
  return (
    <TextInput
      label={label}
      dir="ltr"
      autoComplete="off"
      placeholder={HINTS[name] ?? ''}
      required={name !== 'prefix'}
      {...props}
    />
  )
}

interface TryProps {
  input: Parameters<ReturnType<typeof useTryTarget>['mutate']>[0]
  label: string
  isDisabled?: boolean
}

/** Writes, reads, compares and deletes at the target as it is entered, and says what does not work. */
function TryButton({ input, label, isDisabled = false }: TryProps) {
  const { t } = useTranslation('backups')
  const attempt = useTryTarget()
  const failure = attempt.data?.failure
  return (
    <>
      <Button
        variant="default"
        w="fit-content"
        disabled={isDisabled}
        loading={attempt.isPending}
        onClick={() => attempt.mutate(input)}
      >
        {label}
      </Button>
      {failure !== undefined && !attempt.isPending && (
        <Alert role="status" color={failure === null ? 'teal' : 'red'}>
          {failure === null ? t('targets.works') : inOurWords(failure)}
        </Alert>
      )}
    </>
  )
}
