import { basicPermissions, isBuiltInRole, permissions, type Permission, type Role } from '@causeway/contract'
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { rolesQuery, useCreateRole, useDeleteRole, useUpdateRole } from './admins.queries.ts'
import { useRoleName } from './use-role-name.ts'
import list from '../../ui/rows/panel-list.module.css'
import classes from './admins.module.css'

/** Shipped roles and own ones, with how many hold each. */
export function RolesSection() {
  const { t } = useTranslation('admins')
  const { data } = useQuery(rolesQuery())
  const { value, open, close } = useDialog('role')
  const edited = data?.roles.find(({ ref, name }) => ref === value && name !== null)
  return (
    <section aria-labelledby="roles">
      <div className={list['head']}>
        <h2 id="roles">{t('role.list')}</h2>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => open('new')}>
          {t('role.create')}
        </Button>
      </div>
      <ul className={list['list']} aria-labelledby="roles">
        {data?.roles.map((role) => (
          <RoleRow key={role.ref} role={role} onEdit={() => open(role.ref)} />
        ))}
      </ul>
      <ModalFrame
        isOpen={value === 'new' || edited !== undefined}
        onClose={close}
        title={edited ? t('role.editTitle') : t('role.create')}
        width={560}
      >
        <RoleForm key={value} role={edited} onDone={close} />
      </ModalFrame>
    </section>
  )
}

function RoleRow({ role, onEdit }: { role: Role; onEdit: () => void }) {
  const { t } = useTranslation('admins')
  const nameOf = useRoleName()
  const confirm = useConfirmDelete()
  const remove = useDeleteRole()
  const name = nameOf(role)

  async function onDelete(): Promise<void> {
    if (await confirm(t('role.deleteTitle', { name }), t('role.deleteBody'))) remove.mutate({ uuid: role.ref })
  }
  return (
    <li className={list['row']}>
      <div className={classes['what']}>
        <span className={list['name']}>
          <bdi>{name}</bdi>
        </span>
        <span className={list['facts']}>
          {isBuiltInRole(role.ref) && <span>{t(`builtInHint.${role.ref}`)}</span>}
          <span>{t('role.holders', { count: role.holders })}</span>
          <span>{t('role.permissions', { count: role.permissions.length })}</span>
        </span>
      </div>
      {role.name !== null && (
        <div className={list['actions']}>
          <Button size="compact-sm" variant="default" aria-label={t('role.editOne', { name })} onClick={onEdit}>
            {t('role.edit')}
          </Button>
          {role.holders === 0 && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('role.deleteOne', { name })}
              loading={remove.isPending}
              onClick={() => void onDelete()}
            >
              {t('role.delete')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

const given = permissions.filter((name) => !basicPermissions.includes(name))
const areas = [...Map.groupBy(given, (name) => name.split('.')[0] ?? '').entries()]

function RoleForm({ role, onDone }: { role: Role | undefined; onDone: () => void }) {
  const { t } = useTranslation(['admins', 'api-tokens'])
  const [name, setName] = useState(role?.name ?? '')
  const [held, setHeld] = useState<readonly Permission[]>(role?.permissions ?? [])
  const [create, update] = [useCreateRole(), useUpdateRole()]
  useFrameDirty(name !== (role?.name ?? '') && !create.isSuccess && !update.isSuccess)
  const toggle = (each: Permission, isOn: boolean) => setHeld(isOn ? [...held, each] : held.filter((other) => other !== each))

  function save(): void {
    const fields = { name: name.trim(), permissions: [...held] }
    if (role) update.mutate({ uuid: role.ref, ...fields }, { onSuccess: onDone })
    else create.mutate(fields, { onSuccess: onDone })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') save()
      }}
    >
      <Stack gap="md" mb="lg">
        <TextInput
          label={t('role.name')}
          required
          data-autofocus
          maxLength={50}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <Text size="sm" fw={500}>
            {t('role.opens')}
          </Text>
          <ul className={classes['areas']}>
            {areas.map(([area, names]) => {
              const areaName = t(`api-tokens:area.${area}` as 'api-tokens:area.users', { defaultValue: area }) // a missing one says itself
              return (
                <li key={area}>
                  <span>{areaName}</span>
                  {names.map((each) => {
                    const right = each.split('.')[1] ?? ''
                    const rightName = t(`api-tokens:right.${right}` as 'api-tokens:right.read', { defaultValue: right }) // as above
                    return (
                      <Checkbox
                        key={each}
                        size="xs"
                        label={rightName}
                        aria-label={`${areaName}: ${rightName}`}
                        checked={held.includes(each)}
                        onChange={(event) => toggle(each, event.currentTarget.checked)}
                      />
                    )
                  })}
                </li>
              )
            })}
          </ul>
        </div>
      </Stack>
      <FormFooter
        action={role ? t('role.save') : t('role.create')}
        isBusy={create.isPending || update.isPending}
        isDisabled={name.trim() === ''}
      />
    </form>
  )
}
