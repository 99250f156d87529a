import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay, type Call } from './rights/may.tsx'
import { isNotFound } from './call-error.ts'
import { useConfirm } from '../ui/frames/confirm.tsx'
import { FormFooter, useFrameDirty, useIsFramed } from '../ui/frames/frames.tsx'
import { PageFooter } from '../ui/frames/page-footer.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/frames/states.tsx'
import classes from './edit-frame.module.css'
import { sessionStore } from './session.ts'
import type { EditForm, EditRead, Opened, SendChange } from './use-edit-form.ts'

interface OpenProps<Entity> {
  read: EditRead<Entity>
  /** Where to go when the thing no longer exists; a settings page always does. */
  onLeave?: () => void
  /** The sentence about a deleted thing. */
  missing?: string
  /** False: what is entered is not disturbed by further reads; it is compared again before saving. */
  isFollowedWhileChanged?: boolean
  /** Drawn once the thing is there; key it by the thing's id. */
  children: (opened: Opened<Entity>) => ReactNode
}

/** Reads what is to be edited, and follows it. */
export function EditOpen<Entity>({ read, onLeave, missing, isFollowedWhileChanged = true, children }: OpenProps<Entity>) {
  const { t } = useTranslation('ui')
  const [isChanged, onChanged] = useState(false)
  const query = useQuery({ ...read, enabled: isFollowedWhileChanged || !isChanged })
  const isGone = isNotFound(query.error)
  useLateFocus(query.data !== undefined)
  if (query.data !== undefined)
    return children({ entity: query.data, read, isGone, isStale: query.isError && !isGone, onChanged })
  if (isGone)
    return (
      <EmptyState
        title={missing ?? t('edited.gone')}
        action={onLeave && <Button onClick={onLeave}>{t('edited.leave')}</Button>}
      />
    )
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <LoadingRows />
}

/** Content that comes after its dialog has opened takes the focus, which the dialog gave to its close button meanwhile. */
function useLateFocus(isThere: boolean): void {
  const isLate = useRef(!isThere)
  // The focus is the browser's.
  useEffect(() => {
    if (!isThere || !isLate.current) return
    isLate.current = false
    const active = document.activeElement
    if (!active?.matches('.mantine-Modal-close, .mantine-Drawer-close')) return
    active.closest('[role=dialog]')?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [isThere])
}

interface FrameProps<Entity, Form extends Record<string, unknown>> {
  edit: EditForm<Entity, Form>
  onSave: SendChange<Entity, Form>
  onSaved?: () => void
  /** The endpoint that saves: without the right to call it, the fields are read only. */
  writes: Call
  /** The word on the button that saves; 'Save' where nothing else is said. */
  action?: string
  isDisabled?: boolean
  /** Looked at before anything is asked or sent: false when what was entered cannot be, and the screen has said why. */
  mayTry?: () => boolean
  /** The person has given up what was entered. */
  onDiscard?: () => void
  /** Further actions on the thing, beside the buttons. */
  others?: ReactNode
  /** On a page: what is known of it as it stands, above the buttons and in sight with them. */
  status?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** Around the fields of everything that is edited: what others did meanwhile, and the way to save. */
export function EditFrame<Entity, Form extends Record<string, unknown>>(props: FrameProps<Entity, Form>) {
  const {
    edit,
    onSave,
    onSaved,
    writes,
    action,
    isDisabled = false,
    mayTry,
    onDiscard,
    others,
    status,
    className,
    children,
  } = props
  const { t } = useTranslation('ui')
  const isFramed = useIsFramed()
  const may = useMay()
  const isUnsaved = edit.isChanged && !edit.isGone
  useFrameDirty(isUnsaved)

  async function save(): Promise<void> {
    if (mayTry?.() === false) return
    if (await edit.save(onSave)) onSaved?.()
  }
  if (!may(writes)) {
    return (
      <div className={className}>
        <Alert color="gray" icon={<IconLock size={18} aria-hidden />} mb="md">
          {t('edited.mayNot')}
        </Alert>
        <fieldset disabled className={classes['closed']}>
          {children}
        </fieldset>
        {isFramed ? others : <PageFooter status={status}>{others}</PageFooter>}
      </div>
    )
  }
  const footer = { action: action ?? t('save'), isBusy: edit.isSaving, isDisabled: isDisabled || !edit.canSave }
  return (
    <form noValidate className={className} onSubmit={edit.form.onSubmit(() => void save())}>
      <Notices edit={edit} />
      {children}
      {isFramed ? (
        <>
          <FormFooter {...footer}>{others}</FormFooter>
          <PageGuard isUnsaved={isUnsaved && !edit.isSaving} onDiscard={undefined} isFramed />
        </>
      ) : (
        <PageFooter status={status}>
          {others}
          <Button
            variant="default"
            disabled={!edit.isChanged}
            onClick={() => {
              edit.reset()
              onDiscard?.()
            }}
          >
            {t('edited.reset')}
          </Button>
          <Button type="submit" loading={footer.isBusy} disabled={footer.isDisabled}>
            {footer.action}
          </Button>
          <PageGuard isUnsaved={isUnsaved && !edit.isSaving} onDiscard={onDiscard} />
        </PageFooter>
      )}
    </form>
  )
}

interface GuardProps {
  isUnsaved: boolean
  onDiscard: (() => void) | undefined
  isFramed?: boolean
}

/** A page is left by its address, and asks as a dialog does. From a dialog too a link may lead to another page. */
function PageGuard({ isUnsaved, onDiscard, isFramed = false }: GuardProps) {
  const { t } = useTranslation('ui')
  const confirm = useConfirm()
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Without a session the page must be left has to leave, whatever the answer.
      if (!isUnsaved || current.pathname === next.pathname || !sessionStore.getState().isAuthenticated) return false
      const question = {
        title: t('discard.title'),
        body: t('discard.body'),
        action: t('discard.action'),
        wayBack: t('discard.keep'),
      }
      const isAgreed = await confirm({ ...question, isDangerous: true })
      if (isAgreed) onDiscard?.()
      return !isAgreed
    },
    enableBeforeUnload: isUnsaved && !isFramed,
  })
  return null
}

function Notices<Entity, Form extends Record<string, unknown>>({ edit }: { edit: EditForm<Entity, Form> }) {
  const { t } = useTranslation('ui')
  const { taken, conflicts, isGone, isStale } = edit
  return (
    <>
      {isGone && <Notice color="red">{t('edited.goneMeanwhile')}</Notice>}
      {isStale && <Notice color="yellow">{t('edited.stale')}</Notice>}
      {!isGone && taken.length + conflicts.length > 0 && (
        <Notice color="yellow" title={t('edited.foreign.title')}>
          <Stack gap="xs">
            {taken.length > 0 && <ForeignValues edit={edit} names={taken} intro={t('edited.foreign.taken')} />}
            {conflicts.length > 0 && <ForeignValues edit={edit} names={conflicts} intro={t('edited.foreign.conflicts')} />}
            <Group gap="sm">
              {conflicts.length === 0 ? (
                <Button size="compact-sm" variant="default" onClick={edit.dismiss}>
                  {t('edited.foreign.dismiss')}
                </Button>
              ) : (
                <>
                  <Button size="compact-sm" variant="default" onClick={() => edit.decide('theirs')}>
                    {t('edited.foreign.theirs')}
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => edit.decide('mine')}>
                    {t('edited.foreign.mine')}
                  </Button>
                </>
              )}
            </Group>
          </Stack>
        </Notice>
      )}
    </>
  )
}

interface ForeignProps<Entity, Form extends Record<string, unknown>> {
  edit: EditForm<Entity, Form>
  names: readonly (keyof Form)[]
  intro: string
}

/** The new values of these fields, as saved by a colleague. */
function ForeignValues<Entity, Form extends Record<string, unknown>>({ edit, names, intro }: ForeignProps<Entity, Form>) {
  const { t } = useTranslation('ui')

  function inWords(name: keyof Form): string {
    const value = edit.theirs[name]
    const own = edit.fields[name].inWords?.(value)
    if (own !== undefined) return own
    if (typeof value === 'boolean') return t(value ? 'edited.on' : 'edited.off')
    if (value === null || value === undefined || value === '') return t('edited.empty')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return (
    <div>
      <Text size="sm">{intro}</Text>
      <dl className={classes['foreign']}>
        {names.map((name) => (
          <div key={String(name)}>
            <dt>{edit.fields[name].label}</dt>
            <dd dir="auto">{inWords(name)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Notice({ color, title, children }: { color: 'red' | 'yellow'; title?: string; children: ReactNode }) {
  const icon = <IconAlertTriangle size={18} color={`var(--mantine-color-${color}-5)`} aria-hidden />
  return (
    <Alert variant="default" mb="md" icon={icon} role="alert" {...(title === undefined ? {} : { title })}>
      {children}
    </Alert>
  )
}
